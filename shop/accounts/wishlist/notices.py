"""One mail when a product of a wishlist costs less or can be bought again, if it was asked for and is true now."""

from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from shop.catalog.composition.prescriptions import is_sold_in
from shop.catalog.models import Product
from shop.catalog.pricing import price_of
from shop.jobs.services import for_each
from shop.markets.canonical import address_in
from shop.markets.models import Location
from shop.markets.queries import market_registry
from shop.messaging.services import queue_mail
from shop.money import display

from ..models import WishlistItem

BATCH = 200
TEMPLATES = {"price": "wishlist_price", "stock": "back_in_stock"}
SUBJECTS: dict[str, Any] = {
    "price": _("{name} costs less now"),
    "stock": _("{name} is back in stock"),
}


def send_wishlist_notices() -> int:
    """A scheduled job; returns how many emails were queued. One read of products for each country."""
    return for_each("send_wishlist_notices", list(_due())[:BATCH], _notify)


def _asked() -> QuerySet[WishlistItem]:
    asked = WishlistItem.objects.filter(Q(wants_price=True) | Q(wants_stock=True), product__in_stock=True)
    return asked.filter(wishlist__customer__deleted_at=None).exclude(wishlist__customer__email=None).order_by("pk")


def _due() -> Iterator[WishlistItem]:
    by_location = defaultdict(list)
    for item in _asked():
        by_location[item.location_id].append(item)
    for location_id, items in by_location.items():
        location = market_registry().locations.get(location_id or 0)
        prices = _prices(location, {item.product_id for item in items}) if location else {}
        yield from (item for item in items if _news(item, prices))


def _prices(location: Location, product_ids: set[int]) -> dict[int, tuple[Product, Decimal]]:
    """What can be bought there now, by product id, in the location's own currency."""
    market = market_registry().market(location)
    products = Product.objects.visible_in(market).with_cards(market).filter(in_stock=True)
    return {
        product.pk: (product, price_of(product.first_variant, market).selling)
        for product in products.filter(pk__in=product_ids)
        if is_sold_in(product, market)
    }


def _news(item: WishlistItem, prices: dict[int, tuple[Product, Decimal]]) -> str:
    """ "price" or "stock"; empty while there is nothing to tell."""
    if item.product_id not in prices:
        return ""
    now = prices[item.product_id][1]
    if item.wants_price and item.seen_price is not None and now < item.seen_price:
        return "price"
    return "stock" if item.wants_stock else ""


@transaction.atomic
def _notify(row: WishlistItem) -> bool:
    """Read anew under the item's lock: of two at once one queues the email. Writes the notice that was kept."""
    items = WishlistItem.objects.select_for_update(of=("self",)).select_related("wishlist__customer", "location")
    item = items.filter(pk=row.pk).first()
    if item is None or item.location is None or item.wishlist.customer is None:
        return False
    prices = _prices(item.location, {item.product_id})
    kind = _news(item, prices)
    if not kind:
        return False
    setattr(item, f"wants_{kind}", False)
    item.save(update_fields=[f"wants_{kind}"])
    product, now = prices[item.product_id]
    with translation.override(item.language):
        name = str(product.translated.name)
    queue_mail(
        kind=f"wishlist_{kind}",
        to=item.wishlist.customer.email or "",
        subject=format_lazy(SUBJECTS[kind], name=name),
        language=item.language,
        template=TEMPLATES[kind],
        context={
            "name": name,
            "address": address_in(item.location, item.language, reverse("product", args=[product.slug])),
            "was": display(item.seen_price or now, item.location.currency_id),
            "price": display(now, item.location.currency_id),
        },
    )
    return True
