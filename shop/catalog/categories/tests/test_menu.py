"""The category menu as the server renders it, for wide and small screens."""

import re

import pytest
from django.template.loader import render_to_string

from ...models import Category, HealthConcern
from ..menu import Link, MenuNode, menu


def links(kind, count):
    return [Link(f"{kind} {number}", f"{kind}-{number}", f"/{kind}/{number}/") for number in range(count)]


def node(name, **fields):
    return MenuNode(pk=1, name=name, slug=name.lower(), url=f"/products/{name.lower()}/", **fields)


def section_of(top):
    """What is below a category, in the page of all."""
    return render_to_string("catalog/categories/_branch.html", {"top": top})


@pytest.mark.parametrize(
    ("children", "concerns", "brands", "two", "three"),
    [(6, 9, 9, 0, 0), (7, 9, 9, 1, 0), (6, 10, 9, 0, 1), (6, 9, 10, 0, 1), (7, 10, 10, 1, 2)],
)
def test_seven_children_take_two_columns_ten_concerns_or_brands_three(children, concerns, brands, two, three):
    below = [node(f"Child{number}") for number in range(children)]
    top = node("Ayurveda", children=below, concerns=links("concern", concerns), brands=links("brand", brands))
    section = section_of(top)
    assert (section.count("mega__group--two"), section.count("mega__group--three")) == (two, three)
    assert section.count("<li>") == children + concerns + brands


def test_the_page_of_all_categories_leads_to_children_grandchildren_concerns_and_brands_and_both_menus_to_it(india):
    tonics = node("Tonics", children=[node("Jams")])
    top = node("Ayurveda", children=[tonics], concerns=links("concern", 1), brands=links("brand", 1))
    section = section_of(top)
    for url in ("/products/ayurveda/", "/products/tonics/", "/products/jams/", "/concern/0/", "/brand/0/"):
        assert f'href="{url}"' in section, url
    for template in ("partials/_mega_menu.html", "partials/_menu_sheet.html"):
        menu = render_to_string(template, {"menu": [top, node("Fitness")], "market": india})
        assert 'data-categories="/categories/"' in menu
        assert re.findall(r'href="/products/(\w+)/"[^>]*?( data-more)?>', menu) == [
            ("ayurveda", " data-more"),
            ("fitness", ""),
        ]


def test_a_concern_of_fewer_than_three_products_has_no_link_in_the_menu(client, make_product, make_variant):
    category = Category.objects.create(name="Ayurveda", slug="ayurveda")
    often, rare = (HealthConcern.objects.create(name=name, slug=name.lower()) for name in ("Sleep", "Gout"))
    for number in range(3):
        product = make_product(f"Tea {number}", category=category)
        make_variant(product=product)
        product.health_concerns.set([often, rare] if number < 2 else [often])
    (top,) = menu()
    assert [link.name for link in top.concerns] == ["Sleep"]
    (told,) = client.get("/get-menu-list/").json()
    assert [row["name"] for row in told["health_concerns"]] == ["Sleep", "Gout"], "the API tells of all"
