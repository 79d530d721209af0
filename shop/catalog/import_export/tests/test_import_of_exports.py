"""What comes back from an export changes nothing, whatever staff renamed or a workbook cannot hold."""

import csv
from io import StringIO

import openpyxl
import pytest
from django.core.exceptions import ValidationError

from shop.backoffice.spreadsheets import safe_cell, without_long_cells, xlsx_answer

from ...models import Brand, HealthConcern, Product, Variant, VariantPrice
from ...products.forms import ProductForm
from ..formats.shop_export import product_rows

pytestmark = [pytest.mark.django_db, pytest.mark.database]
HEADER = "handle,sku,name,brand,concerns,published,active,selling_price,actual_price\n"


def export() -> str:
    target = StringIO(newline="")
    csv.writer(target).writerows([safe_cell(cell) for cell in row] for row in product_rows(Product.objects.all()))
    return target.getvalue()


@pytest.fixture
def tonic(import_text):
    import_text(HEADER + "a,S1,Tonic,Dabar,Immunity|Sleep,true,true,10,12\n")
    return Variant.objects.get()


@pytest.mark.parametrize("amount", ["9999999", "27000000", "27000000.5", "999999999"])
def test_high_fixed_prices_come_back(import_text, tonic, amount):
    VariantPrice.objects.create(variant=tonic, location_id=22, selling_price=amount, actual_price=amount)
    assert import_text(export())[0] == [0, 0, 1, 0, 0]


def test_a_brand_or_concern_that_was_renamed_since_is_found_by_its_address(import_text, tonic):
    text = export()
    Brand.objects.filter(name="Dabar").update(name="Dabur")
    HealthConcern.objects.filter(name="Immunity").update(name="Immune health")
    assert import_text(text)[0] == [0, 0, 1, 0, 0]
    assert set(Brand.objects.values_list("name", flat=True)) == {"Dabur"}
    assert set(HealthConcern.objects.values_list("name", flat=True)) == {"Immune health", "Sleep"}


def test_two_products_with_one_handle_keep_what_is_theirs(import_text):
    import_text(HEADER + "a,S1,Aa,X,,false,true,10,12\nb,S2,Bb,Y,,true,true,10,12\n")
    Product.objects.update(handle="h")
    before = list(Product.objects.order_by("pk").values("name", "is_published", "brand__name"))
    assert [row["is_published"] for row in before] == [False, True]
    counts, notes = import_text(export())
    assert counts == [0, 0, 2, 0, 0] and {what for _, what, _ in notes} == {"file"}
    assert list(Product.objects.order_by("pk").values("name", "is_published", "brand__name")) == before


@pytest.mark.parametrize("ends", ["\r\n", "\n", "\r"])
def test_a_workbook_brings_back_line_ends_and_leaves_long_texts_alone(import_text, tonic, ends):
    Variant.objects.update(ingredients=f"a{ends}b{ends}c", description="<p>" + "x" * 40_000 + "</p>")
    before = Variant.objects.values("ingredients", "description").get()
    answer = xlsx_answer("products", without_long_cells(product_rows(Product.objects.all())))
    data = b"".join(answer.streaming_content)
    counts, _ = import_text(data, name="products.xlsx")
    assert counts == [0, 0, 1, 0, 0]
    assert Variant.objects.values("ingredients", "description").get() == before


def test_a_text_that_a_workbook_holds_is_in_it(tmp_path):
    answer = xlsx_answer("x", without_long_cells([["x" * 32_767, "x" * 32_768, "=" * 32_767, 5, None]]))
    (tmp_path / "x.xlsx").write_bytes(b"".join(answer.streaming_content))
    (row,) = openpyxl.load_workbook(tmp_path / "x.xlsx").active.iter_rows(values_only=True)
    assert [len(cell or "") if not isinstance(cell, int) else cell for cell in row[:4]] == [32_767, 0, 0, 5]


@pytest.mark.parametrize(("handle", "is_taken"), [("b", True), (" B ", True), ("c", False), ("a", False), ("", False)])
def test_staff_cannot_give_a_product_the_handle_of_another(import_text, handle, is_taken):
    import_text(HEADER + "a,S1,Aa,X,,true,true,10,12\nb,S2,Bb,Y,,true,true,10,12\n")
    product = Product.objects.get(handle="a")
    form = ProductForm(instance=product)
    form.cleaned_data = {"handle": handle}
    form.changed_data = ["handle"] if handle != "a" else []
    try:
        assert form.clean_handle() == handle.strip().lower() and not is_taken
    except ValidationError:
        assert is_taken
