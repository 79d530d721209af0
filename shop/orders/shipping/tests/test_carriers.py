"""Carriers: any by hand, and India Post with its numbers and its page."""

import pytest
from django.urls import reverse

from shop.accounts.staff.roles import ORDER_DESK
from shop.errors import Invalid

from ...backoffice.tests.test_order_admin import form_for, parcels_of, staff
from ...models import Courier, Shipment
from ...placing.services import confirm_order
from ...returns.services import approve, receive, request_return, send_replacement
from ..carriers.india_post import INDIA_POST, WRONG_NUMBER, check_digit
from ..carriers.registry import carrier_of, clean_number
from ..services import correct_tracking, deliver_all, ship

pytestmark = pytest.mark.django_db
NUMBER = "EE123456785IN"


@pytest.fixture
def post(db):
    return Courier.objects.create(name="India Post")


@pytest.fixture
def placed(make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant(units=9): 2}))
    confirm_order(order, actor="provider")
    return order


# The first two are the examples of the standard; then a remainder of 1 (0), and one of 0 (5).
@pytest.mark.parametrize(
    ("serial", "digit"), [("47312482", 9), ("28704377", 5), ("12345678", 5), ("00000008", 0), ("00000000", 5)]
)
def test_the_check_digit_is_that_of_the_standard(serial, digit):
    assert check_digit(serial) == digit
    number = f"EE{serial}{digit}IN"
    assert INDIA_POST.clean_number(number) == number


@pytest.mark.parametrize("typed", ["ee123456785in", " EE 12345678 5 IN "])
def test_a_number_is_kept_as_india_post_writes_it(typed):
    assert INDIA_POST.clean_number(typed) == NUMBER


@pytest.mark.parametrize(
    "typed",
    ["EE123456784IN", "EE123456785US", "E1234567855IN", "EE12345678IN", "EE1234567850IN", "EE12345678५IN", "QP1", "-"],
)
def test_what_is_no_number_of_india_post_is_refused(typed):
    with pytest.raises(Invalid) as refused:
        INDIA_POST.clean_number(typed)
    assert refused.value.fields == {"tracking_number": [WRONG_NUMBER]}


def test_any_carrier_by_hand_takes_any_number():
    typed = Courier(name="Quick Post", tracking_link="https://post.example/{number}")
    assert clean_number(typed, " Q 1 ") == "Q 1" and clean_number(None, "x") == "x"
    assert carrier_of(typed).tracking_link("Q 1") == "https://post.example/Q%201"
    assert carrier_of(None).tracking_link("x") == carrier_of(typed).tracking_link("") == ""


@pytest.mark.parametrize("name", ["India Post", "india post "])
def test_a_known_carrier_brings_its_page_unless_staff_typed_one(name):
    assert carrier_of(Courier(name=name)).tracking_link(NUMBER) == INDIA_POST.tracking_url
    typed = Courier(name=name, tracking_link="https://post.example/{number}")
    assert carrier_of(typed).tracking_link(NUMBER) == f"https://post.example/{NUMBER}"
    assert "Speed Post" in carrier_of(typed).services


def test_a_parcel_and_its_correction_take_checked_numbers_only(placed, post):
    with pytest.raises(Invalid):
        ship(placed, courier=post, tracking_number="EE123456784IN", actor="staff")
    assert not Shipment.objects.exists()
    parcel = ship(placed, courier=post, tracking_number=NUMBER.lower(), actor="staff")
    assert parcel.tracking_number == NUMBER
    with pytest.raises(Invalid):
        correct_tracking(parcel, courier=post, tracking_number="QP1", actor="staff")
    assert not correct_tracking(parcel, courier=post, tracking_number=NUMBER.lower(), actor="staff")
    assert Shipment.objects.get().tracking_number == NUMBER


def test_a_parcel_without_a_number_needs_none(placed, post):
    assert ship(placed, courier=post, actor="staff").tracking_number == ""


def test_a_replacement_takes_a_checked_number_only(placed, post):
    ship(placed, actor="staff")
    deliver_all(placed, actor="staff")
    asked = request_return(
        placed.lines.get(), customer=placed.customer, kind="replacement", reason="wrong-item", quantity=1
    )
    received = receive(approve(asked, actor="staff"), actor="staff", is_restocked=True)
    with pytest.raises(Invalid):
        send_replacement(received, actor="staff", courier=post, tracking_number="QP1")
    assert send_replacement(received, actor="staff", courier=post, tracking_number=NUMBER).is_replacement


def test_staff_read_what_is_wrong_beside_the_number(placed, post):
    desk, line = staff(ORDER_DESK), placed.lines.get()
    form = form_for(placed, line.quantity, courier=post.pk, tracking_number="QP1")
    refused = desk.post(parcels_of(placed), form)
    assert refused.status_code == 422 and refused.context["form"].errors["tracking_number"] == [WRONG_NUMBER]
    board = {"board": "", "after": "0", "courier": post.pk, "tracking_number": "QP1"}
    refused = desk.post(reverse("admin:orders_order_step", args=[placed.pk, "ship"]), board)
    assert refused.status_code == 422 and WRONG_NUMBER in refused.content.decode()
    assert not Shipment.objects.exists()
    assert "Speed Post" in desk.get(reverse("admin:orders_courier_changelist")).content.decode()
