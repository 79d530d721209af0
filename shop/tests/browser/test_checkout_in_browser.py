"""Choosing and adding addresses at the checkout, in Chromium: the page stays, only its parts change."""

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from shop.accounts.models import Address, Customer
from shop.accounts.points.services import earn
from shop.cart.models import Cart
from shop.catalog.models import Variant
from shop.markets.models import PinCode, ServiceRule

from ..support.buyers import Answered, new_buyers

pytestmark = pytest.mark.browser
WORK = {"Phone number": "9876543210", "Alternative phone": "9876543211", "House, street, area": "4 Lake View"}


@pytest.fixture
def soap(transactional_db, make_variant, make_product):
    PinCode.objects.create(pin="682001", city="Kochi", state="Kerala")
    ServiceRule.objects.create(location_id=1, prefix="744", is_served=False)
    return make_variant(price="250", units=20, product=make_product("Neem Soap"))


@pytest.fixture
def page(soap, running_shop, open_phone):
    """The phone of a customer with a filled cart and an address in Bengaluru."""
    page = open_phone()
    [buyer] = new_buyers(running_shop.url, 1, Answered())
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": buyer.session, "url": running_shop.url}])
    buyer.insist("/add-to-cart/", {"product": soap.pk, "quantity": 1, "deliver_to": 1, "currency": "INR"})
    return page


def test_an_address_is_added_and_chosen_on_one_page(page, barriers):
    _asks_for_a_pin_code(page)
    page.goto("/en-in/checkout/")
    expect(page.locator("#summary")).to_contain_text("Delivered to Bengaluru by")
    page.evaluate("window.stayed = true")
    _adds_an_address_by_its_pin_code(page)
    assert barriers(page) == []
    _chooses_the_other(page)
    assert page.evaluate("window.stayed")
    _deletes_it(page)


@pytest.fixture
def held(page):
    """The page with a second address chosen, in Kochi, whose costs are on their way until the held request goes on."""
    own = Address.objects.get()
    own.pk, own.pincode, own.city, own.state, own.is_default = None, "682001", "Kochi", "Kerala", False
    own.save()
    held = []
    page.route("**/checkout/choose/", lambda route: held.append(route))
    page.goto("/en-in/checkout/")
    with page.expect_request("**/checkout/choose/"):
        page.locator("label.choice__label", has_text="Kochi").click()
    return held


def test_a_press_on_pay_counts_while_the_summary_changes(page, held):
    page.get_by_role("button", name="PAY").hover()
    page.mouse.down()
    held[0].continue_()
    expect(page.locator("#summary")).to_contain_text("Delivered to Kochi by")
    page.mouse.up()
    expect(page.get_by_role("heading", name="Simulated payment")).to_be_visible()


def test_pay_stays_pressed_when_the_costs_come_after(page, held):
    paying = []
    page.route("**/checkout/", lambda route: paying.append(route))
    page.get_by_role("button", name="PAY").click(no_wait_after=True)
    with page.expect_response("**/checkout/choose/"):
        held[0].continue_()
    page.wait_for_timeout(200)  # an answer that changed the page would have by then
    paying[0].abort("aborted")  # the page stays as it was, and can be looked at
    expect(page.get_by_role("button", name="One moment…")).to_be_disabled()
    expect(page.locator("#summary")).to_contain_text("Delivered to Bengaluru by")


@pytest.fixture
def reducing(page, make_coupon):
    """The checkout of somebody with points and coupons, and the requests to change them, which wait to go on."""
    make_coupon("SAVE10", percent=10)
    earn(Customer.objects.get(addresses__isnull=False), 50, reference="ORD-OLD")
    held = []
    page.route("**/checkout/reductions/", lambda route: held.append(route))
    page.goto("/en-in/checkout/")
    return held


def _applies(page: Page, code: str) -> None:
    page.get_by_label("Coupon code").fill(code)
    with page.expect_request("**/checkout/reductions/"):
        page.get_by_role("button", name="Apply", exact=True).click()


def test_a_press_on_pay_counts_while_a_coupon_is_applied(page, reducing):
    _applies(page, "SAVE10")
    page.get_by_role("button", name="PAY").hover()
    page.mouse.down()
    reducing[0].continue_()
    expect(page.locator("#summary")).to_contain_text("SAVE10")
    page.mouse.up()
    expect(page.get_by_role("heading", name="Simulated payment")).to_be_visible()


def test_points_that_are_ticked_and_unticked_at_once_are_kept_as_the_page_shows_them(page, reducing):
    points = page.locator("[name=use_points]")
    with page.expect_request("**/checkout/reductions/"):
        points.check()
    points.uncheck()
    with page.expect_request("**/checkout/reductions/"):
        reducing[0].continue_()
    expect(page.locator("#summary dl")).to_contain_text("loyalty points")
    expect(points).not_to_be_checked()
    reducing[1].continue_()
    expect(page.locator("#summary dl")).not_to_contain_text("loyalty points")
    expect(points).not_to_be_checked()
    assert not Cart.objects.get().use_points


