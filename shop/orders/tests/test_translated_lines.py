"""Names of products in an order: English for the record, and as they were then in every language of the shop."""

from dataclasses import replace

import pytest
from django.utils import translation

from shop.cart.services import open_cart
from shop.catalog.models import Attribute
from shop.messaging.models import Message
from shop.orders.placing.reorder import refusals_of, reorder
from shop.orders.placing.services import confirm_order
from shop.orders.returns.cancellation import cancel_units
from shop.orders.shipping.progress import tracking_events_of
from shop.orders.shipping.services import ship
from shop.translated import translated_models

from ..invoices.pdf import draw_invoice
from ..models import Order, OrderLine

pytestmark = pytest.mark.django_db
HONEY = {"hi": {"name": "जंगली शहद"}, "ar": {"name": "عسل الغابة"}}


@pytest.fixture(autouse=True)
def languages(settings):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")


@pytest.fixture
def honey(make_product, make_variant):
    variant = make_variant(price="250", units=9, product=make_product("Forest Honey", translations=HONEY))
    brand = variant.product.brand
    brand.translations = {"hi": {"name": "वनमित्र"}}
    brand.save(update_fields=["translations"])
    size = Attribute.objects.create(name="Size", slug="size", translations={"hi": {"name": "साइज़"}})
    variant.attribute_values.add(size.values.create(value="250", unit="g"))
    return variant


@pytest.fixture
def order_in(honey, india, new_buyer, order_of):
    """order_in("hi"): an unpaid order of two jars that was placed in a language."""
    return lambda language: order_of(new_buyer({honey: 2}), replace(india, language=language))


def test_a_line_keeps_the_names_of_each_language(order_in):
    line = order_in("hi").lines.get()
    english = [line.product_name, line.brand_name, line.facts, line.options]
    assert english == ["Forest Honey", line.variant.product.brand.name, "Size: 250 g", "250 g"]
    hindi = {"product_name": "जंगली शहद", "brand_name": "वनमित्र", "facts": "साइज़: 250 ग्राम", "options": "250 ग्राम"}
    assert line.translations == {
        "hi": hindi,
        "ar": {"product_name": "عسل الغابة", "facts": "Size: 250 غ", "options": "250 غ"},
    }


def test_a_later_name_leaves_the_order_alone(order_in, honey):
    line = order_in("hi").lines.get()
    honey.product.translations = {"hi": {"name": "नया शहद"}}
    honey.product.save(update_fields=["translations"])
    with translation.override("hi"):
        assert OrderLine.objects.get(pk=line.pk).translated.product_name == "जंगली शहद"


def test_nobody_is_asked_to_translate_what_orders_keep():
    assert OrderLine not in translated_models()


@pytest.mark.parametrize(("language", "name"), [("en", "Forest Honey"), ("hi", "जंगली शहद"), ("ar", "عسل الغابة")])
def test_mails_and_the_invoice_name_products_in_the_language_of_the_order(order_in, settings, language, name):
    settings.ORDER_DESK_EMAIL = "desk@example.com"
    order = order_in(language)
    with translation.override("hi"):  # the page that happens to send it
        confirm_order(order, actor="provider")
        cancel_units(order, {order.lines.get().pk: 1}, actor="customer")
    ship(Order.objects.get(pk=order.pk), actor="staff:1")
    texts = dict(Message.objects.values_list("kind", "text"))
    for kind in ("order_placed", "order_items_cancelled", "order_shipped"):
        assert name in texts[kind], kind
    assert "Forest Honey" in texts["desk_order"]
    row = order.invoices.first().content["rows"][0]
    assert "Forest Honey" in row["name"] and name in row.get("own_name", row["name"])
    assert draw_invoice(order.invoices.first()).startswith(b"%PDF")


def test_pages_name_products_in_the_language_of_the_page(order_in, client):
    order = order_in("hi")
    confirm_order(order, actor="provider")
    client.force_login(order.customer)
    for path in (f"order-detail/{order.number}/", "orders/", f"order-detail/{order.number}/cancel-items/"):
        assert "जंगली शहद" in client.get(f"/hi-in/{path}").text, path
        assert "Forest Honey" in client.get(f"/en-in/{path}").text, path


def test_notes_and_refusals_name_products_in_the_language_of_the_page(order_in, honey, india):
    order = order_in("en")
    confirm_order(order, actor="provider")
    cancel_units(order, {order.lines.get().pk: 1}, actor="customer")
    assert any("Forest Honey" in event.note for event in order.events.all())
    honey.is_active = False
    honey.save(update_fields=["is_active"])
    with translation.override("hi"):
        assert any("जंगली शहद" in event.words for event in tracking_events_of(Order.objects.get(pk=order.pk)))
        assert "जंगली शहद" in refusals_of(reorder(order, open_cart(order.customer), india))[0]


def test_a_name_without_a_translation_is_marked_as_english(order_in, client):
    order = order_in("hi")
    OrderLine.objects.update(translations={})
    client.force_login(order.customer)
    for place, attributes in (("hi-in", ' lang="en"'), ("ar-ae", ' lang="en" dir="ltr"')):
        page = client.get(f"/{place}/order-detail/{order.number}/").text
        assert f"{attributes}>Forest Honey<" in page


def test_calls_answer_the_names_in_the_language_that_they_ask_for(order_in, client):
    order = order_in("en")
    client.force_login(order.customer)
    asked = {"content_type": "application/json", "headers": {"Accept-Language": "hi", "Sec-Fetch-Site": "same-origin"}}
    (item,) = client.post("/user-orders/", {}, **asked).json()[0]["order_items"]
    assert (item["product_name"], item["brand"]["name"]) == ("जंगली शहद", "वनमित्र")
