"""The desk's board: what waits where, the oldest first, one step a card, and who was first; what is to be packed."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, ORDER_DESK
from shop.backoffice.actors import staff_actor

from ...models import Courier, Order
from ...placing.services import cancel_order, confirm_order
from ...returns.services import approve, receive, request_return
from ...shipping.packing import picks_of, slips_of
from ...shipping.services import deliver_all, ship
from ...states import move_order
from ..board import board
from .test_order_admin import staff

BOARD = reverse("admin:orders_order_board")
HTMX = {"HX-Request": "true"}


@pytest.fixture
def desk(db):
    return staff(ORDER_DESK)


@pytest.fixture
def sold(make_variant, new_buyer, order_of):
    """sold(2, 1): a placed order of two units of one article and one of another."""

    def make(*units):
        order = order_of(new_buyer({make_variant(units=9): quantity for quantity in units or (1,)}))
        confirm_order(order, actor="provider")
        return order

    return make


def columns(words=""):
    return {stack.column.key: [card.order for card in stack.cards] for stack in board(words) if stack.count}


def step_of(order, name):
    return reverse("admin:orders_order_step", args=[order.pk, name])


def aged(order, **ago):
    Order.objects.filter(pk=order.pk).update(created_at=timezone.now() - timedelta(**ago))
    return order


def test_each_order_waits_in_the_column_of_its_next_step(sold, make_variant, new_buyer, order_of):
    pack, packed, part, way, back = sold(), sold(), sold(2), sold(), sold()
    unpaid = order_of(new_buyer({make_variant(units=9): 1}))
    move_order(packed, "processing", actor="staff:1")
    ship(part, {part.lines.get().pk: 1}, actor="staff:1")
    ship(way, actor="staff:1")
    ship(back, actor="staff:1")
    deliver_all(back, actor="staff:1")
    request_return(back.lines.get(), customer=back.customer, kind="refund", reason="wrong-item", quantity=1)
    assert columns() == {
        "pack": [pack], "ship": [packed], "rest": [part], "way": [way], "returns": [back], "unpaid": [unpaid],
    }  # fmt: skip


def test_a_return_waits_for_the_desk_until_its_money_is_owed(sold):
    order = sold()
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    request = request_return(order.lines.get(), customer=order.customer, kind="refund", reason="wrong-item", quantity=1)
    approve(request, actor="staff:1")
    assert columns() == {"returns": [order]}
    receive(request, actor="staff:1", is_restocked=True)
    assert columns() == {}


def test_the_oldest_comes_first_with_its_age_and_the_columns_sum(sold):
    new, old = aged(sold(), minutes=5), aged(sold(2), days=3, hours=5)
    stack = next(stack for stack in board() if stack.column.key == "pack")
    assert [card.order for card in stack.cards] == [old, new]
    assert stack.cards[0].age == "3\xa0days"
    assert (stack.count, stack.total_inr) == (2, old.total_inr + new.total_inr)


def test_a_promise_that_is_over_is_marked(sold):
    order = sold()
    Order.objects.filter(pk=order.pk).update(expected_delivery=timezone.localdate() - timedelta(days=1))
    assert board()[0].cards[0].is_late


@pytest.mark.parametrize("find", ["number", "name", "phone", "e-mail", "SKU"])
def test_the_board_is_searched(sold, find):
    sold()
    order = sold(3)
    order.address |= {"full_name": "Meera Nair", "phone_number": "9000012345"}
    order.email = "meera@example.com"
    order.save()
    words = {
        "number": order.number.lower(), "name": "meera", "phone": "+91 90000 12345", "e-mail": "MEERA@example",
        "SKU": order.lines.get().sku.lower(),
    }[find]  # fmt: skip
    assert columns(words) == {"pack": [order]}
    assert columns("nobody like this") == {}


def test_the_board_takes_the_same_queries_however_many_orders(desk, sold, django_assert_max_num_queries):
    def ask():
        with django_assert_max_num_queries(35) as queries:
            assert desk.get(BOARD).status_code == 200
        return len(queries)

    sold()
    ask()  # hears what changed
    few = ask()
    for _ in range(4):
        sold(1, 2)
    ask()
    assert ask() == few <= 30


def test_one_click_moves_a_card_without_scripts(desk, sold):
    order = sold()
    page = desk.get(BOARD).content.decode()
    assert step_of(order, "process") in page
    answer = desk.post(step_of(order, "process"), {"board": "asha rao"}, follow=True)
    assert answer.redirect_chain == [(f"{BOARD}?q=asha+rao", 302)]
    assert f"{order.number} is being packed." in answer.content.decode()
    assert columns() == {"ship": [order]}


def test_with_scripts_the_answer_is_the_board_alone(desk, sold):
    order = sold()
    page = desk.post(step_of(order, "process"), {"board": ""}, headers=HTMX).content.decode()
    assert page.lstrip().startswith('<div id="board"') and "<html" not in page
    assert f"{order.number} is being packed." in page


def test_a_card_ships_with_courier_and_number_once(desk, sold):
    order, courier = sold(2, 1), Courier.objects.create(name="Quick Post")
    move_order(order, "processing", actor="staff:1")
    form = {"board": "", "after": "0", "courier": courier.pk, "tracking_number": "QP7"}
    desk.post(step_of(order, "ship"), form)
    page = desk.post(step_of(order, "ship"), form, headers=HTMX).content.decode()
    parcel = order.shipments.get()
    assert (parcel.courier, parcel.tracking_number) == (courier, "QP7")
    assert "A parcel has just been sent. Please check again." in page


def test_who_comes_second_is_told_who_was_first(desk, sold):
    order = sold()
    ravi = Customer.objects.create_user("ravi@example.com", "pw", name="Ravi", is_staff=True)
    cancel_order(order, actor=staff_actor(ravi))
    page = desk.post(step_of(order, "process"), {"board": ""}, headers=HTMX).content.decode()
    assert "This order is cancelled, so it can no longer be packed." in page
    assert f"Ravi (staff {ravi.pk}) changed it to cancelled just now." in page


def test_a_step_that_is_unknown_or_asked_by_get_is_none(desk, sold):
    order = sold()
    assert desk.post(step_of(order, "dance")).status_code == 404
    assert desk.get(step_of(order, "process")).status_code == 405
    assert desk.post(reverse("admin:orders_order_step", args=[10**12, "process"])).status_code == 404


def test_other_roles_take_no_step(sold):
    order = sold()
    for name in ("process", "cancel", "note", "give_back"):
        assert staff(CATALOGUE_MANAGER).post(step_of(order, name)).status_code == 403
    assert columns() == {"pack": [order]}


# --- Packing --------------------------------------------------------------------------------------


def test_a_packing_list_sums_what_is_left_by_sku(make_variant, new_buyer, order_of):
    tea, soap = make_variant(units=20), make_variant(units=20)
    orders = [order_of(new_buyer(lines)) for lines in ({tea: 2, soap: 1}, {tea: 3})]
    for order in orders:
        confirm_order(order, actor="provider")
    ship(orders[0], {orders[0].lines.get(variant=tea).pk: 1}, actor="staff:1")
    slips = slips_of([order.pk for order in orders])
    assert [(slip.order, slip.units) for slip in slips] == [(orders[0], 2), (orders[1], 3)]
    assert [(pick.line.sku, pick.units, pick.orders) for pick in picks_of(slips)] == [(tea.sku, 4, 2), (soap.sku, 1, 1)]


def test_what_is_not_to_be_packed_has_no_slip(sold, make_variant, new_buyer, order_of):
    unpaid, gone, sent = order_of(new_buyer({make_variant(units=9): 1})), sold(), sold()
    cancel_order(gone, actor="staff:1")
    ship(sent, actor="staff:1")
    assert slips_of([unpaid.pk, gone.pk, sent.pk]) == []


def test_the_packing_list_opens_from_board_and_list_and_tells_no_price(desk, sold):
    order, other = sold(2), sold(1)
    listed = desk.post(
        reverse("admin:orders_order_changelist"),
        {"action": "packing_list", "_selected_action": [order.pk]},
        follow=True,
    )
    assert [slip.order for slip in listed.context["slips"]] == [order]
    page = desk.get(reverse("admin:orders_order_packing"), {"to_do": "pack"})
    assert [slip.order for slip in page.context["slips"]] == [order, other]
    text = page.content.decode()
    assert order.address["address"] in text and order.lines.get().sku in text and "₹" not in text
