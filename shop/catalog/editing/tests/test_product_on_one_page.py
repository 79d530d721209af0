"""One save of a product's page writes its texts, pictures, variants, prices abroad, stock and facts; what two people
did at the same time is kept."""

from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from shop.backoffice import history
from shop.tests.backoffice.test_back_office import form_of

from ...models import AttributeValue, Picture, Product, StockMovement, Variant, VariantImage
from ...pictures.services import add_picture
from ...stock import services as stock
from .conftest import address, drawing, order_of, row

pytestmark = [pytest.mark.django_db, pytest.mark.database]
US, GB, JP = 22, 75, 33
ADD = "admin:catalog_product_add"


# --- A new one --------------------------------------------------------------------------------------


def test_a_new_product_comes_with_variants_markets_pictures_and_stock_in_one_save(desk, make_product):
    other = make_product("Neem Soap")
    leaf, root = add_picture(drawing("green").read()), add_picture(drawing("red").read())
    body = form_of(desk.get(reverse(ADD))) | {
        "name": "Tulsi Tea", "slug": "tulsi-tea", "brand": other.brand_id, "category": other.category_id,
        "is_published": "on", "highlight": "<p>Calm</p><script>x</script>", "description": "<p>Leaves</p>",
        "nutrition_name": ["Energy", ""], "nutrition_amount": ["4 kcal", ""],
        "option_name_0": "Size", "variants-TOTAL_FORMS": 3, "gallery": "yes", "picture": [root.pk, leaf.pk],
    }  # fmt: skip
    for number, size in enumerate(("50 g", "100 g", "250 g")):
        price = 100 * (number + 1)
        body |= row(number, option_0=size, selling_price=price, is_active="on", max_purchase_qty=4, units=5)
        body |= row(number, **{f"market_{US}": number + 2, f"market_{GB}": number + 1, f"market_{GB}_was": 9})
    answer = desk.post(reverse(ADD), body)
    assert answer.status_code == 302, answer.context["errors"]
    tea = Product.objects.get(slug="tulsi-tea")
    made = list(tea.variants.order_by("position", "pk"))
    assert [variant.sku for variant in made] == ["TULSI-TEA-50-G", "TULSI-TEA-100-G", "TULSI-TEA-250-G"]
    assert [(variant.selling_price, variant.actual_price, variant.on_hand) for variant in made] == [
        (100, 100, 5), (200, 200, 5), (300, 300, 5),
    ]  # fmt: skip
    assert [value.label for value in made[1].attribute_values.all()] == ["100 g"]
    prices = made[0].fixed_prices.order_by("location_id").values_list("location_id", "selling_price", "actual_price")
    assert list(prices) == [(US, 2, 2), (GB, 1, 9)]
    assert [variant.description for variant in made] == ["<p>Leaves</p>"] * 3
    assert made[2].nutritional_info_json == {"NutritionalFacts": {"Energy": "4 kcal"}}
    for variant in made:
        assert [image.picture for image in variant.variant_images.order_by("position")] == [root, leaf]
    assert (tea.highlight, tea.first_picture, tea.variant_count, tea.in_stock) == ("<p>Calm</p>", root, 3, True)


def test_an_option_without_a_name_and_a_price_above_the_mrp_are_refused_with_all_that_was_typed(desk, make_variant):
    variant = make_variant()
    sent = form_of(desk.get(address(variant))) | row(0, option_0="Mint", selling_price=900) | {"maker": "Vanamitra Ltd"}
    page = desk.post(address(variant), sent).content.decode()
    assert "Vanamitra Ltd" in page and 'value="Mint"' in page and 'value="900"' in page
    assert Variant.objects.get().selling_price == 100
    page = desk.post(address(variant), sent | row(0, selling_price=90)).content.decode()
    assert "Name option 1 at the head of its column" in page


# --- Prices abroad ----------------------------------------------------------------------------------


