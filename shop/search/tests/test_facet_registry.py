"""What other parts of the shop know of facets, they know from the registry."""

import re

import pytest

from ..facets import store as facet_store
from ..facets.registry import FACETS

PARAMETERS = [name for facet in FACETS for name in facet.parameters or [facet.name]]


def robots(client, address):
    return re.findall(r'<meta name="robots" content="([^"]+)"', client.get(address).text)


@pytest.mark.parametrize("parameter", [*PARAMETERS, "attr.size"])
def test_a_narrowed_listing_is_not_indexed(client, make_variant, parameter):
    make_variant()
    assert robots(client, "/en-in/products/ayurveda/?utm_source=mail&attribute=1") == []
    assert robots(client, f"/en-in/products/ayurveda/?{parameter}=1") == ["noindex, follow"]


def test_amounts_are_left_behind_when_the_market_changes(db, browser_client):
    query = "&".join(f"{parameter}=1" for parameter in [*PARAMETERS, "q", "page", "sort"])
    answer = browser_client.post("/en-in/deliver-to/", {"country": "US", "next": f"/en-in/products/ayurveda/?{query}"})
    kept = set(re.findall(r"[?&]([^=]+)=", answer["Location"]))
    assert kept == {*PARAMETERS, "sort"} - {"price_min", "price_max"} >= {"discount", "brand"}


def test_every_facet_with_values_is_in_the_version_of_snapshots(monkeypatch):
    before = facet_store.version_of(FACETS)
    assert before == facet_store.store.version and 0 < before < 2**31
    with_values = [facet for facet in FACETS if facet.kind]
    without_one = {facet_store.version_of([one for one in FACETS if one is not facet]) for facet in with_values}
    assert len(without_one - {before}) == len(with_values) > 5
    monkeypatch.setattr(FACETS[0], "version", 2)
    assert facet_store.version_of(FACETS) != before
