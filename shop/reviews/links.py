"""The links of invitation mails: each opens one thing without signing in, and nothing of the person.

`review` opens the form for one order line, `stop` ends the invitations to one customer.
"""

from datetime import timedelta

from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import Customer
from shop.errors import NotFound
from shop.http.signed_ids import id_in, sign_id
from shop.orders.models import OrderLine

from .queries import delivered_lines

VALID_FOR = timedelta(days=180)  # since the order was started
REVIEW, STOP = "shop.reviews.review", "shop.reviews.stop"


def review_path(line_id: int) -> str:
    return reverse("mailed_review", args=[sign_id(REVIEW, line_id)])


def stop_path(customer_id: int) -> str:
    return reverse("stop_invitations", args=[sign_id(STOP, customer_id)])


def line_of(token: str) -> OrderLine:
    """The delivered line that a link names; raises NotFound for a wrong key, a link whose time is over and a line of a
    deleted account, alike."""
    found = delivered_lines().filter(
        pk=id_in(REVIEW, token),
        order__created_at__gt=timezone.now() - VALID_FOR,
        order__customer__deleted_at=None,
    )
    line: OrderLine | None = found.first()
    if line is None:
        raise NotFound()
    return line


def customer_of(token: str) -> Customer:
    """Whose invitations a link ends; raises NotFound."""
    customer: Customer | None = Customer.objects.filter(pk=id_in(STOP, token), deleted_at=None).first()
    if customer is None:
        raise NotFound()
    return customer
