"""What menus are made of, by SQL and by the facet index, and how long they stay."""

import re

import pytest
from django.db import connection
from django.template import RequestContext, Template
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from shop.content import context_processors
from shop.invalidation.services import invalidate
from shop.markets.templatetags.fragments import FragmentNode
from shop.search.facets.store import count_presence

from ...models import Brand, Category, HealthConcern, Variant
from ...services import publish_products, refresh_products
from .. import tree as tree_module
from ..menu import menu
from ..tree import children_of, presence, visible_categories


@pytest.fixture
def tea(make_product, make_variant):
    root = Category.objects.create(name="Ayurveda", slug="ayurveda")
    teas = Category.objects.create(name="Teas", slug="teas", parent=root, is_unseen_while_empty=True)
    product = make_product("Tulsi tea", category=teas)
    product.health_concerns.add(HealthConcern.objects.create(name="Sleep", slug="sleep"))
    return make_variant(product=product)


def change_price(variant):
    Variant.objects.filter(pk=variant.pk).update(selling_price=77, actual_price=77)
    refresh_products([variant.product_id])


@pytest.mark.database
def test_the_index_says_what_the_database_says(tea, make_variant):
    make_variant()
    product = tea.product
    expected = {product.category_id: {product.health_concerns.get().pk: 1}}
    assert tree_module._read() == count_presence() == presence()
    assert presence().concerns == expected and len(presence().brands) == 2


def test_a_changed_price_leaves_menus_as_they_are_and_reads_no_other_product(tea):
    before, tree = menu(), visible_categories()
    change_price(tea)
    with CaptureQueriesContext(connection) as queries:
        assert menu() is before and visible_categories() is tree
    asked = [query["sql"] for query in queries if 'FROM "catalog_product"' in query["sql"]]
    assert asked and all(re.search(r'"id" (IN|BETWEEN) ', sql) for sql in asked)


def test_without_an_index_the_database_is_asked(tea, monkeypatch):
    monkeypatch.setattr(tree_module, "_counters", [lambda: None])
    before = menu()
    change_price(tea)
    assert menu() is before
    publish_products([tea.product_id], is_published=False)
    assert menu() is not before and presence().brands == {}


def test_a_category_comes_and_goes_with_its_only_product(tea):
    root = Category.objects.get(path="ayurveda")
    for is_published in (True, False, True):
        publish_products([tea.product_id], is_published=is_published)
        (top,) = menu()
        assert [len(top.children), len(children_of(root.pk)), len(top.brands)] == [is_published] * 3


def test_a_renamed_brand_is_renamed_in_the_menu(tea):
    assert [link.name for link in menu()[0].brands] == ["Vanamitra"]
    brand = Brand.objects.get()
    brand.name = "Vanamala"
    brand.save()
    assert [link.name for link in menu()[0].brands] == ["Vanamala"]


def test_each_language_has_its_own_order(tea, make_product, make_variant):
    """Also where another language was asked for first."""
    other = Brand.objects.create(name="Zeera", slug="zeera", translations={"hi": {"name": "अजवाइन"}})
    make_variant(product=make_product("Mint tea", category=tea.product.category, brand=other))
    Brand.objects.filter(slug="vanamitra").update(translations={"hi": {"name": "वनमित्र"}})
    assert [link.slug for link in menu()[0].brands] == ["vanamitra", "zeera"]
    with translation.override("hi"):
        assert [link.slug for link in menu()[0].brands] == ["zeera", "vanamitra"]


@pytest.fixture
def made(monkeypatch):
    """Names of the fragments that are made from now on."""
    names = []

    def note(node, context):
        names.append(node.arguments[0].resolve(context))
        return render(node, context)

    render = FragmentNode._make
    monkeypatch.setattr(FragmentNode, "_make", note)
    return names


def test_the_header_is_made_again_only_for_another_menu(tea, client, made):
    def made_by(change):
        change()
        made.clear()
        client.get("/en-in/categories/")
        return {"header", "footer"} & {*made}

    assert made_by(lambda: None) == {"header", "footer"}
    assert made_by(lambda: None) == made_by(lambda: change_price(tea)) == set()
    assert made_by(lambda: publish_products([tea.product_id], is_published=False)) == {"header", "footer"}
    assert made_by(lambda: invalidate("shop")) == {"header", "footer"}


def test_an_answer_without_a_header_asks_for_no_menu(tea, rf, india, monkeypatch):
    def fail():
        raise AssertionError("the menu was asked for")

    monkeypatch.setattr(context_processors, "presence", fail)
    request = rf.get("/")
    request.market = india
    assert Template("{{ market.country_code }}").render(RequestContext(request)) == "IN"
    with pytest.raises(AssertionError):
        Template("{{ menu_key }}").render(RequestContext(request))
