"""Lines: what changed since they were added, what is saved for later, what comes back after all."""

from decimal import Decimal

import pytest

from shop.accounts.models import PointsEntry
from shop.accounts.points.services import earn
from shop.errors import NotFound, OutOfStock

from .. import services
from ..models import Cart, CartLine
from ..services import (
    add_to_cart,
    change_quantity,
    merge_guest_cart,
    move_to_cart,
    open_cart,
    open_guest_cart,
    save_for_later,
)
from ..totals import price_cart

pytestmark = pytest.mark.django_db


@pytest.fixture
def guest(browser_client):
    return browser_client


def post(client, path, **body):
    return client.post(path, {"deliver_to": 1} | body, content_type="application/json")


def lines_of(cart):
    return {line.variant_id: (line.quantity, line.is_saved) for line in cart.lines.all()}


def sell(variant, units):
    type(variant).objects.filter(pk=variant.pk).update(on_hand=variant.on_hand - units, sold=units)


def test_a_price_that_changed_since_is_said_in_the_market_it_was_seen_in(make_variant, india, usa):
    variant = make_variant(price="120")
    cart, _ = open_guest_cart()
    add_to_cart(cart, variant_id=variant.pk, quantity=1, market=india)
    assert price_cart(cart, india).lines[0].note == ""
    type(variant).objects.filter(pk=variant.pk).update(selling_price=Decimal(110))
    assert price_cart(cart, india).lines[0].note == "The price was ₹120.00 when you added it."
    assert price_cart(cart, usa).lines[0].note == ""
    change_quantity(cart, variant_id=variant.pk, quantity=2, market=india)
    assert price_cart(cart, india).lines[0].note == ""


def test_stock_that_fell_since_is_said_and_stops_the_line(make_variant, india):
    variant = make_variant(price="120", units=5)
    cart, _ = open_guest_cart()
    add_to_cart(cart, variant_id=variant.pk, quantity=3, market=india)
    sell(variant, 3)
    line = price_cart(cart, india).lines[0]
    assert (line.problem, line.allowed) == ("Only 2 left. Please reduce your quantity from 3.", 2)
    assert list(line.choices) == [1, 2, 3]
    type(variant).objects.filter(pk=variant.pk).update(on_hand=5, sold=0, max_purchase_qty=2)
    assert price_cart(cart, india).lines[0].problem == "You can order up to 2."


def test_what_is_saved_is_shown_and_neither_counted_nor_charged(guest, make_variant):
    kept, later = make_variant(price="250"), make_variant(price="999")
    for variant in (kept, later):
        post(guest, "/add-to-cart/", product=variant.pk, quantity=2)
    for _ in range(2):
        cart = post(guest, "/save-for-later/", product_id=later.pk).json()
    assert [item["product"] for item in cart["cart_items"]] == [kept.pk]
    assert [(item["product"], item["quantity"]) for item in cart["saved_items"]] == [(later.pk, 2)]
    assert (cart["cart_count"], cart["sub_total_amt"]) == (2, "500.00")
    assert guest.get("/api/me/").json()["cart_count"] == 2
    for _ in range(2):
        cart = post(guest, "/move-to-cart/", product_id=later.pk).json()
    assert (cart["cart_count"], cart["saved_items"]) == (4, [])


def test_only_own_lines_are_saved_and_moved(guest, make_variant, customer, india):
    variant = make_variant()
    foreign = open_cart(customer)
    add_to_cart(foreign, variant_id=variant.pk, quantity=1, market=india)
    for path in ("/save-for-later/", "/move-to-cart/"):
        assert post(guest, path, product_id=variant.pk).status_code == 404
        assert post(guest, path, product_id=variant.pk, cart_id=str(foreign.public_id)).status_code == 404
        post(guest, "/add-to-cart/", product=make_variant().pk)
        assert post(guest, path, product_id=variant.pk).status_code == 404
    assert lines_of(foreign) == {variant.pk: (1, False)}


