"""A forgotten password on a phone, with scripts and without."""

import pytest
from playwright.sync_api import Page, expect

from shop.accounts.otp.services import OTP_DIGITS, WRONG_OTP
from shop.tests.support.codes import other_code

pytestmark = pytest.mark.browser
NEW = "amla and honey 7"


@pytest.fixture(autouse=True)
def one_product(make_variant):
    """An empty shop would fetch the demo catalogue first."""
    make_variant()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_forgotten_password_is_replaced(customer, running_shop, open_phone, barriers, scripts):
    page = open_phone(scripts=scripts)
    page.goto("/en-in/signin/")
    page.get_by_role("link", name="Forgot Password ?").click()
    expect(page.get_by_role("heading", name="Forgot Password")).to_be_visible()
    page.get_by_label("Email", exact=True).fill(customer.email)
    page.get_by_role("button", name="Send OTP").click()
    expect(page.get_by_role("heading", name="Reset Password")).to_be_visible()
    expect(page).to_have_title("Reset Password · Aushadhi")
    expect(page.get_by_text("OTP sent to your email")).to_be_visible()
    if scripts:
        assert barriers(page) == []
        assert page.url.endswith("/forgot-password/?step=reset")
        expect(page.get_by_label(f"Digit 1 of {OTP_DIGITS}")).to_be_focused()
        expect(page.get_by_role("button", name="Resend OTP")).to_be_disabled()
    _choose(page, running_shop.mailed_code(customer.email), NEW)
    expect(page.get_by_text("Password reset successful")).to_be_visible()
    _sign_in(page, customer.email, NEW)
    expect(page).to_have_url(f"{running_shop.url}/en-in/")
    page.goto("/en-in/profile/")
    expect(page.get_by_role("region", name="Your details").get_by_text(customer.email)).to_be_visible()


def test_what_is_wrong_is_said_in_place(customer, running_shop, open_phone, barriers):
    page = open_phone(refusals={400, 422})
    page.goto("/en-in/forgot-password/")
    page.get_by_role("button", name="Send OTP").click()
    expect(page.get_by_text("Email: Please enter your email")).to_be_visible()
    page.get_by_label("Email", exact=True).fill(customer.email)
    page.get_by_role("button", name="Send OTP").click()
    expect(page.get_by_role("heading", name="Reset Password")).to_be_visible()
    digits = running_shop.mailed_code(customer.email)
    _choose(page, other_code(digits), NEW)
    expect(page.get_by_text(WRONG_OTP).first).to_be_visible()
    assert barriers(page) == []
    _choose(page, digits, NEW)
    expect(page.get_by_role("heading", name="Sign in", exact=True)).to_be_visible()


def _choose(page: Page, digits: str, password: str) -> None:
    page.locator("input:visible:not([type=password])").and_(page.locator("main input")).first.press_sequentially(digits)
    page.get_by_label("New password", exact=True).fill(password)
    page.get_by_label("Confirm password").fill(password)
    page.get_by_role("button", name="Reset Password").click()


def _sign_in(page: Page, email: str, password: str) -> None:
    page.get_by_label("Email", exact=True).fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Login").click()
