"""The links of invitation mails: each opens one thing without signing in, and nothing of the person.

`review` opens the form for one order line, `stop` ends the invitations to one customer.
"""

from base64 import urlsafe_b64encode
from datetime import timedelta

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from shop.accounts.models import Customer
from shop.errors import NotFound
from shop.orders.models import OrderLine

from .queries import delivered_lines

VALID_FOR = timedelta(days=180)  # since the order was started
KEY_BYTES = 15  # 120 bits, which are 20 characters


def review_path(line_id: int) -> str:
    return reverse("mailed_review", args=[_token("review", line_id)])


def stop_path(customer_id: int) -> str:
    return reverse("stop_invitations", args=[_token("stop", customer_id)])


def line_of(token: str) -> OrderLine:
    """The delivered line that a link names; raises NotFound for a wrong key, a link whose time is over and a line of a
    deleted account, alike."""
    found = delivered_lines().filter(
        pk=_checked("review", token),
        order__created_at__gt=timezone.now() - VALID_FOR,
        order__customer__deleted_at=None,
    )
    line: OrderLine | None = found.first()
    if line is None:
        raise NotFound()
    return line


def customer_of(token: str) -> Customer:
    """Whose invitations a link ends; raises NotFound."""
    customer: Customer | None = Customer.objects.filter(pk=_checked("stop", token), deleted_at=None).first()
    if customer is None:
        raise NotFound()
    return customer


def _token(purpose: str, pk: int, secret: str | bytes | None = None) -> str:
    digest = salted_hmac(f"shop.reviews.{purpose}", str(pk), secret=secret, algorithm="sha256").digest()
    return f"{pk}.{urlsafe_b64encode(digest[:KEY_BYTES]).decode()}"


def _checked(purpose: str, token: str) -> int:
    """The id in a token; 0, which no row has, for one that this shop did not make."""
    number = token.partition(".")[0]
    if not (number.isascii() and number.isdecimal() and len(number) <= 18):
        return 0
    pk, secrets = int(number), [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    known = any(constant_time_compare(token, _token(purpose, pk, secret)) for secret in secrets)
    return pk if known else 0
