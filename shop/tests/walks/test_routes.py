"""Both route tables: each spelling answers with its page, or with one permanent redirect to it."""

import pytest

from shop.catalog.models import Brand, Category, HealthConcern, OldSlug, Product
from shop.catalog.services import remember_slug

PAGES = {
    "/": "content/home/home.html",
    "/products/ayurveda/": "search/listing/listing.html",
    "/products/ayurveda/tonics/": "search/listing/listing.html",
    "/products/ayurveda/tonics/jams/": "search/listing/listing.html",
    "/products/ayurveda/joint-care/": "search/listing/listing.html",
    "/products/ayurveda/tonics/joint-care/": "search/listing/listing.html",
    "/health-concerns/joint-care/": "search/listing/listing.html",
    "/product/health-concerns/joint-care/": "search/listing/listing.html",
    "/brand/arogya-grove/": "search/listing/listing.html",
    "/brands/": "catalog/products/brands.html",
    "/categories/": "catalog/categories/categories.html",
    "/offers_discounts/": "search/listing/listing.html",
    "/product/face-oil/": "catalog/products/product.html",
    "/search/face-oil/": "search/listing/listing.html",
    "/cart/": "cart/cart.html",
    "/signin/": "accounts/auth/signin.html",
    "/signup/": "accounts/auth/signup.html",
    "/trackorders/": "orders/shipping/track_orders.html",
    "/faq/": "content/faq/faq.html",
    "/blog/": "content/blog/blog.html",
    "/contactus/": "care/enquiries/contact_us.html",
    "/complaint/": "care/complaints/complaint.html",
}
# Of one customer, who is asked to sign in first.
OWN_PAGES = [
    "/orders/", "/order-detail/", "/place-order/", "/ordersuccess/", "/ordercancel/", "/ordercon/", "/ordersummery/",
]  # fmt: skip
MOVED = {
    "/product/ayurveda/tonics/": "/products/ayurveda/tonics/",
    "/product/ayurveda/tonics/jams/": "/products/ayurveda/tonics/jams/",
    "/product/ayurveda/joint-care/": "/products/ayurveda/joint-care/",
    "/brand/arogya%20grove/": "/brand/arogya-grove/",
    "/product/oil-for-faces/": "/product/face-oil/",
    "/ayurvedic/": "/",
    "/login/": "/signin/",
    "/blogs/": "/blog/",
    "/blogdetail/": "/blog/",
}
PREFIXES = ["", "/en-in", "/en-de"]


@pytest.fixture
def shelves(make_variant, make_product):
    top = Category.objects.create(name="Ayurveda", slug="ayurveda")
    tonics = Category.objects.create(name="Tonics", slug="tonics", parent=top)
    jams = Category.objects.create(name="Jams", slug="jams", parent=tonics)
    brand = Brand.objects.create(name="Arogya Grove", slug="arogya-grove")
    product = make_product("Face Oil", category=jams, brand=brand)
    product.health_concerns.add(HealthConcern.objects.create(name="Joint Care", slug="joint-care"))
    remember_slug(product, "oil-for-faces")
    make_variant(product=product)
    return product


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("path", PAGES)
def test_a_canonical_address_answers_with_its_page(client, shelves, path, prefix):
    answer = client.get(prefix + path)
    assert answer.status_code == 200
    assert PAGES[path] in [template.name for template in answer.templates]


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("path", PAGES)
def test_other_spellings_are_redirected_once(client, shelves, path, prefix):
    words = path.startswith("/search/")
    spellings = [path.rstrip("/"), path if words else path.title(), path.rstrip("/") if words else path.upper()]
    for spelling in {prefix.upper() + other for other in spellings} - {prefix + path, "", "/"}:
        answer = client.get(spelling or "/")
        assert (spelling, answer.status_code, answer["Location"]) == (spelling, 301, prefix + path)


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("path", MOVED)
def test_a_former_address_leads_to_its_page_in_one_step(client, shelves, path, prefix):
    for spelling in (path, path.rstrip("/"), path.title().replace("%20", " ")):
        answer = client.get(f"{prefix}{spelling}?ref=mail")
        assert (spelling, answer.status_code) == (spelling, 301)
        assert answer["Location"] == f"{prefix}{MOVED[path]}?ref=mail"
        assert client.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize("path", ["/product/ayurveda/nothing/", "/products/nothing", "/Brand/Nobody", "/get-product"])
def test_an_unknown_name_is_not_found_without_a_redirect(client, shelves, path):
    answer = client.get(f"/en-in{path}")
    assert answer.status_code == 404
    assert "Page Not Found 404 ...." in answer.content.decode()


def test_a_redirect_keeps_to_the_prefix_that_was_asked_for(client, shelves):
    client.cookies["deliver_to"] = "IN"
    assert client.get("/Product/Oil-For-Faces")["Location"] == "/product/face-oil/"
    assert client.get("/login/")["Location"] == "/signin/"


def test_a_withdrawn_product_says_so_and_shows_similar_ones(client, shelves, make_variant, make_product):
    similar = make_variant(product=make_product("Hand Oil", category=shelves.category)).product
    Product.objects.filter(pk=shelves.pk).update(is_published=False)
    for path in ("/en-in/product/face-oil/", "/en-in/product/oil-for-faces/"):
        answer = client.get(path)
        assert (answer.status_code, answer.context["cards"]) == (410, (similar.pk,))
        assert "Hand Oil" in answer.content.decode()
        assert "s-maxage" in answer["Cache-Control"]


def test_a_slug_changed_twice_and_back_leads_to_where_the_product_is(client, shelves):
    for former, slug in (("face-oil", "skin-oil"), ("skin-oil", "face-oil")):
        Product.objects.update(slug=slug)
        remember_slug(shelves, former)
    assert OldSlug.objects.count() == 3
    assert client.get("/en-in/product/face-oil/").status_code == 200
    assert client.get("/en-in/product/skin-oil/")["Location"] == "/en-in/product/face-oil/"


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("path", OWN_PAGES)
def test_a_page_of_ones_own_is_redirected_once_and_asks_to_sign_in(client, db, path, prefix):
    for spelling in (path.rstrip("/"), path.title(), path.upper()):
        answer = client.get(f"{prefix}{spelling}?order=ORD-AAAAAAAAA")
        assert (spelling, answer.status_code) == (spelling, 301)
        assert answer["Location"] == f"{prefix}{path}?order=ORD-AAAAAAAAA"
    assert client.get(prefix + path).url.startswith(f"{prefix}/signin/?next=")