def test_a_way_to_pay_that_is_chosen_while_an_answer_comes_stays_chosen(page, reducing):
    _applies(page, "SAVE10")
    page.locator("[name=payment_method][value=card]").check()
    reducing[0].continue_()
    expect(page.locator("#summary")).to_contain_text("SAVE10")
    expect(page.locator("[name=payment_method][value=card]")).to_be_checked()


def test_a_coupon_leaves_the_pin_code_that_was_typed(page, reducing):
    Address.objects.all().delete()
    page.goto("/en-in/checkout/")
    page.get_by_label("PIN code").press_sequentially("682001")
    expect(page.locator("#summary")).to_contain_text("Delivered to 682001 by")
    _applies(page, "SAVE10")
    reducing[0].continue_()
    expect(page.locator("#summary")).to_contain_text("SAVE10")
    expect(page.locator("#summary")).to_contain_text("Delivered to 682001 by")


UNDER_THE_TOAST = """(part) => {
  const box = document.querySelector(part).getBoundingClientRect();
  const touched = document.elementFromPoint(box.x + 4, box.y + box.height / 2);
  return touched.closest(".toast, .toast a")?.tagName ?? "the page";
}"""


def test_a_toast_takes_no_tap_but_on_its_link(page):
    """It comes by itself, over whatever is about to be tapped: a field then lost what was typed next."""
    page.goto("/en-in/checkout/")
    detail = {"kind": "success", "message": "Added", "link": {"href": "/en-in/cart/", "words": "View cart"}}
    page.evaluate("detail => document.dispatchEvent(new CustomEvent('shop:toast', { detail }))", detail)
    expect(page.locator(".toast")).to_be_visible()
    assert [page.evaluate(UNDER_THE_TOAST, part) for part in (".toast", ".toast a")] == ["the page", "A"]


def _asks_for_a_pin_code(page: Page) -> None:
    page.goto(f"/en-in/product/{Variant.objects.get().product.slug}/")
    for pin, words in (("744101", "We don't deliver to 744101."), ("682001", "to Kochi, Kerala")):
        page.get_by_label("Deliver to PIN code").fill(pin)
        page.get_by_role("button", name="Check").click()
        expect(page.locator("#pin-check")).to_contain_text(words)


def _adds_an_address_by_its_pin_code(page: Page) -> None:
    page.get_by_text("Add address", exact=True).first.click()
    page.get_by_label("Full name").fill("Ravi Iyer")
    for label, value in WORK.items():
        page.get_by_label(label, exact=True).fill(value)
    expect(page.get_by_label("PIN code")).to_have_value("682001")  # asked about on the product's page
    page.get_by_label("PIN code").fill("")
    page.get_by_label("PIN code").press_sequentially("682001")
    expect(page.get_by_label("State")).to_have_value("Kerala")
    expect(page.get_by_label("City")).to_have_value("Kochi")
    page.get_by_label("State").select_option("Goa")
    expect(page.get_by_text("PIN code 682001 belongs to Kerala")).to_be_visible()
    page.get_by_label("State").select_option("Kerala")
    expect(page.get_by_text("PIN code 682001 belongs to Kerala")).to_be_hidden()
    page.get_by_role("radio", name="Other").check(force=True)
    page.get_by_label("Name for this address").fill("Ashram")
    page.get_by_role("button", name="Add address").click()
    expect(page.get_by_text("Address Added Successfully")).to_be_visible()
    expect(page.get_by_role("radio", name="Ravi Iyer")).to_be_checked()
    expect(page.locator("#summary")).to_contain_text("Delivered to Kochi by")
    expect(page.get_by_label("PIN code")).to_be_hidden()


def _chooses_the_other(page: Page) -> None:
    page.locator("label.choice__label", has_text="Bengaluru").click()
    expect(page.locator("#summary")).to_contain_text("Delivered to Bengaluru by")
    assert Address.objects.get(is_default=True).city == "Bengaluru"


def _deletes_it(page: Page) -> None:
    page.goto("/en-in/address/")
    page.evaluate("window.stayed = true")
    page.locator("label.choice__label", has_text="Ravi Iyer").click()
    expect(page.get_by_text("Address Updated Successfully")).to_be_visible()
    page.get_by_text("Delete the address of Ravi Iyer").click()
    page.get_by_role("button", name="Yes, delete it").click()
    expect(page.get_by_text("Address deleted successfully")).to_be_visible()
    expect(page.locator(".choice")).to_have_count(1)
    assert page.evaluate("window.stayed")
    assert Address.objects.get().is_default
