"""Which language a page and a call are in, and how search engines are told (PRODUCT.md 10)."""

import re

import pytest
from django.utils import translation

from ..models import Location

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def languages(settings):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")
    yield
    assert translation.get_language() == "en", "a request leaves its thread as it was"


def language_of(answer):
    return re.search(r'<html lang="(\w+)"(?: dir="(\w+)")?', answer.content.decode()).groups()


@pytest.mark.parametrize(
    ("path", "shown"),
    [("/en-in/", ("en", None)), ("/hi-in/", ("hi", None)), ("/ar-ae/", ("ar", "rtl")), ("/en-us/", ("en", None))],
)
def test_the_prefix_names_language_and_country(client, path, shown):
    answer = client.get(path)
    assert language_of(answer) == shown
    assert f'href="{path}brands/"' in answer.content.decode(), "links keep the prefix"


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/hi-us/", "/en-us/"),
        ("/ar-in/brands/", "/en-in/brands/"),
        ("/HI-US/Brands?x=1", "/en-us/brands/?x=1"),
        ("/fr-in/search/Oil/", "/en-in/search/Oil/"),
        ("/hi-us", "/en-us/"),
    ],
)
def test_a_language_that_the_location_does_not_offer_leads_to_its_english_page(client, path, target):
    answer = client.get(path)
    assert (answer.status_code, answer.url) == (302, target)
    assert client.get(target).status_code == 200


def test_without_english_it_leads_to_the_first_language_that_is_offered(client):
    Location.objects.filter(code="AE").update(languages=["ar"])
    assert client.get("/en-ae/brands/").url == "/ar-ae/brands/"


def test_a_form_that_is_sent_to_it_is_not_lost(client):
    assert client.post("/hi-us/currency/", {"currency": "INR"}).status_code == 307


@pytest.mark.parametrize("path", ["/xx-in/", "/hi-zz/", "/up-in/"])
def test_what_is_no_language_or_no_country_is_not_found(client, path):
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("spelling", ["/HI-IN/", "/Hi-In", "/hi-in"])
def test_each_spelling_leads_to_the_canonical_one(client, spelling):
    answer = client.get(spelling)
    assert (answer.status_code, answer.url) == (301, "/hi-in/")


def test_a_shop_of_one_language_redirects_the_others(client, settings):
    settings.SHOP_LANGUAGES = ("en",)
    assert client.get("/hi-in/brands/").url == "/en-in/brands/"
    assert 'hreflang="hi' not in client.get("/en-in/").content.decode()


def test_without_prefix_the_chosen_language_rules_and_no_guess_does(client):
    assert language_of(client.get("/", headers={"Accept-Language": "hi-IN"})) == ("en", None)
    client.cookies["language"] = "hi"
    assert language_of(client.get("/", headers={"Accept-Language": "en-IN"})) == ("hi", None)
    assert language_of(client.get("/", headers={"Accept-Language": "en-GB"})) == ("en", None), "not offered there"
    assert language_of(client.get("/en-in/")) == ("en", None), "the prefix rules"


def test_a_language_of_india_without_region_counts_as_india(client):
    answer = client.get("/", headers={"Accept-Language": "ta, en-US;q=0.5"})
    assert answer.context["market"].country_code == "IN"


def test_picking_a_language_keeps_page_and_filters_and_writes_the_cookie(client):
    answer = client.post("/en-in/language/", {"language": "hi", "next": "/en-in/products/x/?page=2&brand=a"})
    assert (answer.url, answer.cookies["language"].value) == ("/hi-in/products/x/?page=2&brand=a", "hi")
    back = client.post("/hi-in/language/", {"language": "en", "next": "/hi-in/cart/"})
    assert (back.url, back.cookies["language"].value) == ("/en-in/cart/", "en")


@pytest.mark.parametrize("language", ["ar", "xx", "", "//evil.example"])
def test_a_language_that_is_not_offered_is_not_picked(client, language):
    answer = client.post("/en-in/language/", {"language": language, "next": "//evil.example/"})
    assert answer.url == "/en-in/" and "language" not in answer.cookies


