"""axe on every page of the account, as it is asked for and with what was wrong, on a phone and on a desktop."""

import pytest
from playwright.sync_api import Page, expect

from shop.limits.models import Counter

pytestmark = pytest.mark.browser
WIDTHS = (360, 1280)
PASSWORD = "correct horse battery"


@pytest.fixture(autouse=True)
def one_product(make_variant):
    """An empty shop would fetch the demo catalogue first."""
    make_variant()


@pytest.fixture
def looked_at(barriers):
    """looked_at(page, "a name"): asks axe, and keeps what it says under the name."""

    class Found(dict):
        def __call__(self, page: Page, name: str) -> None:
            page.wait_for_load_state("networkidle")
            if found := barriers(page):
                self[name] = found

    return Found()


@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_on_the_way_in(running_shop, open_phone, looked_at, width):
    page = open_phone(width=width, refusals={400, 422, 429})
    for path in ("signin/?by=mobile", "signin/code/", "signup/", "forgot-password/", "otp/"):
        page.goto(f"/en-in/{path}")
        looked_at(page, path)
    page.goto("/en-in/signup/")
    page.get_by_role("button", name="Send OTP").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    looked_at(page, "signup refused")
    for path, title in (("signin/code/", "Enter the OTP"), ("forgot-password/", "Reset Password")):
        page.goto(f"/en-in/{path}")
        page.get_by_label("Email", exact=True).fill("nobody@example.com")
        page.get_by_role("button", name="Send OTP").click()
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        looked_at(page, title)
        page.get_by_role("button", name="Login" if "OTP" in title else title, exact=True).click()
        expect(page.locator(".field__error").first).to_be_visible()
        looked_at(page, f"{title} refused")
        Counter.objects.all().delete()
    assert looked_at == {}


@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_in_the_account(real_passwords, customer, running_shop, open_phone, looked_at, width):
    customer.set_password(PASSWORD)
    customer.save()
    page = open_phone(width=width, refusals={422})
    page.goto("/en-in/signin/?next=/en-in/profile/")
    page.get_by_label("Email", exact=True).fill(customer.email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Login", exact=True).click()
    expect(page.get_by_role("heading", name="Profile", level=1)).to_be_visible()
    paths = ("profile/", "profile/address/?by=email", "profile/delete/", "change-password/", "address/", "refills/")
    for path in paths:
        page.goto(f"/en-in/{path}")
        looked_at(page, path)
    page.goto("/en-in/change-password/")
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".field__error").first).to_be_visible()
    looked_at(page, "change-password refused")
    assert looked_at == {}


def test_what_is_too_much_is_said_where_it_was_asked_for(running_shop, open_phone):
    """The second code within a minute, with scripts: HTMX brings the form back with the reason."""
    page = open_phone(refusals={429})
    for _ in range(2):
        page.goto("/en-in/forgot-password/")
        page.get_by_label("Email", exact=True).fill("nobody@example.com")
        page.get_by_role("button", name="Send OTP").click()
    expect(page.get_by_role("alert").get_by_text("Please wait before requesting another OTP.")).to_be_visible()
    expect(page.get_by_label("Email", exact=True)).to_have_value("nobody@example.com")