def test_a_price_abroad_is_typed_in_its_column_and_cleared_there(save, desk, make_variant):
    variant = make_variant()
    save(address(variant), row(0, **{f"market_{US}": "4.50", f"market_{US}_was": "5", f"market_{GB}": "3.80"}))
    prices = dict(variant.fixed_prices.values_list("location_id", "selling_price"))
    assert prices == {US: Decimal("4.5"), GB: Decimal("3.8")}
    assert f'name="variants-0-market_{US}" value="4.5"' in desk.get(address(variant)).content.decode()
    save(address(variant), row(0, **{f"market_{US}": "", f"market_{US}_was": ""}))
    assert list(variant.fixed_prices.values_list("location_id", flat=True)) == [GB]


@pytest.mark.parametrize(
    ("selling", "actual", "refusal"),
    [
        ("6", "5", "at most the MRP"),
        ("0", "", "above 0"),
        ("4.555", "", "fewer decimals"),
        ("", "5", "Enter the price"),
    ],
)
def test_senseless_prices_abroad_are_refused_and_nothing_is_lost(save, make_variant, selling, actual, refusal):
    variant = make_variant()
    answer = save(address(variant), row(0, **{f"market_{US}": selling, f"market_{US}_was": actual, "barcode": "890"}))
    assert refusal in answer.content.decode() and 'value="890"' in answer.content.decode()
    assert not variant.fixed_prices.exists()


def test_two_people_set_prices_of_two_markets_and_are_asked_about_the_same(desk, make_variant):
    variant = make_variant()
    first, second = form_of(desk.get(address(variant))), form_of(desk.get(address(variant)))
    desk.post(address(variant), first | row(0, **{f"market_{US}": "4"}))
    desk.post(address(variant), second | row(0, **{f"market_{GB}": "3"}))
    assert dict(variant.fixed_prices.values_list("location_id", "selling_price")) == {US: 4, GB: 3}
    answer = desk.post(address(variant), first | row(0, **{f"market_{US}": "7"}))
    assert "after you opened this page" in answer.content.decode()
    assert variant.fixed_prices.get(location=US).selling_price == 4


# --- Stock ------------------------------------------------------------------------------------------


def test_units_are_booked_in_once_however_often_the_form_arrives(desk, make_variant):
    variant = make_variant(units=5)
    sent = form_of(desk.get(address(variant))) | row(0, units=7, received=5)
    assert desk.post(address(variant), sent).status_code == 302
    again = desk.post(address(variant), sent)
    assert "12 on hand now. Save again to book 7 as well" in again.content.decode()
    variant.refresh_from_db()
    assert (variant.on_hand, variant.received) == (12, 12)
    assert list(StockMovement.objects.order_by("pk").values_list("quantity", flat=True)) == [5, 7]


def test_a_sale_meanwhile_is_no_reason_to_ask_and_more_than_there_is_cannot_be_written_off(desk, make_variant):
    variant = make_variant(units=5)
    sent = form_of(desk.get(address(variant))) | row(0, received=5)
    stock.hold({variant.pk: 2}, reference="ORD-1")
    assert "Only 3 are on hand" in desk.post(address(variant), sent | row(0, units=-4)).content.decode()
    assert desk.post(address(variant), sent | row(0, units=1)).status_code == 302
    variant.refresh_from_db()
    assert (variant.on_hand, variant.held, variant.received) == (4, 2, 6)


# --- Texts and facts --------------------------------------------------------------------------------


def test_a_text_that_differs_between_variants_is_left_to_them(save, desk, make_variant):
    first = make_variant()
    second = make_variant(product=first.product)
    Variant.objects.filter(pk=second.pk).update(description="<p>Other</p>")
    assert "Differs between the variants" in desk.get(address(first)).content.decode()
    save(address(first), {"description": "<p>Mine</p>", "ingredients": "Neem"})
    values = list(Variant.objects.order_by("pk").values_list("description", "ingredients"))
    assert values == [("", "Neem"), ("<p>Other</p>", "Neem")]


def test_what_stands_beside_the_rows_of_facts_is_kept(save, make_variant):
    variant = make_variant()
    kept = {"Composition": {"Root": "100 mg"}, "Note": "Tested"}
    Variant.objects.filter(pk=variant.pk).update(composition_json=kept)
    save(address(variant), {"composition_name": ["Root", "Leaf"], "composition_amount": ["120 mg", "5 mg"]})
    variant.refresh_from_db()
    assert variant.composition_json == {"Note": "Tested", "Composition": {"Root": "120 mg", "Leaf": "5 mg"}}
    entry = LogEntry.objects.get()
    assert history.read(entry)[0].fields == [("Composition", "Root 100 mg", "Root 120 mg, Leaf 5 mg")]


