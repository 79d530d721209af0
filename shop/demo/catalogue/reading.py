"""Reads the lists into plans. Everything that varies is drawn from a generator seeded by the product's
slug, so the same lists always give the same shop."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from random import Random

from django.utils.text import slugify

from shop.catalog.composition.prescriptions import Schedule

from ..drawing.ink import darken, lighten, mix
from ..drawing.scene import Packshot
from .cautions import cautions_of, suited_for
from .dosages import FORMS, WATER, Form
from .medicines import medicine_of
from .plans import BrandPlan, CategoryPlan, ConcernPlan, ProductPlan, VariantPlan
from .plants import COLOURS, FLAVOURS, plant_of

HERE = Path(__file__).resolve().parent
SEED = "aushadhi"
SOLD_AS = re.compile(r"(?<![\w-])([\w-]++):([^:]{1,40}):(\d++)")  # form:brand:price
DISCOUNTS = (0, 0, 0, 0, 5, 8, 10, 10, 12, 15, 15, 18, 20, 20, 25, 30, 40)
BARRED_FORMS = {"arishta": ("AE", "SA", "KW", "QA"), "honey": ("AU", "NZ"), "majun": ("NZ",), "flour": ("AU",)}
# In Hot Selling, each in one size, so that a tap on the card puts it into the cart.
PINNED = {"ashwagandha-capsules", "chyawanprash-classic", "kumkumadi-face-oil", "neem-tulsi-face-wash", "majun-falasfa",
          "moringa-powder", "plant-protein", "triphala-churna"}  # fmt: skip
STATES = {"Maharashtra": "MH", "Uttarakhand": "UK", "Rajasthan": "RJ", "Madhya Pradesh": "MP", "Gujarat": "GJ",
          "Uttar Pradesh": "UP", "Himachal Pradesh": "HP", "Kerala": "KL", "West Bengal": "WB", "Karnataka": "KA",
          "Tamil Nadu": "TN", "Telangana": "TS", "Haryana": "HR"}  # fmt: skip
ORIGINS = {"Cinnamon": "LK"}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a product list, before its form is applied."""

    name: str
    brand: str
    form: str
    concerns: tuple[str, ...]
    ingredients: tuple[tuple[str, str], ...]
    about: str
    price: Decimal
    options: dict[str, str]
    title: str = ""
    plant: tuple[str, str] | None = None


@lru_cache
def brands() -> dict[str, BrandPlan]:
    return {cells[0]: BrandPlan(cells[0], slugify(cells[0]), *cells[1:]) for cells in _table("brands.txt", 9)}


@lru_cache
def categories() -> list[CategoryPlan]:
    return [CategoryPlan(*cells) for cells in _table("categories.txt", 4)]


@lru_cache
def concerns() -> list[ConcernPlan]:
    return [ConcernPlan(*cells) for cells in _table("concerns.txt", 4)]


@lru_cache
def products() -> list[ProductPlan]:
    """Every product, in the order of the lists."""
    plans: dict[str, ProductPlan] = {}
    for row in [*_herb_rows(), *_product_rows()]:
        slug = slugify(row.name)
        if slug in plans:
            slug = slugify(f"{row.name} {row.brand}")
        plans[slug] = _plan(slug, row)
    return list(plans.values())


def _table(name: str, columns: int) -> list[list[str]]:
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines if line.strip() and not line.startswith("#")]
    for row in rows:
        if len(row) != columns:
            raise ValueError(f"{name}: {row[0]} has {len(row)} columns, not {columns}")
    return rows


def _herb_rows() -> Iterator[Row]:
    for name, latin, part, motif, colour, concern_slugs, about, sold_as in _table("herbs.txt", 8):
        for form_key, brand, price in SOLD_AS.findall(sold_as):
            dose = {"capsules": "500 mg", "tablets": "500 mg"}.get(form_key, "")
            yield Row(
                name=f"{name} {FORMS[form_key].suffix}",
                brand=brand,
                form=form_key,
                concerns=tuple(concern_slugs.split()),
                ingredients=((f"{name} {part}", dose),),
                about=about,
                price=Decimal(price),
                options={"origin": ORIGINS[name]} if name in ORIGINS else {},
                title=f"{name} {FORMS[form_key].suffix} ({latin}, {part})",
                plant=(motif, colour),
            )


def _product_rows() -> Iterator[Row]:
    for path in sorted((HERE / "products").glob("*.txt")):
        for name, brand, form, concern_slugs, ingredients, about, price, options in _table(f"products/{path.name}", 8):
            yield Row(
                name=name if "name=" in options or not FORMS[form].suffix else _with_suffix(name, FORMS[form].suffix),
                brand=brand,
                form=form,
                concerns=tuple(concern_slugs.split()),
                ingredients=tuple(_pair(part) for part in ingredients.split(",")),
                about=about,
                price=Decimal(price),
                options=_options(options),
            )


