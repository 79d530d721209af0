"""robots.txt, sitemaps and merchant feeds: well-formed, complete, with the prices of their market."""

import time
from xml.etree import ElementTree

import pytest
from django.db import OperationalError

from shop.catalog.models import Brand, Category, HealthConcern, Product, VariantPrice
from shop.markets.models import Slab
from shop.tests.kept_files import being_made, forget_kept_files

from ..models import Page
from ..seo import merchant_feed, sitemaps, views

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
G = "{http://base.google.com/ns/1.0}"
FILES = ["/robots.txt", "/sitemap.xml", "/sitemaps/in/products-1.xml", "/feeds/merchant-in.xml"]


@pytest.fixture
def oil(make_product, make_variant):
    product = make_product("Face Oil", title="Oil <pure> & \x0b “new”", highlight="<p>For dry skin</p>")
    product.health_concerns.add(HealthConcern.objects.create(name="Skin", slug="skin"))
    make_variant(product=product, price="649", actual="1200", units=2, barcode="4006381333931")
    make_variant(product=product, price="999", units=0, position=1)
    return product


def addresses(answer) -> list[str]:
    return [found.text for found in ElementTree.fromstring(answer.content).iter(f"{SITEMAP}loc")]


def items(client, country: str) -> list[dict[str, str]]:
    """Of the feed as it is made now."""
    forget_kept_files()
    answer = client.get(f"/feeds/merchant-{country}.xml")
    feed = ElementTree.fromstring(b"".join(answer.streaming_content))
    return [{field.tag.removeprefix(G): " ".join(field.itertext()) for field in item} for item in feed.iter("item")]


def test_robots_name_the_sitemap_and_close_private_pages(client, db):
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert "Sitemap: http://testserver/sitemap.xml" in lines
    assert {"Disallow: /cart/", "Disallow: /en-*/cart/"} <= set(lines)
    assert not [line for line in lines if "search" in line]  # says noindex itself, which must be read


def test_the_index_leads_to_every_page_of_every_indexed_market(client, oil):
    Page.objects.exclude(slug="privacypolicy").delete()
    files = addresses(client.get("/sitemap.xml"))
    assert len(files) == 7 * 5
    listed = [address for file in files for address in addresses(client.get(file))]
    pages = ["", "categories/", "brands/", "offers_discounts/", "blog/", "faq/", "contactus/", "privacypolicy/"]
    assert {address for address in listed if "/en-gb/" in address} == {
        *(f"http://testserver/en-gb/{path}" for path in pages),
        "http://testserver/en-gb/product/face-oil/",
        "http://testserver/en-gb/products/ayurveda/",
        "http://testserver/en-gb/health-concerns/skin/",
        "http://testserver/en-gb/brand/vanamitra/",
    }
    assert {client.get(address).status_code for address in listed if "/en-sg/" in address} == {200}


def test_a_sitemap_leaves_out_what_shows_nothing_there(client, oil):
    Brand.objects.create(name="Empty", slug="empty")
    Category.objects.create(name="Empty", slug="empty")
    oil.barred_locations.add(1)
    files = [file for file in addresses(client.get("/sitemap.xml")) if "/in/" in file]
    assert files == ["http://testserver/sitemaps/in/pages-1.xml"]
    assert client.get("/sitemaps/in/products-1.xml").status_code == 404
    assert addresses(client.get("/sitemaps/us/brands-1.xml")) == ["http://testserver/en-us/brand/vanamitra/"]
    assert addresses(client.get("/sitemaps/us/categories-1.xml")) == ["http://testserver/en-us/products/ayurveda/"]


def test_long_sections_have_more_files(client, oil, make_variant, monkeypatch, django_assert_max_num_queries):
    make_variant()
    monkeypatch.setattr(sitemaps, "PAGE_SIZE", 1)
    client.get("/sitemaps/in/products-1.xml")
    with django_assert_max_num_queries(1):
        first = addresses(client.get("/sitemaps/in/products-1.xml"))
    with django_assert_max_num_queries(1):
        second = addresses(client.get("/sitemaps/in/products-2.xml"))
    assert [address.rpartition("/product/")[2] for address in first + second] == ["face-oil/", "product-3/"]
    assert "http://testserver/sitemaps/in/products-2.xml" in addresses(client.get("/sitemap.xml"))


def test_the_feed_shows_the_market_s_prices_stock_and_shipping(client, oil):
    VariantPrice.objects.create(
        variant=oil.variants.first(), location_id=22, selling_price="9.99", actual_price="12.00"
    )
    Slab.objects.filter(location_id=22).delete()
    Slab.objects.create(location_id=22, tier_amount="10", shipping_cost="7.50")
    Slab.objects.create(location_id=22, tier_amount="100", shipping_cost="3")
    first, second = items(client, "us")
    assert (first["price"], first["sale_price"], first["availability"]) == ("12.00 USD", "9.99 USD", "in_stock")
    assert (first["gtin"], first["brand"], first["shipping"]) == ("4006381333931", "Vanamitra", "US 7.50 USD")
    assert (first["title"], first["description"]) == ("Oil <pure> &  “new”", "For dry skin")
    assert first["link"] == "http://testserver/en-us/product/face-oil/?variant=SKU-1"
    assert first["item_group_id"] == second["item_group_id"]
    assert (second["availability"], second["identifier_exists"]) == ("out_of_stock", "no")
    assert (second["price"], second["shipping"], "sale_price" in second) == ("11.29 USD", "US 3.00 USD", False)
    inr = items(client, "in")[0]
    assert (inr["price"], inr["sale_price"], inr["shipping"]) == ("1200.00 INR", "649.00 INR", "IN 29.00 INR")


