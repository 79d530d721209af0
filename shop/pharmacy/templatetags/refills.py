"""{% refill_states order as states %}: which of its lines are reminded of, and which may be."""

from dataclasses import dataclass
from typing import Any

from django import template

from shop.orders.models import Order, OrderLine

from ..refills.models import Refill
from ..refills.queries import NEVER_KEPT, next_day

register = template.Library()


@dataclass(frozen=True, slots=True)
class LineRefill:
    line: OrderLine
    refill: Refill | None
    next_on: Any = None


@register.simple_tag
def refill_states(order: Order) -> list[LineRefill]:
    """Lines of which something is kept and that are still sold; none, and no query, before the order is paid."""
    if order.placed_at is None or order.status in NEVER_KEPT:
        return []
    lines = [line for line in order.lines.all() if line.kept]
    own = Refill.objects.living().filter(customer=order.customer_id, variant__in=[line.variant_id for line in lines])
    known = {refill.variant_id: refill for refill in own.with_purchases()}
    return [_state_of(line, known.get(line.variant_id)) for line in lines]


def _state_of(line: OrderLine, refill: Any) -> LineRefill:
    return LineRefill(line, refill, next_day(refill) if refill and refill.state == Refill.State.ACTIVE else None)
