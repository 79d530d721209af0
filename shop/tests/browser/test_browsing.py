"""What a shopper sees between pages: where a page begins, and what happens when an answer does not come."""

import pytest
from playwright.sync_api import expect

from shop.catalog.models import Category

pytestmark = pytest.mark.browser


@pytest.fixture
def shelf(make_product, make_variant):
    category = Category.objects.create(name="Ayurveda", slug="ayurveda")
    for number in range(20):
        make_variant(price=str(100 + number), product=make_product(f"Neem Soap {number}", category=category))


@pytest.fixture
def desktop(chromium, running_shop):
    """A page whose requests may fail."""
    context = chromium.new_context(base_url=running_shop.url, viewport={"width": 1280, "height": 740}, locale="en-IN")
    yield context.new_page()
    context.close()


def test_every_page_begins_at_its_top(shelf, desktop):
    desktop.goto("/en-in/products/ayurveda/")
    desktop.evaluate("scrollTo(0, 600)")
    desktop.get_by_role("link", name="Neem Soap 9").first.click()
    expect(desktop.get_by_role("heading", level=1, name="Neem Soap 9")).to_be_visible()
    assert desktop.evaluate("scrollY") == 0


@pytest.mark.parametrize("fault", ["503", "cut"])
def test_load_more_that_fails_says_so_and_works_again(shelf, desktop, fault):
    def fail(route):
        if fault == "cut":
            route.abort()
        else:
            route.fulfill(status=503, content_type="text/html", body="<h1>Down</h1>")

    desktop.goto("/en-in/products/ayurveda/")
    desktop.route("**/*page=2*", fail)
    desktop.get_by_role("link", name="Load More").click()
    said = "Server Error" if fault == "503" else "You seem to be offline. Please try again."
    expect(desktop.get_by_role("alert").filter(has_text=said)).to_be_visible()
    expect(desktop.get_by_text("Showing 12 out of 20")).to_be_visible()
    assert desktop.get_by_text("Down", exact=True).count() == 0
    desktop.unroute("**/*page=2*")
    desktop.get_by_role("link", name="Load More").click()
    expect(desktop.get_by_text("Showing 20 out of 20")).to_be_visible()


def test_the_search_box_and_its_dropdown_have_the_sizes_of_the_specification(shelf, desktop):
    desktop.goto("/en-in/")
    field = desktop.get_by_role("searchbox").or_(desktop.get_by_placeholder("Search...")).first
    assert field.bounding_box()["width"] == 24 * 16
    field.click()
    field.press_sequentially("neem")
    found = desktop.get_by_role("listbox")
    expect(found.get_by_role("option").first).to_be_visible()
    assert found.evaluate("element => getComputedStyle(element).maxHeight") == f"{15 * 16}px"
