"""Whatever happens to orders, a recall finds everybody who was sent some of a batch, tells those who have some of it
still, and the sums hold.

Random stories of buying, parcels in parts, arrival, refusal, returns to shelf or bin, replacements and accounts that
become one are played on the shop and on a model that keeps a dictionary.
"""

import random
from collections import Counter

import pytest

from shop.catalog.batches.services import end_sales
from shop.catalog.models import Batch
from shop.errors import ShopError
from shop.messaging.models import Message
from shop.payments.reconciliation.invariants_after import batches_that_do_not_fit

from ...models import Order, ReturnRequest, Shipment
from ...returns.services import approve, receive, request_return, send_replacement
from ...shipping.services import REFUSED_ON_DELIVERY, deliver, left_to_ship, refuse, ship
from .. import recalls
from ..models import Recall, ShippedBatch
from ..recalls import buyers_of, count_buyers, recall_batch, send_recall_notices
from ..shortage import refund_short_orders
from .conftest import come_in, in_days

pytestmark = pytest.mark.django_db
WITH_REPLACEMENTS = [315, 333]  # a buyer got units of a batch in a replacement alone
STORIES = [
    pytest.param(WITH_REPLACEMENTS, id="short"),
    pytest.param(range(200), id="full", marks=pytest.mark.full),
]
STEPS = 40


class Model:
    """Batch number and order to the units that were sent, and that are at the customer or on their way there; which
    customer holds which order; what each parcel holds."""

    def __init__(self):
        self.sent, self.kept, self.holder, self.parcels = Counter(), Counter(), {}, {}

    def take(self, parcel):
        units = Counter()
        for line in parcel.lines.all():
            for copy in line.batches:
                units[copy["number"], parcel.order_id] += copy["units"]
        self.parcels[parcel.pk] = units
        self.sent.update(units)
        self.kept.update(units)

    def refuse(self, parcel):
        self.kept.subtract(self.parcels[parcel.pk])

    def buyers(self, number):
        """Customer to the units sent, and kept."""
        found = {}
        for (batch, order_id), units in self.sent.items():
            if batch == number:
                sent, kept = found.get(self.holder[order_id], (0, 0))
                found[self.holder[order_id]] = sent + units, kept + self.kept[batch, order_id]
        return found

    def notified(self, number):
        """The orders whose customers get the notice."""
        return {order_id for (batch, order_id), units in self.kept.items() if batch == number and units}


