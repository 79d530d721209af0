import pytest

from shop.errors import ProviderDown

from ...models import Payment, SimulatedRecord
from ...services import start_payment
from ...simulator.faults import plan


@pytest.fixture
def order(make_variant, new_buyer, order_of):
    return order_of(new_buyer({make_variant(price="250", units=10): 2}))


def provider_orders():
    return [record.body for record in SimulatedRecord.objects.filter(kind="order")]


def test_the_provider_is_asked_for_the_inr_total_in_paise(order):
    payment = start_payment(order)
    [asked] = provider_orders()
    assert asked["amount"] == payment.amount_paise == order.total_inr * 100
    assert (asked["currency"], asked["receipt"]) == ("INR", payment.receipt)
    assert payment.status == "open"


def test_two_tabs_share_one_provider_order(order):
    assert start_payment(order) == start_payment(order)
    assert len(provider_orders()) == 1


@pytest.mark.parametrize("fault", ["lost_answer", "cut_off", "nonsense"])
def test_an_order_made_before_the_answer_was_lost_is_found_by_its_receipt(order, fault):
    plan("POST", "/v1/orders", fault)
    payment = start_payment(order)
    assert payment.razorpay_order_id == provider_orders()[0]["id"]
    assert len(provider_orders()) == 1


def test_when_even_the_search_fails_the_next_attempt_searches_before_it_creates(order):
    plan("POST", "/v1/orders", "lost_answer")
    plan("GET", "/v1/orders", "error")
    with pytest.raises(ProviderDown):
        start_payment(order)
    assert start_payment(order).razorpay_order_id == provider_orders()[0]["id"]
    assert len(provider_orders()) == 1


@pytest.mark.parametrize("fault", ["refused", "busy", "error", "html"])
def test_a_provider_that_is_down_keeps_the_order_for_another_try(order, fault):
    plan("POST", "/v1/orders", fault)
    with pytest.raises(ProviderDown):
        start_payment(order)
    assert Payment.objects.get().razorpay_order_id is None
    assert start_payment(order).razorpay_order_id
    assert order.customer.cart.lines.exists()
