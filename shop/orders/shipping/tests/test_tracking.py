"""Tracking by number and phone: what it shows, and what it never does."""

import re

import pytest
from django.test import Client

from shop.limits.models import Counter

from ...models import Courier, Order
from ...placing.services import confirm_order
from ..services import ship

PATH = "/en-in/trackorders/"
WRONG = "find an order with this number and phone number."


@pytest.fixture
def placed(make_variant, make_product, new_buyer, order_of):
    variant = make_variant(price="250", units=9, product=make_product("Secret Tonic"))
    order = order_of(new_buyer({variant: 2}))
    confirm_order(order, actor="provider")
    return order


@pytest.fixture
def visitor():
    return Client(headers={"sec-fetch-site": "same-origin"})


def ask(visitor, number, phone="9876543210", **more):
    return visitor.post(PATH, {"number": number, "phone": phone}, **more)


@pytest.mark.parametrize(
    "phone",
    ["9876543210", "+91 98765 43210", "0091-9876543210", "098765 43210", "(98765) 43-210", "९८७६५४३२१०", "9876543211"],
)
def test_either_phone_in_any_spelling_opens_the_order(visitor, placed, phone):
    answer = ask(visitor, placed.number, phone)
    assert answer.status_code == 200
    assert answer.context["order"] == placed


@pytest.mark.parametrize("spell", [str.lower, lambda n: n.replace("-", " "), lambda n: f"  {n[4:]} "])
def test_the_number_is_read_in_any_spelling(visitor, placed, spell):
    assert ask(visitor, spell(placed.number)).status_code == 200


def test_it_shows_status_steps_and_parcels_and_nothing_of_the_person(visitor, placed):
    courier = Courier.objects.create(name="Quick Post", tracking_link="https://post.example/{number}")
    ship(placed, courier=courier, tracking_number="QP1", actor="staff:2")
    answer = ask(visitor, placed.number)
    page = answer.content.decode()
    main = page[page.index("<main") : page.index("</main>")]
    for said in (placed.number, "Shipped", "Processing", "Quick Post", "https://post.example/QP1"):
        assert said in main, said
    address = placed.address
    private = [address["full_name"], address["address"], address["city"], address["pincode"], "98765", "Secret Tonic",
               "500", "₹", placed.email, "Ravi"]  # fmt: skip
    assert [word for word in private if word in main] == []
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("phone", ["9876543212", "43210", "0", "", "98765432100", "919876543", "abc"])
def test_a_wrong_phone_and_a_wrong_number_get_the_same_words(visitor, placed, phone):
    if phone:
        assert WRONG in ask(visitor, placed.number, phone).content.decode()
    for number in ("ORD-AAAAAAAAA", "nonsense", "ORD-1' OR 1=1"):
        answer = ask(visitor, number, phone or "9876543210")
        assert (answer.status_code, WRONG in answer.content.decode()) == (404, True)


def test_a_wrong_number_and_a_wrong_phone_answer_alike(visitor, placed):
    pages = [ask(visitor, placed.number, "9000000000"), ask(visitor, "ORD-AAAAAAAAA", "9000000000")]
    assert {page.status_code for page in pages} == {404}
    words = [re.sub(r"ORD-[A-Z0-9]{9}|csrf\w+\" value=\"\w+", "", page.content.decode()) for page in pages]
    assert words[0] == words[1]


def test_walking_phones_against_one_order_ends_after_ten_tries(visitor, placed):
    """C4: no hit, then 429; even the right phone is not answered any more."""
    for number in range(10):
        assert ask(visitor, placed.number, f"90000000{number:02}").status_code == 404
    refused = ask(visitor, placed.number.lower(), "9876543210")
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 3601
    assert "status--" not in refused.content.decode()
    assert ask(visitor, placed.number, REMOTE_ADDR="203.0.113.9").status_code == 200


def test_walking_order_numbers_ends_too(visitor, placed):
    """C4: numbers near his own, with a phone that is known: no hit, then 429."""
    answers = [ask(visitor, f"ORD-{number:09}") for number in range(205)]
    assert {answer.status_code for answer in answers[:200]} == {404}
    assert {answer.status_code for answer in answers[200:]} == {429}


def test_no_number_or_phone_is_kept_in_clear(visitor, placed):
    ask(visitor, placed.number)
    assert not [key for key in Counter.objects.values_list("key", flat=True) if placed.number in key]


def test_what_is_missing_is_said_at_its_field(visitor, db):
    answer = ask(visitor, "", "")
    assert answer.status_code == 422
    assert "Enter the order number" in answer.content.decode() and "Enter the phone number" in answer.content.decode()


@pytest.mark.parametrize("text", ["\x00", "x" * 5000, "𝟙" * 13, "²" * 13])
def test_odd_input_is_refused_in_words(visitor, placed, text):
    assert ask(visitor, text, "9876543210").status_code in (404, 422)
    assert ask(visitor, placed.number, text).status_code in (404, 422)


def test_a_pending_order_can_be_followed_too(visitor, placed):
    Order.objects.update(status="pending", placed_at=None)
    assert "is waiting for payment" in ask(visitor, placed.number).content.decode()


def test_the_foot_and_the_menu_lead_to_it(client, db):
    assert client.get("/en-in/brands/").content.decode().count('href="/en-in/trackorders/"') == 2
