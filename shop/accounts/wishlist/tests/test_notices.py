"""What a customer is told of the wishlist: once, if it was asked for, and only if it is true."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from shop.accounts.models import WishlistItem
from shop.catalog.models import Product, Variant
from shop.catalog.services import refresh_products
from shop.catalog.stock import services as stock
from shop.errors import Invalid, NotFound
from shop.messaging.models import Message
from shop.orders.tests.racing import together, without_write_lock

from .. import notices
from ..notices import send_wishlist_notices
from ..services import add_to_wishlist, ask_for_notices, open_visitor_wishlist, open_wishlist

pytestmark = pytest.mark.django_db


@pytest.fixture
def variant(make_variant):
    return make_variant("200")


@pytest.fixture
def wanted(customer, india):
    """wanted(variant, price=True): it is on the customer's wishlist with these notices; returns the wishlist."""

    def wanted(variant, *, market=None, price=False, stock=False):
        own = open_wishlist(customer)
        add_to_wishlist(own, product_id=variant.product_id, market=market or india)
        ask_for_notices(own, product_id=variant.product_id, price=price, stock=stock, market=market or india)
        return own

    return wanted


def sell_for(variant, price):
    Variant.objects.filter(pk=variant.pk).update(selling_price=Decimal(price), actual_price=Decimal(300))
    refresh_products([variant.product_id])


def mails():
    return list(Message.objects.filter(kind__startswith="wishlist_").order_by("pk"))


def test_a_fallen_price_is_told_once(variant, wanted, customer):
    wanted(variant, price=True)
    assert send_wishlist_notices() == 0
    sell_for(variant, "150")
    assert [send_wishlist_notices(), send_wishlist_notices()] == [1, 0]
    [mail] = mails()
    assert (mail.to, mail.kind) == (customer.email, "wishlist_price")
    assert "₹150" in mail.text and "₹200" in mail.text and f"/product/{variant.product.slug}/" in mail.text
    sell_for(variant, "100")
    assert send_wishlist_notices() == 0


def test_asking_again_starts_from_what_it_costs_then(variant, wanted):
    wanted(variant, price=True)
    sell_for(variant, "150")
    send_wishlist_notices()
    wanted(variant, price=True)
    assert send_wishlist_notices() == 0
    sell_for(variant, "140")
    assert send_wishlist_notices() == 1 and "₹150" in mails()[-1].text


@pytest.mark.parametrize("event", ["dearer", "back up", "sold out", "hidden", "barred", "prescription"])
def test_nothing_is_told_that_is_not_true(variant, wanted, india, event):
    wanted(variant, price=True)
    sell_for(variant, "150")
    if event in ("dearer", "back up"):
        sell_for(variant, "250" if event == "dearer" else "200")
    elif event == "sold out":
        stock.receive(variant, -variant.on_hand)
    elif event == "barred":
        variant.product.barred_locations.add(india.location_id)
    else:
        change = {"is_published": False} if event == "hidden" else {"is_prescription": True}
        Product.objects.filter(pk=variant.product_id).update(**change)
    refresh_products([variant.product_id])
    assert send_wishlist_notices() == 0 and not mails()


@pytest.mark.parametrize("kind", ["price", "stock"])
def test_of_a_medicine_sold_on_prescription_it_is_told(variant, wanted, signed_in, sold_on_prescription, kind):
    Product.objects.update(is_prescription=True, schedule="H")
    wanted(variant, **{kind: True})
    sell_for(variant, "150")
    assert "Email me when the price drops" in signed_in.get("/en-in/wishlist/").text
    assert send_wishlist_notices() == 1
    assert mails()[0].kind == f"wishlist_{kind}"


def test_of_a_medicine_that_is_not_sold_here_nothing_is_promised(variant, wanted, signed_in, usa, sold_on_prescription):
    wanted(variant, market=usa, price=True)
    Product.objects.update(is_prescription=True, schedule="H")
    sell_for(variant, "150")
    assert send_wishlist_notices() == 0
    with pytest.raises(Invalid, match="prescription medicine"):
        wanted(variant, market=usa, price=True)
    wanted(variant, market=usa)
    assert "Email me" not in signed_in.get("/en-us/wishlist/").text


def test_what_is_back_in_stock_is_told_once(make_variant, wanted):
    variant = make_variant("200", units=0)
    wanted(variant, stock=True)
    assert send_wishlist_notices() == 0
    stock.receive(variant, 3)
    refresh_products([variant.product_id])
    assert [send_wishlist_notices(), send_wishlist_notices()] == [1, 0]
    assert mails()[0].subject == f"{variant.product.name} is back in stock"


def test_the_price_is_that_of_the_country_it_was_asked_in(variant, wanted, usa):
    wanted(variant, market=usa, price=True)
    sell_for(variant, "100")
    send_wishlist_notices()
    [mail] = mails()
    assert "$" in mail.text and "/en-us/product/" in mail.text


def test_whoever_has_no_email_is_told_so(variant, customer, india):
    customer.email, customer.phone = None, "+919876543210"
    customer.save()
    own = open_wishlist(customer)
    add_to_wishlist(own, product_id=variant.product_id, market=india)
    with pytest.raises(Invalid, match="Add an email"):
        ask_for_notices(own, product_id=variant.product_id, price=True, stock=False, market=india)
    visitors, _ = open_visitor_wishlist()
    with pytest.raises(Invalid):
        ask_for_notices(visitors, product_id=variant.product_id, price=True, stock=False, market=india)


def test_of_what_is_not_on_it_nothing_is_told(variant, customer, india):
    with pytest.raises(NotFound):
        ask_for_notices(open_wishlist(customer), product_id=variant.product_id, price=True, stock=False, market=india)


def test_the_form_asks_and_ends_it(variant, customer, india):
    add_to_wishlist(open_wishlist(customer), product_id=variant.product_id, market=india)
    owner = Client(headers={"sec-fetch-site": "same-origin"})
    form = f"/wishlist/notices/{variant.product_id}/"
    assert "/signin/?next=/wishlist/" in owner.post(form, {"price": "on"})["Location"]
    owner.force_login(customer)
    assert "email you once" in owner.post(form, {"price": "on"}, follow=True).text
    assert WishlistItem.objects.get().wants_price and not WishlistItem.objects.get().wants_stock
    assert "We won&#x27;t email you." in owner.post(form, follow=True).text
    assert not WishlistItem.objects.get().wants_price


def test_a_hundred_products_are_read_together(make_variant, wanted):
    for _ in range(2):
        wanted(make_variant("200"), price=True)

    def queries():
        with CaptureQueriesContext(connection) as seen:
            send_wishlist_notices()
        return len(seen)

    few = queries()
    for _ in range(6):
        wanted(make_variant("200"), price=True)
    assert queries() == few


def race(variant, wanted):
    wanted(variant, price=True)
    sell_for(variant, "150")
    together([send_wishlist_notices] * 6)
    return len(mails())


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_workers_at_once_queue_one_email(variant, wanted):
    assert race(variant, wanted) == 1


@pytest.mark.database
@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_several_are_queued(variant, wanted, monkeypatch):
    without_write_lock(monkeypatch)
    read = notices._news

    def late(item, prices):
        import time

        news = read(item, prices)
        time.sleep(0.05)
        return news

    monkeypatch.setattr(notices, "_news", late)
    assert race(variant, wanted) > 1
