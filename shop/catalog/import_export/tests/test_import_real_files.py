"""The published files of the shared data, each imported twice."""

import csv
import gzip
import json
import re
from collections import Counter
from io import StringIO

import pytest
from django.core.management import call_command

from ...models import PictureAddress, Product, Variant
from ..files.reading import column_keys
from ..report import Outcome, Report
from ..rows import BadFile
from ..run import Request, import_products

pytestmark = pytest.mark.django_db

LONG = pytest.mark.full
# created, updated, unchanged, merged and refused by a first import, and how many columns have no home
FILES = [
    ("importer/shopify-apparel.csv", "shopify", [22, 0, 0, 0, 0], 9),
    ("importer/shopify-home-and-garden.csv", "shopify", [21, 0, 0, 0, 0], 11),
    ("importer/shopify-jewelery.csv", "shopify", [23, 0, 0, 18, 0], 11),
    ("importer/shopify-packt-product-data.csv", "shopify", [21, 0, 0, 0, 0], 11),
    ("importer/shopbase-patanjali-import.csv.gz", "shopify", [529, 0, 0, 876, 0], 9),
    ("importer/woocommerce-sample-products-v7.csv", "woocommerce", [25, 0, 0, 0, 0], 25),
    ("medicines/1mg-prescription-drugs-2021.csv.gz", "table", [1877, 0, 0, 142, 2], 3),
    ("wellness/iherb-multivitamins.json.gz", "table", [682, 0, 0, 2, 0], 17),
    ("wellness/iherb-whey-protein.json.gz", "table", [263, 0, 0, 0, 0], 19),
    ("wellness/netmeds-ayush.csv", "table", [200, 0, 0, 0, 0], 4),
    ("wellness/netmeds-devices.csv", "table", [200, 0, 0, 0, 0], 4),
    ("wellness/netmeds-diabetes.csv", "table", [200, 0, 0, 0, 0], 4),
    ("wellness/netmeds-fitness.csv", "table", [200, 0, 0, 0, 0], 4),
    ("wellness/netmeds-personal-care.csv", "table", [200, 0, 0, 0, 0], 4),
    ("wellness/patanjali-ayurved-scrape.csv.gz", "table", [487, 0, 0, 647, 0], 3),
]
LONG_FILES = [
    ("medicines/1mg-medicine-details-uses-side-effects.csv.gz", "table", [11498, 0, 0, 327, 0], 1),
    ("medicines/az-medicines-india-5000-by-top-makers.json.gz", "table", [5002, 0, 0, 0, 0], 3),
    ("medicines/az-medicines-india-first-3221.json.gz", "table", [3221, 0, 0, 0, 0], 0),
    ("medicines/jan-aushadhi-price-list.csv.gz", "table", [2439, 0, 0, 0, 0], 1),
    ("medicines/medplus-brand-names-44k.csv.gz", "table", [42757, 0, 0, 1757, 0], 1),
    ("wellness/bigbasket-products-27k.csv.gz", "table", [27554, 0, 0, 0, 1], 2),
    ("wellness/nykaa-skincare-ingredients.csv.gz", "table", [1827, 0, 0, 0, 0], 4),
    ("wellness/nykaa-titles-25k.csv.gz", "table", [25776, 0, 0, 0, 0], 0),
    ("wellness/ulta-cleansers-usd.csv.gz", "table", [1050, 0, 0, 0, 0], 2),
]


def currency_of(file):
    return "USD" if any(name in file for name in ("woocommerce", "iherb", "ulta")) else "INR"


@pytest.fixture
def take(test_data, tmp_path):
    def take(file, format, **choices):
        with Report(tmp_path / "report.csv") as report:
            request = Request(test_data / file, format, mapping={}, currency=currency_of(file), **choices)
            import_products(request, report, lambda done, total: None)
        return [report.counts[outcome] for outcome in Outcome]

    return take


