"""A product without a stated origin has none: for shoppers, staff and filters, and after imports that invented one."""

import gzip
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.admin.models import ADDITION, LogEntry
from django.core.files.base import ContentFile
from django.urls import reverse

from shop.backoffice import history
from shop.search.listing.services import Listing, ListingQuery

from ...models import Product, ProductImport
from ..duplication import duplicate_product

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def origins(make_product, make_variant):
    """Three products: from India, from Sri Lanka, and nobody says from where."""
    for name, code in (("Tea", "IN"), ("Oil", "LK"), ("Pill", "")):
        make_variant(product=make_product(name, country_of_origin=code), units=3)
    return {product.name: product for product in Product.objects.all()}


def test_shoppers_read_an_origin_only_where_one_is_stated(client, origins):
    pages = {name: client.get(f"/product/{product.slug}/").content.decode() for name, product in origins.items()}
    assert {name: "Country of origin" in page for name, page in pages.items()} == {
        "Tea": True, "Oil": True, "Pill": False,
    }  # fmt: skip
    answer = client.post("/get-product/", {"product": origins["Pill"].slug}, content_type="application/json")
    assert "country_of_origin" not in answer.json() or answer.json()["country_of_origin"] == ""


def test_no_origin_is_no_choice_of_the_filter_and_sorts_last(origins, india):
    listing = Listing(india, ListingQuery(sort="origin"))
    assert [card.product.name for card in listing.cards] == ["Tea", "Oil", "Pill"]
    (facet,) = [facet for facet in listing.facets if facet.name == "origin"]
    assert {option.value: option.count for option in facet.options} == {"in": 1, "lk": 1}


def test_staff_read_not_stated_and_a_new_product_states_nothing(desk, origins):
    new = desk.get(reverse("admin:catalog_product_add")).context["adminform"].form
    field = new["country_of_origin"]
    assert field.value() in (None, "") and dict(field.field.choices)[""] == "Not stated"
    page = desk.get(reverse("admin:catalog_product_change", args=[origins["Pill"].pk])).content.decode()
    assert '<option value="" selected>Not stated</option>' in page
    assert '<option value="LK">Sri Lanka</option>' in page


# --- What earlier imports invented ----------------------------------------------------

migration = import_module("shop.catalog.migrations.0010_origins")


def take_back():
    migration.take_back_invented_origins(apps, None)
    return dict(Product.objects.values_list("name", "country_of_origin"))


def test_an_invented_origin_is_taken_back_and_a_stated_one_stays(make_product, manager):
    imported = {"country_of_origin": "IN", "handle": "x"}
    make_product("By hand", country_of_origin="IN", handle="")
    make_product("Invented", **imported)
    make_product("Stated abroad", country_of_origin="LK", handle="y")
    changed, added, touched = (make_product(name, **imported) for name in ("Changed", "Added", "Touched"))
    history.note(manager, changed, values={"Country of origin": ["LK", "IN"]})
    history.note(manager, touched, values={"Name": ["Toucht", "Touched"]})
    LogEntry.objects.create(
        user=manager, content_type=LogEntry.objects.first().content_type, object_id=str(added.pk), object_repr="Added",
        action_flag=ADDITION, change_message='[{"added": {}}]',
    )  # fmt: skip
    after = {
        "By hand": "IN", "Invented": "", "Stated abroad": "LK", "Changed": "IN", "Added": "IN", "Touched": "",
    }  # fmt: skip
    assert take_back() == after
    assert take_back() == after


def test_copies_lose_it_with_what_they_were_copied_from(make_product, manager):
    for name, handle in (("Invented", "x"), ("By hand", "")):
        product = make_product(name, country_of_origin="IN", handle=handle)
        for _ in range(2):
            source, product = product, duplicate_product(product)
            history.note(manager, product, why=f"Duplicated from {source.slug}")
    assert take_back() == {
        "Invented": "", "Copy of Invented": "", "Copy of Copy of Invented": "",
        "By hand": "IN", "Copy of By hand": "IN", "Copy of Copy of By hand": "IN",
    }  # fmt: skip


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_what_a_kept_file_states_stays(make_product, manager, settings, tmp_path, pack):
    private = settings.STORAGES["private"] | {"OPTIONS": {"location": tmp_path, "base_url": None}}
    settings.STORAGES = settings.STORAGES | {"private": private}
    for handle in ("stated", "silent", "unread"):
        make_product(handle, country_of_origin="IN", handle=handle)
    for state, text in (("done", "Handle,Country_of_origin\nstated,IN\nsilent,\n"), ("failed", "handle\nunread\n")):
        kept = ProductImport(name="x.csv", format="shop", by_id=manager.pk, state=state)
        kept.file.save("x.csv", ContentFile(pack(text.encode())))
    ProductImport.objects.create(name="gone.csv", format="shop", by_id=manager.pk, state="done", file="gone.csv")
    assert take_back() == {"stated": "IN", "silent": "", "unread": ""}
