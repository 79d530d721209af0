"""Nothing is packed that a pharmacist has not approved."""

from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext

from shop.orders.models import Order
from shop.orders.signals import asking_before_packing, starting_to_pack
from shop.orders.states import Status, WrongState

from ..queries import undecided_lines


@receiver(starting_to_pack)
def require_approval(sender: type, order: Order, **kwargs: Any) -> None:
    """The order's row is locked, as it is by every decision (review/services.py)."""
    waiting = undecided_lines(order.pk).values_list("product_name", flat=True).first()
    if waiting:
        words = gettext("The pharmacist has to approve the prescription for %(name)s first.")
        raise WrongState(words % {"name": waiting}, "prescription_waiting")


@receiver(asking_before_packing)
def waiting_words(sender: type, order: Order, **kwargs: Any) -> str:
    """What the customer reads until every line is decided; empty then, and without such lines."""
    if order.status != Status.PLACED or not undecided_lines(order.pk).exists():
        return ""
    return gettext("Our pharmacist is checking your prescription. We'll pack your order after that.")
