"""The checkout page: which address may be chosen, what it says before PAY, and what stays when PAY is refused."""

import re
from datetime import timedelta
from decimal import Decimal
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from shop.accounts.models import Address
from shop.cart.services import open_cart
from shop.catalog.stock import services as stock
from shop.markets.models import Location, ServiceRule
from shop.markets.services import NotServed
from shop.orders.conftest import new_address
from shop.orders.models import Order
from shop.orders.placing.services import place_order
from shop.orders.placing.values import PlaceOrder

from ...models import Payment
from ...simulator.payer import pay as pay_at_provider
from ..page import read_lines

CHECKOUT = "/en-in/checkout/"
USA = 22
TYPED = {"full_name": "Ravi", "address": "4 Lake View", "landmark": "Clock tower", "phone_code": "+91"}


@pytest.fixture
def variant(make_variant, make_product):
    return make_variant(price="250", units=10, product=make_product("Neem Soap"))


@pytest.fixture
def buyer(variant, new_buyer):
    return new_buyer({variant: 2})


@pytest.fixture
def browser(buyer):
    """A browser of the buyer."""
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(buyer)
    return client


def form_of(page):
    """What the page's form would send, but for the fields of a new address."""
    text = page.content.decode()
    hidden = re.findall(r'<input type="hidden" (?:form="checkout" )?name="(\w+)" value="([^"]*)"', text)
    form = {name: [value for other, value in hidden if other == name] for name, _ in hidden}
    return form | {"address_id": re.findall(r'name="address_id"[^>]*value="(\d+)" checked', text)}


def pay(browser, **changes):
    return browser.post(CHECKOUT, form_of(browser.get(CHECKOUT)) | changes)


def words(page):
    """What stands in the notice above the form."""
    notice = re.search(r'role="alert".*?</ul>', page.content.decode(), re.DOTALL)
    return [unescape(said) for said in re.findall(r"<li>([^<]*)</li>", notice[0] if notice else "")]


def reprice(variant, price):
    variant.selling_price = variant.actual_price = Decimal(price)
    variant.save()


def test_cart_and_address_are_done_and_payment_is_next(browser):
    steps = re.search(r'<ol class="steps".*?</ol>', browser.get(CHECKOUT).content.decode(), re.DOTALL)[0]
    assert re.findall(r"<li([^>]*)>([^<]*)", steps) == [
        (' class="is-done"', "Cart"),
        (' class="is-done"', "Address"),
        (' aria-current="step"', "Payment"),
        ("", "Place Order"),
    ]


def test_the_default_address_comes_first_and_is_chosen(browser, buyer):
    newest = new_address(buyer, full_name="Work", is_default=False)
    page = browser.get(CHECKOUT)
    default = buyer.addresses.get(is_default=True)
    assert form_of(page)["address_id"] == [str(default.pk)]
    assert [choice.address for choice in page.context["checkout"].choices] == [default, newest]
    assert "/delete/" not in page.content.decode()


def test_what_the_page_shows_can_be_paid(browser, variant):
    page = browser.get(CHECKOUT)
    assert form_of(page)["line"] == [f"{variant.pk}:2:250.00"]
    assert browser.post(CHECKOUT, form_of(page)).url.startswith("/en-in/pay/ORD-")


# --- Where it goes ------------------------------------------------------------


def test_an_address_that_is_not_served_cannot_be_chosen_and_says_why(browser, buyer):
    ServiceRule.objects.create(location_id=1, prefix="744", is_served=False, note="Ask us by mail.")
    island = buyer.addresses.get()
    Address.objects.filter(pk=island.pk).update(pincode="744101")
    page = browser.get(CHECKOUT)
    assert "We don&#x27;t deliver to 744101. Ask us by mail." in page.content.decode()
    assert form_of(page)["address_id"] == []
    assert re.search(rf'value="{island.pk}" disabled', page.content.decode())
    assert re.search(r"<button[^>]* disabled><span[^>]*>PAY", page.content.decode())
    other = new_address(buyer, is_default=False)
    assert form_of(browser.get(CHECKOUT))["address_id"] == [str(other.pk)]


def test_a_form_that_names_it_all_the_same_is_refused_in_words(browser, buyer):
    form = form_of(browser.get(CHECKOUT))
    ServiceRule.objects.create(location_id=1, prefix="56", is_served=False)
    page = browser.post(CHECKOUT, form)
    assert (page.status_code, words(page)[0]) == (409, "We don't deliver to 560001.")
    assert not Order.objects.exists()


