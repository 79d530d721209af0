"""Products with the same composition: the same substances in the same strengths and dosage form."""

from decimal import Decimal

from django.db.models import Case, F, FloatField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Cast, Coalesce, Lower

from shop.markets.market import Market

from ..cards import Card, card_of
from ..models import Product, Variant, VariantPrice
from ..pricing import SMALL_MEASURE, SMALL_UNITS, unit_amount_of
from ..queries import fixed_prices_in

MAX_SHOWN = 12
CHEAPEST_FIRST = ("-has_stock", "-is_comparable", "amount", "home_price", "pk")
Rank = tuple[bool, bool, Decimal, str]


def same_composition(product: Product, market: Market, unit: str) -> list[Card]:
    """At most MAX_SHOWN others that are visible in the market, each with the pack that costs least a unit there: the
    cheapest by unit price first, then those whose unit price is not for the same `unit` (that of the product's net
    quantity), then what is sold out. Medicines on prescription stand beside such alone, and what is sold freely beside
    such alone. Two queries, and none for what has no confirmed composition."""
    if not product.composition_key:
        return []
    others = Product.objects.visible_in(market).exclude(pk=product.pk)
    same = others.filter(composition_key=product.composition_key, is_prescription=product.is_prescription)
    packs = _ranked(Variant.objects.filter(is_active=True), market, unit.lower())
    best = packs.filter(product=OuterRef("product")).order_by(*CHEAPEST_FIRST).values("pk")[:1]
    chosen = packs.filter(product__in=same.order_by(), pk=Subquery(best)).order_by(*CHEAPEST_FIRST)
    read = chosen.select_related("product__brand").prefetch_related(fixed_prices_in(market, "fixed_prices"))
    cards = [card_of(pack.product, pack, market) for pack in read[:MAX_SHOWN]]
    return sorted(cards, key=lambda card: _rank(card, unit.lower()))


def _ranked(packs: QuerySet[Variant], market: Market, unit: str) -> QuerySet[Variant]:
    """With what CHEAPEST_FIRST orders by: prices of the market's location, in its own currency and not rounded."""
    fixed = VariantPrice.objects.filter(variant=OuterRef("pk"), location=market.location_id).values("selling_price")
    by_rate = Cast("selling_price", FloatField()) / float(market.home_rate)
    measure = Case(When(unit__in=SMALL_UNITS, then=Value(float(SMALL_MEASURE))), default=Value(1.0))
    has_quantity = Q(net_quantity__gt=0)
    return packs.alias(
        unit=Lower("net_unit"),
        home_price=Coalesce(Cast(Subquery(fixed[:1]), FloatField()), by_rate),
        has_stock=Case(When(on_hand__gt=0, then=1), default=0),
        is_comparable=Case(When(has_quantity & Q(unit=unit), then=1), default=0),
        amount=Case(
            When(has_quantity, then=F("home_price") * measure / Cast("net_quantity", FloatField())),
            default=F("home_price"),
        ),
    )


def _rank(card: Card, unit: str) -> Rank:
    amount = unit_amount_of(card.variant, card.price)
    is_comparable = amount is not None and card.variant.net_unit.lower() == unit
    return not card.in_stock, not is_comparable, amount or card.price.selling, card.product.name
