"""What refills look like in a market: as lines of a cart that they would fill, at today's prices."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef, Prefetch
from django.utils.translation import gettext, ngettext

from shop.cart.models import CartLine
from shop.cart.totals import PricedLine
from shop.catalog.models import AttributeValue, Product, Variant, VariantImage
from shop.catalog.pricing import price_of
from shop.catalog.queries import fixed_prices_in
from shop.catalog.units import SEVERAL, unit_in_words
from shop.markets.market import Market

from ..models import Refill
from .queries import next_day


@dataclass(frozen=True, slots=True)
class RefillOffer:
    """A refill, and what of it could be ordered now (`line`, whose `problem` says why nothing could)."""

    refill: Refill
    line: PricedLine

    @property
    def name(self) -> str:
        return self.line.product.translated.name

    @property
    def pack(self) -> str:
        """500 g, or what else tells it from the product's other packs."""
        return ", ".join(self.line.shown_attributes.values()) or self.line.variant.net_content

    @property
    def price(self) -> str:
        """Of one pack."""
        return self.line.market.display(self.line.price.selling)

    @property
    def status(self) -> str:
        return self.line.problem or gettext("In stock")

    @property
    def is_gone(self) -> bool:
        """Not sold any more, anywhere."""
        return not (self.line.product.is_published and self.line.variant.is_active)

    @property
    def note(self) -> str:
        """That fewer packs are there than wanted, or that a prescription is needed."""
        wanted, there = self.refill.quantity, self.line.quantity
        fewer = gettext("%(there)s of %(wanted)s available.") % {"there": there, "wanted": wanted}
        return " ".join(filter(None, (fewer if there < wanted and not self.line.problem else "", self.line.note)))


def offers_of(refills: Iterable[Refill], market: Market) -> list[RefillOffer]:
    """In a constant number of queries; `market` is the reader's."""
    refills = list(refills)
    barred = Product.barred_locations.through.objects.filter(
        product_id=OuterRef("product_id"), location_id=market.location_id
    )
    variants = (
        Variant.objects.filter(pk__in=[refill.variant_id for refill in refills])
        .annotate(barred=Exists(barred))
        .select_related("product__brand", "product__first_picture")
        .prefetch_related(
            fixed_prices_in(market, "fixed_prices"),
            Prefetch("attribute_values", AttributeValue.objects.select_related("attribute")),
            Prefetch("variant_images", VariantImage.objects.select_related("picture")),
        )
    )
    found: dict[int, Any] = {variant.pk: variant for variant in variants}
    return [RefillOffer(refill, _line(found[refill.variant_id], refill.quantity, market)) for refill in refills]


def _line(variant: Any, wanted: int, market: Market) -> PricedLine:
    units = max(1, min(wanted, variant.max_purchase_qty, variant.on_hand))
    return PricedLine(CartLine(variant=variant, quantity=units), price_of(variant, market), market, variant.barred)


def rhythm_words(refill: Refill) -> str:
    """Every 30 days; When 2 tablets a day have used it up."""
    if refill.per_day is None:
        return interval_words(refill.days)
    words = gettext("When the pack runs out, at %(amount)s a day")
    unit = unit_in_words(refill.variant.net_unit, refill.per_day)
    return words % {"amount": f"{amount_words(refill.per_day)} {unit}"}


def interval_words(days: int) -> str:
    return ngettext("Every %(days)s day", "Every %(days)s days", days) % {"days": days}


def amount_words(per_day: Decimal) -> str:
    return f"{per_day.normalize():f}"


def unit_words(variant: Variant) -> str:
    return unit_in_words(variant.net_unit, SEVERAL)


@dataclass(frozen=True, slots=True)
class OwnRefill:
    """A refill on the customer's own pages."""

    refill: Refill
    offer: RefillOffer
    next_on: Any
    rhythm: str


def own_refills(refills: Iterable[Any], market: Market) -> list[OwnRefill]:
    """`refills` are of with_purchases, with their variants; the next one to be due first."""
    rows = [
        OwnRefill(offer.refill, offer, next_day(offer.refill), rhythm_words(offer.refill))
        for offer in offers_of(refills, market)
    ]
    return sorted(rows, key=lambda row: (row.refill.state != Refill.State.ACTIVE, row.next_on, row.refill.pk))