def test_the_delivery_date_follows_the_address(browser, buyer):
    ServiceRule.objects.create(location_id=1, prefix="682", extra_days=3)
    far = new_address(buyer, pincode="682001", city="Kochi", state="Kerala", is_default=False)
    page = browser.get(CHECKOUT)
    near, late = (choice.arrives for choice in page.context["checkout"].choices)
    assert late == near + timedelta(days=3)
    assert f"Delivered to Bengaluru by <strong>{near:%a} {near.day} {near:%b}" in page.content.decode()
    answer = browser.post("/en-in/checkout/choose/", {"address_id": far.pk}, headers={"HX-Request": "true"})
    assert f"Delivered to Kochi by <strong>{late:%a} {late.day} {late:%b}" in answer.content.decode()
    assert answer.content.decode().lstrip().startswith('<aside class="summary')
    assert buyer.addresses.get(is_default=True) == far
    pay(browser)
    assert Order.objects.get().expected_delivery == late


def test_choosing_works_without_scripts_and_never_on_another_s_address(browser, buyer, address):
    second = new_address(buyer, is_default=False)
    assert browser.post("/en-in/checkout/choose/", {"address_id": second.pk}).url == CHECKOUT
    for named in (address.pk, "", "x", "9" * 30):
        assert browser.post("/en-in/checkout/choose/", {"address_id": named}).status_code == 404
    assert buyer.addresses.get(is_default=True) == second


def test_an_address_elsewhere_offers_its_own_prices_in_one_tap(browser, buyer):
    abroad = new_address(buyer, country_id=USA, state="New York", city="New York", pincode="10001", is_default=False)
    page = browser.get(CHECKOUT)
    assert "Deliver to USA and update prices" in page.content.decode()
    assert re.search(rf'value="{abroad.pk}" disabled', page.content.decode())
    answer = browser.post("/en-in/checkout/deliver-to/", form_of(page) | TYPED | {"deliver_to": abroad.pk})
    assert (answer.url, answer.cookies["deliver_to"].value) == ("/en-us/checkout/", "US")
    page = browser.get(answer.url)
    assert form_of(page)["address_id"] == [str(abroad.pk)]
    assert form_of(page)["market"] == ["US-USD"]
    assert page.context["form"]["landmark"].value() == "Clock tower"
    assert "You may have to pay customs duties and taxes in USA" in page.content.decode()


@pytest.mark.parametrize(
    ("number", "words"),
    [("GB980780684", "Prices include UK VAT 20%."), ("", "customs duties and taxes in United Kingdom on delivery.")],
)
def test_the_checkout_says_whether_uk_vat_is_in_the_price(browser, settings, number, words):
    settings.UK_VAT_NUMBER = number
    assert words in browser.get("/en-gb/checkout/").content.decode()


def test_the_checkout_says_nothing_of_tax_in_india(browser):
    assert "duties" not in browser.get(CHECKOUT).content.decode()


def test_the_country_of_another_s_address_changes_nothing(browser, buyer, address):
    for named in (address.pk, "x"):
        assert browser.post("/en-in/checkout/deliver-to/", {"deliver_to": named}).status_code == 404


def test_a_country_that_the_shop_left_is_said(browser, buyer):
    usa = Location.objects.get(pk=USA)
    usa.is_active = False
    usa.save()
    abroad = new_address(buyer, country_id=USA, is_default=False)
    assert "We don't deliver to USA at the moment." in browser.get(CHECKOUT).content.decode()
    page = browser.post("/en-in/checkout/deliver-to/", {"deliver_to": abroad.pk}, follow=True)
    assert page.redirect_chain[-1][0] == CHECKOUT


# --- What it costs ------------------------------------------------------------


def test_elsewhere_the_charge_in_inr_and_its_rate_are_said(browser, buyer):
    new_address(buyer, country_id=USA, is_default=False)
    page = browser.get("/en-us/checkout/")
    text = page.content.decode()
    view = page.context["checkout"].view
    charged = sum((view.market.to_inr(line.line_total) for line in view.lines), view.market.to_inr(view.shipping))
    assert page.context["checkout"].charged_inr == charged
    assert f"₹{charged:,}" in text and "1 USD = ₹88.50" in text


