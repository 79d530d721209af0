"""A member of staff sets up an authenticator app and signs in with it, in a shop that is no demo."""

import pytest
from playwright.sync_api import Page, expect

from shop.accounts.models import Customer
from shop.accounts.otp.services import WRONG_OTP
from shop.accounts.second_factor.tests.app import digits_of

from ..conftest import free_port, serving
from ..support.provider import KEY, SECRET

pytestmark = pytest.mark.browser
EMAIL, PASSWORD = "owner@example.com", "honey and amla"
COMPANY = {
    "COMPANY_LEGAL_NAME": "Aushadhi Private Limited",
    "COMPANY_ADDRESS": "1 Example Road, New Delhi 110001",
    "COMPANY_CIN": "U00000DL2026PTC000000",
    "COMPANY_GSTIN": "07AAAAA0001A1Z3",
    "COMPANY_GRIEVANCE_OFFICER": "The grievance officer",
}
CONFIGURED = {"RAZORPAY_KEY_ID": KEY, "RAZORPAY_KEY_SECRET": SECRET, "ALLOW_HTTP": "1", "ALLOW_NO_MAIL": "1"}


@pytest.fixture
def running_shop(transactional_db, tmp_path):
    """Not the demo: staff need their second factor."""
    port = free_port()
    real = {"SHOP_DEMO": "0", "SHOP_URL": f"http://127.0.0.1:{port}"}
    with serving(tmp_path, port=port, **real, **COMPANY, **CONFIGURED) as shop:
        yield shop


def test_a_member_of_staff_sets_up_an_app_and_signs_in_with_it(real_passwords, running_shop, open_phone, barriers):
    Customer.objects.create_superuser(EMAIL, PASSWORD, name="Meera Owner")
    page = open_phone(refusals={400})
    page.goto("/admin/")
    _sign_in(page)
    expect(page.get_by_role("heading", name="Set up two-step verification")).to_be_visible()
    assert _barriers_at_both_widths(page, barriers) == []
    secret = page.locator(".app-secret").inner_text().replace(" ", "")
    _show(page, "Set up", f"{(int(digits_of(secret)) + 1) % 10**6:06}")
    expect(page.locator("#id_otp_code_error")).to_have_text(WRONG_OTP)
    assert page.locator(".app-secret").inner_text().replace(" ", "") == secret
    _show(page, "Set up", digits_of(secret))
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.get_by_role("button", name="Create codes").click()
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    assert _barriers_at_both_widths(page, barriers) == []
    page.get_by_role("link", name="I've saved them").click()
    page.wait_for_url("**/admin/")
    page.context.clear_cookies()
    page.goto("/admin/orders/order/")
    _sign_in(page)
    expect(page.get_by_role("heading", name="Two-step verification")).to_be_visible()
    assert _barriers_at_both_widths(page, barriers) == []
    _show(page, "Continue", digits_of(secret, later=1))  # the phone's clock is ahead; the first one is used up
    page.wait_for_url("**/admin/orders/order/")


def _sign_in(page: Page) -> None:
    page.get_by_label("Email", exact=True).fill(EMAIL)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Login", exact=True).click()


def _show(page: Page, button: str, digits: str) -> None:
    page.get_by_label("Digit 1 of 6").press_sequentially(digits)
    page.get_by_role("button", name=button, exact=True).click()


def _barriers_at_both_widths(page: Page, barriers) -> list[str]:
    found = []
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        found += barriers(page)
    return found