def test_the_feed_leaves_out_what_is_not_sold_there(client, oil, make_variant):
    make_variant()
    oil.barred_locations.add(22)
    assert [item["id"] for item in items(client, "us")] == ["SKU-3"]
    Product.objects.exclude(pk=oil.pk).update(is_prescription=True)
    assert items(client, "us") == []
    assert [item["id"] for item in items(client, "in")] == ["SKU-1", "SKU-2"]


def test_the_feed_asks_no_more_for_more_products(client, oil, make_variant, django_assert_max_num_queries):
    items(client, "in")
    with django_assert_max_num_queries(10) as few:
        items(client, "in")
    for _ in range(3):
        make_variant()
    items(client, "in")
    with django_assert_max_num_queries(10) as many:
        assert len(items(client, "in")) == 5
    assert len(few) == len(many)


def test_a_feed_that_fails_half_way_is_no_feed(client, oil, make_variant, monkeypatch):
    """The web server would end a streamed one as if it were whole: 200 with its first lines."""
    broken, write_item = make_variant().sku, merchant_feed._item

    def fail_at(variant, *about, **more):
        if variant.sku == broken:
            raise OperationalError("gone")
        return write_item(variant, *about, **more)

    monkeypatch.setattr(merchant_feed, "_item", fail_at)
    client.raise_request_exception = False
    answer = client.get("/feeds/merchant-in.xml")
    assert answer.status_code >= 500 and b"<item>" not in answer.content
    monkeypatch.undo()
    whole = client.get("/feeds/merchant-in.xml")
    assert whole["Content-Length"] == str(len(b"".join(whole.streaming_content)))


def test_a_feed_is_kept_for_an_hour(client, oil, make_variant, monkeypatch):
    first = b"".join(client.get("/feeds/merchant-in.xml").streaming_content)
    make_variant()
    monkeypatch.setattr(time, "time", lambda now=time.time: now() + 3500)
    assert b"".join(client.get("/feeds/merchant-in.xml").streaming_content) == first
    monkeypatch.setattr(time, "time", lambda now=time.time: now() + 200)
    assert b"SKU-3" in b"".join(client.get("/feeds/merchant-in.xml").streaming_content)


def test_a_feed_that_fails_leaves_the_one_before(client, oil, monkeypatch):
    first = b"".join(client.get("/feeds/merchant-in.xml").streaming_content)
    monkeypatch.setattr(views, "KEPT_SECONDS", 0)
    with monkeypatch.context() as broken:
        broken.setattr(merchant_feed, "slabs_of", {}.__getitem__)
        client.raise_request_exception = False
        assert client.get("/feeds/merchant-in.xml").status_code == 500
    answer = client.head("/feeds/merchant-in.xml")
    assert (answer.status_code, answer["Content-Length"]) == (200, str(len(first)))
    assert b"".join(client.get("/feeds/merchant-in.xml").streaming_content) == first


def test_head_has_no_feed_made(client, oil, django_assert_num_queries):
    assert client.get("/feeds/merchant-us.xml").status_code == 200  # the markets are known
    with django_assert_num_queries(0):
        answer = client.head("/feeds/merchant-in.xml")
    assert answer.status_code == 200 and not answer.has_header("Content-Length")


def test_while_a_feed_is_made_another_is_asked_for_later(client, oil):
    with being_made():
        answer = client.get("/feeds/merchant-in.xml")
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "60", "no-store")
    assert client.get("/feeds/merchant-in.xml").status_code == 200


def test_a_feed_is_written_page_by_page(client, oil, make_variant, monkeypatch):
    skus = {"SKU-1", "SKU-2", *(make_variant().sku for _ in range(4))}
    monkeypatch.setattr(merchant_feed, "BATCH", 2)
    found = [item["id"] for item in items(client, "in")]
    assert set(found) == skus and len(found) == len(skus)


@pytest.mark.parametrize("path", FILES)
def test_everyone_gets_the_same_and_may_keep_it(client, oil, path):
    client.cookies["deliver_to"] = "AU"
    answer = client.get(path)
    assert answer["Cache-Control"] == "public, max-age=3600"
    assert not answer.has_header("Vary") or "Cookie" not in answer["Vary"]
    assert b"/en-au/" not in b"".join(answer)
    assert client.get(f"/en-in{path}").status_code == 404


@pytest.mark.parametrize("path", ["/feeds/merchant-de.xml", "/sitemaps/de/products-1.xml", "/sitemaps/in/other-1.xml"])
def test_what_is_not_indexed_has_none(client, oil, path):
    assert client.get(path).status_code == 404
