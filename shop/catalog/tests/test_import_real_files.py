"""The published files of the shared data, each imported twice."""

import pytest

from shop.catalog.importing.report import Outcome, Report
from shop.catalog.importing.run import Request, import_products
from shop.catalog.models import PictureAddress, Product, Variant

pytestmark = pytest.mark.django_db

FILES = [
    ("importer/shopify-apparel.csv", "shopify", "INR", [22, 0, 0, 0, 0], [0, 0, 22, 0, 0]),
    ("importer/shopify-home-and-garden.csv", "shopify", "INR", [21, 0, 0, 0, 0], [0, 0, 21, 0, 0]),
    ("importer/shopify-jewelery.csv", "shopify", "INR", [23, 0, 0, 18, 0], [0, 0, 23, 18, 0]),
    ("importer/shopify-packt-product-data.csv", "shopify", "INR", [21, 0, 0, 0, 0], [0, 0, 21, 0, 0]),
    ("importer/shopbase-patanjali-import.csv.gz", "shopify", "INR", [529, 0, 0, 876, 0], [0, 0, 529, 876, 0]),
    ("importer/woocommerce-sample-products-v7.csv", "woocommerce", "USD", [25, 0, 0, 0, 0], [0, 0, 25, 0, 0]),
    ("wellness/netmeds-diabetes.csv", "table", "INR", [200, 0, 0, 0, 0], [0, 0, 200, 0, 0]),
    ("wellness/netmeds-ayush.csv", "table", "INR", [200, 0, 0, 0, 0], [0, 0, 200, 0, 0]),
]


@pytest.fixture
def take(test_data, tmp_path):
    def take(file, format, currency="INR", **choices):
        with Report(tmp_path / "report.csv") as report:
            request = Request(path=test_data / file, format=format, mapping={}, currency=currency, **choices)
            import_products(request, report, lambda done, total: None)
        return [report.counts[outcome] for outcome in Outcome]

    return take


@pytest.mark.parametrize(("file", "format", "currency", "first", "second"), FILES)
def test_a_real_file_is_taken_and_a_second_run_changes_nothing(take, file, format, currency, first, second):
    assert take(file, format, currency) == first
    rows = list(Product.objects.values()), list(Variant.objects.values())
    assert take(file, format, currency) == second
    assert (list(Product.objects.values()), list(Variant.objects.values())) == rows


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
    take(file, format, currency="USD" if format == "woocommerce" else "INR", take_pictures=True)
    rows = PictureAddress.objects.all()
    assert (rows.filter(variant=None).count(), rows.exclude(variant=None).count()) == (shared, own)
    assert not rows.exclude(address__regex=r"^https?://[a-z.]+/\S").exists()
    before = list(rows.values())
    take(file, format, currency="USD" if format == "woocommerce" else "INR", take_pictures=True)
    assert list(rows.all().values()) == before


@pytest.mark.full
def test_27_000_rows_are_taken_and_a_second_run_changes_nothing(take):
    assert take("wellness/bigbasket-products-27k.csv.gz", "table") == [27554, 0, 0, 0, 1]
    assert take("wellness/bigbasket-products-27k.csv.gz", "table") == [0, 0, 27554, 0, 1]
