"""What is kept in mind: by visitors and customers, merged at sign-in, shared by a link, never more than fits."""

import re
import time
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from shop.accounts.models import Customer, Wishlist, WishlistItem
from shop.catalog.models import Product
from shop.errors import NotFound, ShopError
from shop.orders.tests.racing import of_kind, together, without_write_lock

from .. import services
from ..holder import COOKIE
from ..services import (
    add_to_wishlist,
    delete_old_wishlists,
    merge_visitor_wishlist,
    open_visitor_wishlist,
    open_wishlist,
    remove_from_wishlist,
    wished_products,
)

pytestmark = pytest.mark.django_db
PAGE, CHANGE, SHARE, CALL = "/wishlist/", "/wishlist/change/", "/wishlist/share/", "/api/wishlist/"


@pytest.fixture
def product(make_variant):
    return make_variant("200").product


def visitor():
    return Client(headers={"sec-fetch-site": "same-origin"})


def test_a_visitor_keeps_a_product_without_scripts(product, browser_client):
    assert "Your wishlist is empty" in browser_client.get(PAGE).text
    answer = browser_client.post(CHANGE, {"product": product.pk}, follow=True)
    assert product.name in answer.text and "Saved to your wishlist." in answer.text
    assert browser_client.cookies[COOKIE]["httponly"] and browser_client.cookies[COOKIE]["samesite"] == "Lax"
    assert product.name not in visitor().get(PAGE).text
    assert product.name not in browser_client.post(CHANGE, {"product": product.pk, "wanted": "0"}, follow=True).text


def hearts(page):
    """(class, product id) of each heart; pressed, it sends the form of the page."""
    assert re.search(f'<form id="save-to-wishlist" method="post" action="[^"]*{CHANGE}">', page)
    return re.findall('<button class="(heart[^"]*)" form="save-to-wishlist" name="product" value="([0-9]+)"', page)


def test_every_card_and_the_product_page_have_a_heart(make_variant, make_product, browser_client):
    soap, tea = (make_variant("200", product=make_product(name)).product for name in ("Neem Soap", "Tulsi Tea"))
    listing = browser_client.get("/en-in/products/ayurveda/").text
    assert set(hearts(listing)) == {("heart", str(soap.pk)), ("heart", str(tea.pk))}
    assert 'aria-label="Save to wishlist: Neem Soap"' in listing
    page = browser_client.get(f"/en-in/product/{soap.slug}/").text
    assert ("heart heart--words", str(soap.pk)) in hearts(page) and "</svg>Save to wishlist</button>" in page


def test_the_call_answers_what_is_on_it_and_the_page_learns_it(product, browser_client):
    def call(**body):
        return browser_client.post(CALL, {"product": product.pk, **body}, content_type="application/json").json()

    assert [call(), call()] == [{"products": [product.pk]}] * 2
    assert browser_client.get("/api/me/").json()["wished"] == [product.pk]
    assert call(wanted=False) == {"products": []}
    assert visitor().get("/api/me/").json()["wished"] == []


def test_what_is_not_shown_here_is_refused_and_leaves_no_wishlist(product, usa, browser_client):
    product.barred_locations.add(usa.location_id)
    answer = browser_client.post(CHANGE, {"product": product.pk})
    assert answer.status_code == 404 and "We don&#x27;t sell this product." in answer.text
    assert browser_client.post(CHANGE, {"product": "x"}).status_code == 404
    assert browser_client.post(CALL, {"product": 999}, content_type="application/json").status_code == 404
    assert COOKIE not in browser_client.cookies and not Wishlist.objects.exists()


def test_what_is_gone_meanwhile_can_be_removed(product, browser_client):
    browser_client.post(CHANGE, {"product": product.pk})
    Product.objects.filter(pk=product.pk).update(is_published=False)
    assert "Not available here at the moment." in browser_client.get(PAGE).text
    browser_client.post(CHANGE, {"product": product.pk, "wanted": "0"})
    assert not WishlistItem.objects.exists()


def test_it_is_full_at_some_point(customer, india, make_variant, monkeypatch):
    monkeypatch.setattr(services, "MAX_ITEMS", 1)
    own, first, second = open_wishlist(customer), make_variant().product, make_variant().product
    assert add_to_wishlist(own, product_id=first.pk, market=india)
    assert not add_to_wishlist(own, product_id=first.pk, market=india)
    with pytest.raises(ShopError, match="up to 1 products"):
        add_to_wishlist(own, product_id=second.pk, market=india)


def test_signing_in_merges_the_visitors_into_the_customers_once(customer, india, make_variant, browser_client):
    first, second = make_variant().product, make_variant().product
    add_to_wishlist(open_wishlist(customer), product_id=first.pk, market=india)
    for product in (first, second):
        browser_client.post(CHANGE, {"product": product.pk})
    browser_client.post("/signin/", {"email": customer.email, "password": "correct horse battery"})
    assert set(wished_products(open_wishlist(customer))) == {first.pk, second.pk}
    assert Wishlist.objects.count() == 1
    assert visitor().get(PAGE).text.count("wishlist__item") == 0


