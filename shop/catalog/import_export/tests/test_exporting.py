"""Products as a file: complete, safe from formulas, and read back by the importer without a change."""

import csv
from decimal import Decimal
from io import BytesIO, StringIO

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from ...models import Attribute, HealthConcern, Product, Variant
from ..formats.base import detect_format
from ..formats.shop_export import product_rows
from ..report import Outcome, Report
from ..run import Request, import_products

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def stocked(make_product, make_variant):
    """Two products that have everything, nasty names included."""
    soap = make_product("=HYPERLINK(1)", maker="@maker", highlight="<p>Fine</p>", shelf_life_months=12)
    oil = make_product("Neem Oil", handle="neem-oil")
    size = Attribute.objects.create(name="Size", slug="size").values.create(value="100", unit="g")
    soap.health_concerns.add(HealthConcern.objects.create(name="Skin Care", slug="skin-care"))
    bar = make_variant("100", actual="120.50", product=soap, units=7, composition_json={"Composition": {"Neem": "5 %"}})
    bar.attribute_values.add(size)
    bar.fixed_prices.create(location_id=22, selling_price=Decimal("4.50"), actual_price=Decimal(5))
    make_variant("80", product=oil, units=3)
    return Product.objects.all()


def export(desk, how, products):
    body = {"action": how, "_selected_action": [p.pk for p in products], "index": "0", "select_across": "0"}
    answer = desk.post(reverse("admin:catalog_product_changelist"), body)
    assert answer.status_code == 200 and answer.streaming
    return answer, b"".join(answer.streaming_content)


def bring_back(path, report, **choices):
    with Report(report) as told:
        import_products(Request(path, detect_format(path), {}, **choices), told, lambda done, total: None)
    return {outcome: number for outcome, number in told.counts.items() if number}


def test_a_csv_holds_prices_of_each_market_and_stock(desk, stocked):
    answer, data = export(desk, "export_csv", stocked)
    assert answer["Content-Disposition"] == 'attachment; filename="products.csv"'
    rows = list(csv.DictReader(StringIO(data.decode("utf-8-sig"), newline="")))
    soap = next(row for row in rows if row["name"] == "'=HYPERLINK(1)")
    assert (soap["maker"], soap["selling_price"], soap["actual_price"], soap["stock"]) == (
        "'@maker",
        "100.00",
        "120.50",
        "7",
    )
    assert (soap["selling_price_us"], soap["actual_price_us"]) == ("4.500", "5.000")
    assert (soap["option1_name"], soap["option1_value"], soap["concerns"]) == ("Size", "100 g", "Skin Care")


def test_a_workbook_holds_the_same(desk, stocked):
    _, data = export(desk, "export_xlsx", stocked)
    header, *rows = load_workbook(BytesIO(data)).active.iter_rows(values_only=True)
    names = {row[header.index("name")]: row[header.index("stock")] for row in rows}
    assert names == {"'=HYPERLINK(1)": 7, "Neem Oil": 3}


def test_what_was_exported_comes_back_unchanged(desk, stocked, tmp_path):
    path = tmp_path / "products.csv"
    path.write_bytes(export(desk, "export_csv", stocked)[1])
    assert detect_format(path) == "shop"
    assert bring_back(path, tmp_path / "report.csv", take_stock=True) == {Outcome.UNCHANGED: 2}


def test_a_changed_price_of_a_market_is_taken_over(desk, stocked, tmp_path):
    path = tmp_path / "products.csv"
    path.write_bytes(export(desk, "export_csv", stocked)[1].replace(b"4.500,5.000", b"4.250,5.000"))
    assert bring_back(path, tmp_path / "report.csv") == {Outcome.UNCHANGED: 1, Outcome.UPDATED: 1}
    assert Variant.objects.get(fixed_prices__location=22).fixed_prices.get().selling_price == Decimal("4.25")


@pytest.mark.parametrize("prices", [b"6.00,5.00", b"0,5.00", b"x,5.00"])
def test_a_senseless_price_of_a_market_refuses_its_row(desk, stocked, tmp_path, prices):
    path = tmp_path / "products.csv"
    path.write_bytes(export(desk, "export_csv", stocked)[1].replace(b"4.500,5.000", prices))
    assert bring_back(path, tmp_path / "report.csv") == {Outcome.UNCHANGED: 1, Outcome.REFUSED: 1}


def test_more_products_take_no_more_queries(stocked, make_variant, django_assert_max_num_queries):
    def queries():
        with django_assert_max_num_queries(20) as asked:
            list(product_rows(Product.objects.all()))
        return len(asked)

    queries()  # hears what changed
    few = queries()
    for _ in range(4):
        make_variant()
    queries()
    assert queries() == few
