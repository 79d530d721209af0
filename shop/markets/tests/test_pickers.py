"""The pickers' own pages: what works without scripts, and where a choice leads."""

import pytest

pytestmark = pytest.mark.django_db


def test_the_page_of_a_picker_comes_back_to_the_page_whose_link_led_to_it(client):
    page = client.get("/en-in/deliver-to/", headers={"referer": "http://testserver/en-in/brands/?sort=price"})
    assert '<input type="hidden" name="next" value="/en-in/brands/?sort=price">' in page.content.decode()


@pytest.mark.parametrize("referer", ["https://evil.example/brands/", "http://testserver/en-in/currency/", ""])
def test_foreign_pages_and_the_picker_itself_are_no_place_to_come_back_to(client, referer):
    page = client.get("/en-in/currency/", headers={"referer": referer})
    assert '<input type="hidden" name="next" value="/">' in page.content.decode()


@pytest.mark.parametrize(("path", "field", "value"), [("deliver-to", "country", "US"), ("currency", "currency", "EUR")])
def test_a_new_market_keeps_filters_and_forgets_page_words_and_prices(browser_client, path, field, value):
    listing = "/en-in/products/ayurveda/?brand=a&brand=b&sort=price&page=3&q=oil&price_min=50&price_max=500"
    answer = browser_client.post(f"/en-in/{path}/", {field: value, "next": listing})
    country = "us" if field == "country" else "in"
    assert answer["Location"] == f"/en-{country}/products/ayurveda/?brand=a&brand=b&sort=price"
