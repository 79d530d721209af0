"""Plans into products, variants, prices, stock and pictures, in bulk."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from shop.catalog.models import (
    Attribute,
    AttributeValue,
    Brand,
    Category,
    HealthConcern,
    Picture,
    Product,
    StockMovement,
    Substance,
    Variant,
    VariantImage,
    VariantPrice,
)
from shop.catalog.services import refresh_products
from shop.markets.models import Location
from shop.money import from_inr, round_money

from .catalogue import translating
from .catalogue.plans import ProductPlan, VariantPlan
from .drawing import scene
from .painting import Painting

BATCH = 500
OPENED = datetime(2026, 11, 1, 6, 0, tzinfo=UTC)
IMPORTER = "Samudra Imports, Mumbai"
# Fixed prices abroad: what the goods cost more there, over the INR price converted at the first rates.
ABROAD = {"US": Decimal("1.45"), "GB": Decimal("1.40"), "AE": Decimal("1.25")}
RATES = {"US": Decimal("88.50"), "GB": Decimal("117"), "AE": Decimal("24.10")}


def product_paintings(plan: ProductPlan) -> dict[str, list[Painting]]:
    """The pictures of each look: its own front, then the views that all looks share."""
    first = next(iter(plan.looks.values()))
    views = [Painting(scene.company(first), f"{plan.name} by {plan.brand.name}")]
    if plan.is_pinned or plan.shows_label:
        views.append(Painting(scene.close_up(first), f"The label of {plan.name}"))
    if plan.is_pinned or not plan.shows_label:
        views.append(Painting(scene.facts_card(first), f"{plan.name}: what is inside"))
    return {
        look: [Painting(scene.front(shot), f"{plan.name} {look}".strip()), *views] for look, shot in plan.looks.items()
    }


def in_order_of_visits(plans: list[ProductPlan], paintings: dict[str, dict[str, list[Painting]]]) -> Iterator[Painting]:
    """Fronts before the views that only a product's page shows; popular products first."""
    popular = sorted(plans, key=lambda plan: (not plan.is_pinned, -plan.popularity))
    looks = [views for plan in popular for views in paintings[plan.slug].values()]
    yield from (views[0] for views in looks)
    yield from (view for views in looks for view in views[1:])


def load_products(
    plans: list[ProductPlan], paintings: dict[str, dict[str, list[Painting]]], pictures: dict[str, Picture]
) -> None:
    """`paintings` by product slug and look; `pictures` by hash."""
    _load_rows(plans)
    products = Product.objects.in_bulk([plan.slug for plan in plans], field_name="slug")
    variants = Variant.objects.in_bulk([v.sku for plan in plans for v in plan.variants], field_name="sku")
    _load_values(plans, variants)
    _load_links(plans, products)
    VariantPrice.objects.bulk_create(_fixed_prices(plans, variants), batch_size=BATCH)
    VariantImage.objects.bulk_create(
        (
            VariantImage(variant=variants[variant.sku], picture=pictures[painting.digest], position=position)
            for plan in plans
            for variant in plan.variants
            for position, painting in enumerate(paintings[plan.slug][variant.look])
        ),
        batch_size=BATCH,
    )  # fmt: skip
    refresh_products(product.pk for product in products.values())
    _translate_substances()


def _translate_substances() -> None:
    """Those that the products named just now."""
    substances = list(Substance.objects.all())
    for substance in substances:
        substance.translations = translating.of_substance(substance.name)
    Substance.objects.bulk_update(substances, ["translations"], batch_size=BATCH)


def _load_rows(plans: list[ProductPlan]) -> None:
    brands = Brand.objects.in_bulk(field_name="slug")
    categories = Category.objects.in_bulk(field_name="path")
    products = Product.objects.bulk_create(
        (_product(plan, brands[plan.brand.slug], categories[plan.category]) for plan in plans), batch_size=BATCH
    )
    variants = Variant.objects.bulk_create(
        (
            _variant(product, plan, variant, position)
            for product, plan in zip(products, plans, strict=True)
            for position, variant in enumerate(plan.variants)
        ),
        batch_size=BATCH,
    )
    StockMovement.objects.bulk_create(
        (
            StockMovement(
                variant=variant, kind=StockMovement.Kind.RECEIVED, quantity=variant.received,
                reference="first stock", at=OPENED,
            )
            for variant in variants if variant.received
        ),
        batch_size=BATCH,
    )  # fmt: skip
    _load_earlier_sales(plans, variants)


def _load_earlier_sales(plans: list[ProductPlan], variants: list[Variant]) -> None:
    """What sold before this shop opened, so that its first lists of what is popular are not empty."""
    firsts = {variant.product.slug: variant for variant in reversed(variants)}
    StockMovement.objects.bulk_create(
        (
            StockMovement(
                variant=firsts[plan.slug], kind=StockMovement.Kind.EARLIER, quantity=plan.popularity,
                reference="before this shop",
            )
            for plan in plans if plan.popularity
        ),
        batch_size=BATCH,
    )  # fmt: skip


