"""Up to eight things happen to an order in a random order: tries, webhooks, results, the clock, second
thoughts. Whatever happened, in the end the money of an order is where its state says (promises 11 to 17)."""

import random
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from shop.errors import ShopError
from shop.messaging.models import Message
from shop.orders.models import Order
from shop.orders.placing.values import PlaceOrder

from ...models import Payment, ProviderEvent
from ...providers.webhooks import handle_event, store_event
from ...refunds import services as refunds
from ...services import cancel, check_out, verify_payment
from ...simulator.control import ledger
from ...simulator.events import deliver
from ...simulator.in_process import shop_provider
from ...simulator.payer import move_payment, pay
from ...simulator.shapes import SimulatorError
from ...simulator.store import MemoryStore
from ...tests.test_races import assert_all_invariants_hold
from .. import jobs

pytestmark = [pytest.mark.database, pytest.mark.django_db]
MOST = 8
ENDINGS = ("created", "authorized", "captured", "captured", "failed")


class Schedule:
    """One order and everything that may happen to it; each method is one event of a schedule."""

    def __init__(self, customer, market, dice):
        self.customer, self.market, self.dice = customer, market, dice
        self.order, self.payment = self._check_out()
        self.results = []

    def _check_out(self):
        return check_out(
            PlaceOrder(
                customer=self.customer,
                cart=self.customer.cart,
                address=self.customer.addresses.get(),
                market=self.market,
            )
        )

    def somebody_pays(self):
        with suppress(SimulatorError):
            second = self.dice.random() < 0.3
            until = self.dice.choice(ENDINGS)
            self.results.append(pay(self.payment.razorpay_order_id, until=until, second=second))

    def the_bank_answers_late(self):
        if self.results:
            with suppress(SimulatorError):
                ending = self.dice.choice(["captured", "authorized", "failed"])
                move_payment(self.dice.choice(self.results).razorpay_payment_id, ending)

    def the_page_hands_a_result_over(self):
        if self.results:
            result = self.dice.choice(self.results)
            with suppress(ShopError):
                verify_payment(
                    razorpay_order_id=result.razorpay_order_id,
                    razorpay_payment_id=result.razorpay_payment_id,
                    signature=result.razorpay_signature,
                    customer=self.customer,
                )

    def webhooks_arrive(self):
        """In any order, some of them twice; what was told is worked on now or later."""
        told = []
        deliver(lambda delivery: told.append(delivery) or 200)
        told += self.dice.choices(told, k=len(told) // 2)
        self.dice.shuffle(told)
        for delivery in told:
            store_event(body=delivery.body, headers=delivery.headers)
        if self.dice.random() < 0.7:
            for event in ProviderEvent.objects.filter(handled_at=None):
                handle_event(event)

    def the_time_runs_out(self):
        Order.objects.filter(pk=self.order.pk, hold_expires_at__isnull=False).update(hold_expires_at=timezone.now())
        jobs.expire_holds()

    def the_customer_cancels(self):
        self.order.refresh_from_db()
        with suppress(ShopError):
            cancel(self.order, actor="customer")

    def the_customer_checks_out_again(self):
        with suppress(ShopError):
            self._check_out()

    def the_clock_reconciles(self):
        jobs.reconcile_everything()

    def what_is_owed_goes_back(self):
        refunds.issue_due_refunds()

    def comes_to_rest(self):
        ProviderEvent.objects.filter(handled_at=None).update(received_at=self.order.created_at.replace(year=2020))
        for _ in range(2):
            for job in (jobs.reconcile_everything, *jobs.JOBS):
                job()


EVENTS = [
    Schedule.somebody_pays, Schedule.somebody_pays, Schedule.the_bank_answers_late,
    Schedule.the_page_hands_a_result_over,
    Schedule.webhooks_arrive, Schedule.webhooks_arrive, Schedule.the_time_runs_out, Schedule.the_customer_cancels,
    Schedule.the_customer_checks_out_again, Schedule.the_clock_reconciles, Schedule.what_is_owed_goes_back,
]  # fmt: skip


def assert_money_is_where_it_belongs(till, said):
    kept = {row["id"]: _kept(row) for row in ledger(shop_provider())["orders"]}
    for order in till.customer.orders.all():
        is_sold = order.placed_at is not None and order.status != "cancelled"
        payments = Payment.objects.filter(order=order).exclude(razorpay_order_id=None)
        money = sum(kept[payment.razorpay_order_id] for payment in payments)
        assert money == (order.total_inr * 100 if is_sold else 0), said
        confirmations = Message.objects.filter(key=f"order_placed:{order.number}").count()
        assert confirmations == (order.placed_at is not None), said


def _kept(row):
    return sum(money["amount"] - money["amount_refunded"] for money in row["payments"] if money["captured"])


@pytest.fixture
def provider(db):
    """The shop's own, with its ledger in memory: nobody else has to see it."""
    own = shop_provider()
    kept, own.store = own.store, MemoryStore()
    yield own
    own.store = kept


def lots(schedules, each):
    """The numbers of so many schedules. A lot is one transaction, which grows slow when it grows long."""
    return [range(first, first + each) for first in range(0, schedules, each)]


@pytest.mark.parametrize(
    "numbers",
    [range(60), *(pytest.param(lot, marks=pytest.mark.full) for lot in lots(5_000, each=250))],
    ids=lambda numbers: f"from {numbers.start}, {len(numbers)}",
)
def test_any_schedule_ends_with_the_money_in_its_place(india, make_variant, new_buyer, provider, figure, numbers):
    variant = make_variant(price="250", units=3 * len(numbers))
    for number in numbers:
        dice = random.Random(f"{connection.vendor} {number}")  # each database has its own schedules
        provider.store = MemoryStore()
        till = Schedule(new_buyer({variant: 1}), india, dice)
        schedule = dice.choices(EVENTS, k=dice.randint(1, MOST))
        for event in schedule:
            event(till)
        till.comes_to_rest()
        assert_money_is_where_it_belongs(till, (number, [event.__name__ for event in schedule]))
        asked = Payment.objects.filter(order__customer=till.customer)
        asked.update(created_at=timezone.now() - timedelta(days=9), check_at=None)  # nobody asks any more
    assert_all_invariants_hold()
    figure(f"{len(numbers)} schedules ended right", "0 violations, 5,000 on each database")


def test_without_refunds_of_owed_money_a_schedule_fails(india, make_variant, new_buyer, provider, monkeypatch):
    monkeypatch.setattr(refunds, "_due_refunds", lambda: iter(()))
    till = Schedule(new_buyer({make_variant(price="250", units=5): 1}), india, random.Random(1))
    till.results.append(pay(till.payment.razorpay_order_id))
    till.the_customer_cancels()
    till.comes_to_rest()
    with pytest.raises(AssertionError):
        assert_money_is_where_it_belongs(till, "a cancelled order that keeps its money")
