"""Coupons in the admin: the state of each, who used it, and how one becomes another."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, OWNER

from ..models import Coupon

pytestmark = pytest.mark.django_db
LIST = reverse("admin:cart_coupon_changelist")


def member(role):
    person = Customer.objects.create_user(f"{role[:5]}@example.com", "pw", name=role, is_staff=True)
    person.groups.add(Group.objects.get(name=role))
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(person)
    return client


def test_each_coupon_shows_its_state(make_coupon):
    day = timedelta(days=1)
    make_coupon("NOW", percent=10)
    make_coupon("SOON", percent=10, starts_at=timezone.now() + day)
    make_coupon("OVER", percent=10, starts_at=timezone.now() - 2 * day, ends_at=timezone.now() - day)
    make_coupon("FULL", percent=10, total_limit=2, uses=2)
    make_coupon("OFF", percent=10, is_active=False)
    client = member(OWNER)
    found = {}
    for state in ("active", "scheduled", "expired", "used_up", "off"):
        rows = client.get(LIST, {"state": state}).context["cl"].result_list
        found[state] = [coupon.code for coupon in rows]
    assert found == {
        "active": ["NOW"], "scheduled": ["SOON"], "expired": ["OVER"], "used_up": ["FULL"], "off": ["OFF"],
    }  # fmt: skip
    page = client.get(LIST).content.decode()
    assert [
        words for words in ("Active", "Not started", "Expired", "Used up", "Switched off") if words not in page
    ] == []


def test_the_orders_that_took_a_coupon_are_listed(make_coupon, customer):
    coupon = make_coupon("SAVE10", percent=10, uses=1)
    coupon.taken.create(customer=customer, reference="ORD-ABCDEFGH1", is_placed=True)
    url = reverse("admin:cart_coupon_change", args=[coupon.pk])
    page = member(OWNER).get(url).content.decode()
    assert "Active, used 1 time" in page and "/admin/orders/order/?q=ORD-ABCDEFGH1" in page
    assert "/admin/orders/order/?coupon_code=SAVE10" in page
    catalogue = member(CATALOGUE_MANAGER).get(url).content.decode()
    assert "ORD-ABCDEFGH1" in catalogue and "/admin/orders/" not in catalogue


def test_all_orders_of_a_coupon_open_in_the_list(db):
    answer = member(OWNER).get(reverse("admin:orders_order_changelist"), {"coupon_code": "SAVE10"})
    assert answer.status_code == 200


def test_a_coupon_is_duplicated_under_another_code(make_coupon):
    coupon = make_coupon("SAVE10", percent=10, minimum_inr=500, description="10 % off")
    coupon.locations.add(1, 22)
    client = member(OWNER)
    add = f"{reverse('admin:cart_coupon_add')}?like={coupon.pk}"
    assert add in client.get(reverse("admin:cart_coupon_change", args=[coupon.pk])).content.decode()
    form = client.get(add).context["adminform"].form
    first = {name: form[name].value() for name in ("code", "kind", "percent", "minimum_inr", "description")}
    assert first == {
        "code": "SAVE10-COPY", "kind": "percent", "percent": 10, "minimum_inr": 500, "description": "10 % off",
    }  # fmt: skip
    assert form["locations"].value() == [1, 22]
    assert form["starts_at"].value() == coupon.starts_at.replace(microsecond=0)
    assert Coupon.objects.count() == 1


def test_a_duplicate_of_nothing_is_an_empty_form(db):
    client = member(OWNER)
    for like in ("x", "999999", ""):
        assert client.get(f"{reverse('admin:cart_coupon_add')}?like={like}").status_code == 200