def test_facts_of_two_people_are_asked_about(desk, make_variant):
    variant = make_variant()
    mine = form_of(desk.get(address(variant))) | {"nutrition_name": ["Fat"], "nutrition_amount": ["1 g"]}
    Variant.objects.filter(pk=variant.pk).update(nutritional_info_json={"NutritionalFacts": {"Salt": "2 g"}})
    answer = desk.post(address(variant), mine)
    assert "changed this to “Salt 2 g” after you opened this page" in answer.content.decode()


@pytest.mark.parametrize(
    ("names", "refusal"), [(["Fat", "Fat"], "listed twice"), (["", ""], "Enter a name"), (["x" * 200], "longer than")]
)
def test_senseless_facts_are_refused(save, make_variant, names, refusal):
    answer = save(address(make_variant()), {"nutrition_name": names, "nutrition_amount": ["1 g", "2 g"][: len(names)]})
    assert refusal in answer.content.decode()


# --- Options ----------------------------------------------------------------------------------------


def test_renaming_an_option_moves_all_its_values(save, make_variant):
    first = make_variant()
    second = make_variant(product=first.product)
    save(address(first), {"option_name_0": "Size"} | row(0, option_0="50 g") | row(1, option_0="100 g"))
    assert {str(value.attribute) for value in AttributeValue.objects.filter(variants__in=[first, second])} == {"Size"}
    save(address(first), {"option_name_0": "Pack"} | row(1, option_0="two"))
    values = [[(v.attribute.name, v.label) for v in one.attribute_values.all()] for one in (first, second)]
    assert values == [[("Pack", "50 g")], [("Pack", "two")]]


def test_an_option_that_loses_its_name_is_asked_about_before_its_values_go(save, make_variant):
    first = make_variant()
    second = make_variant(product=first.product)
    save(address(first), {"option_name_0": "Size"} | row(0, option_0="50 g") | row(1, option_0="100 g"))

    def kept():
        return [value.label for one in (first, second) for value in one.attribute_values.all()]

    page = save(address(first), {"option_name_0": ""}).content.decode()
    assert "Remove Size and its values from 2 variants" in page
    assert kept() == ["50 g", "100 g"]
    page = save(address(first), {"option_name_0": ""} | row(0, option_0="")).content.decode()
    assert "Remove Size and its value from 1 variant" in page
    assert kept() == ["50 g", "100 g"]
    assert save(address(first), {"option_name_0": "", "option_drop_0": "on"}).status_code == 302
    assert kept() == []


def test_an_emptied_option_goes_without_a_question(save, make_variant):
    variant = make_variant()
    save(address(variant), {"option_name_0": "Size"} | row(0, option_0="50 g"))
    assert save(address(variant), {"option_name_0": ""} | row(0, option_0="")).status_code == 302
    assert list(variant.attribute_values.all()) == []


# --- Pictures ---------------------------------------------------------------------------------------


def test_pictures_are_added_ordered_and_removed_with_the_rest(save, illustrated):
    variant, (green, red), shown = illustrated
    blue = add_picture(drawing("blue").read())
    save(address(variant), shown | {"maker": "Vanamitra", "picture": [blue.pk, red, green], "picture_remove": [green]})
    assert order_of(variant) == [blue.pk, red]
    variant.product.refresh_from_db()
    assert (variant.product.first_picture, variant.product.maker) == (blue, "Vanamitra")
    assert LogEntry.objects.filter(change_message__contains="Pictures: 1 added, 1 removed").count() == 1


def test_pictures_of_somebody_else_stay_and_theirs_that_went_do_not_come_back(desk, illustrated):
    variant, (green, red), shown = illustrated
    sent = form_of(desk.get(address(variant))) | shown
    blue = add_picture(drawing("blue").read())
    variant.variant_images.filter(picture=green).delete()
    VariantImage.objects.create(variant=variant, picture=blue, position=5)
    desk.post(address(variant), sent | {"picture": [red, green]})
    assert set(order_of(variant)) == {red, blue.pk}


