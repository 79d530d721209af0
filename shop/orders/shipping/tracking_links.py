"""The link in mails and SMS that shows where an order is, without signing in: its number and a key over it.

Whoever has the link sees nothing of the person and can change nothing. It ends some time after the purchase.
"""

from base64 import urlsafe_b64encode
from datetime import timedelta

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from shop.errors import NotFound
from shop.markets.canonical import bare_path
from shop.markets.market import prefix_of
from shop.markets.queries import market_registry
from shop.messaging.languages import ENGLISH, spoken

from ..models import Order
from .tracking import NUMBER

VALID_FOR = timedelta(days=180)  # since the order was started
KEY_BYTES = 15  # 120 bits, which are 20 characters


def tracking_token(number: str, secret: str | bytes | None = None) -> str:
    """The end of the link's address: ORD-ABC123XYZ. and the key."""
    digest = salted_hmac("shop.orders.tracking", number, secret=secret, algorithm="sha256").digest()
    return f"{number}.{urlsafe_b64encode(digest[:KEY_BYTES]).decode()}"


def tracking_url(order: Order) -> str:
    path = reverse("tracked_order", args=[tracking_token(order.number)])
    return settings.SHOP_URL + path if spoken(order.language) == ENGLISH else site_of(order) + bare_path(path)


def site_of(order: Order) -> str:
    """What the addresses in its messages begin with: those of pages in the order's language, for its country. In
    English they have no prefix, and the reader's own cookies say where he is."""
    location = market_registry().locations.get(order.location_id)
    if location is None or spoken(order.language) == ENGLISH:
        return str(settings.SHOP_URL)
    return settings.SHOP_URL + prefix_of(order.language, location.code).rstrip("/")


def tracked_order(token: str) -> Order:
    """The order that a link names, with its events, parcels and returns; raises NotFound for a wrong key and for a
    link whose time is over, alike."""
    number = token.partition(".")[0]
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    if not NUMBER.fullmatch(number) or not any(
        constant_time_compare(token, tracking_token(number, secret)) for secret in secrets
    ):
        raise NotFound()
    rows = Order.objects.with_lines().with_parcels().with_returns()
    order: Order | None = rows.filter(number=number, created_at__gt=timezone.now() - VALID_FOR).first()
    if order is None:
        raise NotFound()
    return order
