"""Discounts by product, category, brand and first order, free shipping, automatic ones, buy some get some."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shop.catalog.models import Brand, Category, Product
from shop.invalidation import subscriptions
from shop.invalidation.models import Change
from shop.markets.models import Location, Slab
from shop.money import quantum, spread

from ..coupons import Basket, Goods, Saving, Scope, announce_beginnings_and_ends, saving_of, take
from ..models import Cart, Coupon, CouponUse
from ..services import CouponRefused, add_to_cart, open_guest_cart, use_coupon
from ..totals import price_cart

pytestmark = pytest.mark.django_db
BUY_GET, FREE_SHIPPING = Coupon.Kind.BUY_GET, Coupon.Kind.FREE_SHIPPING


@pytest.fixture
def filled(india):
    """filled((variant, 2), …): a guest's cart."""

    def fill(*lines, coupon=None):
        cart, _ = open_guest_cart()
        for variant, quantity in lines:
            add_to_cart(cart, variant_id=variant.pk, quantity=quantity, market=india)
        cart.coupon = coupon
        cart.save()
        return cart

    return fill


@pytest.fixture
def oil(make_variant):
    return make_variant(price="200", units=20, max_purchase_qty=20)


@pytest.fixture
def soap(make_variant):
    return make_variant(price="50", units=20, max_purchase_qty=20)


def other_brand(variant):
    brand = Brand.objects.create(name="Other", slug="other-brand")
    type(variant.product).objects.filter(pk=variant.product_id).update(brand=brand)
    return brand


def test_a_discount_for_a_product_takes_from_its_lines_only(filled, oil, soap, make_coupon, india):
    coupon = make_coupon("OIL", percent=10, products=[oil.product])
    view = price_cart(filled((oil, 2), (soap, 4), coupon=coupon), india)
    assert view.coupon_amt == 40
    assert [view.taken_from(line) for line in view.lines] == [400, 0]


def test_a_discount_for_a_brand_or_what_is_below_a_category(filled, oil, soap, make_coupon, india):
    brand = other_brand(soap)

    by_brand = make_coupon("BRAND", percent=10, brands=[brand])
    assert price_cart(filled((oil, 1), (soap, 2), coupon=by_brand), india).coupon_amt == 10
    by_category = make_coupon("CATEGORY", percent=10, categories=[oil.product.category])
    assert price_cart(filled((oil, 1), (soap, 2), coupon=by_category), india).coupon_amt == 30


def test_a_discount_for_a_category_covers_the_ones_below(filled, oil, make_coupon, india):
    above = oil.product.category
    below = Category.objects.create(name="Hair oils", slug="hair-oils", path=f"{above.path}/hair-oils", parent=above)
    type(oil.product).objects.filter(pk=oil.product_id).update(category=below)
    aside = Category.objects.create(name="Aside", slug="aside", path="aside")
    assert price_cart(filled((oil, 1), coupon=make_coupon("ABOVE", percent=10, categories=[above])), india).coupon_amt
    refused = price_cart(filled((oil, 1), coupon=make_coupon("ASIDE", percent=10, categories=[aside])), india)
    assert refused.coupon_problem == "This coupon is for selected products, and none of them is in your cart."


def test_the_minimum_counts_what_the_discount_is_for(filled, oil, soap, make_coupon, india):
    coupon = make_coupon("OIL", percent=10, minimum_inr=500, products=[oil.product])
    view = price_cart(filled((oil, 2), (soap, 4), coupon=coupon), india)
    assert view.coupon_problem == (
        "This coupon is for orders of ₹500.00 or more of these products. Add ₹100.00 more to use it."
    )
    assert view.coupon_amt == 0


@pytest.mark.parametrize(
    ("lines", "off"),
    [
        ([1, 1], "0"),  # two units of three
        ([2, 1], "50"),  # the cheapest of three
        ([1, 5], "100"),  # two of six
        ([6, 0], "400"),
    ],
)
def test_buy_two_get_one(filled, oil, soap, make_coupon, india, lines, off):
    coupon = make_coupon("THREE", percent=100, kind=BUY_GET, buy_quantity=2, get_quantity=1)
    wanted = [(variant, units) for variant, units in zip((oil, soap), lines, strict=True) if units]
    view = price_cart(filled(*wanted, coupon=coupon), india)
    assert view.coupon_amt == Decimal(off)
    if not view.coupon_amt:
        assert view.coupon_problem == "This coupon is for 3 items or more. Add 1 more to use it."


