"""Which state an order may go to, and the one way it goes there."""

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from shop.errors import ShopError

from .models import Order, OrderEvent
from .signals import starting_to_pack

Status = Order.Status

TRANSITIONS: dict[str, set[str]] = {
    Status.PENDING: {Status.PLACED, Status.CANCELLED},
    Status.CANCELLED: {Status.PLACED},  # never paid, and its money came late
    Status.PLACED: {Status.PROCESSING, Status.CANCELLED},
    Status.PROCESSING: {Status.SHIPPED, Status.CANCELLED},
    Status.SHIPPED: {Status.DELIVERED, Status.RETURNED},  # returned: refused at the door
    Status.DELIVERED: {Status.RETURNED, Status.REPLACED, Status.COMPLETED},
    Status.COMPLETED: set(),
    Status.REPLACED: set(),
    Status.RETURNED: set(),
}

# How a step is called where its state has another name.
WANTED: dict[str, Any] = {Status.PROCESSING: gettext_lazy("packed")}


class WrongState(ShopError):
    """The order is not (or no longer) in a state that allows this."""

    code = "wrong_state"


def words_of_refusal(order: Order, to: str) -> str:
    """Of a step that the order's state does not allow."""
    is_now = order.get_status_display().lower()
    if order.status == to:
        return gettext("This order is already %(state)s.") % {"state": is_now}
    return gettext("This order is %(state)s, so it can no longer be %(wanted)s.") % {
        "state": is_now,
        "wanted": str(WANTED.get(to, Status(to).label)).lower(),
    }


@transaction.atomic(savepoint=False)
def move_order(order: Order, to: str, *, actor: str, note: str = "") -> None:
    """Move an order forward and write the event that tells of it.

    The update is conditional on the state that was read, so of two callers one wins and the other
    gets WrongState; so does the step to packing where a later app says that it must wait. `actor` is a key of
    shop/backoffice/actors.py.
    """
    came_from = order.status
    if to not in TRANSITIONS[came_from] or (came_from == Status.CANCELLED and order.is_paid):
        raise WrongState(words_of_refusal(order, to))
    if to == Status.PROCESSING:
        Order.objects.select_for_update().only("pk").get(pk=order.pk)  # the caller may not have locked it
        starting_to_pack.send(Order, order=order)
    changes: dict[str, Any] = {"status": to, "hold_expires_at": None}
    if to == Status.PLACED:
        changes["placed_at"] = timezone.now()
    if to == Status.DELIVERED:
        changes["delivered_at"] = timezone.now()
    if not Order.objects.filter(pk=order.pk, status=came_from).update(**changes):
        raise WrongState(gettext("This order has just changed. Please check it again."))
    for name, value in changes.items():
        setattr(order, name, value)
    OrderEvent.objects.create(order=order, status_from=came_from, status_to=to, actor=actor, note=note)
