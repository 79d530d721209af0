"""Formats are found in their modules, tried in order, and offered wherever a format is chosen."""

import pytest
from django.core.management import call_command

from ....models import Product
from ...forms import ImportForm
from ...rows import Row
from .. import base
from ..base import Format, detect_format, formats, register


@pytest.fixture
def leaflet(monkeypatch):
    """A format of another shop, for as long as the test."""
    formats()  # each module registers its own when it is imported, which is once
    monkeypatch.setattr(base, "_registered", {**base._registered})
    formats.cache_clear()

    @register("leaflet", "Leaflet of products")
    class LeafletFormat(Format):
        required = ("leaf", "name")
        description = "leaflet"

        def read(self, record):
            row = Row(record.number, record.cells["leaf"], name=record.cells["name"], brand="Leafs", sku="leaf-1")
            row.category, row.product = ("Leaves",), {"name": row.name}
            row.selling = self.prices.read("10")
            return row

    yield
    formats.cache_clear()


def test_formats_are_tried_with_any_table_last():
    assert list(formats()) == ["shop", "shopify", "woocommerce", "table"]
    assert [name for name, kind in formats().items() if kind.new_are_drafts] == ["table"]


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("handle,sku,name,selling_price,actual_price", "shop"),
        ("Handle,Title,Variant Price,Vendor", "shopify"),
        ("Type,SKU,Name,Regular price", "woocommerce"),
        ("Type,SKU,Name,Price", "table"),
        ("leaf,name", "table"),
    ],
)
def test_a_file_is_in_the_format_whose_columns_it_has(tmp_path, header, expected):
    (tmp_path / "x.csv").write_text(f"{header}\n")
    assert detect_format(tmp_path / "x.csv") == expected


def test_a_registered_format_is_detected_offered_and_imported(leaflet, db, tmp_path, import_text):
    assert list(formats())[-1] == "table"
    assert ("leaflet", "Leaflet of products") in ImportForm().fields["format"].choices
    counts, _ = import_text("leaf,name\nbay,Bay leaf\n")
    assert counts[0] == 1 and Product.objects.get().name == "Bay leaf"
    file = tmp_path / "again.csv"
    file.write_text("leaf,name\nbay,Bay leaf\n")
    call_command("import_products", str(file), format="leaflet", verbosity=0, report=tmp_path / "report.csv")
    assert Product.objects.count() == 1


def test_without_its_registration_the_same_file_is_a_table(leaflet, tmp_path):
    del base._registered["leaflet"]
    formats.cache_clear()
    (tmp_path / "x.csv").write_text("leaf,name\n")
    assert detect_format(tmp_path / "x.csv") == "table"
