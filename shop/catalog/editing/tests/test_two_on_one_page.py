"""A product's page that meets other writes, comes twice, comes back with an error, or is very large."""

import re
from decimal import Decimal

import pytest
from django.contrib.admin.models import DELETION, LogEntry
from django.urls import reverse

from shop.tests.backoffice.test_back_office import form_of

from ...models import Product, Variant, VariantImage
from ...pictures.services import add_picture
from ...stock import services as stock
from ..archiving import remove_products
from ..rows import VariantRowSet
from .conftest import address, drawing, order_of, row

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def options_of(variant):
    return sorted((value.attribute.name, value.label) for value in variant.attribute_values.all())


def opened(desk, variant):
    """The page with the names of its options."""
    page = desk.get(address(variant))
    return form_of(page) | dict(
        re.findall(r'name="(option_(?:was|name)_[0-9])" value="([^"]*)"', page.content.decode())
    )


def added(sent, number, **fields):
    """The page with one row more."""
    return sent | {"variants-TOTAL_FORMS": number + 1} | row(number, is_active="on", max_purchase_qty=4, **fields)


# --- Two people -------------------------------------------------------------------------------------


def test_options_of_two_people_are_both_kept(desk, save, make_variant):
    variant = make_variant()
    save(address(variant), {"option_name_0": "Size"} | row(0, option_0="50 g"))
    mine, theirs = opened(desk, variant), opened(desk, variant)
    desk.post(address(variant), theirs | {"option_name_1": "Aroma"} | row(0, option_1="Mint"))
    assert options_of(variant) == [("Aroma", "Mint"), ("Size", "50 g")]
    assert desk.post(address(variant), mine | {"maker": "Vanamitra"}).status_code == 302
    assert options_of(variant) == [("Aroma", "Mint"), ("Size", "50 g")]
    desk.post(address(variant), mine | row(0, option_0="60 g"))
    assert options_of(variant) == [("Aroma", "Mint"), ("Size", "60 g")]


def test_without_the_names_that_the_page_had_a_value_would_stand_under_another_option(
    desk,
    save,
    make_variant,
    monkeypatch,
):
    """The negative control."""
    monkeypatch.setattr(VariantRowSet, "_names_shown", lambda rows: [])
    monkeypatch.setattr(VariantRowSet, "dropped_options", [])  # which would ask first
    variant = make_variant()
    save(address(variant), {"option_name_0": "Size"} | row(0, option_0="50 g"))
    mine, theirs = opened(desk, variant), opened(desk, variant)
    desk.post(address(variant), theirs | {"option_name_1": "Aroma"} | row(0, option_1="Mint"))
    desk.post(address(variant), mine | {"maker": "Vanamitra"})
    assert ("Size", "Mint") in options_of(variant)


def test_a_text_that_came_to_differ_after_the_page_was_opened_is_not_lost_unsaid(desk, make_variant):
    first = make_variant()
    second = make_variant(product=first.product)
    sent = form_of(desk.get(address(first))) | {"ingredients": "Neem"}
    Variant.objects.filter(pk=second.pk).update(ingredients="Tulsi")
    page = desk.post(address(first), sent).content.decode()
    assert "variants now differ here" in page and "Neem" in page
    assert Variant.objects.get(pk=second.pk).ingredients == "Tulsi"


def test_a_picture_of_somebody_else_outlives_an_error_in_my_form(desk, illustrated):
    variant, (green, red), shown = illustrated
    sent = form_of(desk.get(address(variant))) | shown
    blue = add_picture(drawing("blue").read())
    VariantImage.objects.create(variant=variant, picture=blue, position=5)
    variant.variant_images.filter(picture=green).delete()
    refused = desk.post(address(variant), sent | {"name": ""})
    shown = re.findall(r'name="picture_shown" value="([0-9]+)"', refused.content.decode())
    assert shown == [str(green), str(red)]
    desk.post(address(variant), form_of(refused) | {"name": "Neem", "picture_shown": shown, "picture": [green, red]})
    assert set(order_of(variant)) == {red, blue.pk}


