"""The index against the database, through random changes; its snapshot; hearing of changes."""

import os
import random
import subprocess
import sys
import time
from dataclasses import replace
from decimal import Decimal

import pytest
from django.conf import settings
from django.db import connection
from django.db.models import Count

from shop.catalog.import_export.lookups import Lookups
from shop.catalog.import_export.rows import Row
from shop.catalog.models import Attribute, AttributeValue, Brand, Category, HealthConcern, Product, Variant
from shop.catalog.services import refresh_products
from shop.catalog.stock import services as stock
from shop.invalidation.models import Change

from .. import snapshots
from ..facets import loading
from ..facets.index import FacetIndex, origin_number, rows_in
from ..facets.loading import read_facts
from ..facets.store import current_index, keep_snapshot, store
from ..listing.matches import IndexSelection, ListingFilter
from ..models import IndexSnapshot

SEED = 7


def state(index):
    """An index in words of the database: product ids instead of rows."""

    def ids(bitmap):
        return sorted(index.ids[rows_in(bitmap)].tolist())

    seen = rows_in(index.everything)
    columns = {name: dict(zip(index.ids[seen], column[seen], strict=True)) for name, column in index.columns.items()}
    prices = {
        place: dict(zip(index.ids[fixed.rows].tolist(), fixed.amounts.tolist(), strict=True))
        for place, fixed in index.fixed.items()
    }
    return ids(index.everything), {key: ids(bitmap) for key, bitmap in index.bitmaps.items()}, columns, prices


@pytest.fixture
def shelf(make_product, make_variant):
    """Twenty products with all kinds of values."""
    chance = random.Random(SEED)
    root = Category.objects.create(name="Herbal", slug="herbal")
    leaves = [Category.objects.create(name=f"C{n}", slug=f"c{n}", parent=root) for n in range(3)]
    brands = [Brand.objects.create(name=f"B{n}", slug=f"b{n}") for n in range(3)]
    concerns = [HealthConcern.objects.create(name=f"H{n}", slug=f"h{n}") for n in range(3)]
    size = Attribute.objects.create(name="Size", slug="size")
    sizes = [AttributeValue.objects.create(attribute=size, value=str(n), unit="ml") for n in range(3)]
    for number in range(20):
        product = make_product(
            f"P{number}",
            category=chance.choice(leaves),
            brand=chance.choice(brands),
            country_of_origin=chance.choice(["IN", "LK"]),
            popularity=chance.randrange(100),
        )
        product.health_concerns.set(chance.sample(concerns, 2))
        price = chance.randrange(50, 900)
        variant = make_variant(str(price), str(price + chance.choice([0, 100])), chance.choice([0, 4]), product)
        variant.attribute_values.add(chance.choice(sizes))
        if number % 7 == 0:
            product.barred_locations.add(1)
            variant.fixed_prices.create(location_id=22, selling_price="3.25", actual_price="4")
    refresh_products(Product.objects.values_list("pk", flat=True))


@pytest.mark.database
def test_the_index_says_what_the_database_says(shelf):
    index = FacetIndex.of(read_facts())
    seen, values, columns, prices = state(index)
    assert seen == sorted(Product.objects.values_list("pk", flat=True))
    for kind, relation in (("brand", "brand"), ("concern", "health_concerns"), ("barred", "barred_locations")):
        counts = dict(
            Product.objects.order_by().exclude(**{relation: None}).values_list(relation).annotate(Count("pk"))
        )
        assert {value: len(ids) for (of, value), ids in values.items() if of == kind} == counts
    sri_lankan = Product.objects.filter(country_of_origin="LK").order_by("pk").values_list("pk", flat=True)
    assert values["origin", origin_number("LK")] == list(sri_lankan)
    for value in AttributeValue.objects.all():
        having = Product.objects.filter(variants__attribute_values=value).order_by("pk")
        assert values.get(("attribute", value.pk), []) == list(having.values_list("pk", flat=True))
    assert columns["price"] == {pk: price * 100 for pk, price in Product.objects.values_list("pk", "price_inr")}
    assert columns["in_stock"] == dict(Product.objects.values_list("pk", "in_stock"))
    assert set(prices) == {22}
    assert set(prices[22].values()) == {3250}


@pytest.mark.database
def test_read_in_parts_it_says_the_same(shelf, monkeypatch, django_assert_num_queries):
    with django_assert_num_queries(6):
        whole = state(FacetIndex.of(read_facts()))
    monkeypatch.setattr(loading, "AT_ONCE", 7)
    with django_assert_num_queries(3 * 6):
        assert state(FacetIndex.of(read_facts())) == whole


