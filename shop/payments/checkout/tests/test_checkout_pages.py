import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from shop.cart.services import MAX_LINES
from shop.errors import ShopError
from shop.orders.conftest import fill
from shop.orders.models import Order

from ...models import Payment, SimulatedRecord
from ...simulator.faults import plan
from ...simulator.payer import pay

PREFIX = "/en-in"


@pytest.fixture
def buyer(make_variant, new_buyer):
    return new_buyer({make_variant(price="250", units=10): 2})


@pytest.fixture
def browser(buyer):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(buyer)
    return client


def total_on(page):
    return re.search(r'name="total_amount" value="([0-9.]+)"', page.content.decode())[1]


def check_out(browser, buyer, **changes):
    page = browser.get(f"{PREFIX}/checkout/")
    form = {"address_id": buyer.addresses.get().pk, "total_amount": total_on(page)}
    return browser.post(f"{PREFIX}/checkout/", form | changes)


def begin(browser, buyer):
    check_out(browser, buyer)
    return Order.objects.get()


def test_checkout_pays_through_the_simulated_window_to_the_placed_order(browser, buyer):
    page = check_out(browser, buyer)
    order = Order.objects.get()
    assert page.url == f"{PREFIX}/pay/{order.number}/"
    window = browser.get(page.url, follow=True)
    assert window.request["PATH_INFO"] == f"{PREFIX}/DummyPayment/"
    assert "simulation" in window.content.decode()
    done = browser.post(f"{PREFIX}/DummyPayment/", {"order": order.number, "outcome": "success"}, follow=True)
    assert "Order Placed Successfully" in done.content.decode()
    assert Order.objects.get().status == "placed"
    assert order.number in browser.get(f"{PREFIX}/orders/").content.decode()
    assert "Processing" in browser.get(f"{PREFIX}/order-detail/{order.number}/").content.decode()


def test_payment_pending_keeps_the_order_for_another_try(browser, buyer):
    order = begin(browser, buyer)
    page = browser.post(f"{PREFIX}/DummyPayment/", {"order": order.number, "outcome": "pending"}, follow=True)
    assert "Payment Transaction failed ..." in page.content.decode()
    assert f"{PREFIX}/pay/{order.number}/" in page.content.decode()
    assert buyer.cart.lines.exists()
    browser.post(f"{PREFIX}/DummyPayment/", {"order": order.number, "outcome": "success"})
    assert Order.objects.get().status == "placed"


def test_a_double_click_makes_one_order(browser, buyer):
    page = browser.get(f"{PREFIX}/checkout/")
    form = {"address_id": buyer.addresses.get().pk, "total_amount": total_on(page)}
    assert browser.post(f"{PREFIX}/checkout/", form).url == browser.post(f"{PREFIX}/checkout/", form).url
    assert SimulatedRecord.objects.filter(kind="order").count() == 1


def test_another_total_than_shown_creates_nothing(browser, buyer):
    page = check_out(browser, buyer, total_amount="1.00")
    assert page.status_code == 409
    assert not Order.objects.exists()
    assert "The total changed from ₹1.00 to ₹529.00." in page.content.decode()


@pytest.mark.parametrize("price", ["1e999999", "-1e400", "9" * 40, "1e-99999", "-0", "sNaN"])
def test_nonsense_in_what_was_seen_is_no_error(browser, buyer, price):
    line = buyer.cart.lines.get()
    page = check_out(browser, buyer, total_amount="1", line=f"{line.variant_id}:2:{price}")
    assert page.status_code == 409
    assert not Order.objects.exists()


@pytest.mark.database
def test_a_character_that_cannot_be_stored_is_no_error(browser, buyer):
    typed = {"order": "ORD-\x00", "outcome": "success"}
    assert browser.post(f"{PREFIX}/DummyPayment/", typed).status_code == 404
    assert browser.get(f"{PREFIX}/DummyPayment/?order=%00").status_code == 404


def test_a_cart_as_full_as_it_may_be_can_be_checked_out(browser, buyer, make_variant, india):
    product = make_variant().product
    fill(buyer, {make_variant(price="10", product=product): 1 for _ in range(MAX_LINES - 1)}, india)
    with pytest.raises(ShopError, match="up to 100"):
        fill(buyer, {make_variant(price="10"): 1}, india)
    page = browser.get(f"{PREFIX}/checkout/")
    lines = re.findall(r'name="line" value="([^"]+)"', page.content.decode())
    assert check_out(browser, buyer, line=lines).url == f"{PREFIX}/pay/{Order.objects.get().number}/"


