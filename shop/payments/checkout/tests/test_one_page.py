"""The checkout on one page: how it is paid, coupon and points, and what stands by the button."""

import re
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils import translation

from shop.accounts.points.services import balance_of
from shop.catalog.models import Product, Variant
from shop.markets.models import Location, ServiceRule
from shop.orders.conftest import fill, new_address
from shop.orders.models import Order

CHECKOUT = "/en-in/checkout/"
CHANGE = "/en-in/checkout/reductions/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def buyer(make_variant, new_buyer):
    return new_buyer({make_variant(price="250", units=20): 2})


@pytest.fixture
def browser(buyer):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(buyer)
    return client


def ways_on(page):
    """Each line of the list, and whether it is chosen."""
    return re.findall(r'type="radio" form="checkout" name="payment_method" value="(\w+)"( checked)?', page)


def button_of(page):
    """What PAY says for each way."""
    button = re.search(
        r'<button class="button button--big button--wide" type="submit" form="checkout".*?</button>', page
    )
    return dict(re.findall(r"pay-words--(\w+)[^>]*>([^<]*?) ?</span>", button[0]))


def pay(browser, **changes):
    page = browser.get(CHECKOUT).text
    form = {"address_id": re.search(r'name="address_id"[^>]*value="(\d+)" checked', page)[1]}
    form["total_amount"] = re.search(r'name="total_amount" value="([0-9.]+)"', page)[1]
    return browser.post(CHECKOUT, form | changes)


def test_the_frame_is_quiet_and_the_column_goes_from_contact_to_payment(browser, buyer):
    page = browser.get(CHECKOUT).text
    for part in ("data-menu-sheet", "foot__letters", 'name="q"'):
        assert part not in page
    main = page[page.index("<main") : page.index("</main>")]
    parts = ["contact-title", "Deliver to", "payment-title", 'id="summary"']
    assert sorted(parts, key=main.index) == parts
    assert buyer.email in main and "2 items" in main


def test_the_way_to_pay_is_chosen_on_the_page_and_named_by_the_button(browser):
    Location.objects.filter(pk=1).update(cash_on_delivery_max=5000)
    page = browser.get(CHECKOUT).text
    assert ways_on(page) == [("upi", " checked"), ("card", ""), ("netbanking", ""), ("wallet", ""), ("cash", "")]
    assert button_of(page) == {
        "upi": "PAY ₹529.00 with UPI",
        "card": "PAY ₹529.00 by card",
        "netbanking": "PAY ₹529.00 by net banking",
        "wallet": "PAY ₹529.00 from your wallet",
        "cash": "Place order",
    }
    assert "Pay the courier ₹529.00 in cash. For orders up to ₹5,000.00." in page


def test_the_chosen_way_is_kept_handed_on_and_first_the_next_time(browser, buyer, settings, make_variant, india):
    answer = pay(browser, payment_method="wallet")
    order = Order.objects.get()
    assert (order.payment_method, order.payment_option) == ("online", "wallet")
    settings.SIMULATED_GATEWAY = False
    settings.RAZORPAY_KEY_ID, settings.RAZORPAY_KEY_SECRET = "rzp_test_key", "very secret"
    order.payments.update(simulated=False)
    assert 'data-method="wallet"' in browser.get(answer.url).text
    page = browser.get(CHECKOUT).text
    assert ways_on(page)[0] == ("wallet", " checked") and page.count("last used") == 1


def test_another_way_for_the_same_cart_is_the_same_order(browser):
    first = pay(browser, payment_method="upi").url
    assert pay(browser, payment_method="card").url == first
    assert Order.objects.get().payment_option == "card"


def test_an_unknown_way_orders_nothing(browser):
    assert pay(browser, payment_method="barter").status_code == 422
    assert not Order.objects.exists()


def test_abroad_rupees_duties_and_date_stand_by_the_button(browser, buyer, usa):
    new_address(buyer, country_id=usa.location_id, is_default=False)
    page = browser.get("/en-us/checkout/").text
    bar = re.search(r'<div class="pay-bar">.*?</div>', page, re.DOTALL)[0]
    charged = re.search(r"charged as (₹[\d,.]+)", bar)[1]
    assert "Get it by" in bar and "Duties may be due on delivery" in bar
    assert f"PAY {charged}" in bar and "with UPI" not in bar


def test_at_home_the_date_stands_by_the_button_and_nothing_of_duties(browser):
    bar = re.search(r'<div class="pay-bar">.*?</div>', browser.get(CHECKOUT).text, re.DOTALL)[0]
    assert "Get it by" in bar and "Duties" not in bar and "₹529.00" in bar


# --- Coupon and points ------------------------------------------------------------------------------


