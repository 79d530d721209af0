"""Changes to wishlists. Each owns its transaction; twice is safe.

The wishlist's row is locked while its items change, so that two at once neither lose one nor exceed the limit.
"""

import secrets
from datetime import timedelta
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from shop.catalog.composition.prescriptions import is_sold_in, prescription_refusal
from shop.catalog.models import Product
from shop.catalog.pricing import price_of
from shop.errors import Invalid, NotFound, ShopError
from shop.markets.market import Market
from shop.markets.queries import market_registry
from shop.messaging.languages import language_now

from ..models import Customer, Wishlist, WishlistItem

MAX_ITEMS = 200
VISITOR_KEEPS = timedelta(days=60)  # as long as the cookie
SHARE_BYTES = 16


def wishlist_of(*, customer: Customer | None = None, secret: str | None = None) -> Wishlist | None:
    """Of a customer, or of the visitor who holds `secret`; None when there is none yet."""
    if customer is not None:
        return Wishlist.objects.filter(customer=customer).first()
    if secret:
        return Wishlist.objects.filter(secret_hash=hash_secret(secret), customer=None).first()
    return None


def hash_secret(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def open_wishlist(customer: Customer) -> Wishlist:
    return Wishlist.objects.get_or_create(customer=customer)[0]


def open_visitor_wishlist() -> tuple[Wishlist, str]:
    """A new one and the secret (256 bits) that alone opens it."""
    secret = secrets.token_urlsafe(32)
    return Wishlist.objects.create(secret_hash=hash_secret(secret)), secret


def wished_products(wishlist: Wishlist | None) -> list[int]:
    """Ids, newest first."""
    return list(wishlist.items.values_list("product_id", flat=True)) if wishlist else []


@transaction.atomic
def add_to_wishlist(wishlist: Wishlist, *, product_id: int, market: Market) -> bool:
    """Returns whether it was not on it. Raises NotFound for what is not shown in the market, ShopError
    `wishlist_full`."""
    if not Product.objects.visible_in(market).filter(pk=product_id).exists():
        raise NotFound(gettext("We don't sell this product."))
    _lock(wishlist)
    if wishlist.items.filter(product=product_id).exists():
        return False
    if wishlist.items.count() >= MAX_ITEMS:
        words = gettext("Your wishlist can hold up to %(most)s products. Please remove one first.")
        raise ShopError(words % {"most": MAX_ITEMS}, "wishlist_full")
    WishlistItem.objects.create(wishlist=wishlist, product_id=product_id)
    return True


@transaction.atomic
def remove_from_wishlist(wishlist: Wishlist, *, product_id: int) -> bool:
    """With its notices. Returns whether it was on it."""
    _lock(wishlist)
    return bool(wishlist.items.filter(product=product_id).delete()[0])


@transaction.atomic
def merge_visitor_wishlist(customer: Customer, *, secret: str) -> None:
    """Bring a visitor's items into the customer's wishlist, exactly once: the visitor's is gone afterwards. What does
    not fit stays out, the oldest first. Locks both rows, the visitor's first."""
    visitor = Wishlist.objects.select_for_update().filter(secret_hash=hash_secret(secret)).first()
    if visitor is None:
        return
    own = open_wishlist(customer)
    _lock(own)
    known = set(wished_products(own))
    fresh = [item for item in visitor.items.all() if item.product_id not in known][: MAX_ITEMS - len(known)]
    WishlistItem.objects.bulk_create(
        WishlistItem(wishlist=own, product_id=item.product_id, added_at=item.added_at) for item in fresh
    )
    visitor.delete()


def _lock(wishlist: Wishlist) -> None:
    if not Wishlist.objects.filter(pk=wishlist.pk).update(changed_at=timezone.now()):
        raise NotFound(gettext("This wishlist no longer exists."))


# --- Sharing --------------------------------------------------------------------------------------


def share(wishlist: Wishlist) -> str:
    """The key of its address, made once; sharing again gives the same."""
    Wishlist.objects.filter(pk=wishlist.pk, share_key=None).update(share_key=secrets.token_urlsafe(SHARE_BYTES))
    wishlist.refresh_from_db(fields=["share_key"])
    return str(wishlist.share_key)


def stop_sharing(wishlist: Wishlist) -> None:
    """Its address opens nothing from now on; sharing anew makes another."""
    Wishlist.objects.filter(pk=wishlist.pk).update(share_key=None)


# --- Notices --------------------------------------------------------------------------------------


@transaction.atomic
def ask_for_notices(wishlist: Wishlist, *, product_id: int, price: bool, stock: bool, market: Market) -> None:
    """What to be told of one product, from now on and as it costs now; asking again starts anew.

    Raises NotFound for what is not on the wishlist, Invalid for a customer without e-mail and for a medicine that is
    not sold in the market. Locks the wishlist; writes
    the item's notices.
    """
    customer = wishlist.customer
    if (price or stock) and not (customer and customer.email):
        raise Invalid(gettext("Add an email address to your account first. We'll send the news there."))
    _lock(wishlist)
    item = wishlist.items.filter(product=product_id).select_related("product__first_variant").first()
    if item is None or item.product.first_variant is None:
        raise NotFound(gettext("This product is not on your wishlist."))
    if (price or stock) and not is_sold_in(item.product, market):
        raise Invalid(prescription_refusal(item.product, market))
    home = market_registry().market(market_registry().locations[market.location_id])  # in its own currency
    item.wants_price, item.wants_stock = price, stock
    item.seen_price = price_of(item.product.first_variant, home).selling
    item.location_id, item.language = market.location_id, language_now()
    item.save(update_fields=["wants_price", "wants_stock", "seen_price", "location", "language"])


def delete_old_wishlists() -> int:
    """Scheduled job: what visitors left behind goes once their cookie is over."""
    old = Wishlist.objects.filter(customer=None, changed_at__lt=timezone.now() - VISITOR_KEEPS)
    return old.delete()[1].get("accounts.Wishlist", 0)