def test_of_buy_two_get_one_each_line_has_its_share(make_coupon, india):
    """Who sends back what was paid for keeps nothing for free."""
    coupon = make_coupon("THREE", percent=100, kind=BUY_GET, buy_quantity=2, get_quantity=1)
    oil, soap = Goods(1, 1, 1, 1, Decimal(200), 2), Goods(2, 2, 1, 1, Decimal(50), 1)
    saving = saving_of(coupon, Scope(), Basket(india, (oil, soap)))
    assert (saving.amount, saving.of_lines) == (50, {1: 400, 2: 50})


@pytest.mark.parametrize("part", ["products", "categories", "brands", "locations"])
def test_a_discount_whose_scope_is_deleted_is_not_for_everything(filled, oil, make_coupon, part, india):
    others = {
        "products": lambda: Product.objects.create(
            name="Gone", slug="gone", brand=oil.product.brand, category=oil.product.category
        ),
        "categories": lambda: Category.objects.create(name="Gone", slug="gone"),
        "brands": lambda: Brand.objects.create(name="Gone", slug="gone"),
        "locations": lambda: Location.objects.exclude(pk=1).last(),
    }
    gone, kept = others[part](), getattr(oil.product, {"brands": "brand", "categories": "category"}.get(part, "pk"))
    kept = oil.product if part == "products" else Location.objects.get(pk=1) if part == "locations" else kept
    alone, both = (
        make_coupon("ALONE", percent=50, **{part: [gone]}),
        make_coupon("BOTH", percent=5, **{part: [gone, kept]}),
    )
    gone.delete()
    for coupon in (alone, both):
        coupon.refresh_from_db()
    assert (alone.is_active, both.is_active) == (False, True)
    assert price_cart(filled((oil, 1), coupon=alone), india).coupon_amt == 0
    assert price_cart(filled((oil, 1), coupon=both), india).coupon_amt == 10


def test_free_shipping_takes_nothing_off_the_goods(filled, oil, make_coupon, india):
    coupon = make_coupon("SHIP", kind=FREE_SHIPPING)
    cart = filled((oil, 1))
    before = price_cart(cart, india)
    assert before.shipping > 0
    goods = before.total - before.shipping
    cart.coupon = coupon
    view = price_cart(cart, india)
    assert (view.shipping, view.coupon_amt, view.total) == (0, 0, goods)
    assert (view.code_taken, view.until_free_shipping, view.shipping_text) == ("SHIP", 0, "Free")
    Slab.objects.all().delete()
    subscriptions.reset()
    assert price_cart(cart, india).coupon_problem == "Shipping is already free."


def test_an_automatic_discount_needs_no_code_and_has_none(filled, oil, make_coupon, india):
    make_coupon("FESTIVE", percent=20, is_automatic=True, minimum_inr=300, description="20% off from ₹300")
    less = price_cart(filled((oil, 1)), india)
    assert (less.coupon_amt, less.offer_text) == (0, "Add ₹100.00 more: 20% off from ₹300.")
    view = price_cart(filled((oil, 2)), india)
    assert (view.coupon_amt, view.code_taken, view.coupon_code) == (80, "FESTIVE", "")
    assert (view.discount_label, view.offer_text) == ("20% off from ₹300", "")
    with pytest.raises(Exception, match="not valid"):
        use_coupon(filled((oil, 2)), code="FESTIVE", market=india, client_address="127.0.0.1")


@pytest.mark.parametrize(
    "terms",
    [
        {"percent": 20, "total_limit": 1, "uses": 1},
        {"percent": 20, "customer_limit": 1},
        {"kind": FREE_SHIPPING},  # which it is already
    ],
)
def test_nothing_is_promised_that_a_fuller_cart_would_not_get(filled, oil, make_coupon, customer, india, terms):
    coupon = make_coupon("AUTO", is_automatic=True, minimum_inr=300, **terms)
    CouponUse.objects.create(coupon=coupon, customer=customer, reference="ORD-1", is_placed=True)
    if "kind" in terms:
        Slab.objects.all().delete()
        subscriptions.reset()
    cart = filled((oil, 1))
    Cart.objects.filter(pk=cart.pk).update(customer=customer, secret_hash=None)
    assert price_cart(Cart.objects.get(pk=cart.pk), india).offer_text == ""


def test_of_a_code_and_an_automatic_discount_the_larger_saving_applies(filled, oil, make_coupon, india):
    make_coupon("AUTO", percent=20, is_automatic=True)
    smaller, larger = make_coupon("TEN", percent=10), make_coupon("THIRTY", percent=30)
    assert price_cart(filled((oil, 1), coupon=larger), india).code_taken == "THIRTY"
    view = price_cart(filled((oil, 1), coupon=smaller), india)
    assert (view.code_taken, view.coupon_amt) == ("AUTO", 40)
    assert view.coupon_problem == "You're already saving more with this discount: 20% off."
    cart = filled((oil, 1))
    with pytest.raises(CouponRefused, match="You're already saving more"):
        use_coupon(cart, code="TEN", market=india, client_address="127.0.0.1")
    assert cart.coupon is None and Cart.objects.get(pk=cart.pk).coupon is None


