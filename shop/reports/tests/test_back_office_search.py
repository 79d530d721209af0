"""The search of all lists, which Ctrl+K opens on every page of the back office."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CONTENT_EDITOR, ORDER_DESK, OWNER
from shop.orders.models import Courier, Shipment

from ..back_office_search import MAX_ROWS

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha(make_order):
    asha = Customer.objects.create_user("asha@example.org", "pw", name="Asha Rao", phone="+919812345678")
    address = {"full_name": "Asha Rao", "phone_number": "9812345678", "city": "Pune"}
    make_order(asha, number="ORD-ABCDEFGHI", email="asha@example.org", address=address)
    return asha


class Member:
    """Of the staff, who searches."""

    def __init__(self, role):
        member = Customer.objects.create_user("member@example.com", "pw", name="Somebody", is_staff=True)
        member.groups.add(Group.objects.get(name=role))
        self._client = Client(headers={"sec-fetch-site": "same-origin"})
        self._client.force_login(member)

    def finds(self, words):
        return self._client.get(reverse("admin:search"), {"s": words, "extended": "1"}).content.decode()


@pytest.mark.parametrize("words", ["ord-abcdefghi", "Asha Rao", "asha@example.org", "98123 45678", "TRACK-77"])
def test_an_order_is_found_by_what_a_caller_has_at_hand(asha, words):
    order = asha.orders.get()
    courier = Courier.objects.first() or Courier.objects.create(name="Post")
    Shipment.objects.create(order=order, courier=courier, tracking_number="TRACK-77", shipped_at=order.placed_at)
    page = Member(ORDER_DESK).finds(words)
    assert reverse("admin:orders_order_change", args=[order.pk]) in page
    assert "Order ORD-ABCDEFGHI" in page
    assert "Placed, Asha Rao" in page


def test_people_and_products_are_found_too(asha, make_product, make_variant):
    soap = make_product("Asha Rao's Soap")
    make_variant(product=soap)
    page = Member(OWNER).finds("asha rao")
    assert reverse("admin:accounts_customer_change", args=[asha.pk]) in page
    assert reverse("admin:catalog_product_change", args=[soap.pk]) in page
    assert "asha@example.org" in page
    assert "Vanamitra, ₹100" in page


@pytest.mark.parametrize("words", ["a " * 1100, "a" * 5000])
def test_words_of_any_length_are_answered(asha, words):
    member = Member(OWNER)
    assert "No results" not in member.finds("Asha " + " " * 200 + words)
    for name in ("care_enquiry", "accounts_customer", "catalog_product", "orders_order", "payments_refund"):
        page = member._client.get(reverse(f"admin:{name}_changelist"), {"q": words})
        assert page.status_code == 200, name


def test_nobody_finds_what_he_may_not_see(asha):
    assert "asha@example.org" not in Member(CONTENT_EDITOR).finds("asha rao")


def test_what_was_found_before_is_not_repeated_from_memory(asha):
    """Unfold keeps the results of a search for five minutes."""
    desk = Member(ORDER_DESK)
    assert "Placed, Asha Rao" in desk.finds("asha@example.org")
    asha.orders.update(status="cancelled")
    assert "Cancelled, Asha Rao" in desk.finds("asha@example.org")


def test_a_long_list_leads_to_the_whole_of_it(asha, make_order):
    for _ in range(MAX_ROWS):
        make_order(asha, email="asha@example.org")
    page = Member(ORDER_DESK).finds("asha@example.org")
    assert f"{reverse('admin:orders_order_changelist')}?q=asha%40example.org" in page


@pytest.mark.parametrize("words", ["", " ", "a", "\x00", "%", "_" * 200, "' OR 1=1 --"])
def test_odd_words_find_nothing_and_break_nothing(asha, words):
    assert "Asha Rao" not in Member(ORDER_DESK).finds(words)


def test_the_queries_do_not_grow_with_what_is_found(asha, make_order, django_assert_max_num_queries):
    for _ in range(2 * MAX_ROWS):
        make_order(asha, email="asha@example.org")
    owner = Member(OWNER)
    with django_assert_max_num_queries(18):
        owner.finds("asha@example.org")
