"""Categories that shoppers do not see: hidden ones with what is below them, and empty ones that imports made."""

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from shop.search.facets.store import current_index
from shop.search.text.store import current_words
from shop.tests.kept_files import forget_kept_files

from ...models import Category, HealthConcern, Product
from ...tasks import LOST_AFTER, refresh_category, take_up_lost_refreshes

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def shelf(make_product, make_variant):
    """Hair > Oils > Neem, with a product in each of the lower two, and Skin with one."""
    hair = Category.objects.create(name="Hairy", slug="hairy")
    oils = Category.objects.create(name="Oily", slug="oily", parent=hair)
    neem = Category.objects.create(name="Neemy", slug="neemy", parent=oils)
    skin = Category.objects.create(name="Skinny", slug="skinny")
    concern = HealthConcern.objects.create(name="Dandruff", slug="dandruff")
    for name, category in (("Comb", hair), ("Oil", oils), ("Neem Oil", neem), ("Soap", skin)):
        product = make_product(name, category=category)
        product.health_concerns.add(concern)
        make_variant(product=product)
    return {row.slug: row for row in Category.objects.all()}


def hide(desk, category, *, hidden=True):
    url = reverse("admin:catalog_category_change", args=[category.pk])
    form = desk.get(url).context["adminform"].form
    body = {
        name: field.value()
        for name, field in ((f.name, f) for f in form)
        if field.value() is not None and field.value() is not False
    }
    body |= {"is_hidden": "on"} if hidden else {}
    if not hidden:
        body.pop("is_hidden", None)
    answer = desk.post(url, body)
    assert answer.status_code == 302, answer.context["adminform"].errors


def read(client, path):
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.content.decode()


def everywhere(client) -> str:
    """What shoppers and search engines are told of categories, beside the products' own names."""
    pages = ["/", "/products/skinny/", "/products/hairy/", "/product/oil/", "/product/neem-oil/"]
    text = "".join(client.get(page).content.decode() for page in pages)
    text += read(client, "/get-menu-list/")
    forget_kept_files()
    text += "".join(
        b"".join(answer.streaming_content).decode() if answer.streaming else answer.content.decode()
        for answer in map(client.get, ("/sitemaps/in/categories-1.xml", "/feeds/merchant-in.xml"))
    )
    return text


def test_a_hidden_category_is_named_nowhere_and_its_products_stay(desk, client, shelf, browser_client):
    assert "Oily" in everywhere(client) and "Neemy" in everywhere(client)
    hide(desk, shelf["oily"])
    text = everywhere(client)
    assert "Oily" not in text and "Neemy" not in text and "/oily/" not in text
    assert "Hairy" in text and "Skinny" in text
    for path in ("hairy/oily", "hairy/oily/neemy", "hairy/oily/dandruff"):
        assert client.get(f"/products/{path}/").status_code == 404
    listing = read(client, "/products/hairy/")
    assert "Neem Oil" in listing and "Comb" in listing
    assert "Neem Oil" in read(client, "/products/hairy/dandruff/") and "Neem Oil" in read(client, "/search/neem/")
    assert "Neem Oil" in read(client, "/products/hairy/?category=oily")  # no filter: nothing is narrowed
    assert "Comb" in read(client, "/products/hairy/?category=oily")


def test_a_hidden_top_takes_what_is_below_it_along(desk, client, shelf):
    hide(desk, shelf["hairy"])
    text = everywhere(client)
    assert not any(name in text for name in ("Hairy", "Oily", "Neemy"))
    assert client.get("/products/hairy/").status_code == 404
    page = read(client, "/product/neem-oil/")
    assert "Neem Oil" in page and '"category"' not in page


def test_calls_name_no_hidden_category(desk, browser_client, shelf):
    hide(desk, shelf["hairy"])
    body = {"product": "neem-oil"}
    answer = browser_client.post("/get-product/", body, content_type="application/json").json()
    assert answer["main_parent_category"] == {"name": "Uncategorized", "slug": ""}
    body = {"category": "hairy"}
    listing = browser_client.post("/get-category-products/", body, content_type="application/json")
    assert "Oily" not in listing.content.decode()
    found = browser_client.post("/get-category-products/", {"concern": ["dandruff"]}, content_type="application/json")
    assert found.status_code == 200 and "Neemy" not in found.content.decode()


def test_hiding_is_in_the_history_and_can_be_taken_back(desk, client, manager, shelf):
    hide(desk, shelf["oily"])
    entry = LogEntry.objects.get(object_id=shelf["oily"].pk, user=manager)
    assert '"Hidden": ["no", "yes"]' in entry.change_message
    hide(desk, shelf["oily"], hidden=False)
    assert "Oily" in everywhere(client) and client.get("/products/hairy/oily/").status_code == 200


def test_words_of_a_hidden_category_find_nothing_any_more(desk, shelf):
    assert current_words().folded().count("oily") == 2
    hide(desk, shelf["oily"])
    refresh_category.func(shelf["oily"].pk)
    assert current_words().folded().count("oily") == 0
    assert current_words().folded().count("hairy") == 3


def test_a_category_of_an_import_is_there_once_something_in_it_is_published(client, shelf, make_product, make_variant):
    new = Category.objects.create(name="Newly", slug="newly", is_unseen_while_empty=True)
    below = Category.objects.create(name="Belowly", slug="belowly", parent=new, is_unseen_while_empty=True)
    variant = make_variant(product=make_product("Draft", category=below))
    Product.objects.filter(pk=variant.product_id).update(is_published=False)
    assert "Newly" not in everywhere(client)
    assert (
        client.get("/products/newly/").status_code == 404 and client.get("/products/newly/belowly/").status_code == 404
    )
    product = Product.objects.get(pk=variant.product_id)
    product.is_published = True
    product.save()
    assert "Newly" in everywhere(client) and "Draft" in read(client, "/products/newly/")


def test_filters_offer_no_hidden_category(desk, client, shelf):
    assert current_index() is not None
    page = read(client, "/product/health-concerns/dandruff/")
    assert 'value="hairy"' in page and 'value="skinny"' in page
    assert 'value="oily"' in read(client, "/product/health-concerns/dandruff/?category=oily")
    hide(desk, shelf["oily"])
    assert 'value="oily"' not in read(client, "/product/health-concerns/dandruff/?category=oily")
    hide(desk, shelf["hairy"])
    page = read(client, "/product/health-concerns/dandruff/")
    assert 'value="hairy"' not in page and "Neem Oil" in page


def test_a_refresh_whose_worker_died_is_queued_again(shelf):
    """Once, and not while it may still be under way."""
    begun = {"new": timezone.now() - LOST_AFTER / 2, "old": timezone.now() - LOST_AFTER * 2}
    for at in begun.values():
        task = refresh_category.enqueue(shelf["oily"].pk)
        DBTaskResult.objects.filter(pk=task.id).update(status="RUNNING", started_at=at)
    take_up_lost_refreshes()
    take_up_lost_refreshes()
    assert sorted(DBTaskResult.objects.values_list("status", flat=True)) == ["READY", "RUNNING"]
    assert DBTaskResult.objects.get(status="READY").args_kwargs["args"] == [shelf["oily"].pk]
