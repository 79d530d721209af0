"""Nothing is packed that a pharmacist has not approved."""

from collections.abc import Iterable
from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext

from shop.orders.models import Order, ShipmentLine
from shop.orders.signals import asking_before_packing, parcel_packed, starting_to_pack
from shop.orders.states import Status, WrongState

from ..queries import undecided_lines


@receiver(starting_to_pack)
def require_approval(sender: type, order: Order, **kwargs: Any) -> None:
    """The order's row is locked, as it is by every decision (review/services.py)."""
    _refuse(undecided_lines(order.pk))


@receiver(parcel_packed)
def require_approval_of_parcel(sender: type, lines: Iterable[ShipmentLine], **kwargs: Any) -> None:
    """Of what needs a prescription only since its order was being packed, too; the order's row is locked."""
    packed = {line.order_line_id for line in lines}
    for order_id in set(ShipmentLine.objects.filter(order_line__in=packed).values_list("order_line__order", flat=True)):
        _refuse(undecided_lines(order_id).filter(pk__in=packed))


def _refuse(lines: Any) -> None:
    if waiting := lines.values_list("product_name", flat=True).first():
        raise not_approved(waiting)


def not_approved(product_name: str) -> WrongState:
    words = gettext("The pharmacist has to approve the prescription for %(name)s first.")
    return WrongState(words % {"name": product_name}, "prescription_waiting")


@receiver(asking_before_packing)
def waiting_words(sender: type, order: Order, **kwargs: Any) -> str:
    """What the customer reads until every line is decided; empty then, and without such lines."""
    if order.status != Status.PLACED or not undecided_lines(order.pk).exists():
        return ""
    return gettext("Our pharmacist is checking your prescription. We'll pack your order after that.")
