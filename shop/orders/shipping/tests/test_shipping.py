"""Parcels: what is in them, when they arrive, what is refused, and what follows for the order."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from shop.accounts.points.services import balance_of
from shop.catalog.models import ReturnReason, Variant
from shop.errors import Invalid
from shop.messaging.models import Message

from ...models import Courier, Order, ReturnRequest
from ...placing.services import cancel_order, confirm_order
from ...signals import order_delivered
from ...states import WrongState
from ..services import complete_delivered, deliver, deliver_all, left_to_ship, refuse, refuse_all, ship


@pytest.fixture
def tonic(make_variant):
    return make_variant(price="250.50", units=9)


@pytest.fixture
def balm(make_variant):
    return make_variant(price="99", units=9)


@pytest.fixture
def placed(tonic, balm, new_buyer, order_of):
    """A paid order of three tonics and one balm."""
    order = order_of(new_buyer({tonic: 3, balm: 1}))
    confirm_order(order, actor="provider")
    return order


def history(order):
    return [event.status_to for event in order.events.exclude(status_to="")]


def status(order):
    return Order.objects.get(pk=order.pk).status


def stock_of(variant):
    return Variant.objects.values_list("on_hand", "held", "sold").get(pk=variant.pk)


def lines_of(order):
    return list(order.lines.all())


def test_all_that_is_left_goes_in_one_parcel_through_processing(placed):
    parcel = ship(placed, actor="staff:1")
    assert history(placed) == ["pending", "placed", "processing", "shipped"]
    assert {line.order_line_id: line.quantity for line in parcel.lines.all()} == {
        line.pk: line.quantity for line in lines_of(placed)
    }
    with pytest.raises(WrongState, match="Nothing"):
        ship(placed, actor="staff:1")


def test_parcels_may_hold_a_part_each(placed):
    tonics, balm = lines_of(placed)
    ship(placed, {tonics.pk: 2, balm.pk: 0}, actor="staff:1")
    assert (status(placed), left_to_ship(placed)) == ("shipped", {tonics.pk: 1, balm.pk: 1})
    ship(placed, actor="staff:1")
    assert left_to_ship(placed) == {}
    assert history(placed) == ["pending", "placed", "processing", "shipped"]


@pytest.mark.parametrize("units", [{0: 4}, {0: -1}, {}, {0: 0}, {99: 1}])
def test_a_parcel_holds_only_what_is_left(placed, units):
    lines = lines_of(placed)
    wanted = {lines[index].pk if index < len(lines) else 10**6: quantity for index, quantity in units.items()}
    with pytest.raises(Invalid):
        ship(placed, wanted, actor="staff:1")
    assert (status(placed), placed.shipments.count()) == ("placed", 0)


def test_a_form_that_is_sent_twice_sends_one_parcel(placed):
    tonics, _ = lines_of(placed)
    ship(placed, {tonics.pk: 1}, actor="staff:1", after=0)
    with pytest.raises(WrongState, match="just been sent"):
        ship(placed, {tonics.pk: 1}, actor="staff:1", after=0)
    assert placed.shipments.count() == 1


def test_an_unpaid_or_cancelled_order_is_not_shipped(tonic, new_buyer, order_of):
    order = order_of(new_buyer({tonic: 1}))
    with pytest.raises(WrongState):
        ship(order, actor="staff:1")
    cancel_order(order, actor="customer")
    with pytest.raises(WrongState):
        ship(order, actor="staff:1")
    assert not order.shipments.exists()


def test_once_something_is_shipped_nothing_is_cancelled(placed):
    tonics, _ = lines_of(placed)
    ship(placed, {tonics.pk: 1}, actor="staff:1")
    placed.refresh_from_db()
    assert not placed.is_cancellable
    with pytest.raises(WrongState):
        cancel_order(placed, actor="customer")


def test_an_order_is_delivered_with_its_last_unit_and_earns_points_once(placed):
    tonics, _ = lines_of(placed)
    first = ship(placed, {tonics.pk: 3}, actor="staff:1")
    deliver(first, actor="staff:1")
    assert status(placed) == "shipped"
    second = ship(placed, actor="staff:1")
    for _ in range(2):
        deliver(second, actor="staff:1")
    placed.refresh_from_db()
    assert (placed.status, placed.goods_inr) == ("delivered", Decimal("850.50"))
    assert placed.delivered_at is not None
    assert balance_of(placed.customer) == 8
    assert history(placed)[-2:] == ["shipped", "delivered"]


def test_delivery_is_told_to_later_rooms_once(placed):
    heard = []

    def hear(sender, order, **kwargs):
        heard.append((order.number, order.status))

    order_delivered.connect(hear)
    try:
        ship(placed, actor="staff:1")
        deliver_all(placed, actor="staff:1")
        with pytest.raises(WrongState):
            deliver_all(placed, actor="staff:1")
    finally:
        order_delivered.disconnect(hear)
    assert heard == [(placed.number, "delivered")]


def test_an_order_refused_at_the_door_is_returned_and_gives_its_stock_back(placed, tonic, balm):
    tonics, _ = lines_of(placed)
    ship(placed, {tonics.pk: 2}, actor="staff:1")
    refuse_all(placed, actor="staff:1")
    placed.refresh_from_db()
    assert (placed.status, placed.delivered_at) == ("returned", None)
    assert (stock_of(tonic), stock_of(balm)) == ((9, 0, 0), (9, 0, 0))
    assert balance_of(placed.customer) == 0
    for again in (lambda: refuse_all(placed, actor="staff:1"), lambda: deliver_all(placed, actor="staff:1")):
        with pytest.raises(WrongState):
            again()


def test_points_and_coupon_of_a_refused_order_can_be_used_again(placed):
    from shop.accounts.points.services import earn, redeem

    earn(placed.customer, 50, reference="earlier")
    redeem(placed.customer, 20, reference=placed.number)
    Order.objects.filter(pk=placed.pk).update(points_used=20)
    ship(placed, actor="staff:1")
    refuse_all(placed, actor="staff:1")
    assert balance_of(placed.customer) == 50


def test_what_was_refused_of_a_partly_accepted_order_is_on_its_way_back(placed):
    tonics, balm = lines_of(placed)
    first = ship(placed, {tonics.pk: 3}, actor="staff:1")
    second = ship(placed, {balm.pk: 1}, actor="staff:1")
    refuse(second, actor="staff:1")
    assert status(placed) == "shipped"
    deliver(first, actor="staff:1")
    assert status(placed) == "delivered"
    request = ReturnRequest.objects.get()
    assert (request.line, request.quantity, request.kind, request.status) == (balm, 1, "refund", "approved")
    with pytest.raises(WrongState):
        deliver(second, actor="staff:1")
    with pytest.raises(WrongState):
        refuse(first, actor="staff:1")


def age(order, days):
    Order.objects.filter(pk=order.pk).update(delivered_at=timezone.now() - timedelta(days=days))


@pytest.fixture
def delivered(placed):
    ship(placed, actor="staff:1")
    return deliver_all(placed, actor="staff:1")


def test_an_order_is_completed_when_its_longest_window_ended(delivered):
    age(delivered, 7)
    assert complete_delivered() == 0
    age(delivered, 8)
    assert (complete_delivered(), complete_delivered()) == (1, 0)
    assert status(delivered) == "completed"


def test_a_category_that_shortens_the_windows_completes_sooner(delivered):
    delivered.lines.update(return_days=2)
    age(delivered, 2)
    assert complete_delivered() == 0
    age(delivered, 3)
    assert complete_delivered() == 1


def test_one_longer_line_keeps_the_order_open(delivered):
    tonics, balm = lines_of(delivered)
    delivered.lines.filter(pk=tonics.pk).update(is_returnable=False)
    age(delivered, 5)
    assert complete_delivered() == 0
    delivered.lines.filter(pk=balm.pk).update(is_returnable=False)
    assert complete_delivered() == 1


@pytest.mark.parametrize(("state", "done"), [("requested", 0), ("approved", 0), ("received", 0), ("rejected", 1)])
def test_an_open_return_keeps_the_order_open(delivered, state, done):
    reason = ReturnReason.objects.first()
    ReturnRequest.objects.create(line=lines_of(delivered)[0], kind="refund", reason=reason, quantity=1, status=state)
    age(delivered, 30)
    assert complete_delivered() == done


def test_the_customer_hears_of_each_parcel_with_its_tracking_link(placed):
    courier = Courier.objects.create(name="Quick Post", tracking_link="https://post.example/t?n={number}")
    tonics, _ = lines_of(placed)
    ship(placed, {tonics.pk: 2}, courier=courier, tracking_number=" Q 1&2 ", actor="staff:1")
    ship(placed, actor="staff:1")
    part, rest = Message.objects.filter(kind="order_shipped").order_by("id")
    assert part.subject == f"A parcel from order {placed.number} is on its way"
    assert "https://post.example/t?n=Q%201%262" in part.text
    assert "2 x " + tonics.product_name in part.text
    assert "https://post.example/t?n=Q%201%262" in part.html
    assert rest.key != part.key


def test_a_tracking_pattern_that_is_no_web_address_gives_no_link(placed):
    courier = Courier.objects.create(name="Odd", tracking_link="javascript:alert({number})")
    ship(placed, courier=courier, tracking_number="1", actor="staff:1")
    assert "javascript" not in Message.objects.get(kind="order_shipped").html


def test_the_delivery_mail_says_until_when_what_may_come_back(delivered):
    text = Message.objects.get(kind="order_delivered").text
    delivered.refresh_from_db()
    until = timezone.localdate(delivered.delivered_at) + timedelta(days=7)
    assert f"Wrong item or size: until {until:%-d %B %Y}" in text