def test_codes_that_the_cart_qualifies_for_are_offered_and_applied_in_place(browser, buyer, make_coupon):
    make_coupon("TENTH", percent=10, is_listed=True)
    make_coupon("SECRET", percent=50)
    make_coupon("LARGE", percent=60, minimum_inr=5000, is_listed=True)
    page = browser.get(CHECKOUT).text
    assert re.findall(r'name="coupon_code" value="(\w+)"', page) == ["TENTH"] and "saves ₹50.00" in page
    answer = browser.post(CHANGE, {"change": "apply", "coupon_code": "tenth"}, headers=HTMX)
    assert answer.status_code == 200 and button_of(answer.text)["upi"] == "PAY ₹479.00 with UPI"
    assert 'id="payment"' in answer.text and 'id="peek"' in answer.text and "<html" not in answer.text
    assert "TENTH" in browser.get(CHECKOUT).text
    browser.post(CHANGE, {"change": "remove"})
    buyer.cart.refresh_from_db()
    assert buyer.cart.coupon is None


def test_an_offer_is_described_in_the_page_s_language(make_coupon):
    words = {"hi": {"description": "दस प्रतिशत की छूट"}}
    coupons = [
        make_coupon("TENTH", percent=10, description="A tenth less", translations=words),
        make_coupon("TWENTIETH", percent=5, description="A twentieth less"),
    ]
    view = SimpleNamespace(coupon_offers=[SimpleNamespace(coupon=one, amount=5) for one in coupons], currency="INR")
    with translation.override("hi"):
        page = render_to_string("payments/checkout/_reductions.html", {"cart_view": view})
    assert '<span class="muted">दस प्रतिशत की छूट</span>' in page
    assert '<span class="muted" lang="en">A twentieth less</span>' in page


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_a_refused_code_is_said_at_its_field_and_stays_there(browser, headers):
    answer = browser.post(CHANGE, {"change": "apply", "coupon_code": "NOPE"}, headers=headers)
    assert answer.status_code == 422 and "This coupon is not valid." in answer.text
    assert 'value="NOPE"' in answer.text


def test_the_chosen_address_and_way_stay_when_a_coupon_changes(browser, buyer, make_coupon):
    make_coupon("TENTH", percent=10)
    other = new_address(buyer, city="Mysuru", pincode="570001", is_default=False)
    chosen = {"address_id": other.pk, "payment_method": "card"}
    answer = browser.post(CHANGE, {"coupon_code": "TENTH"} | chosen, headers=HTMX)
    assert ("card", " checked") in ways_on(answer.text) and "Delivered to Mysuru" in answer.text


@pytest.mark.parametrize(("way", "swap"), [("card", "outerMorph"), ("gone", "outerHTML")])
def test_ways_to_pay_are_kept_as_they_are_unless_the_chosen_one_is_gone(browser, way, swap):
    """Else none would be chosen: the browser keeps what somebody chose, whatever the answer says."""
    answer = browser.post(CHANGE, {"change": "remove", "payment_method": way}, headers=HTMX)
    assert f'aria-labelledby="payment-title" hx-swap-oob="{swap}">' in answer.text
    assert [checked for _, checked in ways_on(answer.text)].count(" checked") == 1


def test_points_are_used_here_too(browser, buyer, monkeypatch):
    monkeypatch.setattr("shop.cart.totals.balance_of", lambda customer, returning=0: 40)
    assert balance_of(buyer) == 0
    answer = browser.post(CHANGE, {"change": "points", "use_points": "1"}, headers=HTMX)
    assert button_of(answer.text)["upi"] == "PAY ₹489.00 with UPI"
    assert button_of(browser.post(CHANGE, {"change": "points"}, headers=HTMX).text)["upi"] == "PAY ₹529.00 with UPI"


def test_use_points_is_a_choice_that_a_failed_request_puts_back(browser, monkeypatch):
    """islands/shell/fragments.ts puts back what is sent by data-autosubmit."""
    monkeypatch.setattr("shop.cart.totals.balance_of", lambda customer, returning=0: 40)
    form = re.search(r'<form class="points".*?</form>', browser.get(CHECKOUT).text, re.DOTALL)[0]
    assert re.search(r'name="use_points" value="1" data-autosubmit>', form)
    assert 'autocomplete="off"' in form and "hx-trigger" not in form


# --- Sums -------------------------------------------------------------------------------------------


def test_a_changed_price_rebuilds_pay_at_once(browser):
    form_of_before = browser.get(CHECKOUT).text
    Variant.objects.update(selling_price="300", actual_price="300")
    total = re.search(r'name="total_amount" value="([0-9.]+)"', form_of_before)[1]
    address = re.search(r'name="address_id"[^>]*value="(\d+)" checked', form_of_before)[1]
    page = browser.post(CHECKOUT, {"address_id": address, "total_amount": total, "payment_method": "card"})
    assert page.status_code == 409 and button_of(page.text)["card"] == "PAY ₹629.00 by card"
    assert ("card", " checked") in ways_on(page.text)


