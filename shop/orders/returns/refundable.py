"""What of an order can still be refunded: never more than it cost, whichever way the money goes back."""

from collections.abc import Iterable
from decimal import Decimal

from ..invoices.services import SHIPPING, Credit, goodwill_of
from ..models import Order, ReturnRequest


def refundable(order: Order) -> dict[str, Decimal]:
    """INR by order line id (as text) and SHIPPING that are neither refunded nor owed yet. Reads `order.lines` and
    `order.invoices`."""
    goodwill = goodwill_of(order)
    left = {
        str(line.pk): line.line_inr - line.reduction_inr - goodwill.get(str(line.pk), Decimal(0))
        for line in order.lines.all()
    }
    left[SHIPPING] = shipping = shipping_due(order, goodwill)
    owed = ReturnRequest.objects.filter(line__order=order, kind="refund", refund_inr__isnull=False)
    for line_id, inr, with_shipping in owed.values_list("line", "refund_inr", "with_shipping"):
        left[str(line_id)] -= (inr or Decimal(0)) - (shipping if with_shipping else 0)
        left[SHIPPING] -= shipping if with_shipping else 0
    return left


def shipping_due(order: Order, goodwill: dict[str, Decimal] | None = None) -> Decimal:
    """The shipping that goes back with units: what nobody has refunded by itself before. Afterwards nobody can."""
    goodwill = goodwill_of(order) if goodwill is None else goodwill
    return order.shipping_inr - goodwill.get(SHIPPING, Decimal(0))


def goods_lowered(order: Order) -> Decimal:
    """INR that were refunded of the goods themselves without any of them coming back."""
    return sum((inr for row, inr in goodwill_of(order).items() if row != SHIPPING), Decimal(0))


def goods_kept(order: Order, gone: Iterable[ReturnRequest]) -> Decimal:
    """INR of the goods whose points stay with the customer: what they cost, without what was lowered and what was
    refunded of them by these requests."""
    return order.goods_inr - goods_lowered(order) - sum((goods_of(request, order) for request in gone), Decimal(0))


def goods_of(request: ReturnRequest, order: Order) -> Decimal:
    """INR that are refunded of the goods themselves."""
    return (request.refund_inr or Decimal(0)) - (shipping_due(order) if request.with_shipping else 0)


def credits_of(request: ReturnRequest, order: Order) -> dict[str, Credit]:
    """What a credit note takes off the invoice for a request: its units, and shipping where that goes back, too."""
    shipping = shipping_due(order) if request.with_shipping else Decimal(0)
    credits = {str(request.line_id): Credit(request.quantity, (request.refund_inr or Decimal(0)) - shipping)}
    if shipping:
        credits[SHIPPING] = Credit(1, shipping)
    return credits