def _product(plan: ProductPlan, brand: Brand, category: Category) -> Product:
    is_import = plan.origin != "IN"
    return Product(
        name=plan.name, title=plan.title, slug=plan.slug, brand=brand, category=category,
        highlight=plan.highlight, suited_for=plan.suited_for, dosage=plan.dosage, cautions=plan.cautions,
        storage=plan.storage,
        meta_title=f"{plan.name} by {plan.brand.name}"[:120],
        meta_desc=plan.about[:300],
        country_of_origin=plan.origin, maker=f"{plan.brand.name}, {plan.brand.city}",
        importer=IMPORTER if is_import else "",
        licence_number=plan.licence, hsn_id=plan.hsn, shelf_life_months=plan.months,
        is_returnable=plan.is_returnable, is_prescription=plan.is_prescription,
        schedule=plan.schedule, active_ingredients=[list(part) for part in plan.medicine.active],
        dosage_form=plan.medicine.dosage_form, is_composition_confirmed=plan.medicine.is_whole,
        is_published=True, is_pinned=plan.is_pinned, published_at=OPENED - timedelta(days=plan.days_old),
        popularity=plan.popularity, translations=translating.of_product(plan),
    )  # fmt: skip


def _variant(product: Product, plan: ProductPlan, variant: VariantPlan, position: int) -> Variant:
    """received = on_hand: nothing is held or sold on the first day."""
    return Variant(
        product=product, sku=variant.sku, position=position, selling_price=variant.selling, actual_price=variant.mrp,
        description=plan.description, ingredients=plan.ingredients,
        nutritional_info_json={"NutritionalFacts": plan.nutrition} if plan.nutrition else {},
        composition_json={"Composition": plan.composition} if plan.composition else {},
        net_quantity=variant.net_quantity, net_unit=variant.net_unit, weight_actual=_weight(variant), weight_unit="g",
        received=variant.units, on_hand=variant.units, translations=translating.of_variant(plan),
    )  # fmt: skip


def _weight(variant: VariantPlan) -> Decimal:
    """Grams in the parcel, about: what is inside and its pack."""
    grams = {"kg": Decimal(1000), "g": Decimal(1), "ml": Decimal("1.05")}.get(variant.net_unit, Decimal(1))
    return (variant.net_quantity * grams * Decimal("1.15") + 30).quantize(Decimal(1))


def _load_values(plans: list[ProductPlan], variants: dict[str, Variant]) -> None:
    attributes = Attribute.objects.in_bulk(field_name="name")
    wanted = {attribute for plan in plans for variant in plan.variants for attribute in variant.attributes}
    known = {(v.attribute.name, v.value, v.unit): v for v in AttributeValue.objects.select_related("attribute")}
    missing = sorted(wanted - known.keys(), key=_by_size)
    made = AttributeValue.objects.bulk_create(
        AttributeValue(
            attribute=attributes[name],
            value=value,
            unit=unit,
            position=position,
            translations=translating.translations(value=value),
        )
        for position, (name, value, unit) in enumerate(missing)
    )
    known.update(zip(missing, made, strict=True))
    link = Variant.attribute_values.through
    link.objects.bulk_create(
        (
            link(variant_id=variants[variant.sku].pk, attributevalue_id=known[attribute].pk)
            for plan in plans for variant in plan.variants for attribute in variant.attributes
        ),
        batch_size=BATCH,
    )  # fmt: skip


def _by_size(attribute: tuple[str, str, str]) -> tuple[str, str, Decimal, str]:
    name, value, unit = attribute
    amount = Decimal(1)
    for part in value.split(" x "):
        amount *= Decimal(part) if part.replace(".", "").isdigit() else 1
    return name, unit, amount, value


def _load_links(plans: list[ProductPlan], products: dict[str, Product]) -> None:
    """Concerns, barred countries and what goes well with what."""
    concerns = HealthConcern.objects.in_bulk(field_name="slug")
    locations = Location.objects.in_bulk(field_name="code")
    has_concern = Product.health_concerns.through
    has_concern.objects.bulk_create(
        (
            has_concern(product=products[plan.slug], healthconcern=concerns[slug])
            for plan in plans for slug in plan.concerns
        ),
        batch_size=BATCH,
    )  # fmt: skip
    is_barred = Product.barred_locations.through
    is_barred.objects.bulk_create(
        is_barred(product=products[plan.slug], location=locations[code]) for plan in plans for code in plan.barred
    )
    by_concern: dict[tuple[str, ...], list[ProductPlan]] = defaultdict(list)  # the first one; none for an antibiotic
    for plan in plans:
        by_concern[plan.concerns[:1]].append(plan)
    goes_with = Product.related_products.through
    goes_with.objects.bulk_create(
        (
            goes_with(from_product=products[plan.slug], to_product=products[other.slug])
            for plan in plans for other in _goes_with(plan, by_concern[plan.concerns[:1]])
        ),
        batch_size=BATCH,
    )  # fmt: skip


def _goes_with(plan: ProductPlan, same_concern: list[ProductPlan]) -> list[ProductPlan]:
    """Six others, best from other shelves, the popular first."""
    others = [other for other in same_concern if other is not plan and not other.is_prescription]
    return sorted(others, key=lambda other: (other.category == plan.category, -other.popularity, other.slug))[:6]


def _fixed_prices(plans: list[ProductPlan], variants: dict[str, Variant]) -> Iterator[VariantPrice]:
    locations = Location.objects.in_bulk(ABROAD, field_name="code")
    for plan in (p for p in plans if p.has_fixed_prices):
        for variant in plan.variants:
            for code, factor in ABROAD.items():
                yield VariantPrice(
                    variant=variants[variant.sku],
                    location=locations[code],
                    selling_price=_charming(variant.selling * factor, code, locations[code].currency_id),
                    actual_price=_charming(variant.mrp * factor, code, locations[code].currency_id),
                )


def _charming(amount_inr: Decimal, code: str, currency: str) -> Decimal:
    """The next whole amount less a cent: 4.99."""
    whole = from_inr(amount_inr, RATES[code], currency).quantize(Decimal(1), ROUND_HALF_UP)
    return round_money(max(Decimal(1), whole) - Decimal("0.01"), currency)