@pytest.mark.database
def test_a_patched_index_is_the_one_that_would_be_built(shelf, make_product, make_variant):
    chance = random.Random(SEED)
    index = FacetIndex.of(read_facts())
    concerns, brands = list(HealthConcern.objects.all()), list(Brand.objects.all())
    leaves = list(Category.objects.exclude(parent=None))
    for number in range(30):
        product = chance.choice(list(Product.objects.all()))
        first = product.variants.first()
        if number % 10 == 9:
            product = make_variant(product=make_product(f"New {number}"), price="75").product
        elif number % 3 == 0:
            product.is_published = not product.is_published
        elif number % 3 == 1:
            product.health_concerns.set(chance.sample(concerns, chance.randrange(3)))
            product.brand, product.category = chance.choice(brands), chance.choice(leaves)
            first.fixed_prices.all().delete()
        else:
            Variant.objects.filter(pk=first.pk).update(selling_price=chance.randrange(10, 40))
            first.fixed_prices.update_or_create(
                location_id=chance.choice([1, 22]), defaults={"selling_price": 2, "actual_price": 2}
            )
        product.save()
        refresh_products([product.pk])
        index = index.patched({product.pk}, read_facts({product.pk}))
        assert state(index) == state(FacetIndex.of(read_facts()))
        for pair in (("category", "brand"), ("category", "concern")):
            assert index.crossed(*pair) == FacetIndex.of(read_facts()).crossed(*pair)
    assert state(FacetIndex.load(index.dump())) == state(index)


def test_an_older_index_keeps_what_it_said(shelf):
    before = FacetIndex.of(read_facts())
    told = state(before)
    Product.objects.update(is_published=False)
    everything = set(Product.objects.values_list("pk", flat=True))
    after = before.patched(everything, read_facts(everything))
    assert (state(before), len(after.everything), after.bitmaps) == (told, 0, {})


def test_what_was_counted_is_remembered_until_a_product_changes(shelf, india, monkeypatch):
    counted, count = [], FacetIndex.counts
    monkeypatch.setattr(FacetIndex, "counts", lambda self, *asked: counted.append(asked) or count(self, *asked))
    before = FacetIndex.of(read_facts())

    def answers(index):
        listed = IndexSelection(index, india, ListingFilter({}, {}))
        brands = listed.counts("brand", "brand")
        return {pk: brands.of([pk]) for pk in brands.values}, listed.page("popular", 0, 20), listed.total

    answered = answers(before)
    assert answers(before) == answered and len(counted) == 1
    assert sum(answered[0].values()) == len(answered[1]) == answered[2] == 17
    hidden = answered[1][0]
    Product.objects.filter(pk=hidden).update(is_published=False)
    fewer, page, total = answers(before.patched({hidden}, read_facts({hidden})))
    assert sum(fewer.values()) == total == 16 and page == answered[1][1:] and len(counted) == 2


def test_fixed_prices_are_ordered_by_the_rate_of_now(shelf, india):
    """Those of the location are in its own money, the others follow from rupees."""
    asked = FacetIndex.of(read_facts())

    def ordered(index, rate):
        market = replace(india, location_id=22, home_rate=Decimal(rate))
        return IndexSelection(index, market, ListingFilter({}, {})).page("price", 0, 20)

    orders = [ordered(asked, rate) for rate in (1, 1000, 1)]
    assert orders == [ordered(FacetIndex.of(read_facts()), rate) for rate in (1, 1000, 1)]
    assert orders[0] != orders[1]


@pytest.mark.database
def test_changes_are_heard_and_cost_nothing_while_there_are_none(shelf, django_assert_num_queries):
    assert len(current_index().everything) == 20
    with django_assert_num_queries(0):
        current_index()
    sold = Variant.objects.filter(on_hand=4).first()
    row = current_index().rows_of([sold.product_id])[0]
    assert current_index().columns["in_stock"][row]
    stock.hold({sold.pk: 4}, reference="x")
    assert not current_index().columns["in_stock"][row]
    gone = Product.objects.exclude(pk=sold.product_id).first()
    gone.is_published = False
    gone.save()
    assert len(current_index().everything) == 19


@pytest.fixture
def large(monkeypatch, shelf):
    """Twenty products are many here: too many for a process to read by itself."""
    monkeypatch.setattr(store, "small", 3)
    monkeypatch.setattr(snapshots, "RETRY_SECONDS", 0)