@pytest.mark.parametrize(
    "terms",
    [
        {"is_active": False},
        {"starts_at": timezone.now() + timedelta(days=1)},
        {"ends_at": timezone.now() - timedelta(days=1)},
        {"total_limit": 1, "uses": 1},
    ],
)
def test_an_automatic_discount_that_is_not_on_takes_nothing_off(filled, oil, make_coupon, india, terms):
    make_coupon("AUTO", percent=20, is_automatic=True, **terms)
    view = price_cart(filled((oil, 1)), india)
    assert (view.coupon_amt, view.code_taken) == (0, "")


def test_the_last_use_is_seen_although_offers_are_remembered(filled, oil, make_coupon, india):
    coupon = make_coupon("AUTO", percent=20, is_automatic=True, total_limit=1)
    cart = filled((oil, 1))
    assert price_cart(cart, india).coupon_amt == 40
    Coupon.objects.filter(pk=coupon.pk).update(uses=1)
    assert price_cart(cart, india).coupon_amt == 0


def test_an_automatic_discount_switched_off_meanwhile_is_refused_in_words(filled, oil, make_coupon, india, customer):
    """Offers are remembered: the order that is being placed finds out when the use is counted."""
    coupon = make_coupon("AUTO", percent=20, is_automatic=True)
    cart = filled((oil, 1))
    assert price_cart(cart, india).coupon_amt == 40
    Coupon.objects.filter(pk=coupon.pk).update(is_active=False)
    assert price_cart(cart, india).coupon_amt == 40
    with pytest.raises(CouponRefused, match="This coupon is not valid"):
        take(coupon, customer, reference="ORD-1")
    assert Coupon.objects.get(pk=coupon.pk).uses == 0


def test_an_ended_coupon_says_when(filled, oil, make_coupon, india):
    coupon = make_coupon(
        "OLD", percent=10, starts_at=timezone.now() - timedelta(days=99),
        ends_at=timezone.now().replace(year=timezone.now().year - 1, month=11, day=3, hour=6),
    )  # fmt: skip
    problem = price_cart(filled((oil, 1), coupon=coupon), india).coupon_problem
    assert problem.startswith("This coupon has expired. It ended on 3 Nov ")


def test_pricing_takes_no_query_more_for_automatic_discounts(
    filled, oil, soap, make_coupon, india, django_assert_num_queries
):
    cart = filled((oil, 1), (soap, 2))
    price_cart(cart, india).total  # noqa: B018 (what is remembered is read)
    with django_assert_num_queries(4):
        price_cart(cart, india).total  # noqa: B018
    for number in range(5):
        make_coupon(f"AUTO{number}", percent=10 + number, is_automatic=True, products=[oil.product])
    price_cart(cart, india).total  # noqa: B018
    with django_assert_num_queries(4):
        assert price_cart(cart, india).coupon_amt == 28


def test_the_cart_page_and_its_call_say_the_same(oil, make_coupon, browser_client):
    make_coupon("SHIP", kind=FREE_SHIPPING, is_automatic=True, minimum_inr=300)
    browser_client.post("/en-in/cart/add/", {"variant": oil.pk, "quantity": 1})
    hint = "Add ₹100.00 more: Free shipping."
    assert hint in browser_client.get("/en-in/cart/").content.decode()
    call = {"deliver_to": 1}
    answer = browser_client.post("/get-cart/", call, content_type="application/json").json()
    assert answer["display"]["offer"] == hint
    body = call | {"product_id": oil.pk, "quantity": 2}
    answer = browser_client.post("/update-cart-product-quantity/", body, content_type="application/json").json()
    assert (answer["shipping_amt"], answer["coupon_amt"], answer["coupon_code"]) == ("0", "0", "")
    assert answer["display"]["shipping_note"] == "Free shipping"
    assert 'Free <span class="muted small">Free shipping</span>' in browser_client.get("/en-in/cart/").content.decode()


def test_a_product_page_shows_what_everybody_may_know(oil, soap, make_coupon, browser_client):
    def page():
        return browser_client.get(f"/en-in/product/{oil.product.slug}/").content.decode()

    make_coupon("SECRET", percent=50)
    make_coupon("ELSEWHERE", percent=10, is_listed=True, products=[soap.product])
    assert 'aria-label="Offers"' not in page()
    make_coupon("SHOWN", percent=10, is_listed=True, minimum_inr=500, products=[oil.product])
    make_coupon("AUTO", percent=100, kind=BUY_GET, buy_quantity=2, get_quantity=1, is_automatic=True)
    found = page()
    assert "<strong>10% off</strong> with code <strong>SHOWN</strong>, on orders of ₹500.00 or more." in found
    assert "<strong>Buy 2, get 1 free</strong>, applied in your cart." in found
    assert "SECRET" not in found and "ELSEWHERE" not in found