def _with_suffix(name: str, suffix: str) -> str:
    return name if suffix.split()[-1].lower() in name.lower() else f"{name} {suffix}"


def _pair(text: str) -> tuple[str, str]:
    name, _, quantity = text.strip().partition("=")
    return name, quantity


def _options(text: str) -> dict[str, str]:
    """`a=x b=two words` into a dict: a value runs until the next `key=`."""
    found: dict[str, str] = {}
    key = ""
    for word in text.split():
        name, is_new, value = word.partition("=")
        if is_new:
            key, found[name] = name, value
        else:
            found[key] += f" {word}"
    return found


def _plan(slug: str, row: Row) -> ProductPlan:
    form, brand, options = FORMS[row.form], brands()[row.brand], row.options
    random = Random(f"{SEED}:{slug}")
    listed = ", ".join(name for name, _ in row.ingredients)
    plant = row.plant or plant_of(f"{row.name} {listed}", ("sprig" if form.licence != "drug" else "pill", brand.main))
    variants = tuple(_variants(slug, row, form, random))
    prescription = "rx" in options
    return ProductPlan(
        slug=slug,
        name=row.name,
        title=row.title,
        brand=brand,
        category=options.get("cat") or form.category or "allopathy/first-aid",
        concerns=row.concerns,
        about=row.about,
        highlight=_highlight(row, form),
        description=_description(row, form, prescription),
        suited_for=suited_for(form),
        dosage=form.dosage,
        cautions=cautions_of(form, listed),
        storage=WATER,
        ingredients=listed,
        nutrition=dict(form.nutrition),
        composition={name: quantity for name, quantity in row.ingredients if quantity},
        hsn=options.get("hsn", form.hsn),
        licence=_licence("food" if "food" in options else form.licence, brand, random),
        months=form.months or None,
        origin=options.get("origin", "IN"),
        is_returnable=form.returnable and not prescription,
        is_prescription=prescription,
        schedule=Schedule(options["rx"]) if options.get("rx", "yes") != "yes" else "",
        medicine=medicine_of(row.name, row.form, form, row.ingredients),
        barred=tuple(options["bar"].split(",")) if "bar" in options else BARRED_FORMS.get(row.form, ()),
        popularity=random.randint(0, 40 if prescription else 380) + (400 if slug in PINNED else 0),
        is_pinned=slug in PINNED,
        days_old=random.randint(1, 540),
        has_fixed_prices=random.random() < 0.12,
        variants=variants,
        shows_label=form.licence in {"cosmetic", "food"},
        looks=_looks(row, form, brand, plant, variants),
    )


def _variants(slug: str, row: Row, form: Form, random: Random) -> Iterator[VariantPlan]:
    """Every size in every flavour or colour; the first in the list is the one that is shown first."""
    strip = form.shape in {"blister", "sachets"}
    discount = random.choice(DISCOUNTS[:10] if strip else DISCOUNTS)
    is_sold_out = random.random() < 0.035
    stem = "-".join(word[:4] for word in slug.split("-")[:4]).upper()
    kind, choices = _choices(row)
    sizes = _sizes(row, form)
    if (slug in PINNED and slug != "kumkumadi-face-oil") or random.random() < 0.3:
        sizes = sizes[:1]
    sizes.sort(key=lambda size: size[2])
    for choice in choices:
        for quantity, unit, factor in sizes:
            mrp = _tidy(row.price * Decimal(str(factor)))
            is_empty = is_sold_out or random.random() < 0.06
            attributes = [("Size", quantity, unit)] if len(sizes) > 1 or not kind else []
            if kind:
                attributes.append((kind, choice, ""))
            yield VariantPlan(
                sku=f"{stem}-{_code(slug)}-{slugify(quantity + unit).upper()}{'-' + slugify(choice).upper() if kind else ''}",
                attributes=tuple(attributes),
                selling=_tidy(mrp * (100 - discount) / 100, down=True) if discount else mrp,
                mrp=mrp,
                net_quantity=_amount(quantity),
                net_unit=unit,
                units=0 if is_empty and slug not in PINNED else random.choice((2, 3, 8, 14, 25, 40, 60, 90, 140)),
                look=choice,
            )


def _choices(row: Row) -> tuple[str, list[str]]:
    for key, attribute in (("flavour", "Flavour"), ("colour", "Colour"), ("style", "Style")):
        if key in row.options:
            return attribute, row.options[key].split(",")
    return "", [""]


