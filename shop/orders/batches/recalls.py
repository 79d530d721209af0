"""Recall of a batch: nothing more of it is sent, everybody who got some of it is found and notified."""

from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext

from shop.accounts.models import Customer
from shop.catalog.batches.services import set_recalled
from shop.catalog.models import Batch
from shop.errors import Invalid, require_words
from shop.jobs.services import for_each

from ..models import Order
from ..notifications import in_language_of, queue_recall
from ..states import WrongState
from .models import Recall, ShippedBatch

ORDER = "shipment_line__shipment__order_id"
CUSTOMER = "shipment_line__shipment__order__customer_id"


@dataclass(slots=True)
class BatchOrder:
    """Units of a batch that an order was sent, and how many of them are with the customer or on their way there."""

    order: Order
    sent: int = 0
    kept: int = 0


@dataclass(slots=True)
class Buyer:
    customer: Customer
    orders: list[BatchOrder] = field(default_factory=list)

    @property
    def sent(self) -> int:
        return sum(one.sent for one in self.orders)

    @property
    def kept(self) -> int:
        return sum(one.kept for one in self.orders)


@transaction.atomic
def recall_batch(batch: Batch, *, reason: str, advice: str = "", actor: str) -> Recall:
    """Take a batch off sale for good. Orders that are not sent yet are packed of other batches or, where those do not
    suffice, refunded (`refund_short_orders`); a scheduled job sends the notice. Locks the variant. Raises Invalid
    without a reason or for the opening batch, WrongState for a batch that was recalled before."""
    reason = require_words(reason, gettext("Enter a reason. Customers read it."), field="reason")
    if not batch.number:
        words = gettext("Stock from before batches were tracked has no number to recall.")
        raise Invalid(words, fields={"batch": [words]})
    if not set_recalled(batch):
        raise WrongState(gettext("This batch was recalled."))
    return Recall.objects.create(batch=batch, reason=reason[:300], advice=advice.strip()[:300], by=actor)


def count_buyers(batch: Batch) -> int:
    return int(ShippedBatch.objects.filter(batch=batch).values(CUSTOMER).distinct().count())


def buyers_of(batch: Batch, *, first: int | None = None) -> list[Buyer]:
    """Everybody who was sent some of a batch, in parcels of orders or as a replacement, by the account that holds the
    order now; also those who sent it back or refused it. By their earliest order; `first`: no more of them."""
    rows = ShippedBatch.objects.filter(batch=batch).select_related("shipment_line__shipment__order__customer")
    if first is not None:
        earliest = rows.values(CUSTOMER).annotate(order=Min(ORDER)).order_by("order").values_list(CUSTOMER, flat=True)
        rows = rows.filter(**{f"{CUSTOMER}__in": list(earliest[:first])})
    buyers: dict[int, Buyer] = {}
    orders: dict[int, BatchOrder] = {}
    for row in rows.order_by(ORDER, "pk"):
        shipment = row.shipment_line.shipment
        order = shipment.order
        buyer = buyers.setdefault(order.customer_id, Buyer(order.customer))
        if order.pk not in orders:
            orders[order.pk] = BatchOrder(order)
            buyer.orders.append(orders[order.pk])
        orders[order.pk].sent += row.quantity
        orders[order.pk].kept += 0 if shipment.refused_at else row.quantity - row.came_back
    return list(buyers.values())


def send_recall_notices() -> int:
    """Scheduled job: one notice for each order with units of a recalled batch at its customer, by mail or SMS."""
    return sum(_send(recall) for recall in Recall.objects.filter(notified_at=None).select_related("batch__variant"))


def _send(recall: Recall) -> int:
    kept = {one.order.pk: one for buyer in buyers_of(recall.batch) for one in buyer.orders if one.kept}

    @transaction.atomic
    def notify(order: Order) -> int:
        with in_language_of(order):
            lines = order.lines.filter(variant=recall.batch.variant_id)
            items = [(kept[order.pk].kept, line.translated.product_name) for line in lines]
        queue_recall(
            order,
            key=f"recall:{recall.pk}:{order.pk}",
            items=items,
            number=recall.batch.number,
            reason=recall.reason,
            advice=recall.advice,
        )
        return 1

    orders = Order.objects.filter(pk__in=kept).select_related("customer", "location").order_by("pk")
    done = for_each("send_recall_notices", orders, notify)
    if done == len(kept):
        Recall.objects.filter(pk=recall.pk).update(notified_at=timezone.now())
    return done
