"""Orders that a batch's end or recall left short: reported to the order desk, and refunded."""

from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext

from shop.backoffice.actors import SHOP
from shop.jobs.services import for_each
from shop.messaging.services import queue_mail

from ..models import Order
from ..notifications import in_language_of
from ..placing.services import cancel_order
from ..returns.cancellation import cancel_short_units
from .queries import Need, allocate, open_needs


def refund_short_orders() -> int:
    """Scheduled job: units of placed orders that no batch covers any more are cancelled, which refunds them and
    tells the customer, and the order desk gets one mail for each such order. Earlier orders are served first."""
    needs = open_needs()
    _, short = allocate(needs)
    orders = {need.order_id for need in needs if need.line_id in short}
    return for_each("refund_short_orders", Order.objects.filter(pk__in=orders).order_by("pk"), _cancel_short)


@transaction.atomic
def _cancel_short(order: Order) -> int:
    """Locks the order, its customer, then the variants. What was short before may be covered by now; a receipt that is
    not committed yet comes too late for it."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    short = _short_lines(locked)
    if not short:
        return 0
    facts = [(units, locked.lines.get(pk=line_id)) for line_id, units in sorted(short.items())]
    if sum(line.kept for line in locked.lines.all()) == sum(short.values()):
        with in_language_of(locked):
            reason = gettext("We have no more of it that keeps long enough.")
        cancel_order(locked, actor=SHOP, reason=reason)
    else:
        cancel_short_units(locked, short, actor=SHOP)
    with translation.override("en"):
        items = [(units, f"{line.product_name} ({line.sku})") for units, line in facts]
    queue_mail(
        kind="desk_short",
        to=settings.ORDER_DESK_EMAIL,
        subject=f"Left short by a batch: {locked.number}",
        template="desk_short",
        context={"number": locked.number, "pk": locked.pk, "items": items},
        key=f"desk_short:{locked.number}:{max(line.cancelled + units for units, line in facts)}",
    )
    return 1


def _short_lines(order: Order) -> dict[int, int]:
    """Line id to the units of this order that no batch covers, after all earlier orders."""
    variants = list(order.lines.filter(variant__is_batched=True).values_list("variant_id", flat=True))
    if not variants:
        return {}
    needs: list[Need] = open_needs(variants)
    _, short = allocate(needs)
    own = {need.line_id for need in needs if need.order_id == order.pk}
    return {line_id: units for line_id, units in short.items() if line_id in own}
