"""Rows of real files that are not quite right are kept with a remark, and nothing of a file is left out unsaid."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from ...models import PictureAddress, Product, Variant

pytestmark = [pytest.mark.django_db, pytest.mark.database]
SHOPIFY = "Handle,Title,Variant Price,Variant SKU,Variant Grams,Variant Inventory Qty,Image Src\n"
WOO = (
    "ID,Type,SKU,Name,Description,Weight (kg),Sale price,Regular price,Date sale price starts,Date sale price ends,"
    "Parent,Attribute 1 name,Attribute 1 value(s)\n"
)


def of(notes, what):
    return {row: why for row, kind, why in notes if kind == what}


@pytest.mark.parametrize(
    ("grams", "units", "kept", "words"),
    [
        ("12.3456789012", "4", (Decimal("12.346"), 4), "Variant Grams 12.3456789012 was rounded to 12.346"),
        ("5", "-3", (5, 0), "Variant Inventory Qty is -3, below zero, so it counts as 0"),
        ("heavy", "4", (0, 4), "Variant Grams is not a number: 'heavy'; left out"),
        ("-5", "4", (0, 4), "Variant Grams is not a number: '-5'; left out"),
        ("5", "2.5", (5, 0), "Variant Inventory Qty is not a whole number from 0 to 1000000000: '2.5'; left out"),
        ("5", "many", (5, 0), "Variant Inventory Qty is not a whole number from 0 to 1000000000: 'many'; left out"),
    ],
)
def test_a_weight_or_stock_that_makes_no_sense_costs_no_product(import_text, grams, units, kept, words):
    text = SHOPIFY + f"tea,Tea,5,T,{grams},{units},https://p.invalid/1.jpg\ntea,,,,,,https://p.invalid/2.jpg\n"
    counts, notes = import_text(text, take_stock=True, take_pictures=True)
    variant = Variant.objects.get()
    assert (counts, of(notes, "remark")) == ([1, 0, 0, 1, 0], {2: words})
    assert (variant.weight_actual, variant.on_hand) == kept
    assert PictureAddress.objects.count() == 2
    assert import_text(text, take_stock=True, take_pictures=True)[0] == [0, 0, 1, 1, 0]


def test_a_word_that_says_neither_published_nor_not_keeps_back(import_text):
    header = "Handle,Title,Variant Price,Published,Status\n"
    counts, notes = import_text(header + "a,A,5,perhaps,\nb,B,5,true,unlisted\nc,C,5,true,soon\nd,D,5,true,active\n")
    assert counts == [4, 0, 0, 0, 0]
    assert dict(Product.objects.values_list("name", "is_published")) == {"A": False, "B": False, "C": False, "D": True}
    assert set(of(notes, "remark")) == {2, 4}


# --- WooCommerce -----------------------------------------------------------------------


def day(days):
    return (timezone.localdate() + timedelta(days=days)).isoformat()


@pytest.mark.parametrize(
    ("starts", "ends", "price", "words"),
    [
        ("", "2018-01-31", 90, "the sale ended on 2018-01-31: it sells at the regular price"),
        ("2017-12-01", "2018-01-31 23:59:59", 90, "the sale ended on 2018-01-31: it sells at the regular price"),
        ("2017-12-01T00:00:00", "2018-01-31T23:59:59+05:30", 90, "the sale ended on 2018-01-31"),
        (day(1), "", 90, f"the sale begins on {day(1)}"),
        (day(-1), day(0), 70, f"the sale price is valid until {day(0)}"),
        ("", "31/01/2018", 90, "the sale dates cannot be read (… to 31/01/2018)"),
        (day(0), "", 70, ""),
        ("", "", 70, ""),
    ],
)
def test_a_sale_holds_between_its_days(import_text, starts, ends, price, words):
    text = WOO + f"1,simple,b,Balm,,,70,90,{starts},{ends},,,\n"
    _, notes = import_text(text)
    variant = Variant.objects.get()
    assert (variant.selling_price, variant.actual_price) == (price, 90)
    assert of(notes, "remark").get(2, "").startswith(words) and bool(of(notes, "remark")) is bool(words)
    assert import_text(text)[0] == [0, 0, 1, 0, 0]


def test_variations_have_the_description_and_weight_of_their_parent_unless_they_say_their_own(import_text):
    text = (
        WOO + '2,variation,v1,Oil - S,,,,50,,,oil,Size,S\n1,variable,oil,Oil,<p>Cold pressed</p>,0.5,,,,,,Size,"S, L"\n'
        "3,variation,v2,Oil - L,Large,1,,90,,,id:1,Size,L\n"
    )
    assert import_text(text)[0] == [3, 0, 0, 0, 0]
    assert list(Variant.objects.order_by("sku").values_list("sku", "description", "weight_actual")) == [
        ("v1", "<p>Cold pressed</p>", 500), ("v2", "Large", 1000),
    ]  # fmt: skip


def test_a_variable_product_without_variations_is_a_draft_that_the_report_names(import_text):
    text = WOO + '1,variable,oil,Oil,Fine,,,,,,,Size,"S, L"\n2,simple,tea,Tea,,,,5,,,,,\n'
    counts, notes = import_text(text)
    assert (counts, of(notes, "draft")) == ([2, 0, 0, 0, 0], {2: "a variable product without variations in the file"})
    assert dict(Product.objects.values_list("name", "is_published")) == {"Oil": False, "Tea": True}
    import_text(WOO + "3,variation,v1,Oil - S,,,,50,,,oil,Size,S\n")
    counts, notes = import_text(text)
    assert of(notes, "draft") == {} and Product.objects.get(name="Oil").is_published


# --- Tables --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "row", "prices"),
    [
        ("Discounted Price,MRP", "80,100", (80, 100)),
        ("Price,Discounted Price", "100,80", (80, 100)),
        ("Price,Discounted Price", "100,", (100, 100)),
        ("Selling Price,Special Price", "100,0", (100, 100)),
        ("MRP (Rs),Offer Price (INR)", "100,90", (90, 100)),
        ("Regular price,Sale price", "100,", (100, 100)),
        ("M.R.P,Discount Price", "100,70", (70, 100)),
        ("Price,MRP", ",100", (0, 100)),
    ],
)
def test_prices_under_their_usual_names(import_text, header, row, prices):
    import_text(f"name,{header}\nTea,{row}\n")
    assert Variant.objects.values_list("selling_price", "actual_price").get() == prices


def test_columns_that_hold_data_and_have_no_home_are_named_with_their_cells(import_text):
    _, notes = import_text("name,price,Rating,Stock,Image,Empty,URL\nA,1,5,3,x.jpg,  ,\nB,2,,4,,,\nC,3,4,,,,\n")
    assert of(notes, "file") == {
        1: "columns that were not imported, with their cells: rating (2), stock (2, not selected), "
        "image (1, not selected)"
    }
    _, notes = import_text("Handle,Title,Variant Price,Type,Tags,Gift Card\na,A,5,Tea,fine,false\nb,B,5,,leaves,\n")
    assert of(notes, "file")[1].endswith(": tags (1), gift card (1)")


@pytest.mark.parametrize(
    ("cell", "maker", "origin"),
    [
        ("* Mkt: Ipca Ltd * Delivery charges if applicable will be applied at checkout", "Ipca Ltd", ""),
        ("* Mfr: Cipla Ltd\n* Country of Origin: India\n* Delivery charges if applicable", "Cipla Ltd", "IN"),
        ("Mfr: Roche Diabetes Care Gmbh", "Roche Diabetes Care Gmbh", ""),
        ("Manufactured by Cipla", "Cipla", ""),
        ("Marketed By: Zydus | Delivery charge extra", "Zydus", ""),
        ("By Nature", "By Nature", ""),
        ("Made Simple", "Made Simple", ""),
        ("* Delivery charges if applicable", "", ""),
    ],
)  # fmt: skip
def test_a_maker_is_cleaned_of_what_shops_write_around_it(import_text, cell, maker, origin):
    import_text(f'name,manufacturer,price\nTea,"{cell}",5\n')
    product = Product.objects.get()
    assert (product.maker, product.brand.name, product.country_of_origin) == (maker, maker or "Unknown Brand", origin)


def test_brand_and_maker_have_each_their_place(import_text):
    import_text("name,brand,manufacturer,price\nTea,Vanamitra,Vana Labs Ltd,5\n")
    product = Product.objects.get()
    assert (product.brand.name, product.maker) == ("Vanamitra", "Vana Labs Ltd")


def test_salts_of_a_composition_are_all_kept(import_text):
    import_text("name,composition,price\nX,Paracetamol (500mg) + Caffeine 65 mg + Vitamin B12 (as (x+y)) (5 mcg),5\n")
    assert Variant.objects.get().composition_json == {
        "Composition": {"Paracetamol": "500mg", "Caffeine 65 mg": "", "Vitamin B12 (as (x+y))": "5 mcg"}
    }


def test_the_run_itself_stops_where_a_row_was_not_counted(import_text, monkeypatch):
    monkeypatch.setattr("shop.catalog.import_export.report.Report.count", lambda self, outcome: None)
    with pytest.raises(RuntimeError, match="2 records were read and 0 counted"):
        import_text("name,price\nA,1\nB,2\n")
