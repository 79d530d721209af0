"""The order desk's list and parcels: shipping by form, bulk moves, and who may."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import reverse

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, CONTENT_EDITOR, ORDER_DESK
from shop.tests.support.staff import confirm

from ...models import Courier, Order
from ...placing.services import confirm_order
from ...returns.services import approve, receive, request_return, send_replacement
from ...shipping.services import deliver, progress, ship
from ..board import orders_to_do

LIST = reverse("admin:orders_order_changelist")
ASKED = ["ship_everything_left", "mark_refused", "cancel"]
BULK = ["start_processing", "mark_delivered", *ASKED]


def staff(role="", permission=""):
    number = Customer.objects.count()
    member = Customer.objects.create_user(f"staff{number}@example.com", "pw", name=f"Staff {number}", is_staff=True)
    if role:
        member.groups.add(Group.objects.get(name=role))
    if permission:
        member.user_permissions.add(Permission.objects.get(codename=permission))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(member)
    return client


@pytest.fixture
def desk(db):
    return staff(ORDER_DESK)


@pytest.fixture
def placed(make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant(units=9): 3, make_variant(units=9): 1}))
    confirm_order(order, actor="provider")
    return order


def parcels_of(order):
    return reverse("admin:orders_order_parcels", args=[order.pk])


def state(order):
    return Order.objects.get(pk=order.pk).status


def form_for(order, *units, **more):
    lines = {f"line_{line.pk}": quantity for line, quantity in zip(order.lines.all(), units, strict=True)}
    return {"do": "ship", "after": order.shipments.count(), "courier": "", "tracking_number": "T1"} | lines | more


def test_a_parcel_is_shipped_by_its_form(desk, placed):
    courier = Courier.objects.create(name="Quick Post")
    page = desk.get(parcels_of(placed)).content.decode()
    assert "Quick Post" in page and 'value="3"' in page
    answer = desk.post(parcels_of(placed), form_for(placed, 2, 0, courier=courier.pk, tracking_number="QP1"))
    assert answer.status_code == 302
    parcel = placed.shipments.get()
    assert (parcel.courier, parcel.tracking_number) == (courier, "QP1")
    assert [line.quantity for line in parcel.lines.all()] == [2]
    assert placed.events.last().actor.startswith("staff:")
    assert 'value="1"' in desk.get(parcels_of(placed)).content.decode()


@pytest.mark.parametrize(
    ("units", "more"),
    [((4, 0), {}), ((-1, 1), {}), (("x", 1), {}), ((0, 0), {}), ((1, 1), {"courier": "99"}), ((1, 1), {"after": "1"})],
)
def test_a_form_that_does_not_fit_ships_nothing(desk, placed, units, more):
    desk.post(parcels_of(placed), form_for(placed, *units, **more))
    assert (state(placed), placed.shipments.count()) == ("placed", 0)


def test_the_same_form_sent_twice_ships_once(desk, placed):
    form = form_for(placed, 1, 0)
    for _ in range(2):
        desk.post(parcels_of(placed), form)
    assert placed.shipments.count() == 1


def test_each_parcel_is_delivered_or_refused_for_itself(desk, placed):
    first, second = placed.lines.all()
    parcels = [ship(placed, {first.pk: 3}, actor="staff:1"), ship(placed, {second.pk: 1}, actor="staff:1")]
    desk.post(parcels_of(placed), {"do": "deliver", "parcel": parcels[0].pk})
    assert state(placed) == "shipped"
    step = reverse("admin:orders_order_step", args=[placed.pk, "refuse"])
    confirm(desk, desk.post(step, {"parcel": parcels[1].pk}), words="Nobody at home")
    assert state(placed) == "delivered"


def test_the_parcels_of_no_order_are_not_found(desk, placed):
    assert desk.get(parcels_of(placed).replace(f"/{placed.pk}/", "/none/")).status_code == 404


def test_a_parcel_of_another_order_is_not_found(desk, placed, make_variant, new_buyer, order_of):
    other = order_of(new_buyer({make_variant(units=9): 1}))
    confirm_order(other, actor="provider")
    parcel = ship(other, actor="staff:1")
    for pk in (parcel.pk, "x", ""):
        assert desk.post(parcels_of(placed), {"do": "deliver", "parcel": pk}).status_code == 404
    assert state(other) == "shipped"


@pytest.mark.parametrize("role", [CONTENT_EDITOR, CATALOGUE_MANAGER])
def test_other_roles_reach_neither_form_nor_moves(placed, role):
    client = staff(role)
    assert client.get(parcels_of(placed)).status_code == 403
    assert client.post(parcels_of(placed), form_for(placed, 1, 1)).status_code == 403
    assert client.get(reverse("admin:orders_order_board")).status_code == 403
    assert client.get(reverse("admin:orders_order_packing")).status_code == 403
    for name in BULK:
        assert client.post(LIST, {"action": name, "_selected_action": [placed.pk]}).status_code == 403
    assert (state(placed), placed.shipments.count()) == ("placed", 0)


def test_who_may_only_look_at_orders_moves_none(placed):
    client = staff(permission="view_order")
    assert client.get(LIST).status_code == 200
    assert client.get(parcels_of(placed)).status_code == 403
    assert client.post(parcels_of(placed), form_for(placed, 1, 1)).status_code == 403
    step = reverse("admin:orders_order_step", args=[placed.pk, "process"])
    assert client.post(step).status_code == 403
    page = client.get(reverse("admin:orders_order_change", args=[placed.pk])).content.decode()
    assert "/step/" not in page and "Payments and refunds" not in page
    for name in BULK:
        client.post(LIST, {"action": name, "_selected_action": [placed.pk]})
    assert (state(placed), placed.shipments.count()) == ("placed", 0)


@pytest.mark.parametrize(
    ("actions", "ends"),
    [
        (["start_processing"], "processing"),
        (["ship_everything_left"], "shipped"),
        (["ship_everything_left", "mark_delivered"], "delivered"),
        (["ship_everything_left", "mark_refused"], "returned"),
        (["cancel"], "cancelled"),
    ],
)
def test_the_desk_moves_orders_in_bulk(desk, placed, actions, ends):
    for name in actions:
        answer = desk.post(LIST, {"action": name, "_selected_action": [placed.pk]})
        if name in ASKED:
            confirm(desk, answer, words="As the customer wishes")
    assert state(placed) == ends


@pytest.mark.parametrize(
    ("before", "name", "words"),
    [
        ("placed", "mark_delivered", "No parcel from this order is on its way."),
        ("placed", "mark_refused", "No parcel from this order is on its way."),
        ("shipped", "cancel", "This order is shipped, so it can no longer be cancelled."),
        ("shipped", "ship_everything_left", "Nothing is left to ship in this order."),
        ("delivered", "mark_refused", "No parcel from this order is on its way."),
        ("delivered", "ship_everything_left", "An order that is delivered cannot be shipped."),
    ],
)
def test_what_cannot_be_done_is_said_before_a_reason_is_asked_for(desk, placed, before, name, words):
    if before != "placed":
        parcel = ship(placed, actor="staff:1")
    if before == "delivered":
        deliver(parcel, actor="staff:1")
    page = desk.post(LIST, {"action": name, "_selected_action": [placed.pk]}, follow=True)
    assert page.redirect_chain and f"{placed.number}: {words}" in page.content.decode()
    assert state(placed) == before


@pytest.mark.parametrize("name", ["refuse", "cancel"])
def test_the_page_of_an_order_says_no_before_it_asks_for_a_reason(desk, placed, name):
    deliver(ship(placed, actor="staff:1"), actor="staff:1")
    answer = desk.post(reverse("admin:orders_order_step", args=[placed.pk, name]))
    words = {"refuse": "No parcel from this order is on its way.", "cancel": "so it can no longer be cancelled."}[name]
    assert answer.status_code == 422 and words in answer.content.decode()
    assert "backoffice/confirm.html" not in {template.name for template in answer.templates}


def test_of_several_orders_only_those_that_may_are_asked_about(desk, placed, make_variant, new_buyer, order_of):
    moving = order_of(new_buyer({make_variant(units=9): 1}))
    confirm_order(moving, actor="provider")
    ship(moving, actor="staff:1")
    asked = desk.post(LIST, {"action": "mark_refused", "_selected_action": [placed.pk, moving.pk]})
    assert [row for row, _, _ in asked.context["rows"]] == [moving]
    confirm(desk, asked, words="Nobody at home")
    assert (state(placed), state(moving)) == ("placed", "returned")


def test_the_list_says_how_much_of_an_order_was_shipped_and_delivered(
    desk, placed, make_variant, new_buyer, order_of, django_assert_num_queries
):
    whole = order_of(new_buyer({make_variant(units=9): 1}))
    confirm_order(whole, actor="provider")
    ship(whole, actor="staff:1")
    first, _ = placed.lines.all()

    def states():
        rows = desk.get(LIST).context["cl"].result_list
        with django_assert_num_queries(0):
            return {row.number: progress(row) for row in rows}

    assert states() == {placed.number: "", whole.number: ""}
    parcel = ship(placed, {first.pk: 2}, actor="staff:1")
    assert states() == {placed.number: "Partly shipped: 2 of 4 units", whole.number: ""}
    deliver(parcel, actor="staff:1")
    ship(placed, actor="staff:1")
    assert states()[placed.number] == "Partly delivered: 2 of 4 units"
    assert "Partly delivered: 2 of 4 units" in desk.get(LIST).content.decode()


def test_the_list_shows_the_day_and_filters_what_is_to_do(desk, placed, make_variant, new_buyer, order_of):
    waiting = order_of(new_buyer({make_variant(units=9): 1}))
    partly = order_of(new_buyer({make_variant(units=9): 2}))
    confirm_order(partly, actor="provider")
    ship(partly, {partly.lines.get().pk: 1}, actor="staff:1")
    assert desk.get(LIST).context["days"][0].orders == 2
    for what, orders in {"pack": [placed], "rest": [partly], "way": [], "unpaid": [waiting], "ship": []}.items():
        assert list(desk.get(LIST, {"to_do": what}).context["cl"].queryset) == orders


def test_a_replacement_does_not_hide_what_is_left_to_ship(placed):
    line = placed.lines.first()
    deliver(ship(placed, {line.pk: 2}, actor="staff:1"), actor="staff:1")
    request = request_return(line, customer=placed.customer, kind="replacement", reason="wrong-item", quantity=2)
    approve(request, actor="staff:1")
    receive(request, actor="staff:1", is_restocked=True)
    send_replacement(request, actor="staff:1")
    assert list(orders_to_do(Order.objects.all(), "rest")) == [placed]