def test_another_amount_in_rupees_is_asked_about_although_the_total_is_the_same(browser, buyer):
    """A day's new rates, where prices are fixed or rounded."""
    address = new_address(buyer, country_id=USA, is_default=False)
    form = form_of(browser.get("/en-us/checkout/")) | {"address_id": address.pk}
    charged = Decimal(form["charged_inr"][0])
    page = browser.post("/en-us/checkout/", form | {"charged_inr": charged + 1})
    assert page.status_code == 409 and f"you'd be charged ₹{charged:,} instead of ₹{charged + 1:,}." in words(page)[-1]
    assert not Order.objects.exists()
    browser.post("/en-us/checkout/", form)
    assert Order.objects.get().total_inr == charged


def test_cash_is_offered_up_to_what_the_country_takes(browser, buyer):
    india = Location.objects.get(pk=1)
    assert "Cash on delivery" not in browser.get(CHECKOUT).content.decode()
    india.cash_on_delivery_max = 529
    india.save()
    assert 'name="payment_method" value="cash"' in browser.get(CHECKOUT).content.decode()
    assert "Order Placed" in browser.get(pay(browser, payment_method="cash").url, follow=True).content.decode()
    order = Order.objects.get()
    assert (order.payment_method, order.status) == ("cash", "placed")


def test_a_double_click_on_cash_leads_to_the_one_order(browser):
    india = Location.objects.get(pk=1)
    india.cash_on_delivery_max = 529
    india.save()
    form = form_of(browser.get(CHECKOUT)) | {"payment_method": "cash"}
    assert browser.post(CHECKOUT, form).url == browser.post(CHECKOUT, form).url
    other = browser.post(CHECKOUT, form | {"total_amount": "1.00"})
    assert other.url.endswith("/cart/") and Order.objects.count() == 1
    Order.objects.update(placed_at=timezone.now() - timedelta(minutes=2))
    assert browser.post(CHECKOUT, form).url.endswith("/cart/")


def test_pay_pressed_again_in_an_old_tab_leads_to_the_order_that_was_paid_meanwhile(browser):
    """The payer's app paid it, and the page was gone before it could say so."""
    form = form_of(browser.get(CHECKOUT))
    page = browser.post(CHECKOUT, form)
    pay_at_provider(Payment.objects.get().razorpay_order_id)
    again = browser.post(CHECKOUT, form)
    assert again.url == page.url and "Order Placed" in browser.get(again.url, follow=True).content.decode()
    assert Order.objects.get().status == "placed"
    Order.objects.update(placed_at=timezone.now() - timedelta(minutes=2))
    assert browser.post(CHECKOUT, form).url.endswith("/cart/")


def test_cash_above_that_or_where_a_rule_forbids_it_is_not_offered_and_refused(browser):
    india = Location.objects.get(pk=1)
    india.cash_on_delivery_max = Decimal("528.99")
    india.save()
    assert "Cash on delivery" not in browser.get(CHECKOUT).content.decode()
    page = pay(browser, payment_method="cash")
    assert (page.status_code, words(page)[0][:28]) == (409, "Cash on delivery isn't avail")
    assert not Order.objects.exists()


# --- What changed meanwhile ---------------------------------------------------


def test_a_changed_price_is_said_with_both_figures_and_nothing_is_lost(browser, buyer, variant):
    second = new_address(buyer, full_name="Work", is_default=False)
    form = form_of(browser.get(CHECKOUT)) | {"address_id": second.pk} | TYPED
    reprice(variant, "270")
    page = browser.post(CHECKOUT, form)
    assert page.status_code == 409 and not Order.objects.exists()
    assert words(page)[:2] == [
        "Price of Neem Soap changed from ₹250.00 to ₹270.00.",
        "The total changed from ₹529.00 to ₹569.00.",
    ]
    assert form_of(page)["address_id"] == [str(second.pk)]
    kept = page.context["form"]
    assert {name: kept[name].value() for name in TYPED} == TYPED
    assert page.context["is_open"] is True
    assert browser.post(CHECKOUT, form_of(page)).url.startswith("/en-in/pay/")


def test_stock_that_is_gone_is_said(browser, variant):
    form = form_of(browser.get(CHECKOUT))
    stock.hold({variant.pk: 9}, reference="elsewhere")
    page = browser.post(CHECKOUT, form)
    assert page.status_code == 409 and not Order.objects.exists()
    assert "Neem Soap: Only 1 left. Please reduce your quantity from 2." in words(page)


def test_a_cart_that_another_tab_changed_is_said(browser, buyer, variant):
    form = form_of(browser.get(CHECKOUT))
    buyer.cart.lines.update(quantity=3)
    page = browser.post(CHECKOUT, form)
    assert "Neem Soap: the quantity changed from 2 to 3." in words(page)
    assert "The total changed from ₹529.00 to ₹779.00." in words(page)


