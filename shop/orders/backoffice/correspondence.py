"""What the desk writes about an order: notes of its own, messages to the customer, mails sent once more.

Each function takes the `key` of the form that asks for it: the same words of one form count once.
"""

from hashlib import sha256

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from shop.errors import Invalid

from ..models import Order, OrderNote
from ..notifications import queue_confirmation_again, queue_invoice_notification, queue_message

MAX_LENGTH = 2000
NO_ADDRESS = gettext_noop("This customer has no email address or mobile number.")


def add_note(order: Order, text: str, *, author: str, key: str) -> OrderNote:
    """Keep a note that only staff read; raises Invalid for an empty or too long one."""
    return _write(order, OrderNote.Kind.INTERNAL, text, author, key)[0]


@transaction.atomic
def write_to_customer(order: Order, text: str, *, author: str, key: str) -> OrderNote:
    """Send the customer a message and keep it with the order; raises Invalid."""
    _require_reachable(order)
    message, is_new = _write(order, OrderNote.Kind.MESSAGE, text, author, key)
    if is_new:
        queue_message(order, text=message.text, key=f"order_letter:{message.key}")
    return message


@transaction.atomic
def send_confirmation_again(order: Order, *, author: str, key: str) -> None:
    """Raises Invalid for an order that was never placed."""
    _require_reachable(order)
    if not order.is_paid:
        raise Invalid(gettext("This order was never placed, so there's nothing to confirm."))
    note, is_new = _write(order, OrderNote.Kind.INTERNAL, gettext_noop("Sent the confirmation again."), author, key)
    if is_new:
        queue_confirmation_again(order, key=f"order_placed_again:{note.key}")


@transaction.atomic
def send_invoice(order: Order, *, author: str, key: str) -> None:
    """Raises Invalid for an order without an invoice."""
    _require_reachable(order)
    if not order.invoices.exists():
        raise Invalid(gettext("This order has no invoice yet."))
    note, is_new = _write(order, OrderNote.Kind.INTERNAL, gettext_noop("Sent the invoice."), author, key)
    if is_new:
        queue_invoice_notification(order, key=f"order_invoice:{note.key}")


def _require_reachable(order: Order) -> None:
    if not (order.email or order.customer.phone):
        raise Invalid(gettext(NO_ADDRESS))


def _write(order: Order, kind: str, text: str, author: str, key: str) -> tuple[OrderNote, bool]:
    text = text.strip()
    if not text:
        raise Invalid(gettext("Enter a message."))
    if len(text) > MAX_LENGTH:
        raise Invalid(
            gettext("Use at most {most} characters. This has {length}.").format(most=MAX_LENGTH, length=len(text))
        )
    own_key = sha256(f"{order.pk}:{kind}:{key}:{text}".encode()).hexdigest()
    facts = {"order": order, "kind": kind, "text": text, "author": author}
    return OrderNote.objects.get_or_create(key=own_key, defaults=facts)