def test_adding_what_is_saved_moves_it_back_with_the_new_quantity(make_variant, india):
    variant = make_variant()
    cart, _ = open_guest_cart()
    add_to_cart(cart, variant_id=variant.pk, quantity=3, market=india)
    save_for_later(cart, variant_id=variant.pk)
    add_to_cart(cart, variant_id=variant.pk, quantity=1, market=india)
    assert lines_of(cart) == {variant.pk: (1, False)}


def test_what_is_moved_back_is_as_much_as_there_still_is(make_variant, india):
    variant = make_variant(units=4)
    cart, _ = open_guest_cart()
    add_to_cart(cart, variant_id=variant.pk, quantity=3, market=india)
    save_for_later(cart, variant_id=variant.pk)
    sell(variant, 2)
    move_to_cart(cart, variant_id=variant.pk, market=india)
    assert lines_of(cart) == {variant.pk: (2, False)}
    save_for_later(cart, variant_id=variant.pk)
    sell(variant, 4)
    with pytest.raises(OutOfStock):
        move_to_cart(cart, variant_id=variant.pk, market=india)
    assert lines_of(cart) == {variant.pk: (2, True)}
    with pytest.raises(NotFound):
        change_quantity(cart, variant_id=variant.pk, quantity=1, market=india)


@pytest.mark.parametrize(
    ("own", "other", "merged"),
    [
        ((1, False), (2, False), (3, False)),
        ((3, False), (2, False), (4, False)),
        ((1, True), (2, True), (3, True)),
        ((3, True), (2, False), (2, False)),
        ((3, False), (2, True), (3, False)),
        (None, (2, True), (2, True)),
    ],
)
def test_signing_in_merges_what_is_saved_too(make_variant, customer, own, other, merged):
    variant = make_variant(units=9)
    cart = open_cart(customer)
    if own:
        CartLine.objects.create(cart=cart, variant=variant, quantity=own[0], is_saved=own[1])
    guest, secret = open_guest_cart()
    CartLine.objects.create(cart=guest, variant=variant, quantity=other[0], is_saved=other[1], seen_market="IN-INR")
    merge_guest_cart(customer, secret=secret)
    assert lines_of(cart) == {variant.pk: merged}
    assert Cart.objects.get() == cart


@pytest.mark.parametrize(("own", "kept"), [("MINE", "MINE"), (None, "GUEST")])
def test_the_coupon_of_a_guest_comes_along_where_there_was_none(customer, make_coupon, own, kept):
    coupons = {code: make_coupon(code, percent=10) for code in ("MINE", "GUEST")}
    Cart.objects.create(customer=customer, coupon=coupons.get(own))
    guest, secret = open_guest_cart()
    Cart.objects.filter(pk=guest.pk).update(coupon=coupons["GUEST"])
    merge_guest_cart(customer, secret=secret)
    assert Cart.objects.get(customer=customer).coupon.code == kept


def test_a_merged_cart_holds_no_more_than_one_cart_may(customer, make_variant, india, monkeypatch):
    monkeypatch.setattr(services, "MAX_LINES", 2)
    (guest_cart, secret), own = open_guest_cart(), open_cart(customer)
    first, second, third = (make_variant() for _ in range(3))
    add_to_cart(own, variant_id=first.pk, quantity=1, market=india)
    for variant in (second, first):
        add_to_cart(guest_cart, variant_id=variant.pk, quantity=2, market=india)
    merge_guest_cart(customer, secret=secret)
    assert lines_of(own) == {first.pk: (3, False), second.pk: (2, False)}
    guest_cart, secret = open_guest_cart()
    add_to_cart(guest_cart, variant_id=third.pk, quantity=1, market=india)
    merge_guest_cart(customer, secret=secret)
    assert lines_of(own).keys() == {first.pk, second.pk}


