"""Emails that stock causes: to staff when a variant runs low, to who waits for a sold-out one.

Scheduled jobs send them; what was sent is read from the rows (the message's key, the alert that is gone).
"""

from datetime import timedelta
from itertools import islice

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Max, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy

from shop.errors import Invalid, ShopError
from shop.jobs.services import for_each
from shop.limits.services import consume
from shop.markets.market import Market
from shop.markets.middleware import match_prefix
from shop.markets.queries import market_registry
from shop.messaging.languages import ENGLISH
from shop.messaging.models import Message
from shop.messaging.services import queue_mail
from shop.rows import each_row

from ..composition.prescriptions import is_sold_in
from ..models import StockAlert, StockMovement, Variant

Kind = StockMovement.Kind
LOOKED_BACK = timedelta(days=1)
BATCH = 200
REQUESTS_A_CLIENT = 20  # an hour
REQUESTS_A_MAILBOX = 10  # a day


class InStock(ShopError):
    """What somebody wants to wait for can be bought."""

    code = "in_stock"


# --- To the desk ------------------------------------------------------------------------------


def warn_of_low_stock() -> int:
    """Scheduled job: one mail for each variant that fell to settings.LOW_STOCK, until goods come in again.

    Only what was taken off the shelf lately is looked at: a new catalogue without stock is no news.
    """
    taken = StockMovement.objects.filter(kind=Kind.HELD, at__gt=timezone.now() - LOOKED_BACK)
    receipts = StockMovement.objects.filter(variant=OuterRef("pk"), kind=Kind.RECEIVED, quantity__gt=0)
    last_receipt = receipts.order_by().values("variant").annotate(last=Max("pk")).values("last")
    low = (
        Variant.objects.filter(pk__in=taken.values("variant"), on_hand__lte=settings.LOW_STOCK, is_active=True)
        .filter(product__is_published=True)
        .select_related("product")
        .annotate(last_receipt=Subquery(last_receipt))
    )
    keys = {f"low_stock:{variant.pk}:{variant.last_receipt or 0}": variant for variant in low}
    notified = set(Message.objects.filter(key__in=keys).values_list("key", flat=True))
    fresh: dict[Variant, str] = {variant: key for key, variant in keys.items() if key not in notified}

    def warn(variant: Variant) -> int:
        queue_mail(
            kind="low_stock",
            to=settings.ORDER_DESK_EMAIL,
            subject=f"Low stock: {variant.product.name} ({variant.sku}), {variant.on_hand} left",
            template="low_stock",
            context={"variant": variant, "name": variant.product.name, "on_hand": variant.on_hand},
            key=fresh[variant],
        )
        return 1

    return for_each("warn_of_low_stock", fresh, warn)


# --- To who waits -----------------------------------------------------------------------------


def request_alert(*, variant_id: int, email: str, client: str, market: Market) -> StockAlert:
    """Promise one mail for when a sold-out variant is back; twice is one promise.

    Raises Invalid for an address that is none or a variant that is not sold in the market, InStock, TooMany.
    """
    mailbox = _canonical(email)
    variant = _awaited().filter(pk=variant_id).first()
    if variant is None or not is_sold_in(variant.product, market):
        raise Invalid(gettext("We don't sell this product."))
    if variant.on_hand:
        raise InStock(gettext("Good news: this is in stock."))
    consume("stock_alert", client, limit=REQUESTS_A_CLIENT, period=timedelta(hours=1))
    consume("stock_alert_mailbox", mailbox, limit=REQUESTS_A_MAILBOX, period=timedelta(days=1))
    path = f"{reverse('product', args=[variant.product.slug])}?variant={variant.sku}"
    return StockAlert.objects.get_or_create(variant=variant, email=mailbox, defaults={"path": path[:300]})[0]


def _canonical(typed: str) -> str:
    email = typed.strip().lower()
    try:
        validate_email(email)
    except ValidationError as error:
        raise _invalid_email() from error
    if len(email) > 254 or not email.isascii():
        raise _invalid_email()
    return email


def _invalid_email() -> Invalid:
    words = gettext("Enter a valid email")
    return Invalid(words, fields={"email": [words]})


def _awaited() -> QuerySet[Variant]:
    sold = Q(is_active=True, product__is_published=True)
    return Variant.objects.filter(sold).select_related("product")


def notify_of_return_to_stock() -> int:
    """Scheduled job: one mail for each alert whose variant is on hand again; the alert goes with it."""
    ready = StockAlert.objects.filter(variant__in=_awaited().filter(on_hand__gt=0))
    alerts = each_row(ready.select_related("variant__product"))
    return for_each("notify_of_return_to_stock", list(islice(filter(_is_true, alerts), BATCH)), _notify)


def _is_true(alert: StockAlert) -> bool:
    """Whether the product is sold in the country of the page where it was asked for."""
    markets, prefix = market_registry(), match_prefix(alert.path)
    location = markets.by_code.get(prefix["country"].upper()) if prefix else markets.default
    return location is not None and is_sold_in(alert.variant.product, markets.market(location))


def _language_of(alert: StockAlert) -> str:
    """That of the page where it was asked for."""
    prefix = match_prefix(alert.path)
    return prefix["language"].lower() if prefix else ENGLISH


@transaction.atomic
def _notify(alert: StockAlert) -> bool:
    deleted, _ = StockAlert.objects.filter(pk=alert.pk).delete()
    if not deleted:
        return False
    name = alert.variant.product.name
    queue_mail(
        kind="back_in_stock",
        to=alert.email,
        subject=format_lazy(gettext_lazy("{name} is back in stock"), name=name),
        language=_language_of(alert),
        template="back_in_stock",
        context={"name": name, "address": f"{settings.SHOP_URL}{alert.path}"},
        key=f"back_in_stock:{alert.pk}",
    )
    return True