def test_a_picture_may_be_for_one_variant(save, illustrated, make_variant):
    variant, (green, red), shown = illustrated
    other = make_variant(product=variant.product)
    answer = save(
        address(variant), shown | {f"picture_was_{red}": str(variant.pk), f"picture_for_{red}": str(other.pk)}
    )
    assert answer.status_code == 302
    assert (order_of(variant), order_of(other)) == ([green], [red])


def test_without_scripts_files_come_with_the_form_and_numbers_order_them(save, illustrated):
    variant, (green, red), shown = illustrated
    places = {f"picture_place_{green}": "2", f"picture_place_{red}": "1"}
    save(address(variant), shown | places | {"uploads": [drawing("blue")]})
    assert order_of(variant)[:2] == [red, green] and len(order_of(variant)) == 3


def test_a_form_that_is_refused_keeps_the_pictures_that_were_dropped(save, illustrated):
    variant, (green, red), shown = illustrated
    blue = add_picture(drawing("blue").read())
    page = save(address(variant), shown | {"name": "", "picture": [blue.pk, green, red]}).content.decode()
    assert f'name="picture" value="{blue.pk}"' in page
    assert order_of(variant) == [green, red]


def test_a_dropped_file_becomes_a_picture_or_says_why_not(desk, staff_of_orders):
    upload = reverse("admin:catalog_picture_upload")
    answer = desk.post(upload, {"upload": drawing()})
    assert (answer.status_code, answer.json()["id"]) == (200, Picture.objects.get().pk)
    svg = SimpleUploadedFile("leaf.png", b"<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>")
    refused = desk.post(upload, {"upload": svg})
    assert (refused.status_code, refused.json()["detail"]) == (422, "Use a JPEG, PNG or WebP picture.")
    assert desk.post(upload, {}).status_code == 422
    assert staff_of_orders.post(upload, {"upload": drawing()}).status_code == 403


# --- Its history and its end ------------------------------------------------------------------------


def test_the_history_tells_of_form_bulk_and_import(save, desk, manager, make_variant, import_text):
    variant = make_variant()
    save(address(variant), {"maker": "Vanamitra"})
    history.note(manager, variant, why="Repriced", values={"Selling price (INR)": ("100", "90")})
    page = desk.get(reverse("admin:catalog_product_history", args=[variant.product_id])).content.decode()
    assert "Vanamitra" in page and f"{variant.sku}: Repriced" in page


def test_a_product_with_history_is_archived_and_can_be_restored(desk, make_variant):
    variant = make_variant(units=5)
    url = reverse("admin:catalog_product_delete", args=[variant.product_id])
    assert "so it will be archived" in desk.get(url).content.decode()
    desk.post(url, {"post": "yes"})
    product = Product.objects.get(pk=variant.product_id)
    assert product.archived_at and not product.is_published
    changelist = reverse("admin:catalog_product_changelist")
    assert not desk.get(changelist).context["cl"].result_list
    assert list(desk.get(changelist, {"archived": "yes"}).context["cl"].result_list) == [product]
    restore = reverse("admin:catalog_product_restore", args=[product.pk])
    assert "comes back as a draft" in desk.get(restore).content.decode()
    desk.post(restore)
    assert list(desk.get(changelist).context["cl"].result_list) == [product]


def test_one_without_history_is_deleted_and_the_list_does_both(desk, make_variant):
    kept, gone = make_variant(units=5), make_variant(units=0)
    chosen = [kept.product_id, gone.product_id]
    body = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
    desk.post(reverse("admin:catalog_product_changelist"), body)
    assert list(Product.objects.values_list("pk", flat=True)) == [kept.product_id]
    assert Product.objects.get().archived_at


def test_a_variant_that_ever_moved_is_taken_off_sale_in_place_of_deleted(save, make_variant):
    kept = make_variant(units=5)
    gone = make_variant(units=0, product=kept.product)
    save(address(kept), row(0, DELETE="on") | row(1, DELETE="on"))
    assert list(Variant.objects.values_list("pk", "is_active")) == [(kept.pk, False)]
    assert gone.pk != kept.pk
