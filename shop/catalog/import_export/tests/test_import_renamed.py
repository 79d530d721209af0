"""What staff renamed does not stop a file that is imported again, and an import that broke off can be undone."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from ...models import Attribute, AttributeValue, HsnCode, ImportedChange, Product, ProductImport, Variant
from .. import run
from ..undo import begin_undo, undo

pytestmark = [pytest.mark.django_db, pytest.mark.database]
TEXT = "name,size,price\nDolo,10 tablets,30\nDolo,20 tablets,50\nTea,100 g,90\n"


def variants():
    return list(Variant.objects.order_by("pk").values_list("sku", "selling_price", "attribute_values__value"))


def rename_value():
    AttributeValue.objects.filter(value="10 tablets").update(value="10 tabs")


def rename_attribute():
    Attribute.objects.update(name="Pack")


def take_options_off():
    for variant in Variant.objects.all():
        variant.attribute_values.clear()


@pytest.mark.parametrize("rename", [rename_value, rename_attribute, take_options_off])
def test_a_file_finds_what_it_made_under_the_names_that_staff_gave(import_text, rename):
    import_text(TEXT)
    rename()
    before = variants()
    assert import_text(TEXT)[0] == [0, 0, 3, 0, 0]
    assert variants() == before
    assert import_text(TEXT.replace("30", "35"))[0] == [0, 1, 2, 0, 0]
    assert len(variants()) == 3


def test_where_the_name_of_now_is_another_row_the_sku_gets_a_number(import_text):
    import_text("name,size,price\nDolo,10 tablets,30\n")
    rename_value()
    text = "name,size,price\nDolo,10 tablets,30\nDolo,10 tabs,33\n"
    assert import_text(text)[0] == [1, 1, 0, 0, 0]
    assert {(value, price) for _, price, value in variants()} == {("10 tablets", 30), ("10 tabs", 33)}
    assert import_text(text)[0] == [0, 0, 2, 0, 0]


def test_a_product_whose_handle_staff_changed_keeps_its_variant(import_text):
    import_text(TEXT)
    Product.objects.filter(name="Tea").update(handle="own-tea")
    assert import_text(TEXT)[0] == [1, 0, 2, 0, 0]
    assert import_text(TEXT)[0] == [0, 0, 3, 0, 0]
    assert len({sku for sku, _, _ in variants()}) == 4


@pytest.mark.parametrize(
    ("rates", "refused"),
    [("12@2017-07-01 5@2017-07-01", 1), ("5@2025-09-22 5@2025-09-22", 1), ("12@2017-07-01 5@2025-09-22", 0)],
)
def test_two_rates_of_one_day_refuse_their_row(import_text, rates, refused):
    header = "handle,sku,name,hsn,gst_rates,selling_price,actual_price\n"
    counts, _ = import_text(f"{header}a,S1,Aa,3005,{rates},10,12\nb,S2,Bb,,,10,12\n")
    assert counts == [2 - refused, 0, 0, 0, refused]
    assert HsnCode.objects.count() == 1 - refused


def broken_off(tmp_path, monkeypatch, error):
    take = run.Writer.take
    batches = iter(range(1))

    def break_off(writer, rows):
        if next(batches, None) is None:
            raise error
        take(writer, rows)

    monkeypatch.setattr(run, "BATCH", 2)
    monkeypatch.setattr(run.Writer, "take", break_off)
    (tmp_path / "list.csv").write_text(TEXT)
    with pytest.raises((type(error), CommandError)):
        call_command("import_products", tmp_path / "list.csv", format="table", verbosity=0, report=tmp_path / "r.csv")
    return ProductImport.objects.get()


@pytest.mark.parametrize("error", [RuntimeError("no"), KeyboardInterrupt(), run.BadFile("What Z was is gone.")])
def test_an_import_of_the_command_that_broke_off_is_ended_and_can_be_undone(tmp_path, monkeypatch, error):
    kept = broken_off(tmp_path, monkeypatch, error)
    assert (kept.state, Product.objects.count()) == ("failed", 1)
    assert kept.problem in ("What Z was is gone.", f"It stopped: {type(error).__name__}.")
    assert begin_undo(kept)
    undo(kept)
    kept.refresh_from_db()
    assert (kept.state, Product.objects.count()) == ("undone", 0)


@pytest.mark.parametrize(("silent", "has_changes", "begins"), [(11, True, True), (5, True, False), (11, False, False)])
def test_an_import_whose_worker_is_gone_can_be_undone(tmp_path, monkeypatch, silent, has_changes, begins):
    kept = broken_off(tmp_path, monkeypatch, RuntimeError())
    heartbeat_at = timezone.now() - timedelta(minutes=silent)
    ProductImport.objects.update(state="importing", heartbeat_at=heartbeat_at)
    if not has_changes:
        ImportedChange.objects.all().delete()
    assert begin_undo(kept) is begins


def test_a_refused_file_that_changed_nothing_has_nothing_to_undo(tmp_path):
    (tmp_path / "list.csv").write_text("x,y\n1,2\n")
    with pytest.raises(CommandError):
        call_command("import_products", tmp_path / "list.csv", format="table", verbosity=0, report=tmp_path / "r.csv")
    assert not begin_undo(ProductImport.objects.get())