def _sizes(row: Row, form: Form) -> list[tuple[str, str, float]]:
    if "sizes" in row.options:
        pairs = (part.rpartition(":") for part in row.options["sizes"].split(","))
        return [(*_split_size(size), float(factor)) for size, _, factor in pairs]
    unit = row.options.get("unit")
    return [(quantity, unit or old, factor) for quantity, old, factor in form.sizes]


def _split_size(size: str) -> tuple[str, str]:
    quantity, _, unit = size.rpartition(" ")
    return quantity, unit


def _amount(quantity: str) -> Decimal:
    """`3 x 125` is 375."""
    amount = Decimal(1)
    for part in quantity.split(" x "):
        amount *= Decimal(part)
    return amount


def _tidy(price: Decimal, *, down: bool = False) -> Decimal:
    """A price that a shopkeeper would write: whole rupees, in fives above ₹100 (or one less, when reduced)."""
    step = 5 if price >= 100 else 1
    whole = Decimal(int(price / step + (Decimal(0) if down else Decimal("0.5"))) * step)
    return max(Decimal(1), whole - 1 if down and whole >= 100 else whole)


def _code(slug: str) -> str:
    """Three letters that keep short SKUs apart."""
    number = Random(f"sku:{slug}").randrange(26**3)
    return "".join(chr(65 + number // 26**place % 26) for place in range(3))


def _highlight(row: Row, form: Form) -> str:
    """What stands out, a line each; what it is, the description tells."""
    names = [name for name, _ in row.ingredients]
    inside = (
        f"With {', '.join(names[:-1][:3])} and {names[-1] if len(names) < 5 else 'more'}."
        if len(names) > 1
        else f"Made of {names[0]}."
    )
    return f"{form.made}\n{inside}"


def _description(row: Row, form: Form, prescription: bool) -> str:
    note = "<p><strong>Sold only against a doctor's prescription.</strong></p>" if prescription else ""
    keep = f"<p>{WATER}</p>" if form.licence != "none" or form.months else ""
    return f"<p>{row.about}</p>{note}{keep}"


def _licence(kind: str, brand: BrandPlan, random: Random) -> str:
    state = STATES.get(brand.city.split(", ")[-1], "DL")
    number = random.randint(1000, 9999)
    return {
        "ayush": f"Ayurveda Mfg. Lic. {state}-{number}",
        "unani": f"Unani Mfg. Lic. {state}-{number}",
        "drug": f"Drug Mfg. Lic. {state}/25/{number}",
        "cosmetic": f"Cosmetics Mfg. Lic. {state}/C/{number}",
        "food": f"FSSAI Lic. 100{random.randint(10, 99)}0{random.randint(10**7, 10**8 - 1)}",
    }.get(kind, "")


def _looks(
    row: Row, form: Form, brand: BrandPlan, plant: tuple[str, str], variants: tuple[VariantPlan, ...]
) -> dict[str, Packshot]:
    """One packshot a flavour or colour; the first also gives the product's other views."""
    looks: dict[str, Packshot] = {}
    for variant in variants:
        if variant.look in looks:
            continue
        motif, tint = plant
        body, detail = form.body, row.options.get("detail", form.detail)
        if variant.look in FLAVOURS:
            tint, detail = FLAVOURS[variant.look], variant.look
        if variant.look in COLOURS:
            body = COLOURS[variant.look]
        net = f"{variant.net_quantity:f} {variant.net_unit}"
        size = next((f"{value} {unit}" for name, value, unit in variant.attributes if name == "Size"), net)
        label = brand.print(row.name, detail=detail, size=size, motif=motif, tint=tint)
        facts = (
            ("Inside", ", ".join(name for name, _ in row.ingredients)),
            ("How to use", form.dosage),
            ("Made", form.made),
            ("Made by", f"{brand.name}, {brand.city}"),
        )
        backdrop = mix(form.tint, tint, 0.07)
        looks[variant.look] = Packshot(
            form.shape,
            _body(body, brand, tint),
            _cap(form.cap, brand, _body(body, brand, tint)),
            backdrop,
            label,
            facts,
        )
    return looks


def _body(kind: str, brand: BrandPlan, tint: str) -> str:
    """The pack's own colour; a kind of `choice` is overruled by the variant's colour."""
    return {
        "glass": brand.glass,
        "main": brand.main,
        "accent": brand.accent,
        "white": "#f4f2ec",
        "pale": lighten(mix(brand.main, tint, 0.5), 0.76),
        "tinted": mix(brand.main, tint, 0.55),
        "tinted-bar": mix(tint, "#e8d6b0", 0.45),
        "choice": brand.main,
    }.get(kind, kind)


def _cap(kind: str, brand: BrandPlan, body: str) -> str:
    return {
        "dark": darken(brand.main, 0.5),
        "main": brand.main,
        "accent": brand.accent,
        "white": "#f1eee6",
        "body": darken(body, 0.25),
    }[kind]