def test_an_address_of_somebody_else_is_not_found(browser, buyer, address):
    assert check_out(browser, buyer, address_id=address.pk).status_code == 404
    assert not Order.objects.exists()


def test_an_address_can_be_added_at_the_checkout(browser, buyer):
    fields = {
        "full_name": "Ravi", "phone_code": "+91", "phone_number": "9876543210", "alt_phone_code": "+91",
        "alt_phone_number": "9876543211", "address": "4 Lake View", "city": "Kochi", "state": "Kerala",
        "pincode": "682001", "address_type": "Home",
    }  # fmt: skip
    refused = browser.post(f"{PREFIX}/checkout/address/", fields | {"city": ""})
    assert refused.status_code == 422
    filled_in = {"gstin": "29ABCDE1234F1Z5", "payment_method": "card"}
    for _ in range(2):  # the second as by a reload
        page = browser.post(f"{PREFIX}/checkout/address/", fields | filled_in)
        assert page.status_code == 200 and "Address Added Successfully" in page.text
    added = buyer.addresses.get(city="Kochi")
    assert added.is_default and f'value="{added.pk}" checked' in page.text
    assert 'value="29ABCDE1234F1Z5"' in page.text and 'value="card" checked' in page.text
    assert 'value="Ravi"' not in page.text  # the form is ready for another


def test_an_empty_cart_goes_back_to_the_cart(browser, buyer):
    buyer.cart.lines.all().delete()
    assert browser.get(f"{PREFIX}/checkout/").url == f"{PREFIX}/cart/"


def test_another_currency_says_what_is_charged(browser, usa, buyer):
    browser.cookies["currency"] = "IN-USD"
    page = browser.get(f"{PREFIX}/checkout/").content.decode()
    assert "You'll be charged" in page and "Indian rupees" in page


def test_a_provider_that_is_down_keeps_cart_and_order(browser, buyer):
    plan("POST", "/v1/orders", "error")
    page = check_out(browser, buyer)
    order = Order.objects.get()
    assert page.url == f"{PREFIX}/pay/{order.number}/"
    assert "Try again" in browser.get(page.url).content.decode()
    assert "DummyPayment" in browser.post(page.url, follow=True).redirect_chain[-1][0]
    assert buyer.cart.lines.exists()


@pytest.mark.parametrize(
    "path", ["checkout/", "orders/", "order-detail/ORD-AAAAAAAAA/", "place-order/", "DummyPayment/"]
)
def test_strangers_are_sent_to_sign_in(client, db, path):
    assert client.get(f"{PREFIX}/{path}").url.startswith(f"{PREFIX}/signin/")


@pytest.mark.parametrize("path", ["order-detail/{}/", "place-order/?order={}", "pay/{}/", "DummyPayment/?order={}"])
def test_the_order_of_somebody_else_is_not_found(browser, buyer, customer, path):
    order = begin(browser, buyer)
    browser.force_login(customer)
    assert browser.get(f"{PREFIX}/{path.format(order.number)}").status_code == 404
    assert browser.post(f"{PREFIX}/order-detail/{order.number}/cancel/").status_code == 404
    assert Order.objects.get().status == "pending"


def test_cancelling_works_once_and_shows_in_the_second_tab(browser, buyer):
    order = begin(browser, buyer)
    for _ in range(2):
        browser.post(f"{PREFIX}/order-detail/{order.number}/cancel/")
    assert Order.objects.get().status == "cancelled"
    assert order.number in browser.get(f"{PREFIX}/orders/?tab=ended").content.decode()
    assert order.events.filter(status_to="cancelled").count() == 1


def test_with_keys_set_the_dummy_payment_does_not_exist(browser, buyer, settings):
    order = begin(browser, buyer)
    settings.SIMULATED_GATEWAY = False
    assert browser.get(f"{PREFIX}/DummyPayment/?order={order.number}").status_code == 404
    posted = browser.post(f"{PREFIX}/DummyPayment/", {"order": order.number, "outcome": "success"})
    assert posted.status_code == 404
    assert Order.objects.get().status == "pending"


