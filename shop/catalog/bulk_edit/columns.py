"""What a change of many can alter beside INR prices and stock, as a row keeps it before and after (JSON).

Of a variant `barcode`, `weight` and `market:22` (selling and actual price there, or null for the converted INR price);
of its product `category`, `brand`, `concerns` and `is_published`.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django.db import models
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from shop.markets.queries import market_registry
from shop.money import round_money

from ..models import Brand, Category, HealthConcern, Product, Variant

MAX_PRICE = Decimal(10) ** 9
MARKET = "market:"
OF_VARIANTS = {"barcode": "barcode", "weight": "weight_actual"}
OF_PRODUCTS = {"category": "category_id", "brand": "brand_id", "is_published": "is_published"}
CONCERNS = "concerns"
LABELS = {
    "barcode": gettext_lazy("Barcode"),
    "weight": gettext_lazy("Weight"),
    "category": gettext_lazy("Category"),
    "brand": gettext_lazy("Brand"),
    CONCERNS: gettext_lazy("Health concerns"),
    "is_published": gettext_lazy("Published"),
}
NAMED: Mapping[str, type[models.Model]] = {"category": Category, "brand": Brand, CONCERNS: HealthConcern}
Values = dict[str, Any]
WRONG_PRICE = gettext_noop("The price in %(country)s must be above 0 and at most the MRP.")
FEWER_DECIMALS = gettext_noop("%(currency)s has fewer decimals than that.")


def plain(number: Decimal) -> str:
    """The same for 80 and 80.00."""
    return f"{number.normalize():f}"


def values_of(variant: Variant, names: Iterable[str]) -> Values:
    """These of a variant with its product, whose fixed prices and concerns were prefetched."""
    prices = {
        price.location_id: [plain(price.selling_price), plain(price.actual_price)]
        for price in variant.fixed_prices.all()
    }
    return {name: _value(variant, variant.product, name, prices) for name in names}


def _value(variant: Variant, product: Product, name: str, prices: Mapping[int, list[str]]) -> Any:
    if name.startswith(MARKET):
        return prices.get(location_of(name))
    if name == CONCERNS:
        return sorted(concern.pk for concern in product.health_concerns.all())
    if name == "weight":
        return plain(variant.weight_actual)
    return getattr(variant, OF_VARIANTS[name]) if name in OF_VARIANTS else getattr(product, OF_PRODUCTS[name])


def location_of(name: str) -> int:
    return int(name.removeprefix(MARKET))


def refusal_of(after: Values) -> str:
    """Why a price abroad cannot be so; nothing where all can."""
    return next(
        filter(None, (_refusal(location_of(name), pair) for name, pair in after.items() if name.startswith(MARKET))), ""
    )


def _refusal(location: int, pair: Any) -> str:
    place = market_registry().locations.get(location)
    if pair is None or place is None:
        return "" if place else gettext_noop("The shop no longer sells there.")
    selling, actual = map(Decimal, pair)
    if not 0 < selling <= actual < MAX_PRICE:
        return WRONG_PRICE % {"country": place.name}
    if any(price != round_money(price, place.currency_id) for price in (selling, actual)):
        return FEWER_DECIMALS % {"currency": place.currency_id}
    return ""


def label_of(name: str) -> str:
    if not name.startswith(MARKET):
        return str(LABELS[name])
    place = market_registry().locations.get(location_of(name))
    return f"{place.name} ({place.currency_id})" if place else gettext("Another country")


def names_of(rows: Iterable[Values]) -> dict[str, dict[int, str]]:
    """The names of all categories, brands and concerns that these values mention: a query for each kind."""
    ids: dict[str, set[int]] = {name: set() for name in NAMED}
    for row in rows:
        for name in NAMED:
            ids[name].update(ids_of(row.get(name)))
    found = {name: NAMED[name]._default_manager.in_bulk(keys) for name, keys in ids.items() if keys}
    return {name: {pk: str(one) for pk, one in rows_by_id.items()} for name, rows_by_id in found.items()}


def in_words(name: str, value: Any, names: Mapping[str, Mapping[int, str]]) -> str:
    """As people read it; `names` are those of names_of."""
    if name.startswith(MARKET):
        if value is None:
            return gettext("from the INR price")
        selling, actual = value
        return str(selling) if selling == actual else f"{selling} (MRP {actual})"
    if name == "is_published":
        return gettext("yes") if value else gettext("no")
    if name in NAMED:
        return ", ".join(names.get(name, {}).get(pk, gettext("gone")) for pk in ids_of(value)) or gettext("none")
    return str(value) or gettext("none")


def ids_of(value: Any) -> list[int]:
    """Of a category, a brand or concerns."""
    return value if isinstance(value, list) else [] if value is None else [value]


def gone_of(after: Values, names: Mapping[str, Mapping[int, str]]) -> list[str]:
    """What these values name of the catalogue and is no longer there; `names` are those of names_of."""
    return [
        str(LABELS[name])
        for name in NAMED
        if name in after and not set(ids_of(after[name])) <= names.get(name, {}).keys()
    ]
