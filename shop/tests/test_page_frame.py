"""What stands around and on every page, in its first HTML."""

import re

import pytest

from shop.catalog.models import Brand, Category, HealthConcern

pytestmark = pytest.mark.django_db


@pytest.fixture
def soap(make_product, make_variant):
    top = Category.objects.create(name="Ayurveda", slug="ayurveda")
    bath = Category.objects.create(name="Bath", slug="bath", parent=top)
    product = make_product("Neem Soap", category=bath)
    product.health_concerns.add(HealthConcern.objects.create(name="Skin Care", slug="skin-care"))
    make_variant(product=product)
    other = Brand.objects.create(name="Neemveda", slug="neemveda")
    make_variant(product=make_product("Tulsi Soap", category=bath, brand=other))
    return product


def test_the_top_bar_holds_logo_menu_cart_sign_in_and_the_profile_menu(client, soap):
    bar = client.get("/en-in/").text.partition("</header>")[0]
    assert 'class="logo" href="/en-in/"' in bar
    assert 'href="/en-in/products/ayurveda/"' in bar and 'href="/en-in/cart/"' in bar
    assert re.search(r'href="/en-in/signin/"[^>]*data-signin', bar)
    panel = re.search(r'class="account-menu__panel">(.*?)</div>', bar, re.DOTALL)[1]
    assert re.findall(r">(Profile|Orders|Address|Logout)<", panel) == ["Profile", "Orders", "Address", "Logout"]
    assert 'placeholder="Search..."' in bar


def test_a_product_page_leads_to_brand_category_concerns_and_related_products(client, soap):
    page = client.get("/en-in/product/neem-soap/").text
    main = page[page.index("<main") : page.index("</main>")]
    assert re.search(r'class="product__brand" href="/en-in/brand/vanamitra/">Vanamitra<', main)
    assert re.search(r'class="badge badge--tint" href="/en-in/products/ayurveda/">Ayurveda<', main)
    assert re.search(r'class="chip" href="/en-in/health-concerns/skin-care/"', main)
    assert "/en-in/product/tulsi-soap/" in main and main.count("data-carousel-track") == 1


@pytest.mark.parametrize(
    "path", ["/en-in/product/neem-soap/", "/en-in/products/ayurveda/bath/", "/en-in/brands/", "/en-in/search/soap/"]
)
def test_the_way_to_a_page_begins_at_home(client, soap, path):
    trail = re.search(r'<nav class="crumbs".*?</nav>', client.get(path).text, re.DOTALL)[0]
    assert re.findall(r'href="([^"]+)">([^<]+)', trail)[0] == ("/en-in/", "Home")


def test_nothing_is_written_and_no_cookie_set_for_a_visitor(client, soap, django_assert_max_num_queries):
    for path in ("/en-in/", "/en-in/products/ayurveda/", "/en-in/product/neem-soap/", "/en-in/search/soap/"):
        with django_assert_max_num_queries(30) as queries:
            answer = client.get(path)
        assert not answer.cookies and "csrfmiddlewaretoken" not in answer.text
        written = [q["sql"] for q in queries.captured_queries if q["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
        assert written == []


VISITED = ("/en-in/", "/en-in/products/ayurveda/", "/en-in/product/neem-soap/", "/en-in/search/soap/", "/en-in/brands/")


@pytest.mark.parametrize("path", VISITED)
def test_every_picture_keeps_its_place_while_it_loads(client, soap, path):
    """The placeholder of a picture is the room that it takes: nothing moves when it arrives."""
    pictures = re.findall(r"<img [^>]*>", client.get(path).text)
    assert pictures
    assert [img for img in pictures if not re.search(r'width="\d+"', img) or not re.search(r'height="\d+"', img)] == []


def test_another_path_carries_no_filters(client, soap):
    listing = client.get("/en-in/products/ayurveda/?brand=vanamitra&q=soap&price_min=1&sort=newest").text
    elsewhere = re.findall(r'href="(/en-in/(?:products|brand|health-concerns|product)/[^"]*)"', listing)
    own = "/en-in/products/ayurveda/"
    assert len(set(elsewhere)) > 3
    assert [link for link in elsewhere if "?" in link and not link.startswith(f"{own}?")] == []


def test_the_results_are_searched_by_the_server_and_stand_in_the_first_html(client, soap):
    assert "Tulsi Soap" in client.get("/en-in/search/soap/").text


def test_no_price_of_the_former_client_s_demo_is_shown(client, soap):
    assert not any("15.99" in client.get(path).text for path in VISITED)