def test_with_keys_set_the_pay_page_opens_the_providers_window(browser, buyer, settings):
    order = begin(browser, buyer)
    settings.SIMULATED_GATEWAY = False
    settings.RAZORPAY_KEY_ID, settings.RAZORPAY_KEY_SECRET = "rzp_test_key", "very secret"
    Payment.objects.update(simulated=False)
    page = browser.get(f"{PREFIX}/pay/{order.number}/")
    text = page.content.decode()
    assert 'data-key="rzp_test_key"' in text and "very secret" not in text
    assert "https://checkout.razorpay.com" in page["Content-Security-Policy"]
    assert page["Cross-Origin-Opener-Policy"] == "same-origin-allow-popups"
    assert "no-store" in page["Cache-Control"]


def test_the_result_of_the_window_is_verified(browser, buyer):
    order = begin(browser, buyer)
    result = pay(Payment.objects.get().razorpay_order_id)
    fields = {name: getattr(result, name) for name in result.__slots__}
    url = reverse("pay_result", args=[order.number])
    browser.post(url, fields | {"razorpay_signature": "0" * 64})
    assert Order.objects.get().status == "pending"
    browser.post(url, fields)
    assert Order.objects.get().status == "placed"


def test_the_callback_form_needs_no_cookie_and_shows_nothing(browser, buyer):
    begin(browser, buyer)
    result = pay(Payment.objects.get().razorpay_order_id)
    fields = {name: getattr(result, name) for name in result.__slots__}
    foreign = Client(headers={"origin": "https://api.razorpay.com", "sec-fetch-site": "cross-site"})
    assert foreign.post("/payments/callback/").url.endswith("/checkout/")
    assert foreign.post("/payments/callback/", fields | {"razorpay_signature": "0" * 64}).status_code == 400
    assert (
        foreign.post("/payments/callback/", fields | {"razorpay_order_id": "order_00000000000000"}).status_code == 400
    )
    assert Order.objects.get().status == "pending"
    answer = foreign.post("/payments/callback/", fields)
    assert (answer.status_code, answer.content, answer.cookies.output()) == (303, b"", "")
    assert Order.objects.get().status == "placed"


def test_a_foreign_site_can_post_nothing_else(browser, buyer):
    order = begin(browser, buyer)
    foreign = Client(headers={"sec-fetch-site": "cross-site"})
    foreign.force_login(buyer)
    assert foreign.post(f"/order-detail/{order.number}/cancel/").status_code == 403
    assert foreign.post("/DummyPayment/", {"order": order.number, "outcome": "success"}).status_code == 403
    assert Order.objects.get().status == "pending"


def test_the_orders_list_takes_the_same_queries_for_one_and_three(browser, buyer, order_of, make_variant, india):
    begin(browser, buyer)
    browser.get(f"{PREFIX}/orders/")  # hears what changed
    with CaptureQueriesContext(connection) as one:
        browser.get(f"{PREFIX}/orders/")
    for _ in range(2):
        fill(buyer, {make_variant(): 1}, india)
        order_of(buyer)
    browser.get(f"{PREFIX}/orders/")
    with CaptureQueriesContext(connection) as three:
        browser.get(f"{PREFIX}/orders/")
    assert Order.objects.count() == 3
    assert len(three) <= len(one)


def test_order_numbers_are_found_in_any_case(browser, buyer):
    order = begin(browser, buyer)
    answer = browser.get(f"{PREFIX}/order-detail/{order.number.lower()}")
    assert answer.url == f"{PREFIX}/order-detail/{order.number}/"


@pytest.mark.parametrize(
    ("route", "key"),
    [("checkout_choose", ""), ("checkout_reductions", ""), ("checkout_address", ""), ("checkout_deliver", ""),
     ("restore_order", "number"), ("order_again", "number"), ("cancel_order", "number"), ("check_payment", "number"),
     ("address_choose", ""), ("address_country", ""), ("sign_ins_end_others", ""), ("passkey_rename", "passkey_id")],
)  # fmt: skip
def test_a_form_sent_after_the_session_ended_leads_back_to_its_page(buyer, order_of, browser, route, key):
    keys = {"number": order_of(buyer).number} if key == "number" else {key: 1} if key else {}
    visitor = Client(headers={"sec-fetch-site": "same-origin"})
    sent = visitor.post(f"{PREFIX}{reverse(route, kwargs=keys)}")
    assert sent.status_code == 302 and "/signin/" in sent["Location"]
    page = browser.get(parse_qs(urlsplit(sent["Location"]).query)["next"][0], follow=True)
    assert page.status_code == 200
    by_htmx = visitor.post(f"{PREFIX}{reverse(route, kwargs=keys)}", headers={"hx-request": "true"})
    assert by_htmx.status_code == 200 and by_htmx["HX-Redirect"] == sent["Location"]
