import csv
import gzip
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ...models import Brand, Category, HealthConcern, Product, Variant
from ..report import Outcome, Report
from ..run import Request, import_products

DATA = Path(__file__).parent / "data"
pytestmark = pytest.mark.django_db


@pytest.fixture
def run(tmp_path):
    """run("shopify.csv", "shopify") -> (counts of created, updated, unchanged, merged, refused; report rows)."""

    def run(file, format, *, mapping=None, **choices):
        report_path = tmp_path / "report.csv"
        request = Request(path=DATA / file, format=format, mapping=mapping or {}, **choices)
        with Report(report_path) as report:
            import_products(request, report, lambda done, total: None)
        with report_path.open(encoding="utf-8") as lines:
            notes = [(int(row["row"]), row["what"], row["reason"]) for row in csv.DictReader(lines)]
        return [report.counts[outcome] for outcome in Outcome], notes

    return run


def reasons(notes, what):
    return {row: reason for row, kind, reason in notes if kind == what}


def test_shopify_rows_become_products_variants_and_reasons(run):
    counts, notes = run("shopify.csv", "shopify")
    assert counts == [5, 0, 0, 2, 3]
    assert sum(counts) == 10
    drops = Product.objects.get(handle="tulsi-drops")
    assert (drops.name, drops.brand.name, drops.category.name, drops.is_published) == (
        "Tulsi Drops", "Vanamitra", "Drops", True,
    )  # fmt: skip
    small, large = drops.variants.all()
    assert (small.sku, small.selling_price, small.actual_price, small.weight_actual) == ("TD-30", 149, 199, 60)
    assert (large.sku, large.selling_price, large.actual_price) == ("TD-60", 249, 249)
    assert [value.label for value in large.attribute_values.all()] == ["60 ml"]
    assert set(reasons(notes, "refused")) == {7, 8, 10}


def test_descriptions_are_sanitised_and_shared_by_the_variants(run):
    run("shopify.csv", "shopify")
    texts = {variant.description for variant in Variant.objects.filter(sku__startswith="TD-")}
    assert texts == {"<p>Five kinds of <b>tulsi</b></p>"}


