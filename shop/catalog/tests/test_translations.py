"""Names and texts of the catalogue in the language of the page: by field, with English where nobody translated."""

import json
from dataclasses import replace

import pytest
from django.utils import translation

from shop.cart.models import Cart
from shop.content.models import HomeRow
from shop.invalidation.services import invalidate
from shop.markets.models import Location
from shop.translated import Fallback

from ..models import Attribute, AttributeValue, Brand, Category, HealthConcern, Product, Variant
from ..products.page import product_page
from ..services import refresh_products

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def languages(settings):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")


@pytest.fixture
def soap(make_product, make_variant):
    """Translated to Hindi but for its highlight; its brand is not."""
    product = make_product("Neem Soap", highlight="Cured for six weeks", dosage="Lather with wet hands")
    product.translations = {"hi": {"name": "नीम साबुन", "dosage": "गीले हाथों से झाग बनाएँ"}}
    product.save()
    product.category.translations = {"hi": {"name": "आयुर्वेद"}, "ar": {"name": "الأيورفيدا"}}
    product.category.save()
    concern = HealthConcern.objects.create(name="Skin care", slug="skin", translations={"hi": {"name": "त्वचा"}})
    product.health_concerns.add(concern)
    variant = make_variant(product=product, net_quantity=125, net_unit="g", ingredients="Neem, Coconut oil")
    flavour = Attribute.objects.create(name="Scent", slug="scent", translations={"hi": {"name": "सुगंध"}})
    rose = AttributeValue.objects.create(attribute=flavour, value="Rose", translations={"hi": {"value": "गुलाब"}})
    variant.attribute_values.add(rose)
    HomeRow.objects.create(kind=HomeRow.Kind.HOT_SELLING)
    invalidate("shop")
    return variant


def shown(client, path):
    return client.get(path).content.decode()


@pytest.mark.parametrize("path", ["/hi-in/", "/hi-in/products/ayurveda/", "/hi-in/search/neem/"])
def test_cards_and_menu_are_in_the_language_of_the_page(client, soap, path):
    page = shown(client, path)
    assert '<span class="card__name">नीम साबुन</span>' in page
    assert '<span class="card__brand" lang="en">Vanamitra</span>' in page, "the brand has no Hindi name"
    assert "आयुर्वेद</a>" in page and "125 ग्राम" in page


def test_the_english_page_stays_as_it_was(client, soap):
    for path in ("/en-in/", "/en-in/products/ayurveda/", "/en-in/product/neem-soap/"):
        page = shown(client, path)
        assert "Neem Soap" in page and "नीम" not in page and 'lang="en" dir' not in page
        assert page.count('lang="en"') - page.count('hreflang="en"') <= 3, "the page, and the two pickers"


def test_the_page_of_a_product_falls_back_by_field(client, soap):
    page = shown(client, "/hi-in/product/neem-soap/")
    assert '<h1 class="product__name">नीम साबुन</h1>' in page and "<title>नीम साबुन" in page
    assert "<div><p>गीले हाथों से झाग बनाएँ</p></div>" in page
    assert '<div lang="en"><ul class="highlights"><li>Cured for six weeks</li></ul></div>' in page
    assert '<ul class="tags" lang="en"><li class="tag">Neem</li>' in page
    assert "<legend>सुगंध</legend>" in page and "गुलाब" in page and "Rose" not in page


def test_on_a_page_that_runs_the_other_way_english_has_its_direction(client, soap):
    page = shown(client, "/ar-ae/product/neem-soap/")
    assert '<h1 class="product__name" lang="en" dir="ltr">Neem Soap</h1>' in page and "الأيورفيدا" in page


def test_filters_show_the_language_and_addresses_stay(client, soap, make_product, make_variant):
    other = make_variant(product=make_product("Rose Water", category=soap.product.category)).product
    other.health_concerns.add(HealthConcern.objects.create(name="Allergy", slug="allergy"))
    refresh_products([other.pk])
    page = shown(client, "/hi-in/products/ayurveda/?concern=skin")
    assert 'value="Rose"><span>गुलाब</span>' in page
    assert 'value="skin" checked><span>त्वचा</span>' in page and '<span lang="en">Allergy</span>' in page