def test_the_page_of_languages_names_each_in_its_own(client):
    page = client.get("/en-in/language/").content.decode()
    assert 'lang="hi">हिंदी' in page and 'lang="en"' in page and 'lang="ar"' not in page


def test_another_country_keeps_the_language_where_it_is_offered(client):
    Location.objects.filter(code="GB").update(languages=["en", "hi"])
    kept = client.post("/hi-in/deliver-to/", {"country": "US", "next": "/hi-in/brands/"})
    assert kept.url == "/en-us/brands/"
    assert client.post("/hi-in/deliver-to/", {"country": "GB", "next": "/hi-in/brands/"}).url == "/hi-gb/brands/"


def test_search_engines_are_told_of_each_language(client):
    page = client.get("/hi-in/brands/").content.decode()
    assert '<link rel="canonical" href="http://testserver/hi-in/brands/">' in page
    found = dict(re.findall(r'hreflang="([^"]*)" href="([^"]*)"', page))
    assert (found["hi-IN"], found["ar-AE"]) == ("http://testserver/hi-in/brands/", "http://testserver/ar-ae/brands/")
    assert "hi-US" not in found and found["x-default"] == "http://testserver/brands/"
    rules = client.get("/robots.txt").content.decode()
    assert "Disallow: /hi-*/cart/" in rules and "Disallow: /en-*/cart/" in rules
    assert "/sitemaps/hi-in/pages-1.xml" in client.get("/sitemap.xml").content.decode()
    assert "http://testserver/hi-in/brands/" in client.get("/sitemaps/hi-in/pages-1.xml").content.decode()
    assert "http://testserver/en-in/brands/" in client.get("/sitemaps/in/pages-1.xml").content.decode()
    feed = b"".join(client.get("/feeds/merchant-hi-in.xml").streaming_content).decode()
    assert "<link>http://testserver/hi-in/</link>" in feed


def test_the_body_of_a_read_has_no_part_in_a_shared_answer(client):
    """Its address and headers are all that a cache in front goes by."""
    path = "/api/geo-locations/location-data/"
    sent = client.generic("GET", path, '{"language": "hi"}', content_type="application/json")
    assert sent.content == client.get(path).content != client.get(f"{path}?language=hi").content
    assert "public" in sent["Cache-Control"]


def spoken(answer):
    return answer.json()["language"]


@pytest.fixture
def called(monkeypatch):
    """The languages that calls were answered in, as the market and the texts have it."""
    from shop.cart import api

    seen = []

    def note(request):
        seen.append((translation.get_language(), request.market.language))
        return current_cart(request)

    current_cart = api.current_cart
    monkeypatch.setattr(api, "current_cart", note)
    return seen


@pytest.mark.parametrize(
    ("query", "header", "language"),
    [
        ("", "", "en"),
        ("", "hi-IN,en;q=0.5", "hi"),
        ("", "fr,ar;q=0.5", "ar"),
        ("?language=en", "hi-IN", "en"),
        ("?language=xx", "hi", "hi"),
    ],
)
def test_a_call_is_answered_in_the_language_that_it_names(client, called, query, header, language):
    client.get(f"/api/me/{query}", headers={"Accept-Language": header} if header else {})
    assert called == [(language, language)]


def test_a_call_may_name_its_language_in_the_body(client, called):
    client.cookies["language"] = "ar"
    body = {"deliver_to": 1, "currency": "INR", "language": "hi"}
    answer = client.post("/get-cart/", body, content_type="application/json", headers={"Accept-Language": "en"})
    assert answer.status_code == 200, answer.content
    assert called[0] == ("hi", "hi")


def test_a_page_knows_the_picked_language(client):
    assert spoken(client.get("/api/me/")) == ""
    client.cookies["language"] = "hi"
    assert spoken(client.get("/api/me/")) == "hi"