def test_another_country_than_the_page_was_made_for_is_said(browser, buyer):
    form = form_of(browser.get(CHECKOUT))
    page = browser.post("/en-us/checkout/", form)
    assert page.status_code == 409 and not Order.objects.exists()
    assert re.match(r"You're now ordering to USA, with prices in USD: the total is \$", words(page)[1])


def test_without_an_address_pay_asks_for_one_and_keeps_what_was_typed(browser, buyer):
    buyer.addresses.all().delete()
    page = browser.post(CHECKOUT, form_of(browser.get(CHECKOUT)) | TYPED)
    assert page.status_code == 422
    assert "Add Address Details" in page.content.decode()
    assert page.context["form"]["landmark"].value() == "Clock tower"


def test_enter_on_the_list_chooses_and_adds_nothing(browser, buyer):
    second = new_address(buyer, is_default=False)
    form = form_of(browser.get(CHECKOUT)) | {"address_id": second.pk, "phone_code": "+91", "address_type": "Home"}
    assert browser.post("/en-in/checkout/address/", form).url == CHECKOUT
    assert buyer.addresses.get(is_default=True) == second
    assert buyer.addresses.count() == 2


@pytest.mark.parametrize("listed", [["1"], ["1:x:2"], ["a:1:2"], ["1:1:NaN"], ["1:1:"], ["1:" + "9" * 60 + ":1"], [""]])
def test_what_is_no_line_was_not_seen(listed):
    assert read_lines([*listed, "7:2:250.00"]) == {7: (2, Decimal("250.00"))}


def test_the_page_takes_the_same_queries_for_one_and_nine_addresses(browser, buyer):
    browser.get(CHECKOUT)
    with CaptureQueriesContext(connection) as one:
        browser.get(CHECKOUT)
    for number in range(8):
        new_address(buyer, pincode=f"56000{number}", is_default=False)
    with CaptureQueriesContext(connection) as nine:
        browser.get(CHECKOUT)
    assert len(nine) == len(one)


def test_delivery_is_counted_from_today(browser):
    assert browser.get(CHECKOUT).context["checkout"].arrives > timezone.localdate()


def test_save_orders_refuses_an_address_that_is_not_served_and_leaves_placed_orders_alone(browser, buyer, variant):
    pay(browser)
    placed = Order.objects.get()
    copied = dict(placed.address)
    ServiceRule.objects.create(location_id=1, prefix="56", is_served=False)
    body = {
        "user_id": buyer.addresses.get().pk, "sub_total_amt": "500", "shipping_amt": "29", "coupon_amt": 0,
        "total_amount": "529", "cart_items": [{"product_variant_id": variant.pk, "quantity": 2}],
    }  # fmt: skip
    answer = browser.post("/en-in/save-orders/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_served")
    assert answer.json()["detail"] == "We don't deliver to 560001."
    browser.post(f"/en-in/address/{buyer.addresses.get().pk}/delete/")
    placed.refresh_from_db()
    assert (placed.address, Order.objects.count()) == (copied, 1)


def test_an_address_from_before_that_contradicts_itself_is_shown_and_not_delivered_to(browser, buyer, india):
    buyer.addresses.update(pincode="400001")  # in Karnataka
    own = buyer.addresses.get()
    page = browser.get(CHECKOUT).content.decode()
    assert "PIN code 400001 belongs to Maharashtra. Please check the PIN code and state." in page
    assert f'value="{own.pk}" disabled' in page
    with pytest.raises(NotServed, match="belongs to Maharashtra"):
        place_order(PlaceOrder(customer=buyer, cart=open_cart(buyer), address=own, market=india))


def test_a_contradiction_typed_at_the_checkout_is_stopped_with_the_way_out(browser, buyer):
    typed = TYPED | {
        "phone_number": "9876543210", "alt_phone_code": "+91", "alt_phone_number": "9876543211", "city": "Mumbai",
        "state": "Karnataka", "pincode": "400001", "address_type": "Home",
    }  # fmt: skip
    page = browser.post("/en-in/checkout/address/", typed).content.decode()
    assert 'name="use_state" value="Maharashtra" formaction="/en-in/checkout/address/">Use Maharashtra<' in page
    assert 'value="4 Lake View"' in page and buyer.addresses.count() == 1
    browser.post("/en-in/checkout/address/", typed | {"use_state": "Maharashtra"})
    assert buyer.addresses.get(pincode="400001").state == "Maharashtra"