def test_a_removal_is_undone_without_scripts(guest, make_variant):
    variant = make_variant(units=9)
    guest.post("/en-in/cart/add/", {"variant": variant.pk, "quantity": 3})
    gone = guest.post("/en-in/cart/remove/", {"variant": variant.pk}, follow=True)
    page = gone.content.decode()
    assert f"Removed {variant.product.name}." in page and "Cart is Empty" in page
    assert 'action="/en-in/cart/restore/"' in page
    guest.post("/en-in/cart/restore/", {"variant": variant.pk, "quantity": 3})
    assert lines_of(Cart.objects.get()) == {variant.pk: (3, False)}
    assert "Removed" not in guest.get(gone.redirect_chain[-1][0]).content.decode()


def test_a_removal_of_what_was_saved_goes_back_to_where_it_was(guest, make_variant):
    variant = make_variant(units=9)
    guest.post("/en-in/cart/add/", {"variant": variant.pk, "quantity": 3})
    guest.post("/en-in/cart/save/", {"variant": variant.pk})
    page = guest.post("/en-in/cart/remove/", {"variant": variant.pk}, follow=True).content.decode()
    assert '<input type="hidden" name="saved" value="1">' in page
    guest.post("/en-in/cart/restore/", {"variant": variant.pk, "quantity": 3, "saved": 1})
    assert lines_of(Cart.objects.get()) == {variant.pk: (3, True)}


@pytest.mark.parametrize(
    "query", ["removed=x", "removed=999999", f"removed={10**30}", "removed=1&quantity=-4", "removed="]
)
def test_an_address_that_names_nothing_removed_is_the_plain_cart(guest, query):
    answer = guest.get(f"/en-in/cart/?{query}")
    assert answer.status_code == 200
    assert 'class="undo"' not in answer.content.decode()


def test_saving_and_moving_work_without_scripts(guest, make_variant):
    variant = make_variant()
    guest.post("/en-in/cart/add/", {"variant": variant.pk})
    page = guest.post("/en-in/cart/save/", {"variant": variant.pk}, follow=True).content.decode()
    shown = page.partition("<template data-summary>")[0]  # what a script may need later is not shown
    assert "Saved for later" in page and "Cart is Empty" in shown and "CHECK OUT" not in shown
    page = guest.post("/en-in/cart/move/", {"variant": variant.pk}, follow=True).content.decode()
    assert "CHECK OUT" in page
    assert (
        "This product is not in your cart."
        in guest.post("/en-in/cart/save/", {"variant": 99}, follow=True).content.decode()
    )


def test_a_line_shows_everything_that_is_specified(guest, make_variant, make_product):
    variant = make_variant(price="100", actual="150", units=3, product=make_product("Amla Jam"))
    guest.post("/en-in/cart/add/", {"variant": variant.pk, "quantity": 2})
    page = guest.get("/en-in/cart/").content.decode()
    for part in (
        'href="/en-in/product/amla-jam/?variant=SKU-1"',
        'href="/en-in/brand/vanamitra/">Vanamitra</a>',
        f'class="line tint-{variant.product.category_id}"',
        'class="badge badge--tint line__category" href="/en-in/products/ayurveda/"',
        '<span class="number line__price">₹100.00</span> <s class="number">₹150.00</s>',
        "<option>1</option><option selected>2</option><option>3</option></select>",
        'aria-label="Remove Amla Jam"',
        '<output class="line__total">₹200.00</output>',
        "CHECK OUT",
        '<li aria-current="step">Cart</li>',
    ):
        assert part in page, part


def test_a_cart_of_nothing_but_saved_lines_cannot_be_checked_out(guest, make_variant, customer):
    guest.force_login(customer)
    variant = make_variant()
    guest.post("/en-in/cart/add/", {"variant": variant.pk})
    guest.post("/en-in/cart/save/", {"variant": variant.pk})
    answer = guest.get("/en-in/checkout/", follow=True)
    assert answer.redirect_chain == [("/en-in/cart/", 302)]
    assert "Cart is Empty" in [str(message) for message in answer.context["messages"]]


