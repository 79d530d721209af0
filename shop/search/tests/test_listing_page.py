"""The listing page as it is without scripts, and the parts of it that HTMX asks for."""

import re
from decimal import Decimal

import pytest

from shop.catalog.models import Attribute, AttributeValue, Brand, Category, HealthConcern, Product
from shop.catalog.services import refresh_products

from ..listing import services as listing_module


@pytest.fixture
def herbal(make_product, make_variant):
    """Sixteen oils of two brands, ₹100 to ₹250; every other one 100 ml, the others 200 ml."""
    category = Category.objects.create(name="Herbal", slug="herbal")
    brands = [Brand.objects.create(name=name, slug=name.lower()) for name in ("Neemveda", "Hara")]
    size = Attribute.objects.create(name="Size", slug="size")
    sizes = [AttributeValue.objects.create(attribute=size, value=value, unit="ml") for value in ("100", "200")]
    for number in range(16):
        product = make_product(f"Oil {number:02}", category=category, brand=brands[number % 4 == 0])
        price = Decimal(100 + number * 10)
        variant = make_variant(str(price), str(price + 50 * (number % 3 == 0)), product=product)
        variant.attribute_values.add(sizes[number % 2])
    refresh_products(Product.objects.values_list("pk", flat=True))
    return category


def body_of(response):
    return response.content.decode()


def shown(html):
    return re.findall(r"card__name\">([^<]+)<", html)


def option(html, name, value):
    """(is chosen, count) of an option."""
    pattern = rf'name="{re.escape(name)}" value="{value}"( checked)?><span>[^<]*</span><span class="facet__count">(\d+)'
    found = re.search(pattern, html)
    return bool(found[1]), int(found[2])


def test_the_form_says_what_is_chosen_and_how_many_each_choice_would_leave(client, herbal):
    html = body_of(client.get("/en-in/products/herbal/?brand=hara&attr.size=100+ml"))
    assert option(html, "brand", "hara") == (True, 4)
    assert option(html, "brand", "neemveda") == (False, 4)
    assert option(html, "attr.size", "100 ml") == (True, 4)
    assert 'name="attr.size" value="200 ml"' not in html  # Hara has none
    assert "Showing 4 out of 4" in html


def test_chips_lead_back_one_choice_at_a_time_and_clear_all_to_the_bare_listing(client, herbal):
    address = "/en-in/products/herbal/?q=oil&brand=hara&price_min=110&price_max=200.50&sort=price&page=1"
    page = client.get(address)
    rest = "sort=price"
    assert [(chip.label, chip.url.partition("?")[2]) for chip in page.context["selected"]] == [
        ("“oil”", f"brand=hara&price_min=110&price_max=200.5&{rest}"),
        ("Hara", f"q=oil&price_min=110&price_max=200.5&{rest}"),
        ("₹110 – ₹200.50", f"q=oil&brand=hara&{rest}"),
    ]
    assert page.context["clear_url"] == f"/en-in/products/herbal/?{rest}"


def test_a_choice_is_kept_from_page_to_page_and_pages_together_hold_no_product_twice(client, herbal):
    page = client.get("/en-in/products/herbal/?attr.size=100+ml&attr.size=200+ml&sort=price")
    assert page.context["next_url"].endswith("?attr.size=100+ml&attr.size=200+ml&sort=price&page=2")
    first, both = shown(body_of(page)), shown(body_of(client.get(page.context["next_url"])))
    assert both[:12] == first
    assert both == [f"Oil {number:02}" for number in range(16)]


def test_the_button_counts_what_there_is_to_choose(client, herbal):
    html = body_of(client.get("/en-in/search/oil/"))
    options = re.findall(r'type="checkbox"', html)
    number = re.search(r'toolbar__number">(\d+)', html)
    assert int(number[1]) == len(options) == 7  # two brands, two sizes, three discounts


def test_prices_are_bounded_by_the_whole_listing_in_the_money_that_is_shown(client, herbal):
    html = body_of(client.get("/en-in/products/herbal/?price_min=150&brand=hara"))
    assert 'data-low="100" data-high="250" data-step="10" data-min="150" data-max=""' in html
    dollars = body_of(client.get("/en-us/products/herbal/"))
    low, high, step = re.search(r'data-low="([\d.]+)" data-high="([\d.]+)" data-step="([\d.]+)"', dollars).groups()
    assert (Decimal(low) % Decimal("0.5"), Decimal(high) % Decimal("0.5"), step) == (0, 0, "0.1")