def as_others_read(path):
    """How many records a file has, and how many cells of each column hold anything, without the importer."""
    text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode("utf-8-sig")
    if ".json" in path.suffixes:
        records = json.loads(text)
        return len(records), Counter(
            name.lower() for record in records for name, value in record.items() if value not in (None, "")
        )
    csv.field_size_limit(10**7)
    header, *rows = csv.reader(StringIO(text, newline=""))
    columns = zip(column_keys(header), zip(*rows, strict=True), strict=True)
    return len(rows), {name: sum(bool(cell.strip()) for cell in cells) for name, cells in columns}


@pytest.mark.parametrize(
    ("file", "format", "first", "homeless"), [*FILES, *(pytest.param(*line, marks=LONG) for line in LONG_FILES)]
)
def test_every_record_is_counted_every_column_named_and_a_second_run_changes_nothing(
    take, test_data, tmp_path, file, format, first, homeless
):
    path, lines, out = test_data / file, tmp_path / "lines.csv", StringIO()
    call_command(
        "import_products", path, format=format, currency=currency_of(file), report=lines, verbosity=0, stdout=out
    )
    records, columns = as_others_read(path)
    names = ("created", "updated", "unchanged", "merged", "refused")
    assert sum(first) == records
    told = ", ".join(f"{number} {name}" for number, name in zip(first, names, strict=True))
    assert f"{records} rows: {told}." in out.getvalue()
    with lines.open(encoding="utf-8", newline="") as written:
        notes = list(csv.DictReader(written))
    assert sum(note["what"] == "refused" for note in notes) == first[-1]
    (words,) = [note["reason"] for note in notes if note["reason"].startswith("columns that were not imported")] or (
        "",
    )
    assert f"{words[:1].upper()}{words[1:]}" in out.getvalue()
    found = {name: re.search(rf"[:,] {re.escape(name)} \(([\d,]+)[,)](?! \()", words) for name in columns}
    named = {name: int(match[1].replace(",", "")) for name, match in found.items() if match}
    assert len(named) == homeless
    assert all(columns[name] - first[-1] <= cells <= columns[name] for name, cells in named.items())
    before = list(Product.objects.values()), list(Variant.objects.values())
    assert take(file, format) == [0, 0, first[0], first[3], first[4]]
    assert (list(Product.objects.values()), list(Variant.objects.values())) == before


def test_no_file_is_left_out(test_data):
    known = {file for file, *_ in (*FILES, *LONG_FILES)} | {"importer/woocommerce-sample-tax-rates.csv"}
    folders = ("importer", "medicines", "wellness")
    assert known == {f"{folder}/{path.name}" for folder in folders for path in (test_data / folder).iterdir()}


def test_a_file_that_holds_no_products_is_refused_in_words(take):
    with pytest.raises(BadFile, match="No column looks like a product name"):
        take("importer/woocommerce-sample-tax-rates.csv", "table")


def test_a_scrape_without_prices_is_all_drafts(take):
    take("importer/shopbase-patanjali-import.csv.gz", "shopify")
    assert Product.objects.count() == 395
    assert not Product.objects.filter(is_published=True).exists()
    assert not Product.objects.filter(name__contains="\ufffd").exists()


PICTURES = [
    ("importer/shopify-apparel.csv", "shopify", 20, 0),
    ("importer/shopify-jewelery.csv", "shopify", 41, 6),
    ("importer/shopbase-patanjali-import.csv.gz", "shopify", 395, 0),
    ("importer/woocommerce-sample-products-v7.csv", "woocommerce", 26, 7),
    ("wellness/netmeds-diabetes.csv", "table", 0, 200),
    ("wellness/patanjali-ayurved-scrape.csv.gz", "table", 0, 486),
]


@pytest.mark.parametrize(("file", "format", "shared", "own"), PICTURES)
def test_the_pictures_of_a_real_file_are_known_by_their_addresses(take, file, format, shared, own):
    """Nobody fetches them here."""
    take(file, format, take_pictures=True)
    rows = PictureAddress.objects.all()
    assert (rows.filter(variant=None).count(), rows.exclude(variant=None).count()) == (shared, own)
    assert not rows.exclude(address__regex=r"^https?://[a-z.]+/\S").exists()
    before = list(rows.values())
    take(file, format, take_pictures=True)
    assert list(rows.all().values()) == before