def test_the_preview_shows_lines_and_subtotal_and_belongs_to_one_person(guest, make_variant, make_product):
    assert "Cart is Empty" in guest.get("/en-in/cart/preview/").content.decode()
    variant = make_variant(price="100", product=make_product("Amla Jam"))
    guest.post("/en-in/cart/add/", {"variant": variant.pk, "quantity": 2})
    answer = guest.get("/en-in/cart/preview/")
    page = answer.content.decode()
    assert "Amla Jam" in page and "2 × ₹100.00" in page and "₹200.00" in page
    assert 'href="/en-in/cart/"' in page and 'href="/en-in/checkout/"' in page
    assert "<html" not in page
    assert answer["Cache-Control"] == "private, no-store"


def test_after_adding_the_preview_is_of_that_line_with_sum_free_shipping_and_the_way_on(
    guest, make_variant, make_product
):
    jam = make_variant(price="100", product=make_product("Amla Jam"))
    soap = make_variant(price="300", product=make_product("Neem Soap"))
    for variant, pieces in ((jam, 2), (soap, 1)):
        guest.post("/en-in/cart/add/", {"variant": variant.pk, "quantity": pieces})
    page = guest.get(f"/en-in/cart/preview/?added={jam.pk}").text
    assert "Added to your cart" in page and "2 × ₹100.00" in page and "Neem Soap" not in page
    assert "Subtotal, 3 items" in page and "₹500.00" in page
    assert "₹499.00</strong> more for free shipping" in page and 'value="500.00" max="999.00"' in page
    assert 'href="/en-in/cart/"' in page and 'href="/en-in/checkout/"' in page
    guest.post("/en-in/cart/change/", {"variant": soap.pk, "quantity": 4})
    assert "Shipping is free" in guest.get(f"/en-in/cart/preview/?added={jam.pk}").text
    assert "Added to your cart" not in guest.get("/en-in/cart/preview/?added=999999").text


# --- Points ----------------------------------------------------------------------------------------


def test_points_take_off_up_to_a_tenth_of_the_goods(guest, make_variant, customer):
    guest.force_login(customer)
    earn(customer, 60, reference="ORD-OLD")
    post(guest, "/add-to-cart/", product=make_variant(price="225").pk, quantity=2)
    offer = post(guest, "/get-cart/").json()
    assert (offer["points_balance"], offer["points_allowed"], offer["points_used"]) == (60, 45, 0)
    assert offer["display"]["points_offer"] == "Use 45 points (−₹45.00)"
    assert "Use 45 points (−₹45.00)" in guest.get("/en-in/cart/").content.decode()
    used = post(guest, "/use-points/", use_points=True).json()
    assert (used["points_used"], used["points_amt"], used["total_amount"]) == (45, "45.00", "454.00")
    assert used["display"]["points"] == "−₹45.00"
    assert post(guest, "/use-points/", use_points=False).json()["points_amt"] == "0.00"
    guest.post("/en-in/cart/points/", {"use_points": "1"})
    assert Cart.objects.get().use_points
    guest.post("/en-in/cart/points/", {})
    assert not Cart.objects.get().use_points
    assert PointsEntry.objects.count() == 1


def test_points_count_after_the_coupon_and_in_any_currency(make_variant, make_coupon, customer, usa):
    earn(customer, 500, reference="ORD-OLD")
    cart = open_cart(customer)
    add_to_cart(cart, variant_id=make_variant(price="885", units=9).pk, quantity=4, market=usa)
    cart.coupon, cart.use_points = make_coupon("HALF", percent=50), True
    view = price_cart(cart, usa)
    goods = usa.to_inr(view.sub_total - view.coupon_amt)
    assert view.points_used == int(goods / 10)
    assert view.points_amt == usa.from_inr(Decimal(view.points_used))
    assert view.total == view.sub_total + view.shipping - view.coupon_amt - view.points_amt


def test_a_guest_has_no_points(guest, make_variant):
    variant = make_variant()
    post(guest, "/add-to-cart/", product=variant.pk)
    guest.post("/en-in/cart/points/", {"use_points": "1"})
    assert not Cart.objects.get().use_points
    assert post(guest, "/get-cart/").json()["points_allowed"] == 0