def test_what_cannot_be_ordered_shows_no_amount_and_says_why(browser, buyer, make_variant, india):
    barred = make_variant(price="77", units=5)
    gone = make_variant(price="55", units=5)
    fill(buyer, {barred: 1, gone: 1}, india)
    Product.objects.get(pk=barred.product_id).barred_locations.add(1)
    Variant.objects.filter(pk=gone.pk).update(on_hand=0, received=0)
    for path in (CHECKOUT, "/en-in/cart/", "/en-in/cart/preview/"):
        page = browser.get(path).text
        assert "We can&#x27;t deliver this to India." in page and "Out of stock." in page
        assert not re.search(r'<(?:output|span) class="(?:line__total|number)">₹(?:77|55)\.00', page)


def test_cash_is_offered_only_where_the_pin_code_takes_it(browser, buyer):
    Location.objects.filter(pk=1).update(cash_on_delivery_max=5000)
    ServiceRule.objects.create(location_id=1, prefix="", cash_on_delivery=False)
    assert "cash" not in dict(ways_on(browser.get(CHECKOUT).text))
    ServiceRule.objects.create(location_id=1, prefix="560", cash_on_delivery=True)
    assert "cash" in dict(ways_on(browser.get(CHECKOUT).text))


ASHA = {
    "full_name": "Asha Rao", "phone_code": "+91", "phone_number": "98765 43210", "alt_phone_code": "+91",
    "alt_phone_number": "98765 43211", "address": "12 Temple Road", "city": "Kochi", "pincode": "682001",
    "address_type": "Home",
}  # fmt: skip


@pytest.fixture
def newcomer(browser, buyer):
    """A browser whose customer has no address yet."""
    buyer.addresses.all().delete()
    return browser


def test_pay_keeps_the_first_address_as_it_was_typed_and_places_the_order(newcomer, buyer):
    answer = newcomer.post(CHECKOUT, ASHA | {"total_amount": "529"})
    order = Order.objects.get()
    assert answer.url.endswith(f"/pay/{order.number}/")
    [address] = buyer.addresses.all()
    assert (address.is_default, address.state, order.address["pincode"]) == (True, "Kerala", "682001")


def test_pay_says_at_the_fields_what_is_wrong_with_the_first_address(newcomer, buyer):
    page = newcomer.post(CHECKOUT, ASHA | {"total_amount": "529", "phone_number": "12"})
    assert page.status_code == 422 and "Enter a valid mobile number" in page.text
    assert 'value="12 Temple Road"' in page.text
    assert not buyer.addresses.exists() and not Order.objects.exists()


def test_a_refused_order_keeps_the_first_address(newcomer, buyer):
    page = newcomer.post(CHECKOUT, ASHA | {"total_amount": "1"})
    assert page.status_code == 409 and buyer.addresses.count() == 1
    assert re.search(r'name="address_id"[^>]*checked', page.text) and 'value="12 Temple Road"' not in page.text


def test_the_pin_code_of_the_first_address_decides_date_and_ways_while_it_is_typed(newcomer):
    Location.objects.filter(pk=1).update(cash_on_delivery_max=5000)
    ServiceRule.objects.create(location_id=1, prefix="6820", extra_days=9, cash_on_delivery=False)
    ServiceRule.objects.create(location_id=1, prefix="744", is_served=False)
    before = newcomer.get(CHECKOUT)
    assert ("cash", "") in ways_on(before.text)
    choose = "/en-in/checkout/choose/"
    page = newcomer.post(choose, {"pincode": "682001"}, headers=HTMX)
    assert ("cash", "") not in ways_on(page.text) and "Delivered to 682001 by" in page.text
    later = page.context["checkout"].arrives - before.context["checkout"].arrives
    assert later.days == 9
    refused = newcomer.post(choose, {"pincode": "744101"}, headers=HTMX).text
    assert "We don&#x27;t deliver to 744101." in refused and re.search(r"data-busy-label[^>]* disabled", refused)


def test_the_pin_code_asked_on_the_product_page_stands_in_the_first_address(newcomer):
    newcomer.cookies["pin"] = "682001"
    page = newcomer.get(CHECKOUT)
    assert [page.context["form"][name].value() for name in ("pincode", "state")] == ["682001", "Kerala"]
    assert page.context["checkout"].goes_to == "682001"


def test_a_line_has_its_own_date_where_dates_differ(browser, buyer, make_variant, india):
    assert browser.get(CHECKOUT).text.count("Delivery by") == 0
    slow = make_variant(price="100", units=5)
    Product.objects.filter(pk=slow.product_id).update(dispatch_max_day=20)
    fill(buyer, {slow: 1}, india)
    lines = browser.get(CHECKOUT).context["checkout"].dated_lines
    assert [line.variant == slow for line, day in sorted(lines, key=lambda one: one[1])] == [False, True]
    assert browser.get(CHECKOUT).text.count("Delivery by") == 2