def test_merging_keeps_what_fits(customer, india, make_variant, monkeypatch):
    own, (visitors, secret) = open_wishlist(customer), open_visitor_wishlist()
    add_to_wishlist(own, product_id=make_variant().product_id, market=india)
    wished = [make_variant().product_id for _ in range(2)]
    for pk in wished:
        add_to_wishlist(visitors, product_id=pk, market=india)
    monkeypatch.setattr(services, "MAX_ITEMS", 2)
    for _ in range(2):
        merge_visitor_wishlist(customer, secret=secret)
    assert len(wished_products(own)) == 2 and wished[1] in wished_products(own)


def test_a_shared_one_shows_products_and_nothing_of_the_person(customer, india, product):
    add_to_wishlist(open_wishlist(customer), product_id=product.pk, market=india)
    owner = visitor()
    owner.force_login(customer)
    owner.post(SHARE)
    key = Wishlist.objects.get().share_key
    address = reverse("shared_wishlist", args=[key])
    assert address in owner.get(PAGE).text
    page = visitor().get(address)
    assert product.name in page.text and customer.name not in page.text and "noindex" in page["X-Robots-Tag"]
    owner.post(SHARE)
    assert Wishlist.objects.get().share_key == key  # the same again
    owner.post(SHARE, {"stop": "1"})
    assert visitor().get(address).status_code == 404
    owner.post(SHARE)
    assert Wishlist.objects.get().share_key not in (key, None)


def test_a_visitors_is_forgotten_with_its_cookie_and_a_customers_stays(customer):
    old = services.timezone.now() - services.VISITOR_KEEPS * 1.1
    open_wishlist(customer), open_visitor_wishlist(), open_visitor_wishlist()
    Wishlist.objects.exclude(pk=Wishlist.objects.latest("pk").pk).update(changed_at=old)
    assert delete_old_wishlists() == 1 and Wishlist.objects.count() == 2


def test_removing_what_is_not_there_changes_nothing(customer, product):
    own = open_wishlist(customer)
    assert not remove_from_wishlist(own, product_id=product.pk)
    own.delete()
    with pytest.raises(NotFound):
        remove_from_wishlist(own, product_id=product.pk)


def test_the_page_takes_few_queries_for_ten(customer, india, make_variant, django_assert_max_num_queries):
    own, owner = open_wishlist(customer), visitor()
    owner.force_login(customer)
    for _ in range(10):
        add_to_wishlist(own, product_id=make_variant().product_id, market=india)
    owner.get(PAGE)
    with django_assert_max_num_queries(6):
        assert owner.get(PAGE).text.count("wishlist__item") == 10


def test_it_is_taken_along_and_goes_with_the_account(customer, india, product):
    from shop.accounts.privacy.account_deletion import delete_account
    from shop.accounts.privacy.personal_data import data_of

    add_to_wishlist(open_wishlist(customer), product_id=product.pk, market=india)
    assert [row["product_name"] for row in data_of(customer)["wishlist"]] == [product.name]
    delete_account(customer, client_address="10.0.0.1", password="correct horse battery")
    assert not Wishlist.objects.exists()


# --- At once --------------------------------------------------------------------------------------

FITS, RACERS = 4, 12


def race(customer, india, make_variant, monkeypatch):
    monkeypatch.setattr(services, "MAX_ITEMS", FITS)
    own, products = open_wishlist(customer), [make_variant().product for _ in range(RACERS)]
    results = together([partial(add_to_wishlist, own, product_id=product.pk, market=india) for product in products])
    return results.count(True), len(of_kind(results, ShopError)), own.items.count()


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_additions_at_once_never_exceed_what_fits(customer, india, make_variant, monkeypatch):
    assert race(customer, india, make_variant, monkeypatch) == (FITS, RACERS - FITS, FITS)


@pytest.mark.database
@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_more_than_fits_is_kept(customer, india, make_variant, monkeypatch):
    without_write_lock(monkeypatch)
    monkeypatch.setattr(services, "_lock", lambda wishlist: None)
    create = WishlistItem.objects.create

    def late(**fields):
        item = create(**fields)
        time.sleep(0.1)  # until the end of its transaction nobody else counts it
        return item

    monkeypatch.setattr(WishlistItem.objects, "create", late)
    assert race(customer, india, make_variant, monkeypatch)[2] > FITS


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_visitors_is_merged_once_by_two_sign_ins(customer, india, make_variant):
    visitors, secret = open_visitor_wishlist()
    add_to_wishlist(visitors, product_id=make_variant().product_id, market=india)
    results = together([partial(merge_visitor_wishlist, customer, secret=secret)] * 6)
    assert results == [None] * 6
    assert len(wished_products(open_wishlist(Customer.objects.get()))) == 1 == Wishlist.objects.count()
