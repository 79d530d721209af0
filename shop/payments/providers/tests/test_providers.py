"""Every provider by the one interface: what it says it can do, and a shop that takes another or only some of them."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from shop.errors import ShopError
from shop.markets.models import Location
from shop.orders import payment_methods
from shop.orders.models import Order
from shop.orders.present import payment_words

from ...models import Payment, Refund
from ...queries import methods_that
from ...reconciliation.invariants import broken_invariants
from ...reconciliation.jobs import reconcile
from ...reconciliation.settlement import record_money
from ...refunds.services import issue_due_refunds, mark_paid_back
from ...services import cancel, start_payment
from .. import registry
from ..base import PaymentProvider, ProviderOrder, ProviderPayment, Refused
from ..cash import cash
from ..razorpay import razorpay

SHOP = Path(__file__).resolve().parents[3]
PROVIDERS = pytest.mark.parametrize("provider", registry.PROVIDERS, ids=lambda provider: provider.name)
# The specification's and the columns' names; the simulator of that one provider; its settings.
NAMED = r"razorpay_(?:order|payment|refund)_id|razorpay_signature|verify[-_]razorpay[-_]payment"
APART = ("payments/providers", "payments/simulator", "management/commands", "bench", "settings.py", "conftest.py")


@PROVIDERS
def test_names_fit_their_columns_and_are_no_others(provider):
    for model, field, name in (
        (Order, "payment_method", provider.payment_method),
        (Payment, "method", provider.recorded_as),
    ):
        assert name in dict(model._meta.get_field(field).flatchoices)
        assert len(name) <= model._meta.get_field(field).max_length
    assert registry.provider_named(provider.payment_method) is provider
    assert registry.provider_of(Payment(method=provider.recorded_as)) is provider


@PROVIDERS
def test_a_provider_overrides_what_it_says_it_can_do_and_nothing_else(provider):
    needs = {
        "has_provider_orders": ("create_order", "find_order", "payments_of", "fetch"),
        "can_capture": ("capture",),
        "can_refund": ("refund", "refunds_of"),
    }
    for capability, calls in needs.items():
        for call in calls:
            overrides = getattr(type(provider), call) is not getattr(PaymentProvider, call)
            assert overrides == getattr(provider, capability), (capability, call)


def test_cash_refuses_what_only_others_can_do():
    calls = [
        lambda: cash.create_order(amount=1, receipt="r", notes={}),
        lambda: cash.fetch("p"),
        lambda: cash.capture(ProviderPayment("p", "o", 1, "INR", "authorized", "")),
        lambda: cash.refund(payment_id="p", amount=1, key="k"),
    ]
    for call in calls:
        with pytest.raises(Refused, match="Cash on delivery cannot"):
            call()
    assert not cash.verify_payment(order_id="o", payment_id="p", signature="") and not cash.verify_webhook(b"{}", {})
    assert (cash.payments_of("o"), cash.refunds_of("p"), cash.find_order("r")) == ([], [], None)


def test_no_code_outside_the_providers_names_one():
    files = [file for file in SHOP.rglob("*.py") if not {"tests", "migrations"} & {*file.parts}]
    files = [file for file in files if not any(part in file.relative_to(SHOP).as_posix() for part in APART)]
    assert len(files) > 300
    found = [
        file.relative_to(SHOP).as_posix() for file in files if "razorpay" in re.sub(NAMED, "", file.read_text().lower())
    ]
    assert found == []


# --- A shop that takes only some ------------------------------------------------------------------


@pytest.fixture
def buyer(make_variant, new_buyer, transactional_db):
    Location.objects.filter(pk=1).update(cash_on_delivery_max=5000)
    return new_buyer({make_variant(price="250", units=10): 2})


@pytest.fixture
def browser(buyer):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(buyer)
    return client


ONLINE_WAYS = [("radio", "upi", " checked"), *(("radio", way, "") for way in ("card", "netbanking", "wallet"))]


def methods_on(browser):
    """Of the checkout: each way to pay, and whether it is chosen."""
    page = browser.get("/en-in/checkout/").content.decode()
    return re.findall(
        r'<input [^>]*?type="(\w+)" form="checkout" name="payment_method" value="(\w+)"( checked)?>', page
    )


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["razorpay", "cash"], [*ONLINE_WAYS, ("radio", "cash", "")]),
        (["razorpay"], ONLINE_WAYS),
        (["cash"], [("hidden", "cash", "")]),
    ],
)
def test_the_checkout_offers_what_the_settings_name(browser, settings, names, shown):
    settings.PAYMENT_PROVIDERS = names
    assert methods_on(browser) == shown


@pytest.mark.parametrize(("names", "other"), [(["cash"], "online"), (["razorpay"], "cash")])
def test_what_the_settings_do_not_name_places_nothing(buyer, order_of, settings, names, other):
    settings.PAYMENT_PROVIDERS = names
    with pytest.raises(ShopError):
        order_of(buyer, payment_method=other)
    assert not Order.objects.exists()


def test_an_order_keeps_its_way_to_pay_when_that_is_no_longer_offered(buyer, order_of, settings):
    order = order_of(buyer, payment_method="cash")
    settings.PAYMENT_PROVIDERS = ["razorpay"]
    assert (order.method, payment_words(order)) == (cash, "Cash on delivery")


# --- A shop that takes another ---------------------------------------------------------------------


class Transfer(PaymentProvider):
    """Paid ahead and by hand: it makes orders here, captures and refunds nothing, and nobody can be asked."""

    name = payment_method = recorded_as = "bank"
    label = checkout_label = "Bank transfer"
    icon = "card"
    has_provider_orders = True

    def create_order(self, *, amount, receipt, notes):
        return ProviderOrder(f"bank-{receipt}", amount, "INR")


@pytest.fixture
def transfer(monkeypatch, settings):
    provider = Transfer()
    monkeypatch.setattr(registry, "PROVIDERS", (razorpay, cash, provider))
    monkeypatch.setitem(payment_methods._methods, "bank", provider)
    settings.PAYMENT_PROVIDERS = ["razorpay", "cash", "bank"]
    return provider


@pytest.mark.database
def test_another_provider_is_offered_paid_and_refunded_by_hand(transfer, buyer, browser, order_of):
    assert ("radio", "bank", "") in methods_on(browser) and "bank" in methods_that("has_provider_orders")
    order = order_of(buyer, payment_method="bank")
    payment = start_payment(order)
    assert (payment.method, payment.status, payment.razorpay_order_id) == ("bank", "open", f"bank-{payment.receipt}")
    assert reconcile() == {"asked": 1, "unanswered": 0} and payment_words(order) == "Bank transfer"
    money = ProviderPayment("NEFT 4711", payment.razorpay_order_id, payment.amount_paise, "INR", "captured", "")
    for _ in range(2):
        assert record_money(payment, money).status == "captured"
    order.refresh_from_db()
    assert order.status == "placed"
    cancel(order, actor="staff:1")
    assert issue_due_refunds() == 0
    refund = Refund.objects.get()
    assert refund.status == "requested"
    mark_paid_back(refund, reference="NEFT 4712", actor="staff:1")
    assert (refund.status, refund.amount_paise) == ("processed", payment.amount_paise)
    assert {invariant.name: rows for invariant, rows in broken_invariants() if rows} == {}


def test_a_call_of_no_provider_is_no_event(db):
    answer = Client().post(reverse("payment_webhook"), b"{}", content_type="application/json")
    assert answer.status_code == 400


@pytest.mark.django_db
def test_capabilities_cost_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert methods_that("is_collected_on_delivery") == ["cash"] and methods_that("can_refund") == ["provider"]