class Story:
    """One random course of events of one variant; a step that the shop refuses changes nothing."""

    def __init__(self, seed, variant, placed):
        self.random, self.variant, self.placed, self.model = random.Random(seed), variant, placed, Model()
        self.received = 0

    @property
    def orders(self):
        return Order.objects.filter(lines__variant=self.variant)

    @property
    def batches(self):
        return Batch.objects.filter(variant=self.variant).exclude(number="")

    def buy(self):
        order = self.placed({self.variant: self.random.randint(1, 4)})
        self.model.holder[order.pk] = order.customer_id

    def come_in(self):
        self.received += 1
        units, days = self.random.randint(2, 9), self.random.choice([150, 300, 900])
        come_in(self.variant, f"B{self.received}", units, expires=days)

    def send(self):
        order = self.one(self.orders.filter(status__in=["placed", "shipped"]))
        left = left_to_ship(order)
        lines = {pk: self.random.randint(1, units) for pk, units in left.items()}
        self.model.take(ship(order, lines, actor="staff:1"))

    def arrive(self):
        deliver(
            self.one(Shipment.objects.filter(order__in=self.orders, delivered_at=None, refused_at=None)),
            actor="staff:1",
        )

    def refuse(self):
        parcel = self.one(Shipment.objects.filter(order__in=self.orders, delivered_at=None, refused_at=None))
        refuse(parcel, actor="staff:1")
        self.model.refuse(parcel)

    def ask_back(self):
        order = self.one(self.orders.filter(status__in=["shipped", "delivered"]))
        kind = self.random.choice(["refund", "replacement"])
        line = order.lines.get()
        approve(
            request_return(line, customer=order.customer, kind=kind, reason="wrong-item", quantity=1), actor="staff:1"
        )

    def come_back(self):
        request = self.one(ReturnRequest.objects.filter(line__order__in=self.orders, status="approved"))
        is_refused = request.reason.slug == REFUSED_ON_DELIVERY
        ended = request.line.shipped.filter(
            **{f"shipment__{'refused' if is_refused else 'delivered'}_at__isnull": False}
        )
        rows = [copy["number"] for row in ended for copy in row.batches]
        receive(
            request, actor="staff:1", is_restocked=self.random.random() < 0.6, batch=self.random.choice([*rows, ""])
        )
        if is_refused:
            return  # its parcel was refused, so the customer never had them
        for row in request.returned_batches.select_related("batch"):
            self.model.kept[row.batch.number, request.line.order_id] -= row.quantity

    def replace(self):
        request = self.one(
            ReturnRequest.objects.filter(line__order__in=self.orders, status="received", kind="replacement")
        )
        self.model.take(send_replacement(request, actor="staff:1"))

    def become_one(self):
        """Two accounts of a person: the orders of one go to the other."""
        first, second = self.one(self.orders), self.one(self.orders)
        Order.objects.filter(customer=first.customer_id).update(customer=second.customer_id)
        for order_id, holder in self.model.holder.items():
            if holder == first.customer_id:
                self.model.holder[order_id] = second.customer_id

    def expire(self):
        batch = self.one(self.batches)
        if ShippedBatch.objects.filter(batch=batch).exists():
            return  # what was sent today was sent in time
        Batch.objects.filter(pk=batch.pk).update(sold_until=in_days(self.random.choice([5, -1])))
        end_sales()
        refund_short_orders()

    def recall(self):
        recall_batch(self.one(self.batches), reason="Wrong label", actor="staff:1")
        refund_short_orders()

    def one(self, rows):
        found = list(rows.order_by("pk"))
        if not found:
            raise ShopError("There is none.")
        return self.random.choice(found)

    def step(self):
        usual = [self.buy, self.come_in, self.send, self.send, self.arrive, self.ask_back, self.come_back, self.replace]
        act = self.random.choice([*usual, *usual, self.refuse, self.become_one, self.expire, self.recall])
        try:
            act()
        except ShopError:
            return

    def check(self):
        assert list(batches_that_do_not_fit()) == []
        for batch in self.batches:
            buyers = buyers_of(batch)
            assert count_buyers(batch) == len(buyers) and buyers_of(batch, first=2) == buyers[:2]
            found = {buyer.customer.pk: (buyer.sent, buyer.kept) for buyer in buyers}
            assert found == self.model.buyers(batch.number), batch

    def check_notices(self):
        for batch in self.batches.filter(recalled_at=None):
            recall_batch(batch, reason="Wrong label", actor="staff:1")
        send_recall_notices()
        for recall in Recall.objects.filter(batch__in=self.batches).select_related("batch"):
            sent = Message.objects.filter(kind="recall", key__startswith=f"recall:{recall.pk}:")
            notified = Order.objects.filter(pk__in=self.model.notified(recall.batch.number))
            assert sorted(sent.values_list("to", flat=True)) == sorted(notified.values_list("email", flat=True)), recall


def play(seed, make_variant, placed):
    story = Story(seed, make_variant(units=0, max_purchase_qty=10), placed)
    story.received = 1000 * seed
    story.come_in()
    for _ in range(STEPS):
        story.step()
    story.check()
    story.check_notices()


@pytest.mark.parametrize("seeds", STORIES)
def test_a_recall_finds_every_buyer_whatever_happened(seeds, make_variant, placed, figure):
    for seed in seeds:
        play(seed, make_variant, placed)
    figure(f"{len(seeds)} stories of {STEPS} steps, 0 differences", "0 differences")


@pytest.mark.parametrize("seed", WITH_REPLACEMENTS)
def test_without_the_batches_of_replacements_a_buyer_is_missed(seed, make_variant, placed, monkeypatch):
    """Negative control: a list of the orders' own parcels alone lacks who got a batch as a replacement."""

    class OwnParcels:
        objects = ShippedBatch.objects.filter(shipment_line__shipment__is_replacement=False)

    monkeypatch.setattr(recalls, "ShippedBatch", OwnParcels)
    with pytest.raises(AssertionError, match=f"<Batch: B{seed}"):
        play(seed, make_variant, placed)
