"""{% prescribed_of order user as prescribed %}: what its customer's page shows of the prescription; None without."""

from dataclasses import dataclass
from typing import Any

from django import template

from shop.orders.models import Order

from ..checkout import page_url
from ..models import OrderPrescription, PrescriptionLine, PrescriptionPage
from ..review.guard import waiting_words

register = template.Library()


@dataclass(frozen=True, slots=True)
class ShownPrescription:
    lines: list[PrescriptionLine]
    pages: list[tuple[PrescriptionPage, str]]
    waiting: str  # what happens before the order is packed, in words


@register.simple_tag
def prescribed_of(order: Order, user: Any) -> ShownPrescription | None:
    """To the customer alone who uploaded it."""
    if order.placed_at is None:
        return None
    own = OrderPrescription.objects.filter(order=order, prescription__customer=user.pk)
    checked = own.prefetch_related("lines__line", "prescription__pages").first()
    if checked is None:
        return None
    pages = [(page, page_url(page, user.pk)) for page in checked.prescription.pages.all()]
    return ShownPrescription(list(checked.lines.all()), pages, waiting_words(Order, order=order))