def test_what_begins_or_ends_lately_is_announced(make_coupon):
    make_coupon("LATER", percent=10, is_listed=True, starts_at=timezone.now() + timedelta(hours=1))
    make_coupon("HIDDEN", percent=10, starts_at=timezone.now() - timedelta(seconds=5))
    Change.objects.all().delete()
    announce_beginnings_and_ends()
    assert not Change.objects.exists()
    Coupon.objects.filter(code="LATER").update(starts_at=timezone.now() - timedelta(seconds=30))
    announce_beginnings_and_ends()
    assert Change.objects.get().kind == "shop"


# --- Sums, whatever the cart -----------------------------------------------------------------------

PRICES = st.decimals(min_value=0, max_value=9999, places=2)
GOODS = st.lists(st.tuples(PRICES, st.integers(1, 20)), min_size=1, max_size=6)
TERMS = st.one_of(
    st.builds(lambda percent: Coupon(kind="percent", percent=percent), st.decimals("0.01", 100, places=2)),
    st.builds(
        lambda percent, most: Coupon(kind="percent", percent=percent, most_inr=most),
        st.decimals("0.01", 100, places=2), st.decimals("0.01", 500, places=2),
    ),
    st.builds(lambda amount: Coupon(kind="amount", amount_inr=amount), st.decimals("0.01", 9999, places=2)),
    st.builds(
        lambda percent, buy, get: Coupon(kind="buy_get", percent=percent, buy_quantity=buy, get_quantity=get),
        st.decimals(1, 100, places=2), st.integers(1, 5), st.integers(1, 5),
    ),
    st.builds(lambda: Coupon(kind="free_shipping")),
)  # fmt: skip


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=GOODS, coupon=TERMS, for_first_only=st.booleans(), shipping=PRICES)
def test_a_saving_is_shared_out_exactly_and_is_never_more_than_a_line(india, lines, coupon, for_first_only, shipping):
    goods = tuple(Goods(at, at, 1, 1, unit, quantity) for at, (unit, quantity) in enumerate(lines, 1))
    scope = Scope(products=frozenset([1])) if for_first_only else Scope()
    saving = saving_of(coupon, scope, Basket(india, goods, shipping))
    costs = {one.variant_id: one.amount for one in goods}
    weights = [saving.of_lines.get(pk, Decimal(0)) for pk in costs]
    shares = spread(saving.amount, weights, quantum(india.currency))
    assert sum(shares) == saving.amount == saving.amount.quantize(Decimal("0.01"))
    assert all(0 <= share <= cost for share, cost in zip(shares, costs.values(), strict=True))
    assert not for_first_only or sum(shares[1:]) == 0
    assert 0 <= saving.shipping <= shipping
    assert coupon.kind == "free_shipping" or saving.shipping == 0


def test_a_saving_of_nothing_is_nothing(india):
    coupon = Coupon(kind="percent", percent=Decimal(10))
    assert saving_of(coupon, Scope(), Basket(india, ())) == Saving()


# --- The staff's form ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"kind": "free_shipping"}, set()),
        ({"kind": "free_shipping", "percent": "10"}, {"percent"}),
        ({"kind": "buy_get", "percent": "100", "buy_quantity": "2", "get_quantity": "1"}, set()),
        ({"kind": "buy_get", "percent": "100"}, {"buy_quantity", "get_quantity"}),
        ({"kind": "buy_get", "percent": "100", "buy_quantity": "0", "get_quantity": "1"}, {"buy_quantity"}),
        ({"kind": "percent", "percent": "10", "buy_quantity": "2"}, {"buy_quantity"}),
        ({"kind": "percent", "percent": "10", "is_automatic": "on", "is_listed": "on"}, {"is_listed"}),
    ],
)
def test_the_form_asks_for_what_the_kind_needs(admin_user, fields, refused):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(admin_user)
    data = {"code": "NEW", "is_active": "on", "minimum_inr": "0", "starts_at_0": "2026-11-01", "starts_at_1": "10:00"}
    response = client.post("/admin/cart/coupon/add/", data | fields)
    errors = set(response.context["adminform"].form.errors) if response.status_code == 200 else set()
    assert errors == refused
    assert Coupon.objects.exists() is not bool(refused)
