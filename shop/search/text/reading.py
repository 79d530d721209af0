"""What products say, field by field, as the word index takes it: two queries, and four more for each AT_ONCE."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Any

from shop.catalog.models import Category, Product, Variant
from shop.translated import Translations

from .index import BREAK, Entry
from .measures import measure_words
from .normalization import plain_words

TAGS = re.compile(r"<[^<>]++>")
NAME_BREAK = re.compile(r"\s[-–—|/]\s|[,;:(\[|]")  # what follows says more about the thing: "Face Wash - Honey"
MAX_BODY_LENGTH = 4000
AT_ONCE = 2000


def read_entries(product_ids: Iterable[int] | None = None) -> Iterator[Entry]:
    """Fields of these products, or of all; those that are not published are left out."""
    if product_ids is None:
        product_ids = Product.objects.published().order_by("pk").values_list("pk", flat=True)
    ids = list(product_ids)
    categories = _category_names()
    for start in range(0, len(ids), AT_ONCE):
        yield from _entries(ids[start : start + AT_ONCE], categories)


def entry_of(pk: int, **texts: str) -> Entry:
    """Texts of a product as the words of its fields, with the sizes of its name and options, and the parts of its
    name set apart by BREAK."""
    fields = {name: plain_words(text) for name, text in texts.items()}
    parts = map(plain_words, NAME_BREAK.split(texts.get("name", "")))
    fields["name"] = f" {BREAK} ".join(filter(None, parts))
    measures = measure_words(" ; ".join(texts.get(name, "") for name in ("name", "title", "options")))
    fields["options"] = f"{fields.get('options', '')} {measures}".strip()
    return pk, fields


def _entries(ids: list[int], categories: dict[int, tuple[str, str]]) -> Iterator[Entry]:
    products = Product.objects.published().filter(pk__in=ids).order_by("pk")
    concerns: dict[int, str] = defaultdict(str)
    beside: dict[int, str] = defaultdict(str)  # names in other languages
    for pk, name, translations in products.values_list("pk", "health_concerns__name", "health_concerns__translations"):
        concerns[pk] += f" ; {name}" if name else ""
        beside[pk] += _translated(translations or {}, "name")
    variants = Variant.objects.filter(product__in=ids, is_active=True)
    labels = variants.values_list("product_id", "attribute_values__value", "attribute_values__unit").distinct()
    options = _texts((pk, f"{value} {unit or ''}") for pk, value, unit in labels if value)
    codes: dict[int, str] = defaultdict(str)
    for pk, sku, barcode, quantity, unit in variants.values_list(
        "product_id", "sku", "barcode", "net_quantity", "net_unit"
    ):
        codes[pk] += f" {sku} {_joined(sku)} {barcode}"
        if quantity:
            options[pk] += f" ; {quantity.normalize():f} {unit}"
    columns = ("name", "title", "brand__name", "maker", "category_id", "highlight", "translations")
    first = ("first_variant__ingredients", "first_variant__composition_json", "first_variant__description")
    for row in products.values_list("pk", *columns, "brand__translations", *first):
        pk, name, title, brand, maker, category, highlight, translations, of_brand, *texts = row
        ingredients, composition, description = texts
        category_name, in_other_languages = categories.get(category, ("", ""))
        beside[pk] += in_other_languages + _translated(of_brand, "name")
        yield entry_of(
            pk,
            name=name,
            title=title,
            brand=f"{brand} {maker}",
            tags=f"{concerns[pk]} ; {category_name}",
            options=options[pk],
            ingredients=f"{ingredients} {_composition_text(composition)}",
            body=f"{_plain(f'{highlight} {description}')[:MAX_BODY_LENGTH]}{beside[pk]}",
            codes=f"{codes[pk]}{_translated(translations, 'name', 'title')}",
        )


def _texts(rows: Iterable[tuple[int, str | None]]) -> dict[int, str]:
    texts: dict[int, str] = defaultdict(str)
    for pk, text in rows:
        texts[pk] += f" ; {text}" if text else ""
    return texts


def _category_names() -> dict[int, tuple[str, str]]:
    """Names on the way to each category, the hidden ones left out: in English, and in other languages."""
    rows = Category.objects.select_related("parent__parent")
    trails = {row.pk: row.shown_trail for row in rows}
    return {
        pk: (" ; ".join(one.name for one in trail), "".join(_translated(one.translations, "name") for one in trail))
        for pk, trail in trails.items()
    }


def _translated(translations: Translations, *names: str) -> str:
    """These fields in every language but English, each once."""
    texts = dict.fromkeys(said[name] for said in translations.values() for name in names if name in said)
    return "".join(f" ; {text}" for text in texts)


def _composition_text(composition: dict[str, Any]) -> str:
    parts = composition.get("Composition", {})
    return " ".join(f"{name} {amount}" for name, amount in parts.items()) if isinstance(parts, dict) else str(parts)


def _joined(code: str) -> str:
    """A code without its signs, as people type it."""
    return re.sub(r"[^A-Za-z0-9]", "", code)


def _plain(html: str) -> str:
    return unescape(TAGS.sub(" ", html))
