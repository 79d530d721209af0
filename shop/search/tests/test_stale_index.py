"""An index that cannot be brought up to date is not asked: SQL answers, that is said, and it recovers by itself."""

import logging

import pytest
from django.db import OperationalError

from shop.catalog.models import Variant
from shop.catalog.services import refresh_products

from .. import snapshots
from ..facets.store import current_index
from ..facets.store import store as facet_store
from ..snapshots import index_trouble
from ..text.matching import find_products
from ..text.store import current_words
from ..text.store import store as word_store

pytestmark = [pytest.mark.django_db, pytest.mark.database]
LISTING = "/en-in/products/ayurveda/?sort=price&price_max=150"


@pytest.fixture
def cream(make_variant, make_product, monkeypatch):
    """One of two products below 150, as the indexes know it; its price rises above that within `break_down`."""
    monkeypatch.setattr(snapshots, "RETRY_SECONDS", 0)
    make_variant("140", product=make_product("Neem Soap"))
    cream = make_variant("120", product=make_product("Amla Cream"))
    assert len(current_index().everything) == len(current_words()) == 2
    return cream


@pytest.fixture
def broken(monkeypatch):
    """Patching fails, of both indexes, until `broken.undo()`."""
    with monkeypatch.context() as patch:
        for store in (facet_store, word_store):
            patch.setattr(store, "patch", _fail)
        yield patch


def _fail(index, changed):
    raise OperationalError("the pooler gave another connection")


def raise_price(variant: Variant, to: str) -> None:
    Variant.objects.filter(pk=variant.pk).update(selling_price=to, actual_price=to)
    refresh_products([variant.product_id])


def names(client) -> list[str]:
    return [card.product.name for card in client.get(LISTING).context["listing"].cards]


def test_a_listing_shows_the_new_price_by_sql_and_recovers(client, cream, broken):
    assert names(client) == ["Amla Cream", "Neem Soap"]
    raise_price(cream, "145")
    page = client.get(LISTING)
    assert [card.product.name for card in page.context["listing"].cards] == ["Neem Soap", "Amla Cream"]
    assert page.context["listing"].is_makeshift and "public" not in page.headers.get("Cache-Control", "")
    raise_price(cream, "500")
    assert names(client) == ["Neem Soap"]
    broken.undo()
    listing = client.get(LISTING).context["listing"]
    assert [card.product.name for card in listing.cards] == ["Neem Soap"] and not listing.is_makeshift
    assert index_trouble() == ""


def test_without_asking_sql_it_would_show_the_old_price(client, cream, broken, monkeypatch):
    def current(store):
        snapshots.IndexStore.current(store)
        return store._index

    raise_price(cream, "500")
    monkeypatch.setattr("shop.search.listing.services.current_index", lambda: current(facet_store))
    assert names(client) == ["Amla Cream", "Neem Soap"]


def test_a_search_finds_a_new_name_by_sql_and_recovers(cream, broken):
    cream.product.name = "Brahmi Cream"
    cream.product.save()
    found = find_products("brahmi")
    assert (found.ids, found.is_makeshift) == ([cream.product_id], True)
    assert not find_products("amla").ids
    broken.undo()
    found = find_products("brahmi")
    assert (found.ids, found.is_makeshift) == ([cream.product_id], False)


def test_what_failed_is_not_lost_whatever_the_error_was(cream, broken):
    broken.setattr(facet_store, "patch", lambda index, changed: {}[0])
    raise_price(cream, "145")
    assert current_index() is current_index() is None
    broken.undo()
    index = current_index()
    assert index.columns["price"][index.rows_of([cream.product_id])[0]] == 14500


def test_a_failure_is_not_tried_again_at_once(cream, broken, monkeypatch):
    tried = []
    broken.setattr(facet_store, "patch", lambda index, changed: tried.append(changed) or {}[0])
    monkeypatch.setattr(snapshots, "RETRY_SECONDS", 60)
    raise_price(cream, "145")
    for _ in range(3):
        assert current_index() is None
    assert tried == [{cream.product_id}]


def test_lost_news_are_no_recovery(cream, broken, caplog, monkeypatch):
    """A large catalogue waits for a snapshot then, and SQL answers."""
    caplog.set_level(logging.WARNING)
    raise_price(cream, "145")
    assert current_index() is None
    broken.undo()
    with monkeypatch.context() as patch:
        patch.setattr(facet_store, "_is_small", lambda: False)
        facet_store._on_changes(None)
        assert current_index() is None
        assert "up to date again" not in caplog.text and "has not been up to date" in index_trouble()
    facet_store._on_changes(None)
    assert current_index() is not None and index_trouble() == ""


def test_it_is_said_once_a_minute_and_to_whoever_asks_whether_all_is_well(client, cream, broken, caplog):
    caplog.set_level(logging.WARNING)
    facet_store._logged_at = 0.0
    raise_price(cream, "145")
    for _ in range(3):
        current_index()
    said = [record.message for record in caplog.records if record.name == snapshots.logger.name]
    assert said == ["the index of facets cannot be brought up to date; SQL answers"]
    ready = client.get("/readyz")
    assert ready.status_code == 200 and "The index of facets has not been up to date" in ready.json()["indexes"]
    broken.undo()
    assert client.get("/readyz").json()["indexes"] == "ok"
    assert "the index of facets is up to date again" in caplog.text
