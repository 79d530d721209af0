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


def test_countries_stand_in_the_order_of_their_shown_names(client):
    shown = [row["name"] for row in client.get("/api/geo-locations/location-data/").json()]
    after = {name: shown.index(name) for name in ("Türkiye", "Uganda", "United Arab Emirates", "United Kingdom", "USA")}
    assert list(after.values()) == sorted(after.values()), "capitals and accents make no difference"


def test_countries_carry_their_other_names_and_which_are_likely(client):
    rows = {row["timezone_shorthand"]: row for row in client.get("/api/geo-locations/location-data/").json()}
    assert {"UK", "England"} <= set(rows["GB"]["aliases"]) and "UAE" in rows["AE"]["aliases"]
    assert {"Bharat", "भारत"} <= set(rows["IN"]["aliases"]) and rows["FJ"]["aliases"] == []
    assert rows["AE"]["is_likely"] and not rows["FJ"]["is_likely"]


def test_the_page_of_countries_begins_with_the_current_the_own_and_the_likely_ones(client, settings):
    settings.COUNTRY_HEADER = "CF-IPCountry"
    page = client.get("/en-us/deliver-to/", headers={"CF-IPCountry": "DE"})
    likely = [location.code for location in page.context["likely"]]
    assert likely[:2] == ["US", "DE"] and set(likely) == {"US", "DE", "IN", "GB", "AE", "AU", "CA", "SG"}
    assert page.text.count('value="US" aria-current="true"') == 2, "marked in both lists"
