"""Sign-up on a phone: by e-mail with a pasted code, and by mobile with wrong ones, a resend and the new one."""

import pytest
from playwright.sync_api import Page, expect

from shop.accounts.models import Consent, Customer
from shop.accounts.otp.services import GUESSES, OTP_DIGITS, TRIES_USED_UP, WRONG_OTP
from shop.limits.models import Counter
from shop.tests.support.codes import other_code

pytestmark = pytest.mark.browser
EMAIL, MOBILE = "ravi.iyer@example.com", "+919812345678"
PASSWORD = "honey and amla"


@pytest.fixture(autouse=True)
def one_product(make_variant):
    """An empty shop would fetch the demo catalogue first."""
    make_variant()


def test_sign_up_by_mail_with_a_pasted_code(running_shop, open_phone):
    page = open_phone()
    page.goto("/en-in/signin/?next=/en-in/address/")
    page.get_by_role("link", name="Create an account").click()
    _fill(page, "Email", EMAIL)
    page.get_by_role("link", name="Cancel", exact=True).click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("")
    expect(page.get_by_label("Email", exact=True)).to_have_value("")
    _fill(page, "Email", EMAIL)
    _send_and_see_it_wait(page)
    expect(page.get_by_text(f"Enter the {OTP_DIGITS}-digit code we sent to {EMAIL}.")).to_be_visible()
    _paste(page, f" {running_shop.mailed_code(EMAIL)} ")
    page.wait_for_url("**/en-in/address/")
    customer = Customer.objects.get()
    assert (customer.name, customer.email, customer.phone) == ("Ravi Iyer", EMAIL, None)
    assert [consent.kind for consent in customer.consents.all()] == [Consent.Kind.PRIVACY]


def test_sign_up_by_mobile_wrong_five_times_and_again(running_shop, open_phone):
    page = open_phone(refusals={400})
    page.goto("/en-in/signup/")
    page.get_by_role("link", name="Mobile", exact=True).click()
    _fill(page, "Mobile number", "98123 45678")
    page.get_by_role("button", name="Send OTP").click()
    expect(page.get_by_text("OTP sent to your mobile")).to_be_visible()
    old = running_shop.texted_code(MOBILE)
    for turn in range(1, GUESSES + 1):
        _try(page, other_code(old, turn=turn))
        if turn < GUESSES:
            expect(page.locator(".field__error")).to_have_text(WRONG_OTP)
    expect(page.get_by_role("alert").filter(has_text=TRIES_USED_UP)).to_be_visible()
    assert not Customer.objects.exists()
    expect(page.get_by_role("button", name="Resend OTP")).to_be_disabled()
    Counter.objects.filter(key__startswith="code_minute").delete()  # the minute is over
    page.goto("/en-in/otp/")
    page.get_by_role("button", name="Resend OTP").click()
    expect(page.get_by_text("OTP sent successfully")).to_be_visible()
    expect(page.get_by_role("button", name="Resend OTP")).to_be_disabled()
    _try(page, running_shop.texted_code(MOBILE, after=old))
    page.wait_for_url("**/en-in/")
    assert Customer.objects.get().phone == MOBILE


def _fill(page: Page, way: str, address: str) -> None:
    page.get_by_label("Name", exact=True).fill("Ravi Iyer")
    page.get_by_label(way, exact=True).fill(address)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Re-enter password").fill(PASSWORD)


def _send_and_see_it_wait(page: Page) -> None:
    """What the button said while its form was on the way outlives the page as the window's name."""
    page.evaluate(
        """() => document.addEventListener("submit", ({ submitter }) =>
            setTimeout(() => (window.name = `${submitter.textContent} ${submitter.disabled}`)))"""
    )
    page.get_by_role("button", name="Send OTP").click()
    expect(page.get_by_role("heading", name="Enter the OTP")).to_be_visible()
    assert page.evaluate("() => window.name") == "Sending... true"


def _paste(page: Page, text: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.get_by_label(f"Digit 1 of {OTP_DIGITS}").press("Control+V")


def _try(page: Page, digits: str) -> None:
    with page.expect_navigation():
        page.get_by_label(f"Digit 1 of {OTP_DIGITS}").press_sequentially(digits)