@pytest.mark.database
def test_the_job_makes_what_processes_load_and_changes_since_are_added(large, make_variant):
    assert current_index() is None
    keep_snapshot()
    make_variant("5")
    assert len(current_index().everything) == 21
    assert state(current_index()) == state(FacetIndex.of(read_facts()))


def test_an_unreadable_snapshot_is_made_anew(large):
    keep_snapshot()
    IndexSnapshot.objects.update(data=b"no index")
    assert current_index() is None
    keep_snapshot()
    assert len(current_index().everything) == 20


def test_another_version_is_not_read(large):
    keep_snapshot()
    IndexSnapshot.objects.update(version=store.version + 1, data=b"of another shop version")
    assert current_index() is None
    keep_snapshot()
    assert IndexSnapshot.objects.get().version == store.version


@pytest.mark.parametrize("changed", [True, False])
def test_an_old_snapshot_takes_up_what_changed(large, make_variant, changed):
    keep_snapshot()
    IndexSnapshot.objects.update(made_at=Change.objects.latest("at").at - 2 * store.renewed)
    if changed:
        make_variant("5")
    else:
        Change.objects.all().delete()
    before = IndexSnapshot.objects.get()
    keep_snapshot()
    after = IndexSnapshot.objects.get()
    assert after.made_at > before.made_at
    assert after.built_at == before.built_at
    assert len(FacetIndex.load(bytes(after.data)).everything) == 20 + changed


def test_a_snapshot_too_old_for_its_changes_is_not_loaded(large):
    keep_snapshot()
    IndexSnapshot.objects.update(made_at=Change.objects.latest("at").at - 2 * snapshots.LOADABLE)
    assert current_index() is None
    keep_snapshot()
    assert len(current_index().everything) == 20


# A process of its own that tells each price it sees.
WATCHER = """
import django, sys, time
django.setup()
from shop.search.facets.store import current_index
while True:
    index = current_index()
    print(index.columns["price"][index.rows_of([int(sys.argv[1])])[0]], flush=True)
    time.sleep(0.05)
"""


@pytest.mark.database
def test_two_processes_see_a_changed_price_within_two_seconds(transactional_db, make_variant):
    variant = make_variant("100")
    url = os.environ.get("DATABASE_URL", "")
    name = connection.settings_dict["NAME"]
    url = f"{url.rpartition('/')[0]}/{name}" if connection.vendor == "postgresql" else f"sqlite:///{name}"
    environment = os.environ | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "shop.settings", "SHOP_DEMO": "1"}
    environment["SHOP_DATA_DIR"] = str(settings.DATA_DIR)
    watchers = [
        subprocess.Popen(
            [sys.executable, "-c", WATCHER, str(variant.product_id)],
            env=environment, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    try:
        assert [watcher.stdout.readline() for watcher in watchers] == ["10000\n", "10000\n"]
        Variant.objects.filter(pk=variant.pk).update(selling_price=Decimal(90))
        refresh_products([variant.product_id])
        changed_at = time.monotonic()
        for watcher in watchers:
            while watcher.stdout.readline() != "9000\n":
                assert time.monotonic() - changed_at < 2
    finally:
        for watcher in watchers:
            watcher.kill()
            watcher.wait()
            watcher.stdout.close()


def test_a_category_that_an_import_made_is_listed_at_once(client, make_product, make_variant):
    make_variant(product=make_product("Neem Soap"))
    client.get("/en-in/products/ayurveda/")
    row = Row(2, "amla-jam", category=("Ayurveda", "Tonics"))
    category = Category.objects.get(pk=Lookups(create=True).category_of(row))
    make_variant(product=make_product("Amla Jam", category=category))
    page = client.get("/en-in/products/ayurveda/tonics/").text
    assert "Amla Jam" in page and "Neem Soap" not in page


def test_a_category_whose_name_is_not_known_here_yet_is_listed_all_the_same(client, make_product, make_variant):
    make_variant(product=make_product("Neem Soap"))
    client.get("/en-in/products/ayurveda/")
    top = Category.objects.get()
    made = Category(name="Tonics", slug="tonics", path="ayurveda/tonics", parent=top)
    Category.objects.bulk_create([made])  # says nothing, as within the second before news are read
    make_variant(product=make_product("Amla Jam", category=made))
    assert "Amla Jam" in client.get("/en-in/products/ayurveda/tonics/").text
