"""Two customers fill carts, check out, pay, wait, change their minds and get their money back, in any order. After
every step the shop holds what a model of a few lines says: carts, totals, stock, states and the provider's money
(the property walk of RELIABILITY.md 2.4; promises 1, 5, 8, 9, 11, 12, 16, 17).
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import hypothesis
import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, Phase
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from shop.accounts.models import Customer
from shop.cart.services import cart_of
from shop.cart.totals import price_cart
from shop.catalog.models import Variant
from shop.invalidation import subscriptions
from shop.markets.models import Slab
from shop.markets.queries import market_registry
from shop.orders.conftest import new_address
from shop.orders.models import Order
from shop.payments.models import ProviderEvent
from shop.payments.providers.webhooks import handle_event, store_event
from shop.payments.reconciliation import jobs
from shop.payments.refunds import services as refunds
from shop.payments.simulator.control import ledger
from shop.payments.simulator.events import deliver
from shop.payments.simulator.in_process import shop_provider
from shop.payments.simulator.payer import WindowResult, pay
from shop.payments.simulator.shapes import SimulatorError
from shop.payments.simulator.store import MemoryStore
from shop.payments.tests.test_races import assert_all_invariants_hold

from .walking import undone

pytestmark = [pytest.mark.database, pytest.mark.django_db]
ARTICLES = {"99.50": 2, "250": 3, "600": 6}  # units by price
MOST = 3  # of one article in a cart
SLABS = {500: 60, 1000: 30}  # shipping below a subtotal; the last one holds for all above
STEPS = 30


# --- The model --------------------------------------------------------------------------------------


@dataclass
class Sale:
    """What an order is to the model."""

    number: str
    owner: int
    lines: dict[int, int]
    provider_order: str
    state: str = "pending"
    ran_out: bool = False  # rather than being given up
    paid_with: str = ""
    is_settled: bool = False  # some money came for it, and paid it or did not

    def is_live(self) -> bool:
        return self.state == "pending"


@dataclass
class Capture:
    """Money that the provider took."""

    sale: Sale
    result: WindowResult
    is_told: bool = False
    is_owed: bool = False
    is_back: bool = False


@dataclass
class Model:
    prices: dict[int, Decimal]
    stock: dict[int, int]
    carts: list[dict[int, int]] = field(default_factory=lambda: [{}, {}])
    sales: list[Sale] = field(default_factory=list)
    captures: list[Capture] = field(default_factory=list)

    def live(self, owner: int) -> Sale | None:
        return next((sale for sale in self.sales if sale.owner == owner and sale.is_live()), None)

    def available(self, owner: int, article: int) -> int:
        live = self.live(owner)
        return self.stock[article] + (live.lines.get(article, 0) if live else 0)

    def refusal(self, owner: int, article: int, quantity: int) -> int | None:
        """The status of what asks for so many, if it is refused."""
        if self.available(owner, article) < 1:
            return 409
        if quantity > MOST:
            return 422
        return 409 if quantity > self.available(owner, article) else None

    def orderable(self, owner: int) -> dict[int, int]:
        """The lines of a cart that count: of the others there are too few left."""
        return {
            article: quantity
            for article, quantity in self.carts[owner].items()
            if not self.refusal(owner, article, quantity)
        }

    def sub_total(self, lines: dict[int, int]) -> Decimal:
        return sum((self.prices[article] * quantity for article, quantity in lines.items()), Decimal(0))

    def shipping(self, lines: dict[int, int]) -> Decimal:
        below = [cost for tier, cost in SLABS.items() if self.sub_total(lines) < tier]
        return Decimal((below or list(SLABS.values())[-1:])[0]) if lines else Decimal(0)

    def total(self, lines: dict[int, int]) -> Decimal:
        return self.sub_total(lines) + self.shipping(lines)

    def move(self, lines: dict[int, int], sign: int) -> None:
        for article, quantity in lines.items():
            self.stock[article] += sign * quantity

    def ask_after(self, sale: Sale) -> None:
        for capture in self.captures:
            if capture.sale is sale:
                self.settle(capture)

    def settle(self, capture: Capture) -> None:
        """Money becomes known: it pays its order, or is owed back."""
        if capture.is_told:
            return
        capture.is_told, sale = True, capture.sale
        if not sale.is_settled and (sale.is_live() or self._may_be_revived(sale)):
            self._sell(sale, capture)
        sale.is_settled = True
        capture.is_owed = sale.paid_with != capture.result.razorpay_payment_id

    def _may_be_revived(self, sale: Sale) -> bool:
        """Late money takes the stock again, if there is any, and nothing was ordered instead."""
        later = self.sales[self.sales.index(sale) + 1 :]
        return (
            sale.ran_out
            and not any(other.owner == sale.owner and other.state != "cancelled" for other in later)
            and all(self.stock[article] >= quantity for article, quantity in sale.lines.items())
        )

    def _sell(self, sale: Sale, capture: Capture) -> None:
        if not sale.is_live():
            self.move(sale.lines, -1)
        sale.state, sale.ran_out, sale.paid_with = "placed", False, capture.result.razorpay_payment_id
        cart = self.carts[sale.owner]
        for article, quantity in sale.lines.items():
            left = cart.pop(article, 0) - quantity
            if left > 0:
                cart[article] = left

    def end(self, sale: Sale, *, ran_out: bool = False) -> None:
        sale.state, sale.ran_out = "cancelled", ran_out
        self.move(sale.lines, 1)
        for capture in self.captures:
            capture.is_owed |= capture.result.razorpay_payment_id == sale.paid_with

    def kept(self, sale: Sale) -> int:
        """Paise that the provider holds for the shop."""
        paise = int(self.total(sale.lines) * 100)
        return paise * sum(capture.sale is sale and not capture.is_back for capture in self.captures)


# --- The walk ---------------------------------------------------------------------------------------

WHO, ARTICLE, QUANTITY, ANY = st.integers(0, 1), st.integers(0, 2), st.integers(1, MOST + 1), st.integers(0, 99)


class Walk(RuleBasedStateMachine):
    """Each rule is one thing that somebody does, in the shop over HTTP and in the model."""

    def __init__(self) -> None:
        super().__init__()
        self.block = undone()
        self.block.__enter__()
        shop_provider().store = MemoryStore()
        self.market = market_registry().market(market_registry().by_code["IN"])
        variants = list(Variant.objects.order_by("pk"))
        self.articles = [variant.pk for variant in variants]
        self.people = list(Customer.objects.order_by("pk"))
        self.browsers = [Client(headers={"sec-fetch-site": "same-origin"}) for _ in self.people]
        for browser, person in zip(self.browsers, self.people, strict=True):
            browser.force_login(person)
        self.model = Model(
            {variant.pk: variant.selling_price for variant in variants},
            {variant.pk: variant.on_hand for variant in variants},
        )

    def teardown(self) -> None:
        try:
            self.everything_comes_to_rest()
        finally:
            self.block.__exit__(None, None, None)

    def call(self, who: int, path: str, **body: Any) -> tuple[int, dict[str, Any]]:
        answer = self.browsers[who].post(f"/en-in{path}", body, content_type="application/json")
        return answer.status_code, answer.json()

    def any_sale(self, number: int) -> Sale:
        return self.model.sales[number % len(self.model.sales)]

    # The cart

    @rule(who=WHO, which=ARTICLE, quantity=QUANTITY)
    def add(self, who: int, which: int, quantity: int) -> None:
        article, cart = self.articles[which], self.model.carts[who]
        refused = self.model.refusal(who, article, quantity) or (409 if article in cart else None)
        assert self.call(who, "/add-to-cart/", product=article, quantity=quantity)[0] == (refused or 200)
        if not refused:
            cart[article] = quantity

    @rule(who=WHO, which=ARTICLE, quantity=QUANTITY)
    def change(self, who: int, which: int, quantity: int) -> None:
        article, cart = self.articles[which], self.model.carts[who]
        refused = self.model.refusal(who, article, quantity) if article in cart else 404
        answered, _ = self.call(who, "/update-cart-product-quantity/", product_id=article, quantity=quantity)
        assert answered == (refused or 200)
        if not refused:
            cart[article] = quantity

    @rule(who=WHO, which=ARTICLE)
    def remove(self, who: int, which: int) -> None:
        assert self.call(who, "/delete-from-cart/", product_ids=[self.articles[which]])[0] == 200
        self.model.carts[who].pop(self.articles[which], None)

    # Checking out and paying

    @rule(who=WHO)
    def check_out(self, who: int) -> None:
        seen = dict(self.model.carts[who])
        status, answer = self.call(who, "/save-orders/", **self._checkout(who))
        if live := self.model.live(who):
            self.model.ask_after(live)
        lines, live = dict(self.model.carts[who]), self.model.live(who)
        if not lines or lines != seen or lines != self.model.orderable(who):
            assert status == 409, answer
            return
        assert status == 200, answer
        if live and live.lines == lines:
            assert answer["data"]["order_number"] == live.number
            return
        if live:
            self.model.end(live)
        self.model.move(lines, -1)
        data = answer["data"]
        assert data["amount"] == self.model.total(lines) * 100
        self.model.sales.append(Sale(data["order_number"], who, lines, data["razorpay_order_id"]))

    def _checkout(self, who: int) -> dict[str, Any]:
        _, cart = self.call(who, "/get-cart/")
        names = ("sub_total_amt", "shipping_amt", "coupon_amt", "total_amount")
        lines = [{"product_variant_id": line["product"], "quantity": line["quantity"]} for line in cart["cart_items"]]
        # An empty cart cannot be said; one that looks like nobody's is refused all the same.
        lines = lines or [{"product_variant_id": self.articles[0], "quantity": 1}]
        return {
            "user_id": self.people[who].addresses.get().pk,
            **{name: cart[name] for name in names},
            "cart_items": lines,
        }

    @precondition(lambda self: self.model.sales)
    @rule(number=ANY, fails=st.booleans(), second=st.booleans())
    def pay_at_the_window(self, number: int, fails: bool, second: bool) -> None:
        """Of any order: a window may have been left open."""
        sale = self.any_sale(number)
        with suppress(SimulatorError):
            result = pay(sale.provider_order, until="failed" if fails else "captured", second=second)
            if not fails:
                self.model.captures.append(Capture(sale, result))

    @precondition(lambda self: self.model.captures)
    @rule(number=ANY, who=WHO)
    def hand_the_result_over(self, number: int, who: int) -> None:
        capture = self.model.captures[number % len(self.model.captures)]
        result = capture.result
        status, answer = self.call(who, "/verify-razorpay-payment/", **vars_of(result))
        if who != capture.sale.owner:
            assert status == 404, answer
            return
        self.model.settle(capture)
        assert status in (200, 409), answer
        assert (status == 200) == (capture.sale.paid_with == result.razorpay_payment_id), answer

    @rule(again=st.booleans())
    def webhooks_arrive(self, again: bool) -> None:
        told: list[Any] = []
        deliver(lambda delivery: told.append(delivery) or 200)
        for delivery in told * (1 + again):
            store_event(body=delivery.body, headers=delivery.headers)
        for event in ProviderEvent.objects.filter(handled_at=None).order_by("pk"):
            handle_event(event)
        for capture in self.model.captures:
            self.model.settle(capture)

    # Time and second thoughts

    @precondition(lambda self: any(sale.is_live() for sale in self.model.sales))
    @rule(who=WHO)
    def the_time_runs_out(self, who: int) -> None:
        if sale := self.model.live(who):
            Order.objects.filter(number=sale.number).update(hold_expires_at=timezone.now())
            jobs.expire_holds()
            self.model.ask_after(sale)
            if sale.is_live():
                self.model.end(sale, ran_out=True)

    @precondition(lambda self: self.model.sales)
    @rule(number=ANY)
    def cancel(self, number: int) -> None:
        sale = self.any_sale(number)
        self.browsers[sale.owner].post(f"/en-in/order-detail/{sale.number}/cancel/")
        if sale.is_live():
            self.model.ask_after(sale)
        if sale.state != "cancelled":
            self.model.end(sale)

    @rule()
    def what_is_owed_goes_back(self) -> None:
        refunds.issue_due_refunds()
        for capture in self.model.captures:
            capture.is_back |= capture.is_owed

    # What must be true after each

    @invariant()
    def carts_are_as_the_model_says(self) -> None:
        for owner, (person, lines) in enumerate(zip(self.people, self.model.carts, strict=True)):
            view = price_cart(cart_of(customer=person), self.market)
            assert {line.variant.pk: line.quantity for line in view.lines} == lines
            counted = self.model.orderable(owner)
            assert view.sub_total == self.model.sub_total(counted)
            assert (view.shipping, view.total) == (self.model.shipping(counted), self.model.total(counted))

    @invariant()
    def stock_is_as_the_model_says(self) -> None:
        assert dict(Variant.objects.values_list("pk", "on_hand")) == self.model.stock

    @invariant()
    def orders_are_as_the_model_says(self) -> None:
        expected = [(sale.number, sale.state, self.model.total(sale.lines)) for sale in self.model.sales]
        assert list(Order.objects.order_by("pk").values_list("number", "status", "total_inr")) == expected

    @invariant()
    def money_is_as_the_model_says(self) -> None:
        kept = {row["id"]: kept_of(row) for row in ledger(shop_provider())["orders"]}
        assert {sale.provider_order: self.model.kept(sale) for sale in self.model.sales} == kept

    def everything_comes_to_rest(self) -> None:
        """All has been told and given back: each order has its money, and no other has any."""
        self.webhooks_arrive(again=False)
        self.what_is_owed_goes_back()
        self.money_is_as_the_model_says()
        for sale in self.model.sales:
            assert self.model.kept(sale) == (self.model.total(sale.lines) * 100 if sale.state == "placed" else 0)
        assert_all_invariants_hold()


def kept_of(row: dict[str, Any]) -> int:
    return sum(money["amount"] - money["amount_refunded"] for money in row["payments"] if money["captured"])


def vars_of(result: WindowResult) -> dict[str, str]:
    return {name: getattr(result, name) for name in result.__slots__}


@pytest.fixture
def street(india, make_variant, customer):
    """Three articles, two customers with an address each, and shipping by slabs."""
    for price, units in ARTICLES.items():
        make_variant(price=price, units=units, max_purchase_qty=MOST)
    Slab.objects.filter(location_id=india.location_id).delete()
    for tier, cost in SLABS.items():
        Slab.objects.create(location_id=india.location_id, tier_amount=tier, shipping_cost=cost)
    subscriptions.reset()
    for person in (customer, Customer.objects.create_user("bhavani@example.com", name="Bhavani")):
        new_address(person)
    own = shop_provider()
    kept = own.store
    yield
    own.store = kept


def walk(machine: Callable[[], RuleBasedStateMachine], walks: int) -> None:
    run_state_machine_as_test(
        machine,
        settings=hypothesis.settings(
            max_examples=walks,
            stateful_step_count=STEPS,
            derandomize=True,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.parametrize("walks", [8, pytest.param(500, marks=pytest.mark.full)], ids=["short", "long"])
def test_the_shop_does_what_the_model_says(street, figure, walks):
    walk(Walk, walks)
    figure(f"{walks} walks ended as in the model", "0 differences")


@pytest.fixture
def refundless(monkeypatch):
    """A shop that gives no money back."""
    monkeypatch.setattr(refunds, "_due_refunds", lambda: iter(()))


def test_without_refunds_of_owed_money_the_model_notices(street, refundless):
    steps = Walk()
    try:
        steps.add(0, 0, 1)
        steps.check_out(0)
        steps.pay_at_the_window(0, fails=False, second=False)
        steps.webhooks_arrive(again=False)
        steps.money_is_as_the_model_says()
        steps.cancel(0)
        steps.what_is_owed_goes_back()
        with pytest.raises(AssertionError):
            steps.money_is_as_the_model_says()
    finally:
        steps.block.__exit__(None, None, None)


@pytest.mark.full
def test_without_refunds_of_owed_money_a_walk_fails(street, refundless):
    with pytest.raises(AssertionError):
        walk(Walk, 600)  # it ends with the first one that is found
