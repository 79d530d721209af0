"""From CHECK OUT to the checkout by one field and a code, on a phone and on a desktop."""

import pytest
from playwright.sync_api import expect

from shop.accounts.models import Customer
from shop.accounts.otp.services import GUESSES
from shop.catalog.models import Variant
from shop.tests.support.codes import other_code

pytestmark = pytest.mark.browser
MOBILE = "+919812345678"


@pytest.fixture(autouse=True)
def soap(make_variant):
    make_variant(price="250", units=10)


def _to_the_code(page):
    page.goto(f"/en-in/product/{Variant.objects.get().product.slug}/")
    page.locator("#main").get_by_role("button", name="ADD TO CART").first.click()
    expect(page.get_by_text("Product added to cart successfully!").first).to_be_visible()
    page.goto("/en-in/cart/")
    page.get_by_role("link", name="CHECK OUT").click()
    page.get_by_label("Mobile number or email").fill("98123 45678")
    page.get_by_role("button", name="Send code").click()
    expect(page.get_by_role("heading", name="Enter the OTP")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1280])
def test_six_digits_send_themselves_and_the_checkout_goes_on(running_shop, open_phone, barriers, width):
    page = open_phone(width=width, refusals={400})
    page.goto("/en-in/signin/?next=/en-in/checkout/")
    assert barriers(page) == []
    _to_the_code(page)
    assert barriers(page) == []
    right = running_shop.texted_code(MOBILE)
    with page.expect_navigation():
        page.get_by_label("Digit 1 of 6").press_sequentially(other_code(right))
    expect(page.locator(".field__error")).to_be_visible()
    with page.expect_navigation():
        page.get_by_label("Digit 1 of 6").press_sequentially(right)
    page.wait_for_url("**/en-in/checkout/")
    assert Customer.objects.get().phone == MOBILE


def test_used_up_tries_offer_a_new_code(running_shop, open_phone, barriers):
    page = open_phone(refusals={400})
    _to_the_code(page)
    right = running_shop.texted_code(MOBILE)
    for turn in range(1, GUESSES + 1):
        with page.expect_navigation():
            page.get_by_label("Digit 1 of 6").press_sequentially(other_code(right, turn=turn))
    expect(page.get_by_text("You've used all 5 attempts for this code.")).to_be_visible()
    expect(page.get_by_role("button", name="Resend OTP")).to_be_disabled()
    assert barriers(page) == []


def test_without_scripts_a_password_is_chosen_with_what_was_typed(running_shop, open_phone):
    page = open_phone(scripts=False)
    page.goto("/en-in/signin/?next=/en-in/checkout/")
    page.get_by_label("Mobile number or email").fill("98123 45678")
    page.get_by_role("button", name="Use a password").click()
    expect(page.get_by_label("Mobile number")).to_have_value("98123 45678")
    expect(page.get_by_label("Password")).to_have_value("")


def test_a_password_is_shown_and_hidden_again(running_shop, open_phone):
    page = open_phone()
    page.goto("/en-in/signin/?next=/en-in/checkout/")
    page.get_by_label("Mobile number or email").fill("asha@example.com")
    page.get_by_role("button", name="Use a password").click()
    expect(page.get_by_label("Email", exact=True)).to_have_value("asha@example.com")
    field = page.get_by_label("Password", exact=True)
    field.fill("honey and amla")
    page.get_by_role("button", name="Show password").click()
    expect(field).to_have_attribute("type", "text")
    page.get_by_role("button", name="Hide password").click()
    expect(field).to_have_attribute("type", "password")
    expect(field).to_have_value("honey and amla")
