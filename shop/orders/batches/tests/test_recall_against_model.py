"""Whatever happens to orders, a recall finds everybody who was sent some of a batch, and the sums hold.

Random stories of buying, parcels in parts, arrival, refusal, returns to shelf or bin, replacements and accounts that
become one are played on the shop and on a model that keeps a dictionary.
"""

import random

import pytest

from shop.catalog.batches.services import end_sales
from shop.catalog.models import Batch
from shop.errors import ShopError
from shop.payments.reconciliation.invariants_after import batches_that_do_not_fit

from ...models import Order, ReturnRequest, Shipment
from ...returns.services import approve, receive, request_return, send_replacement
from ...shipping.services import deliver, left_to_ship, refuse, ship
from ..models import ShippedBatch
from ..recalls import buyers_of, count_buyers, recall_batch
from ..shortage import refund_short_orders
from .conftest import come_in, in_days

pytestmark = pytest.mark.django_db
STORIES = [
    pytest.param(range(2), id="short"),
    pytest.param(range(200), id="full", marks=pytest.mark.full),
]
STEPS = 40


class Model:
    """Batch number to the units sent to each order, and which customer holds which order."""

    def __init__(self):
        self.sent, self.holder = {}, {}

    def take(self, parcel):
        for line in parcel.lines.all():
            for copy in line.batches:
                orders = self.sent.setdefault(copy["number"], {})
                orders[parcel.order_id] = orders.get(parcel.order_id, 0) + copy["units"]

    def buyers(self, number):
        found = {}
        for order_id, units in self.sent.get(number, {}).items():
            holder = self.holder[order_id]
            found[holder] = found.get(holder, 0) + units
        return found


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
        refuse(
            self.one(Shipment.objects.filter(order__in=self.orders, delivered_at=None, refused_at=None)),
            actor="staff:1",
        )

    def ask_back(self):
        order = self.one(self.orders.filter(status__in=["shipped", "delivered"]))
        kind = self.random.choice(["refund", "replacement"])
        line = order.lines.get()
        approve(
            request_return(line, customer=order.customer, kind=kind, reason="wrong-item", quantity=1), actor="staff:1"
        )

    def come_back(self):
        request = self.one(ReturnRequest.objects.filter(line__order__in=self.orders, status="approved"))
        rows = [copy["number"] for row in request.line.shipped.all() for copy in row.batches]
        receive(
            request, actor="staff:1", is_restocked=self.random.random() < 0.6, batch=self.random.choice([*rows, ""])
        )

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
            found = {buyer.customer.pk: buyer.sent for buyer in buyers}
            assert found == self.model.buyers(batch.number), batch


@pytest.mark.parametrize("seeds", STORIES)
def test_a_recall_finds_every_buyer_whatever_happened(seeds, make_variant, placed, figure):
    for seed in seeds:
        variant = make_variant(units=0, max_purchase_qty=10)
        story = Story(seed, variant, placed)
        story.received = 1000 * seed
        story.come_in()
        for _ in range(STEPS):
            story.step()
        story.check()
    figure(f"{len(seeds)} stories of {STEPS} steps, 0 differences", "0 differences")


def test_without_the_batches_of_replacements_a_buyer_is_missed(two_batches, placed):
    """Negative control: a list of the orders' own parcels alone would lack who got a batch as a replacement."""
    variant, _, late = two_batches
    order = placed({variant: 3})
    deliver(ship(order, actor="staff:1"), actor="staff:1")
    line = order.lines.get()
    request = request_return(line, customer=order.customer, kind="replacement", reason="wrong-item", quantity=1)
    approve(request, actor="staff:1")
    receive(request, actor="staff:1", is_restocked=False)
    send_replacement(request, actor="staff:1")
    own = Shipment.objects.filter(is_replacement=False, lines__shipped_batches__batch=late)
    assert not own.exists() and [buyer.customer for buyer in buyers_of(late)] == [order.customer]