def test_no_page_takes_a_query_more_in_another_language(client, soap, django_assert_max_num_queries):
    """The English page first, each from a process that remembers nothing."""
    for path in ("", "products/ayurveda/", "product/neem-soap/", "search/neem/", "brands/"):
        counts = []
        for prefix in ("/en-in/", "/hi-in/"):
            client.get(f"{prefix}cart/")
            invalidate("shop")
            with django_assert_max_num_queries(100) as asked:
                assert client.get(f"{prefix}{path}").status_code == 200
            counts.append(len(asked))
        assert counts[1] <= counts[0], path


def test_calls_answer_in_the_language_that_they_ask_for(client, soap):
    body = {"product": "neem-soap", "deliver_to": 1, "currency": "INR", "language": "hi"}
    product = client.post("/get-product/", json.dumps(body), "application/json").json()
    assert (product["name"], product["brand"]["name"]) == ("नीम साबुन", "Vanamitra")
    assert product["attributes"] == {"सुगंध": ["गुलाब"]} and product["dosage"].startswith("गीले")
    menu = client.get("/get-menu-list/?language=hi").json()
    assert menu[0]["name"] == "आयुर्वेद" and client.get("/get-menu-list/").json()[0]["name"] == "Ayurveda"


@pytest.mark.parametrize(("name", "label"), [("Scent", "Rose"), ("सुगंध", "गुलाब"), ("scent", "rose")])
def test_calls_take_names_in_english_and_in_their_language(client, soap, name, label):
    body = {"category": "आयुर्वेद" if name == "सुगंध" else "ayurveda", "attributes": {name: [label]}, "language": "hi"}
    found = client.post("/get-category-products/", json.dumps(body), "application/json").json()
    assert found["total_products"] == 1, found


def test_the_cart_shows_the_language_and_keeps_english_for_the_order(browser_client, soap):
    browser_client.post("/hi-in/cart/add/", {"variant": soap.pk, "quantity": 1})
    page = shown(browser_client, "/hi-in/cart/")
    assert ">नीम साबुन</a>" in page and "सुगंध: गुलाब" in page
    assert Cart.objects.count() == 1


def test_a_new_translation_is_seen_at_once_on_every_kind_of_page(client, soap):
    paths = ("/hi-in/", "/hi-in/products/ayurveda/", "/hi-in/product/neem-soap/")
    for path in paths:
        assert "नीम स्नान" not in shown(client, path)
    product = soap.product
    product.translations["hi"]["name"] = "नीम स्नान साबुन"
    product.save(update_fields=["translations"])
    refresh_products([product.pk])
    for path in paths:
        assert "नीम स्नान" in shown(client, path)


def test_saving_in_another_language_writes_english_as_it_was(soap):
    with translation.override("hi"):
        row = Product.objects.get()
        assert (row.name, row.translated.name) == ("Neem Soap", "नीम साबुन")
        row.save()
    assert Product.objects.values_list("name", flat=True).get() == "Neem Soap"


def test_what_staff_emptied_in_english_is_gone_in_every_language(soap):
    Product.objects.update(dosage="")
    with translation.override("hi"):
        assert Product.objects.get().translated.dosage == ""


def test_a_title_that_is_not_translated_does_not_hide_a_name_that_is(soap, india):
    Product.objects.update(title="Neem Soap, cold-processed", meta_title="Neem Soap by Vanamitra")
    invalidate("product", [soap.product_id])
    with translation.override("hi"):
        page = product_page("neem-soap", replace(india, language="hi"))
        assert (page.title, page.meta_title) == ("नीम साबुन", "नीम साबुन")
    with translation.override("ar"):
        page = product_page("neem-soap", replace(india, language="ar"))
        assert page.title == "Neem Soap, cold-processed" and isinstance(page.title, Fallback)


def test_a_field_without_translations_is_an_error(soap):
    with pytest.raises(AttributeError, match="no translations"):
        soap.product.translated.maker  # noqa: B018


def test_letters_are_kept_as_they_are(soap):
    assert Product.objects.filter(translations__hi__name="नीम साबुन").exists()


def test_rows_of_a_release_before_have_none():
    for model in (Brand, Category, Product, Variant, Location):
        assert model._meta.get_field("id") and (model is Location or model().translations == {})
