"""A passkey in a real browser, with a virtual authenticator: added, used and removed."""

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser
PASSWORD = "honey and amla"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def soap(transactional_db, make_variant):
    """Something on the shelf: an empty demo would fill itself first."""
    return make_variant()


@pytest.fixture
def at_localhost(soap, running_shop, open_phone):
    """at_localhost(**options) -> a page and the address of the shop by name: passkeys know no IP addresses."""

    def opened(**options):
        page = open_phone(**options)
        devices = page.context.new_cdp_session(page)
        devices.send("WebAuthn.enable")
        devices.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        return page, running_shop.url.replace("127.0.0.1", "localhost")

    return opened


def sign_in(page: Page, email: str) -> None:
    page.get_by_label("Email", exact=True).fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Login", exact=True).click()


def test_a_passkey_is_added_used_and_removed(real_passwords, customer, at_localhost, barriers):
    customer.set_password(PASSWORD)
    customer.save()
    page, shop = at_localhost(refusals={400})
    page.goto(f"{shop}/en-in/profile/")
    sign_in(page, customer.email)
    page.get_by_label("Name for the new passkey").fill("My phone")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.locator(".passkeys__name")).to_have_text("My phone")
    assert [found for found in barriers(page) if "passkey" in found] == []
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_text("This device already has a passkey for your account.")).to_be_visible()
    page.get_by_role("button", name="Logout").locator("visible=true").first.click()
    page.goto(f"{shop}/en-in/address/")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.wait_for_url(f"{shop}/en-in/address/")
    page.goto(f"{shop}/en-in/profile/")
    page.locator("summary", has_text="Remove").click()
    page.get_by_role("button", name="Yes, remove it").click()
    expect(page.get_by_text("Passkey removed")).to_be_visible()
    expect(page.locator(".passkeys__name")).to_have_count(0)
    page.get_by_role("button", name="Logout").locator("visible=true").first.click()
    page.goto(f"{shop}/en-in/signin/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("This passkey didn't work.")).to_be_visible()


def test_at_an_address_of_numbers_no_passkey_is_offered(soap, running_shop, open_phone):
    page = open_phone()
    page.goto("/en-in/signin/")
    expect(page.get_by_role("button", name="Login", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Sign in with a passkey")).to_be_hidden()