def test_what_was_ticked_to_go_stays_ticked_after_an_error(desk, illustrated):
    variant, (green, _), shown = illustrated
    sent = form_of(desk.get(address(variant))) | shown | {"picture_remove": [green], "name": ""}
    page = desk.post(address(variant), sent).content.decode()
    assert f'name="picture_remove" value="{green}" checked' in page


def test_an_archived_product_is_not_published_before_it_is_restored(desk, save, make_variant):
    variant = make_variant(units=5)
    remove_products([variant.product_id])
    assert "Restore it first" in save(address(variant), {"is_published": "on"}).content.decode()
    body = {"action": "publish", "_selected_action": [variant.product_id]}
    page = desk.post(reverse("admin:catalog_product_changelist") + "?archived=yes", body, follow=True)
    assert "Archived products were left out" in page.content.decode()
    assert not Product.objects.get().is_published


# --- Sent twice -------------------------------------------------------------------------------------


def test_a_new_row_that_arrives_twice_makes_one_variant(desk, make_variant):
    variant = make_variant(units=5)
    page = form_of(desk.get(address(variant)))
    sent = added(page, 1, option_0="50 g", selling_price=90, units=7) | {"option_name_0": "Size"}
    assert desk.post(address(variant), sent).status_code == 302
    again = desk.post(address(variant), sent)
    assert "There is already a variant with these options" in again.content.decode()
    assert list(variant.product.variants.values_list("on_hand", flat=True)) == [5, 7]


def test_skus_change_places_in_one_save(desk, make_variant):
    first = make_variant()
    second = make_variant(product=first.product)
    names = (first.sku, second.sku)
    sent = form_of(desk.get(address(first))) | row(0, sku=names[1]) | row(1, sku=names[0])
    assert desk.post(address(first), sent).status_code == 302
    assert [Variant.objects.get(pk=one.pk).sku for one in (first, second)] == [names[1], names[0]]


def test_a_sku_that_a_later_row_gives_up_is_taken_by_an_earlier_one(desk, make_variant):
    first = make_variant()
    second = make_variant(product=first.product)
    sent = form_of(desk.get(address(first))) | row(0, sku=second.sku) | row(1, sku="NEW")
    assert desk.post(address(first), sent).status_code == 302
    assert [Variant.objects.get(pk=one.pk).sku for one in (first, second)] == [second.sku, "NEW"]


def test_a_sku_of_another_product_is_refused_at_its_cell(desk, make_variant):
    variant, other = make_variant(), make_variant()
    answer = desk.post(address(variant), form_of(desk.get(address(variant))) | row(0, sku=other.sku))
    assert "with this SKU already exists" in answer.content.decode()


# --- A new variant ----------------------------------------------------------------------------------


def test_a_new_variant_has_the_texts_and_pictures_of_all(desk, illustrated):
    variant, ids, shown = illustrated
    Variant.objects.update(description="<p>Leaves</p>", composition_json={"Composition": {"Root": "1 g"}})
    page = form_of(desk.get(address(variant))) | shown
    sent = added(page, 1, option_0="50 g", selling_price=90) | {"option_name_0": "Size"}
    assert desk.post(address(variant), sent).status_code == 302
    made = variant.product.variants.exclude(pk=variant.pk).get()
    assert (made.description, made.composition_json) == ("<p>Leaves</p>", {"Composition": {"Root": "1 g"}})
    assert order_of(made) == ids
    assert "Differs between the variants" not in desk.get(address(variant)).content.decode()


# --- Odd numbers ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("selling_price", "1,200"), ("selling_price", "₹90"), ("selling_price", "NaN"), ("selling_price", "-1"),
        ("selling_price", "90.0000000001"), ("selling_price", "=1+1"), ("selling_price", "1e99"),
        ("selling_price", ""), ("units", "1.5"), ("units", "-6"), ("units", "99999999999"), ("sku", ""),
        ("weight_actual", "Infinity"), ("weight_actual", "-5"), ("max_purchase_qty", "0"), ("barcode", "8" * 41),
    ],
)  # fmt: skip
def test_odd_numbers_are_refused_at_their_cell_and_shown_again(save, make_variant, name, typed):
    variant = make_variant(units=5)
    answer = save(address(variant), row(0, **{name: typed, "received": 5}))
    page = answer.content.decode()
    assert answer.status_code == 200 and "edit-bad" in page and f'value="{typed}"' in page
    variant.refresh_from_db()
    assert (variant.selling_price, variant.on_hand) == (100, 5)