def test_the_search_in_a_listing_starts_at_three_characters(client, herbal):
    assert "Showing 12 out of 16" in body_of(client.get("/en-in/products/herbal/?q=+0+"))
    page = client.get("/en-in/products/herbal/?q=++Oil+05++")
    assert shown(body_of(page)) == ["Oil 05"]
    assert page.context["listing"].sort == "relevance"


def test_nothing_found_says_so_beside_the_way_back(client, herbal):
    html = body_of(client.get("/en-in/products/herbal/?price_min=99000"))
    assert "Product not found" in html
    assert "Clear all filters" in html
    assert "from ₹99,000" in html
    assert 'name="price_min"' in html


def test_offers_lists_what_is_discounted_the_most_off_first(client, herbal):
    page = client.get("/en-in/offers_discounts/")
    discounts = [card.price.discount for card in page.context["listing"].cards]
    assert page.context["listing"].total == 6
    assert discounts == sorted(discounts, reverse=True)
    assert min(discounts) > 0
    moved = client.get("/en-in/Offers_Discounts?brand=hara")
    assert (moved.status_code, moved["Location"]) == (301, "/en-in/offers_discounts/?brand=hara")


def test_htmx_is_given_the_listing_alone_when_it_targets_it_and_else_the_page(client, herbal):
    address = "/en-in/products/herbal/?brand=hara"
    whole = body_of(client.get(address))
    part = body_of(client.get(address, headers={"HX-Request": "true", "HX-Target": "div#listing"}))
    assert part.strip().startswith('<div class="listing" id="listing"')
    assert "<html" not in part
    assert shown(part) == shown(whole)
    assert "<html" in body_of(client.get(address, headers={"HX-Request": "true", "HX-Target": "body"}))


def test_without_an_index_the_page_shows_cards_and_is_not_kept(client, herbal, monkeypatch):
    monkeypatch.setattr(listing_module, "current_index", lambda: None)
    page = client.get("/en-in/products/herbal/?brand=hara&sort=price")
    assert shown(body_of(page)) == ["Oil 00", "Oil 04", "Oil 08", "Oil 12"]
    assert "facet__option" not in body_of(page)
    assert "public" not in page["Cache-Control"]


def test_chips_are_at_most_nine_concerns_that_products_there_have(client, herbal):
    concerns = [HealthConcern.objects.create(name=f"C{n:02}", slug=f"c{n:02}", position=n) for n in range(12)]
    Product.objects.earliest("pk").health_concerns.set(concerns[1:])
    refresh_products([Product.objects.earliest("pk").pk])
    chips = client.get("/en-in/products/herbal/").context["head"].chips
    assert [name for name, _, _ in chips] == [f"C{n:02}" for n in range(1, 10)]


@pytest.mark.database
@pytest.mark.parametrize("filters", ["", "?brand=hara&attr.size=100+ml&price_min=100&sort=price"])
def test_queries_do_not_grow_with_the_catalogue_or_the_filters(
    client, herbal, make_product, make_variant, django_assert_max_num_queries, filters
):
    address = f"/en-in/products/herbal/{filters}"
    for path in (address, "/en-in/products/herbal/?sort=-price"):
        client.get(path)
    with django_assert_max_num_queries(10) as before:
        client.get(address + ("&" if filters else "?") + "page=2")
    for number in range(20):
        make_variant(product=make_product(f"More {number}", category=herbal))
    client.get("/en-in/products/herbal/?sort=-price")
    with django_assert_max_num_queries(10) as after:
        client.get(address + ("&" if filters else "?") + "page=3")
    assert abs(len(after) - len(before)) <= 3  # cards that this process has not yet written


@pytest.mark.parametrize(
    "address",
    ["?brand=%00", "?q=%00%00%00", "?attr.size=" + "x" * 4000, "?price_min=٣&price_max=-0", "?" + "brand=hara&" * 300,
     "?sort=%F0%9F%A5%A5&page=-1", "?origin=zz&concern=hara"],
)  # fmt: skip
def test_any_address_is_answered(client, herbal, address):
    assert shown(body_of(client.get(f"/en-in/products/herbal/{address}")))[:1] == ["Oil 00"] or "zz" in address
