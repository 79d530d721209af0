"""Countries are called and sorted as their page's language has it; staff's own name stays in English."""

import pytest
from django.utils import translation

from shop.text import sort_key

from ..geography.names import country_names
from ..market import local_country_name
from ..models import Location
from ..queries import market_registry


def test_names_are_those_of_the_language_and_english_where_it_has_none():
    assert local_country_name("AE", "The Emirates") == "The Emirates"
    with translation.override("hi"):
        assert local_country_name("AE", "The Emirates") == "संयुक्त अरब अमीरात"
        assert local_country_name("", "Atlantis") == "Atlantis"
    with translation.override("ar"):
        assert local_country_name("IN", "India") == "الهند"


@pytest.mark.parametrize("language", ["en", "hi", "ar"])
def test_names_stand_in_the_order_of_their_letters(language):
    names = list(country_names(language).values())
    assert names == sorted(names, key=sort_key) and len(names) > 200


@pytest.mark.django_db
def test_pages_and_calls_say_the_country_in_their_language(client, settings):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")
    page = client.get("/hi-in/deliver-to/").text
    assert ">भारत<" in page.replace("<strong>", ">").replace("</strong>", "<") and "United Kingdom" not in page
    listed = page.split("</h2>")[1]
    places = [listed.index(name) for name in ("ऑस्ट्रेलिया", "कनाडा", "जर्मनी", "भारत", "सिंगापुर")]
    assert places == sorted(places)
    rows = client.get("/api/geo-locations/location-data/", headers={"accept-language": "ar"}).json()
    emirates = next(row for row in rows if row["timezone_shorthand"] == "AE")
    assert emirates["name"] == "الإمارات العربية المتحدة" and "United Arab Emirates" in emirates["aliases"]


@pytest.mark.django_db
def test_a_market_and_a_location_say_it_too(settings):
    market = market_registry().market(market_registry().by_code["AE"])
    with translation.override("hi"):
        assert market.country == Location.objects.get(code="AE").local_name == "संयुक्त अरब अमीरात"
    assert market.country == market.country_name == "United Arab Emirates"