# --- Large ones -------------------------------------------------------------------------------------


def test_pictures_beyond_the_sixtieth_are_not_lost(save, desk, make_variant, make_pictures):
    variant, ids = make_variant(), make_pictures(63)
    VariantImage.objects.bulk_create(
        VariantImage(variant=variant, picture_id=pk, position=at) for at, pk in enumerate(ids)
    )
    moved = [ids[-1], *ids[:-1]]
    save(address(variant), {"gallery": "yes", "picture_shown": ids, "picture": moved})
    assert order_of(variant) == moved


@pytest.fixture
def make_pictures():
    def make(number):
        one = add_picture(drawing().read())
        copies = []
        for at in range(number):
            one.pk, one._state.adding = None, True
            for field in ("digest", "sha256", "key", "name"):
                if hasattr(one, field):
                    setattr(one, field, f"{getattr(one, field)}"[:40] + str(at))
            one.save()
            copies.append(one.pk)
        return copies

    return make


def test_an_option_is_renamed_at_the_variants_of_every_page(save, make_variant, monkeypatch):
    first = make_variant()
    variants = [first, *(make_variant(product=first.product) for _ in range(51))]
    save(address(first), {"option_name_0": "Size"} | row(0, option_0="50 g"))
    save(address(first) + "?variants-page=2", {"option_name_0": "Size"} | row(0, option_0="99 g"))
    save(address(first), {"option_name_0": "Pack"})
    assert [options_of(one) for one in variants if options_of(one)] == [[("Pack", "50 g")], [("Pack", "99 g")]]


def test_an_option_that_loses_its_name_asks_about_the_variants_of_every_page(save, make_variant):
    first = make_variant()
    variants = [first, *(make_variant(product=first.product) for _ in range(51))]
    save(address(first), {"option_name_0": "Size"} | row(0, option_0="50 g"))
    save(address(first) + "?variants-page=2", {"option_name_0": "Size"} | row(0, option_0="99 g"))
    page = save(address(first), {"option_name_0": ""} | row(0, option_0="")).content.decode()
    assert "Remove Size and its value from 1 variant" in page
    assert [options_of(one) for one in variants if options_of(one)] == [[("Size", "50 g")], [("Size", "99 g")]]


def test_two_hundred_variants_take_thirty_queries(desk, make_variant, django_assert_max_num_queries):
    product = make_variant("100", units=5).product
    for _ in range(199):
        variant = make_variant("100", product=product)
        variant.fixed_prices.create(location_id=22, selling_price=Decimal(4), actual_price=Decimal(5))
    url = reverse("admin:catalog_product_change", args=[product.pk])
    desk.get(url)
    with django_assert_max_num_queries(30):
        page = desk.get(url)
    assert page.status_code == 200
    stock.receive(variant, 1)
    assert Product.objects.get().variants.count() == 200


def test_an_import_does_not_publish_what_is_archived(make_variant, import_text):
    variant = make_variant("100", units=5)
    product = variant.product
    Product.objects.filter(pk=product.pk).update(handle="neem-soap")
    remove_products([product.pk])
    import_text(
        f"Handle,Title,Variant SKU,Variant Price,Published,Status\nneem-soap,Neem Soap,{variant.sku},95,TRUE,active\n"
    )
    product.refresh_from_db()
    variant.refresh_from_db()
    assert (variant.selling_price, product.is_published, bool(product.archived_at)) == (95, False, True)


def test_the_list_says_what_was_archived_and_what_was_deleted(desk, make_variant):
    kept, gone = make_variant(units=5), make_variant(units=0)
    chosen = [kept.product_id, gone.product_id]
    body = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
    page = desk.post(reverse("admin:catalog_product_changelist"), body, follow=True).content.decode()
    assert "1 product was archived." in page
    assert "Successfully deleted 2" not in page and "1 product was deleted." in page
    assert list(LogEntry.objects.filter(action_flag=DELETION).values_list("object_id", flat=True)) == [
        str(gone.product_id)
    ]
