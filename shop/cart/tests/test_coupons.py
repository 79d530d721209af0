"""What a coupon takes off, why it may not, and how it comes into a cart and out of it again."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from shop.errors import TooMany
from shop.limits.models import Counter
from shop.markets.queries import market_registry

from ..coupons import canonical_code
from ..models import Cart, Coupon
from ..services import add_to_cart, open_guest_cart, use_coupon
from ..totals import price_cart

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.fixture
def guest(browser_client):
    return browser_client


def post(client, path, **body):
    return client.post(path, {"deliver_to": 1} | body, content_type="application/json")


def priced(coupon, market, make_variant, *lines):
    """A cart of (price, quantity) lines with a coupon, priced in a market."""
    cart, _ = open_guest_cart()
    for price, quantity in lines:
        add_to_cart(cart, variant_id=make_variant(price=price, units=9).pk, quantity=quantity, market=market)
    cart.coupon = coupon
    cart.save()
    return price_cart(cart, market)


@pytest.mark.parametrize(
    ("terms", "off"),
    [
        ({"percent": 10}, "33.34"),  # of 333.35, half a paisa up
        ({"percent": 100}, "333.35"),
        ({"percent": Decimal("12.5")}, "41.67"),
        ({"percent": 50, "most_inr": 100}, "100.00"),
        ({"percent": 10, "most_inr": 100}, "33.34"),
        ({"amount": 50}, "50.00"),
        ({"amount": 1000}, "333.35"),
        ({"amount": 50, "minimum_inr": Decimal("333.35")}, "50.00"),
    ],
)
def test_what_a_coupon_takes_off(make_coupon, make_variant, india, terms, off):
    view = priced(make_coupon("SAVE", **terms), india, make_variant, ("100.05", 3), ("33.20", 1))
    assert view.coupon_amt == Decimal(off)
    assert view.total == view.sub_total + view.shipping - view.coupon_amt
    assert view.coupon_problem == ""


@pytest.mark.parametrize(
    ("terms", "reason"),
    [
        ({"minimum_inr": 500}, "This coupon is for orders of ₹500.00 or more. Add ₹100.00 more to use it."),
        ({"starts_at": timezone.now() + 5 * HOUR * 24}, "This coupon is valid from "),
        ({"ends_at": timezone.now() - HOUR}, "This coupon has expired."),
        ({"is_active": False}, "This coupon is not valid."),
        ({"total_limit": 3, "uses": 3}, "This coupon has reached its limit."),
        ({"total_limit": 0}, "This coupon has reached its limit."),
    ],
)
def test_a_coupon_that_does_not_apply_says_why_and_takes_nothing_off(make_coupon, make_variant, india, terms, reason):
    view = priced(make_coupon("SAVE", percent=10, **terms), india, make_variant, ("100", 4))
    assert view.coupon_problem.startswith(reason)
    assert (view.coupon_amt, view.total) == (0, view.sub_total + view.shipping)


def test_a_coupon_may_be_for_some_countries_only(make_coupon, make_variant, india, usa):
    coupon = make_coupon("DESI", percent=10)
    coupon.locations.set([1])
    assert priced(coupon, india, make_variant, ("100", 1)).coupon_amt == 10
    elsewhere = priced(coupon, usa, make_variant, ("100", 1))
    assert elsewhere.coupon_problem == f"This coupon is not valid for orders to {usa.country_name}."
    assert elsewhere.coupon_amt == 0


@pytest.mark.parametrize("currency", ["USD", "JPY", "KWD"])
def test_amounts_of_a_coupon_are_converted_like_prices(make_coupon, make_variant, currency):
    market = market_registry().market(market_registry().by_code["US"], currency)
    lines = ("900", 2)
    assert priced(make_coupon("A", amount=100), market, make_variant, lines).coupon_amt == market.from_inr(Decimal(100))
    capped = priced(make_coupon("B", percent=50, most_inr=70), market, make_variant, lines)
    assert capped.coupon_amt == market.from_inr(Decimal(70))
    percent = priced(make_coupon("C", percent=15), market, make_variant, lines)
    assert abs(percent.coupon_amt - percent.sub_total * 15 / 100) <= Decimal("0.5") * market.from_inr(market.rate)
    below = priced(make_coupon("D", percent=15, minimum_inr=5000), market, make_variant, lines)
    missing = market.from_inr(Decimal(5000)) - below.sub_total
    assert f"Add {market.display(missing)} more" in below.coupon_problem


def test_what_cannot_be_ordered_counts_for_no_coupon(make_coupon, make_variant, india):
    cart, _ = open_guest_cart()
    gone, here = make_variant(price="400"), make_variant(price="100")
    for variant in (gone, here):
        add_to_cart(cart, variant_id=variant.pk, quantity=1, market=india)
    cart.coupon = make_coupon("SAVE", percent=10)
    type(gone).objects.filter(pk=gone.pk).update(is_active=False)
    assert price_cart(cart, india).coupon_amt == 10


@pytest.mark.parametrize("typed", ["SAVE10", " save10 ", "Save 10", "sa\tve10"])
def test_a_code_is_found_in_any_spelling(guest, make_variant, make_coupon, typed):
    make_coupon("SAVE10", percent=10)
    post(guest, "/add-to-cart/", product=make_variant(price="250").pk, quantity=2)
    cart = post(guest, "/apply-coupon/", coupon_code=typed).json()
    assert (cart["coupon_code"], cart["coupon_amt"], cart["coupon_problem"]) == ("SAVE10", "50.00", "")
    assert cart["total_amount"] == "479.00"
    assert cart["display"]["coupon"] == "−₹50.00"


def test_a_coupon_is_removed_and_that_again_is_no_mistake(guest, make_variant, make_coupon):
    make_coupon("SAVE10", percent=10)
    post(guest, "/add-to-cart/", product=make_variant(price="250").pk, quantity=2)
    post(guest, "/apply-coupon/", coupon_code="SAVE10")
    for _ in range(2):
        answer = post(guest, "/remove-coupon/")
        assert (answer.status_code, answer.json()["coupon_code"], answer.json()["coupon_amt"]) == (200, "", "0")


@pytest.mark.parametrize("code", ["NOSUCH", "", "'; DROP", "OLD"])
def test_an_unknown_code_is_refused_at_its_field_and_changes_nothing(guest, make_variant, make_coupon, code):
    make_coupon("SAVE10", percent=10)
    make_coupon("OLD", percent=10, is_active=False)
    post(guest, "/add-to-cart/", product=make_variant(price="250").pk)
    post(guest, "/apply-coupon/", coupon_code="SAVE10")
    answer = post(guest, "/apply-coupon/", coupon_code=code)
    assert answer.status_code == 422
    words = "This coupon is not valid." if code else "Enter a coupon code."
    assert (answer.json()["detail"], answer.json()["fields"]) == (words, {"coupon_code": [words]})
    assert post(guest, "/get-cart/").json()["coupon_code"] == "SAVE10"


def test_a_coupon_that_does_not_apply_is_refused_with_the_reason(guest, make_variant, make_coupon):
    make_coupon("BIG", percent=10, minimum_inr=600)
    post(guest, "/add-to-cart/", product=make_variant(price="250").pk, quantity=2)
    answer = post(guest, "/apply-coupon/", coupon_code="BIG")
    reason = "This coupon is for orders of ₹600.00 or more. Add ₹100.00 more to use it."
    assert (answer.status_code, answer.json()["code"]) == (409, "coupon_refused")
    assert answer.json()["fields"] == {"coupon_code": [reason]}
    assert Cart.objects.get().coupon is None


def test_a_coupon_of_the_cart_that_stops_applying_stays_and_says_why(guest, make_variant, make_coupon):
    make_coupon("BIG", percent=10, minimum_inr=400)
    variant = make_variant(price="250")
    post(guest, "/add-to-cart/", product=variant.pk, quantity=2)
    post(guest, "/apply-coupon/", coupon_code="BIG")
    less = post(guest, "/update-cart-product-quantity/", product_id=variant.pk, quantity=1).json()
    assert (less["coupon_code"], less["coupon_amt"]) == ("BIG", "0")
    assert less["coupon_problem"] == "This coupon is for orders of ₹400.00 or more. Add ₹150.00 more to use it."
    more = post(guest, "/update-cart-product-quantity/", product_id=variant.pk, quantity=2).json()
    assert (more["coupon_amt"], more["coupon_problem"]) == ("50.00", "")


def test_an_empty_cart_takes_no_coupon(guest, make_variant, make_coupon):
    make_coupon("SAVE10", percent=10)
    nobody = post(guest, "/apply-coupon/", coupon_code="SAVE10")
    assert (nobody.status_code, nobody.json()["code"]) == (409, "cart_empty")
    variant = make_variant()
    post(guest, "/add-to-cart/", product=variant.pk)
    post(guest, "/save-for-later/", product_id=variant.pk)
    assert post(guest, "/apply-coupon/", coupon_code="SAVE10").json()["code"] == "cart_empty"


def test_codes_cannot_be_guessed_by_one_cart(guest, make_variant, make_coupon):
    make_coupon("SAVE10", percent=10)
    post(guest, "/add-to-cart/", product=make_variant().pk)
    for _ in range(20):
        assert post(guest, "/apply-coupon/", coupon_code="WRONG").status_code == 422
    refused = post(guest, "/apply-coupon/", coupon_code="SAVE10")
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 61
    assert Cart.objects.get().coupon is None
    Counter.objects.update(expires_at=timezone.now())
    assert post(guest, "/apply-coupon/", coupon_code="SAVE10").status_code == 200


def test_codes_cannot_be_guessed_with_many_carts(make_variant, make_coupon, india):
    make_coupon("SAVE10", percent=10)
    variant = make_variant(units=9)
    tried = 0
    with pytest.raises(TooMany):
        for number in range(100):
            cart, _ = open_guest_cart()
            add_to_cart(cart, variant_id=variant.pk, quantity=1, market=india)
            # An IPv6 subscriber has 2^64 addresses and is one client.
            use_coupon(cart, code="SAVE10", market=india, client_address=f"2001:db8::{number:x}")
            tried += 1
    assert tried == 60


def test_a_stranger_changes_no_coupon_and_no_points(guest, make_variant, make_coupon, customer):
    make_coupon("SAVE10", percent=10)
    foreign = Cart.objects.create(customer=customer)
    post(guest, "/add-to-cart/", product=make_variant().pk)
    for path, body in (("/apply-coupon/", {"coupon_code": "SAVE10"}), ("/remove-coupon/", {})):
        assert post(guest, path, cart_id=str(foreign.public_id), **body).status_code == 404
        assert post(guest, path, user_id=customer.pk, **body).status_code == 404
    assert post(guest, "/use-points/", use_points=True).status_code == 401
    assert not Cart.objects.exclude(coupon=None).exists()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/apply-coupon/", {}),
        ("/apply-coupon/", {"coupon_code": 5}),
        ("/apply-coupon/", {"coupon_code": "x" * 61}),
        ("/apply-coupon/", {"coupon_code": "A\x00"}),
        ("/apply-coupon/", {"coupon_code": "A", "coupon_amt": "9"}),
        ("/remove-coupon/", {"coupon_code": "A"}),
        ("/save-for-later/", {"product_id": "1"}),
        ("/save-for-later/", {"product_id": 0}),
        ("/move-to-cart/", {}),
    ],
)
def test_bodies_are_strict(guest, path, body):
    assert post(guest, path, **body).status_code == 422


def test_the_page_applies_refuses_and_removes_without_scripts(guest, make_variant, make_coupon):
    make_coupon("SAVE10", percent=10, description="10 % off")
    post(guest, "/add-to-cart/", product=make_variant(price="250").pk)
    refused = guest.post("/en-in/cart/coupon/", {"coupon_code": "<b>"})
    page = refused.content.decode()
    assert refused.status_code == 422
    assert '<p class="field__error" id="coupon-error" role="alert">This coupon is not valid.</p>' in page
    assert 'value="&lt;b&gt;"' in page
    assert guest.post("/en-in/cart/coupon/", {"coupon_code": "save10"})["Location"] == "/en-in/cart/"
    page = guest.get("/en-in/cart/").content.decode()
    assert "<strong>SAVE10</strong>" in page and "10 % off" in page and "−₹25.00" in page
    guest.post("/en-in/cart/coupon/remove/")
    assert "SAVE10" not in guest.get("/en-in/cart/").content.decode()


def test_the_page_says_when_there_were_too_many_tries(guest, make_variant):
    post(guest, "/add-to-cart/", product=make_variant().pk)
    answers = [guest.post("/cart/coupon/", {"coupon_code": "WRONG"}) for _ in range(21)]
    assert answers[-1].status_code == 429
    assert answers[-1]["Retry-After"]
    assert "Too many attempts" in answers[-1].content.decode()


@pytest.mark.database
def test_a_code_that_cannot_be_stored_is_an_unknown_one(guest, make_variant):
    guest.post("/en-in/cart/add/", {"variant": make_variant().pk})
    assert guest.post("/en-in/cart/coupon/", {"coupon_code": "A\x00"}).status_code == 422


def test_a_code_has_one_canonical_form():
    assert canonical_code(" monsoon  25\n") == "MONSOON25"
    assert len(canonical_code("x" * 99)) == 40


def test_the_database_keeps_uses_within_the_limit(make_coupon):
    from django.db import IntegrityError, transaction

    coupon = make_coupon("ONE", percent=10, total_limit=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Coupon.objects.filter(pk=coupon.pk).update(uses=2)
