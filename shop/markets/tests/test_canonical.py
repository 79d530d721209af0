"""Which address search engines are told to keep."""

import re

import pytest

from shop.catalog.models import HealthConcern

INDEXED = ["ae", "au", "ca", "gb", "in", "sg", "us"]


@pytest.fixture
def page(client, make_variant):
    make_variant()
    return lambda path: client.get(path).content.decode()


def canonical(html: str) -> list[str]:
    return re.findall(r'<link rel="canonical" href="([^"]*)">', html)


def alternates(html: str) -> dict[str, str]:
    return dict(re.findall(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">', html))


def robots(html: str) -> list[str]:
    return re.findall(r'<meta name="robots" content="([^"]*)">', html)


@pytest.mark.parametrize("prefix", ["", "/en-in", "/en-us"])
@pytest.mark.parametrize("path", ["/", "/brands/", "/products/ayurveda/", "/product/product-1/"])
def test_an_indexed_location_and_the_bare_address_speak_for_themselves(page, prefix, path):
    html = page(prefix + path)
    assert (canonical(html), robots(html)) == ([f"http://testserver{prefix}{path}"], [])
    assert alternates(html) == {
        **{f"en-{code.upper()}": f"http://testserver/en-{code}{path}" for code in INDEXED},
        "x-default": f"http://testserver{path}",
    }


@pytest.mark.parametrize("path", ["/", "/brands/", "/products/ayurveda/", "/product/product-1/"])
def test_other_locations_point_to_the_bare_address(page, path):
    html = page(f"/en-de{path}")
    assert canonical(html) == [f"http://testserver{path}"]
    assert (robots(html), alternates(html)) == (["noindex, follow"], {})


@pytest.mark.parametrize("state", ["page=2", "sort=newest", "attr.size=30", "brand=x&utm_source=y", "price_max=5"])
def test_another_state_of_a_listing_is_not_indexed(page, make_product, make_variant, state):
    for number in range(12):  # so that there is a second page
        make_variant(product=make_product(f"Oil {number}"))
    html = page(f"/en-in/products/ayurveda/?{state}")
    assert (robots(html), canonical(html), alternates(html)) == (["noindex, follow"], [], {})


@pytest.mark.parametrize("query", ["page=1", "utm_source=mail", "variant=SKU-1"])
def test_what_changes_no_listing_is_left_out(page, query):
    html = page(f"/en-in/product/product-1/?{query}")
    assert (canonical(html), robots(html)) == (["http://testserver/en-in/product/product-1/"], [])


def test_both_addresses_of_a_concern_name_the_same_one(page):
    HealthConcern.objects.create(name="Joint Care", slug="joint-care")
    for path in ("/en-in/health-concerns/joint-care/", "/en-in/product/health-concerns/joint-care/"):
        assert canonical(page(path)) == ["http://testserver/en-in/health-concerns/joint-care/"]


@pytest.mark.parametrize("path", ["/search/oil/", "/cart/", "/signin/", "/nothing-here/", "/deliver-to/"])
def test_what_is_no_page_of_the_catalogue_is_not_indexed(page, path):
    html = page(f"/en-in{path}")
    assert [rule.partition(",")[0] for rule in robots(html)] == ["noindex"]
    assert canonical(html) == []
