"""A buyer reads an order's times in the time of the market it was placed in, wherever they look from."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from shop.accounts.models import Address
from shop.markets.queries import market_registry
from shop.messaging.models import Message

from ..models import Order, OrderLine, Shipment
from ..notifications import queue_payment_failed
from ..placing.services import confirm_order
from ..returns.services import choices_of
from ..shipping.services import complete_delivered, deliver_all, ship

pytestmark = pytest.mark.django_db
FIVE_PAST_TWO = datetime(2026, 11, 22, 14, 5, tzinfo=UTC)


@pytest.fixture
def order_from(make_variant, new_buyer, order_of):
    """order_from("GB"): an order to this country that waits for its payment."""

    def make(code):
        location = market_registry().by_code[code]
        buyer = new_buyer({make_variant("100", units=9): 1})
        Address.objects.filter(customer=buyer).update(country=location, state="", pincode="")
        return order_of(buyer, market=market_registry().market(location))

    return make


@pytest.mark.parametrize(("code", "until"), [("GB", "14:35 GMT"), ("IN", "20:05 IST"), ("US", "09:35 EST")])
@pytest.mark.parametrize("seen_from", ["/en-gb", "/en-in"])
def test_a_hold_says_how_long_it_lasts_and_until_when_there(client, order_from, settings, code, until, seen_from):
    settings.HOLD_MINUTES = 30
    with time_machine.travel(FIVE_PAST_TWO, tick=False):
        order = order_from(code)
        client.force_login(order.customer)
        page = client.get(f"{seen_from}/order-detail/{order.number}/").content.decode()
        assert f"is waiting for payment: 30 minutes left, until {until}" in page
        queue_payment_failed(order)
        mail = Message.objects.get(kind="payment_failed")
        assert f"until 22 Nov 2026, {until}" in mail.text and f"22 Nov 2026, {until}" in mail.html
    with time_machine.travel(FIVE_PAST_TWO + timedelta(minutes=5, seconds=30), tick=False):
        client.force_login(order.customer)
        page = client.get(f"{seen_from}/order-detail/{order.number}/").content.decode()
        assert "25 minutes left" in page and "6 hours" not in page


def test_the_pay_page_says_it_too(client, order_from):
    with time_machine.travel(FIVE_PAST_TWO, tick=False):
        order = order_from("GB")
        client.force_login(order.customer)
        page = client.get(f"/en-gb/pay/{order.number}/", follow=True).content.decode()
    assert "14:35 GMT" in page and "30 minutes left" in page and "20:05" not in page


def test_dates_and_events_of_an_order_are_those_of_its_market(client, order_from):
    with time_machine.travel(datetime(2026, 11, 22, 19, 0, tzinfo=UTC), tick=False):  # the 23rd in India
        order = order_from("US")
        confirm_order(order, actor="shop")
        client.force_login(order.customer)
        page = client.get(f"/en-in/order-detail/{order.number}/").content.decode()
    assert "Placed on 22 November 2026" in page and "22 Nov 2026, 14:00 EST" in page
    assert "on 23 November" not in page and ">23 Nov" not in page


def delivered_at(order, at):
    confirm_order(order, actor="shop")
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    Shipment.objects.filter(order=order).update(delivered_at=at)
    Order.objects.filter(pk=order.pk).update(delivered_at=at)
    return OrderLine.objects.select_related("order").get(order=order)


@pytest.mark.parametrize(
    ("code", "last_moment", "too_late"),
    [
        ("US", datetime(2026, 12, 1, 4, 59, tzinfo=UTC), datetime(2026, 12, 1, 5, 1, tzinfo=UTC)),
        ("IN", datetime(2026, 11, 30, 18, 29, tzinfo=UTC), datetime(2026, 11, 30, 18, 31, tzinfo=UTC)),
        ("AU", datetime(2026, 12, 1, 12, 59, tzinfo=UTC), datetime(2026, 12, 1, 13, 1, tzinfo=UTC)),
    ],
)
def test_a_return_window_ends_with_its_last_day_where_it_was_delivered(order_from, code, last_moment, too_late):
    at = datetime(2026, 11, 23, 15, 0, tzinfo=UTC)  # the 23rd, and the 24th in Sydney
    line = delivered_at(order_from(code), at)
    for moment, is_open in ((last_moment, True), (too_late, False)):
        with time_machine.travel(moment, tick=False):
            line = OrderLine.objects.select_related("order").get(pk=line.pk)
            assert bool(choices_of(line)) == is_open
            if is_open:
                complete_delivered()
                assert Order.objects.get().status == Order.Status.DELIVERED
    with time_machine.travel(too_late + timedelta(days=2), tick=False):
        assert complete_delivered() == 1
