"""After signing out nothing of a customer is left in the browser: storage, back button, other tabs."""

import pytest
from playwright.sync_api import Page, expect

from shop.accounts.models import Customer

pytestmark = pytest.mark.browser
STORED = "() => Object.keys(localStorage).concat(Object.keys(sessionStorage))"


@pytest.fixture
def soap(transactional_db, make_variant, make_product):
    return make_variant(product=make_product("Neem Soap"))


@pytest.fixture
def signed_in_page(soap, real_passwords, running_shop, open_phone):
    Customer.objects.create_user("asha@example.com", "honey and amla", name="Asha Rao")
    page = open_phone()
    page.goto("/en-in/signin/?next=/en-in/profile/")
    page.get_by_label("Email", exact=True).fill("asha@example.com")
    page.get_by_label("Password", exact=True).fill("honey and amla")
    page.get_by_role("button", name="Login").click()
    expect(page.get_by_role("heading", name="Profile", level=1)).to_be_visible()
    return page


def test_signing_out_leaves_nothing_in_the_browser(signed_in_page, soap):
    page = signed_in_page
    page.goto(f"/en-in/product/{soap.product.slug}/")
    expect(page.get_by_role("heading", name="Neem Soap")).to_be_visible()
    page.wait_for_function("() => localStorage.length > 0")
    page.evaluate("() => sessionStorage.setItem('draft', '12 Temple Road')")
    other_tab = page.context.new_page()
    other_tab.goto("/en-in/profile/")
    expect(other_tab.get_by_text("asha@example.com")).to_be_visible()
    page.goto("/en-in/profile/")
    session = _cookies(page)["session"]
    _sign_out(page)
    assert page.evaluate(STORED) == []
    # The other tab may have a session again, which knows where a stranger wanted to go.
    assert "messages" not in _cookies(page) and _cookies(page).get("session") != session
    expect(other_tab.get_by_role("heading", name="Sign in")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_text("asha@example.com")).to_have_count(0)


def _cookies(page: Page) -> dict[str, str]:
    return {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}


def _sign_out(page: Page) -> None:
    page.get_by_role("navigation", name="Account pages").get_by_role("button", name="Logout").click()
    page.wait_for_url("**/en-in/")
