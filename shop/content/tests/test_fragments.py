"""What pages of a market share is made once, and again when it changes."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from shop.catalog.models import Brand, Category, Product
from shop.catalog.stock import services as stock
from shop.invalidation import subscriptions
from shop.invalidation.services import invalidate

from ..models import HomeRow

LISTING = "/en-in/products/ayurveda/"


@pytest.fixture
def see(client, db):
    """see(path): the page, after news were heard."""
    return lambda path: client.get(path).content.decode()


def test_header_and_footer_follow_the_menu_and_keep_to_their_market(see, make_variant):
    make_variant()
    assert 'href="/en-in/products/ayurveda/"' in see("/en-in/brands/")
    assert 'href="/en-us/products/ayurveda/"' in see("/en-us/brands/")
    assert "/en-in/" not in see("/en-us/brands/").partition("<body>")[2]
    Category.objects.create(name="Unani", slug="unani", path="unani")
    assert 'href="/en-in/products/unani/"' in see("/en-in/brands/")


def test_cards_are_made_once_and_again_when_their_product_changes(see, make_variant):
    HomeRow.objects.create(kind=HomeRow.Kind.HOT_SELLING)
    variant, other = make_variant(price="100"), make_variant(price="200")
    see("/en-in/")
    with CaptureQueriesContext(connection) as queries:
        page = see("/en-in/")
    assert len(queries) == 0
    assert "₹100" in page and "₹200" in page
    Product.objects.filter(pk=other.product_id).update(name="Renamed behind the back")
    variant.selling_price = 90
    variant.save()
    invalidate("product", [variant.product_id])
    page = see("/en-in/")
    assert "₹90" in page
    assert "Renamed behind the back" not in page  # only what changed is read again


def test_a_card_in_another_market_or_size_is_another_card(see, make_variant):
    HomeRow.objects.create(kind=HomeRow.Kind.HOT_SELLING)
    make_variant(price="8600")
    assert "₹8,600" in see("/en-in/") and 'href="/en-in/product/product-1/"' in see("/en-in/")
    assert "₹8,600" not in see("/en-us/") and 'href="/en-us/product/product-1/"' in see("/en-us/")
    assert 'href="/product/product-1/"' in see("/")
    assert 'loading="eager"' in see(LISTING) and 'loading="eager"' not in see("/en-in/").partition("card__picture")[2]


def test_a_brand_s_new_name_stands_on_its_cards(see, make_variant):
    HomeRow.objects.create(kind=HomeRow.Kind.HOT_SELLING)
    make_variant()
    assert "Vanamitra" in see("/en-in/")
    brand = Brand.objects.get()
    brand.name = "Himavana"
    brand.save()
    assert "Vanamitra" not in see("/en-in/")


def test_a_product_that_is_gone_leaves_the_home_page(see, make_variant):
    HomeRow.objects.create(kind=HomeRow.Kind.HOT_SELLING)
    gone, stays = make_variant(), make_variant()
    assert gone.product.name in see("/en-in/")
    gone.product.is_published = False
    gone.product.save()
    page = see("/en-in/")
    assert gone.product.name not in page and stays.product.name in page


def test_a_product_page_follows_its_stock_its_variant_and_its_market(see, make_variant):
    variant = make_variant(price="8600", units=3)
    own = f"/en-in/product/{variant.product.slug}/"
    assert "₹8,600" in see(own) and "<option>3" in see(own)
    assert "₹8,600" not in see(own.replace("-in", "-us"))
    stock.receive(variant, -2)
    subscriptions.check_at_once()  # the second is over in which nobody asks
    assert "<option>3" not in see(own)
    larger = make_variant(price="9900", product=variant.product)
    assert "₹9,900" in see(f"{own}?variant={larger.sku}")
    see(own)
    with CaptureQueriesContext(connection) as queries:
        see(own)
    assert len(queries) == 0
