"""Products with the same composition: the same substances in the same strengths and dosage form."""

from decimal import Decimal

from shop.markets.market import Market

from ..cards import Card, cards_of
from ..models import Product
from ..pricing import unit_amount_of

MAX_READ = 200
MAX_SHOWN = 12
Rank = tuple[bool, bool, Decimal, str]


def same_composition(product: Product, market: Market, unit: str) -> list[Card]:
    """At most MAX_SHOWN others that are visible in the market: the cheapest by unit price first, then those whose unit
    price is not for the same `unit` (that of the product's net quantity), then what is sold out. Medicines on
    prescription stand beside such alone, and what is sold freely beside such alone. Two queries, and none for what has
    no confirmed composition."""
    if not product.composition_key:
        return []
    others = Product.objects.visible_in(market).with_cards(market).exclude(pk=product.pk)
    same = others.filter(composition_key=product.composition_key, is_prescription=product.is_prescription)
    cards = cards_of(same.order_by("-in_stock", "price_inr", "pk")[:MAX_READ], market)
    return sorted(cards, key=lambda card: _rank(card, unit.lower()))[:MAX_SHOWN]


def _rank(card: Card, unit: str) -> Rank:
    variant = card.product.first_variant
    amount = unit_amount_of(variant, card.price) if variant else None
    is_comparable = variant is not None and amount is not None and variant.net_unit.lower() == unit
    return not card.in_stock, not is_comparable, amount or card.price.selling, card.product.name
