from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from shop.accounts.staff.roles import CONTENT_EDITOR
from shop.care.tests.conftest import sign_in_staff
from shop.orders.conftest import new_buyer, order_of  # noqa: F401 (fixtures)
from shop.orders.models import Order
from shop.orders.placing.services import confirm_order
from shop.orders.shipping.services import deliver_all, ship

from ..moderation.services import publish
from ..services import write_review


@pytest.fixture
def variant(make_variant):
    return make_variant("200", units=90)


@pytest.fixture
def buy(new_buyer, order_of):  # noqa: F811 (fixtures)
    """buy(variant): the line of a delivered order by a new customer; days ago, so many."""

    def buy(variant, *, delivered=True, days=0):
        order = order_of(new_buyer({variant: 1}))
        confirm_order(order, actor="provider")
        ship(order, actor="staff:1")
        if delivered:
            deliver_all(order, actor="staff:1")
            at = timezone.now() - timedelta(days=days)
            Order.objects.filter(pk=order.pk).update(delivered_at=at, email=f"mail{order.pk}@example.com")
        order.refresh_from_db()
        return order.lines.select_related("order__customer").get()

    return buy


@pytest.fixture
def review(buy, variant):
    """review(stars): a published one by a new buyer."""

    def review(stars=5, line=None, **words):
        line = line or buy(variant)
        said = {"title": "Good", "text": "It works for me."} | words
        row = write_review(line, customer=line.order.customer, stars=stars, **said)
        publish(row, actor="staff:1", seen=row.revision)
        row.refresh_from_db()
        return row

    return review


@pytest.fixture
def editor(db):
    return sign_in_staff(CONTENT_EDITOR)


@pytest.fixture
def visitor():
    return Client(headers={"sec-fetch-site": "same-origin"})


@pytest.fixture
def signed_in():
    """signed_in(customer): their browser."""

    def browser(customer):
        client = Client(headers={"sec-fetch-site": "same-origin"})
        client.force_login(customer)
        return client

    return browser
