"""Where the shopper is: prefix, cookie, detection, default; and the offer where they differ."""

import pytest

pytestmark = pytest.mark.django_db
INDIAN, GERMAN = "49.205.0.1", "78.46.0.1"


def home(client, path="/", **headers):
    return client.get(path, headers=headers)


def delivers_to(answer):
    return answer.context["market"].country_code


@pytest.fixture(autouse=True)
def no_country_database(settings, tmp_path):
    from ..geography import detection

    settings.COUNTRY_DATABASE = tmp_path / "none"
    detection._database.cache_clear()
    yield
    detection._database.cache_clear()


def test_the_prefix_rules_then_the_cookie_then_detection_then_usa(client, settings):
    settings.COUNTRY_HEADER = "CF-IPCountry"
    assert delivers_to(home(client)) == "US"
    assert delivers_to(home(client, **{"CF-IPCountry": "DE"})) == "DE"
    client.cookies["deliver_to"] = "GB"
    assert delivers_to(home(client, **{"CF-IPCountry": "DE"})) == "GB"
    assert delivers_to(home(client, "/en-in/", **{"CF-IPCountry": "DE"})) == "IN"


def test_detection_asks_a_trusted_header_then_the_address_then_languages(client, settings, monkeypatch):
    from ..geography import detection

    languages = {"Accept-Language": "fr;q=0.9, en-AU;q=0.8, en-IN;q=0.1"}
    assert delivers_to(home(client, **languages)) == "AU"
    monkeypatch.setattr(detection, "_from_database", lambda address: "SG")
    assert delivers_to(home(client, **languages)) == "SG"
    assert delivers_to(home(client, **languages, **{"CF-IPCountry": "DE"})) == "SG", "a header nobody configured"
    settings.COUNTRY_HEADER = "CF-IPCountry"
    assert delivers_to(home(client, **languages, **{"CF-IPCountry": "DE"})) == "DE"


@pytest.mark.parametrize("nowhere", ["XX", "T1", "ZZ", "", "DEU", "1'--"])
def test_a_country_that_the_shop_does_not_know_is_the_default(client, settings, nowhere):
    settings.COUNTRY_HEADER = "CF-IPCountry"
    answer = home(client, **{"CF-IPCountry": nowhere})
    market = answer.context["market"]
    assert (market.location_id, market.currency, market.country_name) == (22, "USD", "USA")


def test_a_header_behind_too_few_proxies_is_not_believed(client, monkeypatch, settings):
    from ..geography import detection

    monkeypatch.setattr(detection, "_from_database", {"127.0.0.1": "IN", "78.46.0.1": "DE"}.get)
    assert delivers_to(home(client, **{"X-Forwarded-For": GERMAN})) == "IN"
    settings.TRUSTED_PROXY_COUNT = 1
    assert delivers_to(home(client, **{"X-Forwarded-For": GERMAN})) == "DE"


def test_only_a_prefixed_page_is_public_and_it_offers_no_guess(client, settings):
    settings.COUNTRY_HEADER = "CF-IPCountry"
    public, private = home(client, "/en-us/", **{"CF-IPCountry": "IN"}), home(client, **{"CF-IPCountry": "IN"})
    assert "public" in public["Cache-Control"] and "no-store" in private["Cache-Control"]
    assert "India instead" not in public.text, "the page is the same for everyone"
    assert 'data-market-offer="US"' in public.text and "data-market-offer" not in private.text


def test_the_personal_part_names_the_shopper_s_country(client, settings):
    settings.COUNTRY_HEADER = "CF-IPCountry"
    assert client.get("/api/me/").json()["country"] is None
    assert client.get("/api/me/", headers={"CF-IPCountry": "DE"}).json()["country"] == {"code": "DE", "name": "Germany"}
    client.cookies["deliver_to"] = "IN"
    assert client.get("/api/me/", headers={"CF-IPCountry": "DE"}).json()["country"] == {"code": "IN", "name": "India"}


def test_picking_sets_country_currency_and_symbol_together(browser_client):
    answer = browser_client.post("/en-us/deliver-to/", {"country": "in", "next": "/en-us/brands/"})
    assert answer["Location"] == "/en-in/brands/"
    market = browser_client.get("/brands/").context["market"]
    assert (market.location_id, market.country_name, market.currency, market.symbol) == (1, "India", "INR", "₹")


def test_a_currency_stays_until_the_country_changes(browser_client):
    browser_client.post("/en-in/currency/", {"currency": "EUR", "next": "/en-in/"})
    assert browser_client.get("/en-in/").context["market"].currency == "EUR"
    browser_client.post("/en-in/deliver-to/", {"country": "GB", "next": "/en-in/"})
    assert browser_client.get("/en-gb/").context["market"].currency == "GBP"
    assert browser_client.get("/en-in/").context["market"].currency == "INR"