def test_a_second_run_changes_nothing(run, django_assert_max_num_queries):
    run("shopify.csv", "shopify")
    before = list(Product.objects.values()), list(Variant.objects.values())
    with django_assert_max_num_queries(21) as queries:
        counts, _ = run("shopify.csv", "shopify")
    assert counts == [0, 0, 5, 2, 3]
    assert (list(Product.objects.values()), list(Variant.objects.values())) == before
    assert not [query for query in queries if query["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]


@pytest.mark.parametrize("file", ["shopify.csv", "woocommerce.csv", "shop.csv", "table.csv"])
def test_a_dry_run_changes_nothing_and_says_the_same(run, file):
    HealthConcern.objects.create(name="Sleep", slug="sleep")
    HealthConcern.objects.create(name="Stress", slug="stress")
    format = file.removesuffix(".csv")
    planned = run(file, format, dry_run=True)
    assert (Product.objects.count(), Brand.objects.count(), Category.objects.count()) == (0, 0, 0)
    assert run(file, format) == planned


def test_only_what_differs_is_updated(run):
    run("shopify.csv", "shopify")
    Variant.objects.filter(sku="TD-60").update(selling_price=200)
    changed_before = Product.objects.get(handle="neem-soap").changed_at
    counts, _ = run("shopify.csv", "shopify")
    assert counts == [0, 1, 4, 2, 3]
    assert Variant.objects.get(sku="TD-60").selling_price == 249
    assert Product.objects.get(handle="neem-soap").changed_at == changed_before


def test_zero_price_imports_as_draft_until_priced(run, tmp_path):
    _, notes = run("shopify.csv", "shopify")
    draft = Product.objects.get(handle="giloy-juice")
    assert (draft.name, draft.category.name, draft.brand.name) == ("Giloy Juice", "Juices", "Unknown Brand")
    assert (draft.is_published, draft.variants.get().is_active) == (False, False)
    assert reasons(notes, "draft") == {6: "no price, or zero"}
    priced = (DATA / "shopify.csv").read_text().replace(",0,0,", ",80,0,")
    (tmp_path / "priced.csv").write_text(priced)
    run(tmp_path / "priced.csv", "shopify")
    draft.refresh_from_db()
    assert (draft.is_published, draft.price_inr, draft.variants.get().is_active) == (True, 80, True)


def test_a_price_that_went_missing_makes_a_draft_again(run, tmp_path):
    run("shopify.csv", "shopify")
    (tmp_path / "unpriced.csv").write_text((DATA / "shopify.csv").read_text().replace(",40,35,", ",,,"))
    counts, _ = run(tmp_path / "unpriced.csv", "shopify")
    soap = Product.objects.get(handle="neem-soap")
    assert counts == [0, 1, 4, 2, 3]
    assert (soap.is_published, soap.first_variant) == (False, None)


def test_a_contradicting_repetition_is_merged_and_remarked(run):
    _, notes = run("shopify.csv", "shopify")
    remarks = reasons(notes, "remark")
    assert remarks[11] == "row 5 says 40.00, this row says 45.00; the first one is used"
    assert remarks[5] == "compare-at price 35.00 is below the price 40.00 and was ignored"


def test_shopbase_capitals_replacement_characters_and_repetitions(run):
    counts, notes = run("shopbase.csv", "shopify")
    candy = Product.objects.get(handle="amla-candy-(jar)")
    assert counts == [3, 0, 0, 1, 0]
    assert (candy.name, candy.slug, candy.variant_count) == ("Amla Candy (Jar)500 g", "amla-candy-jar500-g", 0)
    assert candy.variants.count() == 2
    assert set(reasons(notes, "draft")) == {2, 3, 5}


def test_woocommerce_variations_find_their_parent_wherever_it_stands(run):
    counts, notes = run("woocommerce.csv", "woocommerce")
    assert counts == [8, 0, 0, 0, 2]
    oil = Product.objects.get(handle="hair-oil")
    assert (oil.name, oil.category.path, oil.highlight, oil.is_published) == (
        "Hair Oil", "hair/oils", "For <i>hair</i>", True,
    )  # fmt: skip
    assert [(v.selling_price, v.actual_price) for v in oil.variants.all()] == [(120, 120), (150, 180)]
    assert oil.variants.get(sku="oil-100").weight_actual == Decimal("113.398")
    assert set(reasons(notes, "refused")) == {10, 11}
    assert run("woocommerce.csv", "woocommerce")[0] == [0, 0, 8, 0, 2]


def test_woocommerce_types_without_goods_are_drafts(run):
    _, notes = run("woocommerce.csv", "woocommerce")
    assert set(reasons(notes, "draft")) == {7, 8, 9}
    published = set(Product.objects.published().values_list("handle", flat=True))
    assert published == {"hair-oil", "balm"}


def test_a_woocommerce_sale_price_above_the_regular_one_is_ignored(run):
    _, notes = run("woocommerce.csv", "woocommerce")
    assert Variant.objects.get(sku="balm").selling_price == 90
    assert "above the regular price" in reasons(notes, "remark")[5]


def test_a_table_is_understood_by_its_usual_names(run):
    counts, notes = run("table.csv", "table")
    assert counts == [4, 0, 0, 0, 5]
    first = Product.objects.get(slug="brahmi-powder")
    assert (first.category.path, first.brand.name, first.price_inr, first.discount) == (
        "beauty-hygiene/hair-care/hair-powder", "Vanamitra", 220, 12,
    )  # fmt: skip
    assert Product.objects.get(slug="brahmi-powder-2").price_inr == 120
    assert reasons(notes, "refused") == {
        4: "no name",
        6: "the selling price 100.00 is above the actual price 90.00",
        7: "a repeat of the header line",
        9: "13 cells for 11 columns",
        10: "an empty row",
    }
    assert reasons(notes, "draft") == {8: "no price, or zero"}


def test_formulas_stay_text_and_are_harmless_in_the_report(tmp_path):
    path = tmp_path / "report.csv"
    with Report(path) as report:
        report.refuse(3, "no price", '=HYPERLINK("https://bad.invalid")')
    assert "\"'=HYPERLINK" in path.read_text()


def test_a_name_under_a_repeated_header_is_found(run):
    counts, _ = run("netmeds.csv", "table")
    strips = Product.objects.get(name="Sugar Strips 50's")
    assert counts == [2, 0, 0, 0, 0]
    assert (strips.brand.name, strips.price_inr, strips.discount) == ("Vanamitra Labs", 1125, 75)


def test_columns_can_be_named_by_hand(run):
    run("netmeds.csv", "table", mapping={"name": "#2", "price": "original_price", "brand": ""})
    product = Product.objects.get(name="Mfr: Vanamitra Labs")
    assert (product.brand.name, product.price_inr) == ("Unknown Brand", 4500)


def test_old_windows_letters_semicolons_and_decimal_commas(run):
    run("windows.csv", "table")
    product = Product.objects.get()
    assert (product.name, product.price_inr, product.slug) == ("Crème café", Decimal("12.50"), "creme-cafe")


def test_another_currency_is_converted_and_must_be_named(run):
    counts, notes = run("dollars.csv", "table")
    assert (counts, Product.objects.count()) == ([0, 0, 0, 0, 1], 0)
    assert "use --currency" in reasons(notes, "refused")[2]
    run("dollars.csv", "table", currency="USD")
    product = Product.objects.get()
    assert product.price_inr == Decimal("21.00") * Decimal("88.50")
    assert product.category.path == "skin-care/cleansers/face-wash"


def test_gzipped_json_is_a_table_too(run):
    counts, _ = run("medicines.json.gz", "table")
    tablet, old = Product.objects.order_by("id")
    assert counts == [2, 0, 0, 0, 0]
    assert tablet.first_variant.composition_json == {"Composition": {"Paracetamol": "500mg", "Caffeine": "65mg"}}
    assert (tablet.is_published, old.is_published) == (True, False)


def test_our_own_file_round_trips_its_fields(run):
    HealthConcern.objects.create(name="Sleep", slug="sleep")
    HealthConcern.objects.create(name="Stress", slug="stress")
    counts, notes = run("shop.csv", "shop", take_stock=True)
    churna = Product.objects.get(handle="ashwa-churna")
    assert counts == [4, 0, 0, 0, 2]
    assert (churna.category.path, churna.health_concerns.count(), churna.in_stock) == ("ayurveda/powders", 2, True)
    assert list(churna.variants.values_list("sku", "on_hand", "received")) == [("AC-100", 25, 25), ("AC-200", 5, 5)]
    assert churna.variants.get(sku="AC-100").composition_json == {"Composition": {"Root": "100 g"}}
    assert reasons(notes, "refused") == {
        4: "the selling price 900.00 is above the actual price 800.00",
        6: "no HSN code 99999999: add it with its GST rate first",
    }
    assert reasons(notes, "remark") == {
        5: "is_prescription is 'maybe', neither yes nor no: kept as prescription-only",
        7: "the SKU AC-100 is used for something else in row 2: this one gets a new SKU",
    }
    assert run("shop.csv", "shop", take_stock=True)[0] == [0, 0, 4, 0, 2]


def test_long_names_and_options_are_cut_once(run, tmp_path):
    row = f"{'Leaf ' * 60},{'x' * 90},10"
    (tmp_path / "long.csv").write_text(f"name,size,price\n{row}\n")
    assert run(tmp_path / "long.csv", "table")[0] == [1, 0, 0, 0, 0]
    assert len(Product.objects.get().name) <= 200
    assert run(tmp_path / "long.csv", "table")[0] == [0, 0, 1, 0, 0]


def test_stock_is_left_alone_unless_asked_for(run):
    run("shopify.csv", "shopify")
    assert not Variant.objects.filter(on_hand__gt=0).exists()
    counts, _ = run("shopify.csv", "shopify", take_stock=True)
    assert counts == [0, 2, 3, 2, 3]
    assert Variant.objects.get(sku="TD-30").on_hand == 12


def test_a_product_made_by_hand_is_found_by_its_slug(run, make_variant):
    variant = make_variant()
    Product.objects.filter(pk=variant.product_id).update(slug="neem-soap", handle="")
    run("shopify.csv", "shopify")
    assert Product.objects.filter(slug__startswith="neem-soap").count() == 1


@pytest.mark.parametrize("format", ["shop", "shopify", "woocommerce", "table"])
def test_a_file_without_products_gets_one_clear_refusal(format, tmp_path):
    with pytest.raises(CommandError, match=r"(no|No) column"):
        call_command(
            "import_products", DATA / "tax-rates.csv", format=format, report=tmp_path / "report.csv", verbosity=0
        )
    assert Product.objects.count() == 0


def test_a_damaged_file_is_refused_and_what_came_before_stays(tmp_path):
    whole = gzip.compress(b"name,price\n" + b"".join(b"Tea %d,10\n" % n for n in range(20000)))
    (tmp_path / "broken.csv.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CommandError, match="damaged"):
        call_command("import_products", tmp_path / "broken.csv.gz", format="table", report=tmp_path / "r", verbosity=0)


def test_the_command_says_what_happened(tmp_path):
    out = StringIO()
    call_command(
        "import_products", DATA / "shopify.csv", format="shopify", report=tmp_path / "r.csv", verbosity=0, stdout=out
    )
    assert "10 rows: 5 created, 0 updated, 0 unchanged, 2 merged, 3 refused." in out.getvalue()
