"""Customers in the admin: with what they ordered and their points; and how the owner manages staff."""

from decimal import Decimal

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from shop.accounts.conftest import prove
from shop.accounts.models import Customer
from shop.accounts.points import services as points
from shop.accounts.staff.roles import ORDER_DESK, OWNER

from ...conftest import fill
from ...placing.services import cancel_order, confirm_order
from .test_order_admin import staff

pytestmark = pytest.mark.django_db
LIST = reverse("admin:accounts_customer_changelist")


def page_of(customer):
    return reverse("admin:accounts_customer_change", args=[customer.pk])


@pytest.fixture
def bought(make_variant, new_buyer, order_of, india):
    """bought(2): a customer with so many placed orders."""

    def make(times=1):
        customer = new_buyer({})
        for _ in range(times):
            fill(customer, {make_variant("300", units=9): 1}, india)
            confirm_order(order_of(customer), actor="provider")
        return customer

    return make


def test_a_customer_is_listed_with_orders_last_order_and_money_spent(bought):
    customer = bought(3)
    cancel_order(customer.orders.last(), actor="staff:1")
    kept = customer.orders.exclude(status="cancelled")
    row = staff(ORDER_DESK).get(LIST, {"q": customer.email}).context["cl"].result_list[0]
    assert (row.pk, row.order_count) == (customer.pk, 2)
    assert row.spent_inr == sum((order.total_inr for order in kept), Decimal(0))
    assert row.last_order == max(order.placed_at for order in kept)


def test_the_list_takes_the_same_queries_however_many_customers_and_orders(bought, django_assert_max_num_queries):
    desk = staff(ORDER_DESK)

    def ask():
        desk.get(LIST)
        with django_assert_max_num_queries(20) as queries:
            assert desk.get(LIST).status_code == 200
        return len(queries)

    bought()
    few = ask()
    for _ in range(3):
        bought(2)
    assert ask() == few


def test_the_page_of_a_customer_shows_orders_and_points_and_no_secret(bought):
    customer = bought(2)
    points.earn(customer, 40, reference=customer.orders.first().number)
    page = staff(ORDER_DESK).get(page_of(customer)).content.decode()
    assert all(order.number in page for order in customer.orders.all())
    assert "Loyalty points: 40" in page and "12 Temple Road" not in page and "Bengaluru" in page
    assert customer.password not in page and 'type="password"' not in page
    assert reverse("admin:accounts_customer_changelist") + str(customer.pk) + "/password/" not in page


def test_who_is_deactivated_is_signed_out_everywhere(customer):
    browser = Client(headers={"sec-fetch-site": "same-origin"})
    browser.force_login(customer)
    browser.get("/profile/")
    assert UserSession.objects.filter(user=customer).exists()
    form = {"name": customer.name, "addresses-TOTAL_FORMS": "0", "addresses-INITIAL_FORMS": "0"}
    assert prove(staff(OWNER)).post(page_of(customer), form).status_code == 302
    customer.refresh_from_db()
    assert not customer.is_active and not UserSession.objects.filter(user=customer).exists()
    assert browser.get("/profile/").status_code == 302


def test_the_owner_ends_all_sign_ins_of_a_customer(customer):
    browser = Client(headers={"sec-fetch-site": "same-origin"})
    browser.force_login(customer)
    form = {"action": "end_sign_ins", "_selected_action": [customer.pk]}
    staff(ORDER_DESK).post(LIST, form)
    assert browser.get("/profile/").status_code == 200
    staff(OWNER).post(LIST, form)
    assert browser.get("/profile/").status_code == 302


def test_nobody_takes_the_own_role_away(db):
    owner = staff(OWNER)
    own = Customer.objects.latest("pk")
    form = {"name": "New name", "addresses-TOTAL_FORMS": "0", "addresses-INITIAL_FORMS": "0"}
    assert owner.post(page_of(own), form).status_code == 302
    own.refresh_from_db()
    assert (own.name, own.is_active, own.is_staff) == ("New name", True, True)
    assert [group.name for group in own.groups.all()] == [OWNER]


def test_a_role_without_being_staff_is_refused_in_words(customer):
    form = {
        "name": customer.name, "is_active": "on", "groups": [Group.objects.get(name=ORDER_DESK).pk],
        "addresses-TOTAL_FORMS": "0", "addresses-INITIAL_FORMS": "0",
    }  # fmt: skip
    answer = staff(OWNER).post(page_of(customer), form)
    assert "Only staff can have a role" in answer.content.decode()
    assert not Customer.objects.get(pk=customer.pk).groups.exists()
