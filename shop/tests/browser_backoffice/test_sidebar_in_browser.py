"""The sidebar of the back office on a phone: by keyboard, and without scripts."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
ORDERS = '#nav-sidebar a[href="/admin/orders/order/"]'


def test_the_sidebar_opens_and_closes_by_keyboard(office):
    page = office(360)
    toggle, close = page.get_by_role("link", name="Menu", exact=True), page.locator(".sidebar-close")
    orders = page.locator(ORDERS)
    expect(orders).to_be_hidden()
    toggle.press("Enter")
    expect(close).to_be_focused()
    expect(orders).to_be_visible()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    close.press("Enter")
    expect(orders).to_be_hidden()
    expect(toggle).to_be_focused()
    toggle.press("Enter")
    close.press("Escape")
    expect(orders).to_be_hidden()
    expect(toggle).to_be_focused()


def test_the_sidebar_is_below_the_page_without_scripts(office):
    page = office(360, scripts=False)
    expect(page.get_by_role("button", name="Close", exact=True)).to_have_count(0)
    page.get_by_role("link", name="Menu", exact=True).click()
    assert page.url.endswith("#nav-sidebar")
    expect(page.locator("#nav-sidebar")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator(ORDERS).click()
    expect(page).to_have_url(re.compile("/admin/orders/order/"))
