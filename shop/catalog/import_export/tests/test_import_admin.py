"""Imports in the admin: counted first, taken over by the worker, refused rows mended and uploaded again."""

import csv
import gzip
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.storage import FileSystemStorage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from shop.http.outbound import fetch

from ...models import PictureAddress, Product, ProductImport, Variant
from ...pictures import fetching
from ...pictures.tests.test_pictures import image_bytes
from ...tasks import fetch_pictures, work_on_import
from .. import services
from ..files import reading
from ..services import work_on

pytestmark = [pytest.mark.django_db, pytest.mark.database]
HEADER = "handle,sku,name,selling_price,actual_price,stock\n"
GOOD = "neem-soap,NS-1,Neem Soap,90,100,7\n"
BAD = "tulsi-tea,TT-1,'=Tulsi Tea,120,100,3\n"
NEW, LIST = "admin:catalog_productimport_add", "admin:catalog_productimport_changelist"


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    private = settings.STORAGES["private"] | {"OPTIONS": {"location": tmp_path / "private", "base_url": None}}
    settings.STORAGES = settings.STORAGES | {"private": private}


def upload(desk, text, name="stock list.csv", **choices):
    """The screen of a new import, and the import."""
    file = SimpleUploadedFile(name, text.encode() if isinstance(text, str) else text)
    answer = desk.post(reverse(NEW), {"file": file, "format": "", "currency": "INR"} | choices)
    assert answer.status_code == 302, answer.context["form"].errors
    return answer["Location"], ProductImport.objects.latest("pk")


def read(desk, url):
    return desk.get(url).content.decode()


def test_a_dry_run_counts_names_lines_and_changes_nothing(desk, manager):
    url, kept = upload(desk, HEADER + GOOD + BAD)
    assert (kept.state, kept.format, kept.by) == ("counting", "shop", manager)
    assert DBTaskResult.objects.get().args_kwargs["args"] == [kept.pk]
    assert "being checked" in read(desk, url) and "hx-get" in read(desk, url)
    work_on(kept.pk)
    page = read(desk, url)
    assert "What will change" in page and "Import now" in page
    assert "the selling price 120.00 is above the actual price 100.00" in page
    assert '<td class="px-3 py-3">3</td><td class="px-3 py-3">refused</td>' in page
    kept.refresh_from_db()
    assert (kept.counts["created"], kept.counts["refused"]) == (1, 1)
    assert not Product.objects.exists()


def test_the_worker_imports_once_and_who_and_when_is_kept(desk, manager):
    url, kept = upload(desk, HEADER + GOOD + BAD, take_stock="on")
    assert "has already started" in desk.post(url, follow=True).content.decode()
    work_on(kept.pk)
    desk.post(url)
    assert "has already started" in desk.post(url, follow=True).content.decode()
    assert "The products are being imported" in read(desk, url)
    work_on(kept.pk)
    work_on(kept.pk)
    variant = Variant.objects.get()
    assert (variant.sku, variant.selling_price, variant.on_hand) == ("NS-1", 90, 7)
    kept.refresh_from_db()
    assert (kept.state, kept.percent) == ("done", 100)
    entry = LogEntry.objects.get()
    assert entry.user == manager and "1 created, 1 refused" in entry.change_message
    assert "Imported" in read(desk, url) and "Import now" not in read(desk, url)
    assert "stock list.csv" in read(desk, reverse(LIST))


def test_refused_rows_are_downloaded_mended_and_uploaded_again(desk):
    url, kept = upload(desk, HEADER + GOOD + BAD)
    work_on(kept.pk)
    answer = desk.get(reverse("admin:catalog_productimport_refused_rows", args=[kept.pk]))
    assert answer["Content-Disposition"] == 'attachment; filename="stock list-refused.csv"'
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    (row,) = csv.DictReader(StringIO(text, newline=""))
    assert (row["sku"], row["name"]) == ("TT-1", "'=Tulsi Tea")
    assert row["refused because"] == "the selling price 120.00 is above the actual price 100.00"
    url, again = upload(desk, text.replace("120,100", "100,120"))
    work_on(again.pk)
    desk.post(url)
    work_on(again.pk)
    assert list(Product.objects.values_list("name", flat=True)) == ["=Tulsi Tea"]


def test_a_column_of_a_stranger_is_no_formula_in_the_refused_rows(desk):
    _, kept = upload(desk, HEADER.rstrip() + ",=HYPERLINK(1)\n" + BAD.rstrip() + ",x\n")
    work_on(kept.pk)
    answer = desk.get(reverse("admin:catalog_productimport_refused_rows", args=[kept.pk]))
    first = b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()[0]
    assert ",'=hyperlink(1)," in first


@pytest.mark.parametrize(
    ("header", "format"),
    [
        (HEADER, "shop"),
        ("Handle,Title,Variant Price\n", "shopify"),
        ("Type,SKU,Name,Regular price\n", "woocommerce"),
        ("product_name,mrp\n", "table"),
    ],
)
def test_the_format_is_found_out(desk, header, format):
    assert upload(desk, header)[1].format == format


def test_a_file_that_breaks_off_is_refused_in_words(desk):
    answer = desk.post(
        reverse(NEW),
        {"file": SimpleUploadedFile("x.csv.gz", b"\x1f\x8b\x08\x00xxxx"), "format": "", "currency": "INR"},
    )
    assert answer.status_code == 422 and "is damaged" in answer.content.decode()
    url, kept = upload(desk, "a,b\n1,2\n", format="shop")
    work_on(kept.pk)
    assert "This is not a product file of this shop" in read(desk, url)
    assert "Import now" not in read(desk, url)
    assert ProductImport.objects.get().state == "failed"


def test_a_file_that_unpacks_to_more_than_the_limit_is_refused(desk, monkeypatch):
    monkeypatch.setattr(reading, "MAX_UNPACKED", 100_000)
    packed = SimpleUploadedFile("x.csv.gz", gzip.compress(HEADER.encode() + b" \n" * 100_000))
    answer = desk.post(reverse(NEW), {"file": packed, "format": "", "currency": "INR"})
    assert answer.status_code == 422 and "unpacks to more than 1 GB" in answer.content.decode()
    assert not ProductImport.objects.exists()


PICTURES = """sku,name,price,image
S-1,Neem Soap,90,http://10.0.0.1/<b>soap</b>.png
S-2,Tulsi Tea,90,http://pictures.invalid/tea.png
"""


def test_pictures_are_fetched_when_ticked_and_what_failed_is_told(desk, monkeypatch):
    url, kept = upload(desk, PICTURES, take_pictures="on")
    work_on(kept.pk)
    page = read(desk, url)
    assert "with pictures" in page and "pictures to fetch" in page
    assert not PictureAddress.objects.exists()
    desk.post(url)
    work_on_import.func(kept.pk)
    assert DBTaskResult.objects.filter(task_path=fetch_pictures.module_path).count() == 1
    page = read(desk, url)
    assert "0 fetched, 2 waiting, 0 failed." in page and "every 5s" in page
    monkeypatch.setattr(fetching, "fetch", answer_of_the_tea)
    fetch_pictures.func()
    page = read(desk, url)
    assert "1 fetched, 0 waiting, 1 failed. To retry those, import the file again." in page
    assert "Neem Soap (S-1)" in page and "http://10.0.0.1/&lt;b&gt;soap&lt;/b&gt;.png" in page
    assert "The address isn&#x27;t on a public server." in page and "every 5s" not in page
    assert Variant.objects.get(sku="S-2").variant_images.count() == 1
    url, again = upload(desk, PICTURES, take_pictures="on")
    work_on(again.pk)
    again.refresh_from_db()
    assert (again.counts["unchanged"], again.counts["pictures"]) == (2, 1)
    desk.post(url)
    work_on(again.pk)
    assert "0 fetched, 1 waiting, 0 failed." in read(desk, url)


def answer_of_the_tea(address, *, max_bytes):
    return image_bytes() if "tea" in address else fetch(address, max_bytes=max_bytes)


def test_without_the_tick_no_pictures_are_spoken_of(desk):
    url, kept = upload(desk, PICTURES)
    work_on(kept.pk)
    desk.post(url)
    work_on_import.func(kept.pk)
    part = desk.get(url, headers={"hx-request": "true"}).content.decode()
    assert "Imported" in part and "ictures" not in part
    assert not PictureAddress.objects.exists()
    assert not DBTaskResult.objects.filter(task_path=fetch_pictures.module_path).exists()


@pytest.mark.parametrize(
    ("field", "wrong"), [("file", {"file": ""}), ("currency", {"currency": "XXX"}), ("mapping", {"mapping": "name"})]
)
def test_a_wrong_upload_is_refused_at_its_field(desk, field, wrong):
    body = {"file": SimpleUploadedFile("a.csv", HEADER.encode()), "format": "", "currency": "INR"} | wrong
    answer = desk.post(reverse(NEW), body)
    assert answer.status_code == 422 and field in answer.context["form"].errors
    assert not ProductImport.objects.exists()


def test_a_file_over_the_limit_is_refused(desk, settings):
    settings.IMPORT_MAX_BYTES = 1000
    body = {"file": SimpleUploadedFile("a.csv", b"x" * 2000), "format": "", "currency": "INR"}
    assert desk.post(reverse(NEW), body).status_code == 413


def test_a_crash_half_way_leaves_the_report_as_far_as_it_came(desk, monkeypatch):
    _, kept = upload(desk, HEADER + BAD + GOOD)

    def crash(request, report, progress):
        report.refuse(2, "too dear")
        raise MemoryError

    monkeypatch.setattr(services, "import_products", crash)
    with pytest.raises(MemoryError):
        work_on(kept.pk)
    assert [note["reason"] for note in services.notes_of(kept, 0, 9)[0]] == ["too dear"]


def test_a_report_that_cannot_be_stored_leaves_the_one_before(desk, monkeypatch):
    _, kept = upload(desk, HEADER + BAD)
    work_on(kept.pk)
    before = services.notes_of(kept, 0, 9)

    def fail(self, name, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(FileSystemStorage, "_save", fail)
    ProductImport.objects.update(state="importing")
    work_on(kept.pk)
    kept.refresh_from_db()
    assert kept.state == "done" and "could not be stored" in kept.problem
    assert services.notes_of(kept, 0, 9) == before and before[1] == len(before[0])


def test_an_upload_whose_row_cannot_be_written_leaves_no_file(desk, monkeypatch):
    folder = Path(ProductImport._meta.get_field("file").storage.path("imports"))
    before = set(folder.rglob("*.csv"))
    monkeypatch.setattr(ProductImport, "save", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        upload(desk, HEADER + GOOD)
    assert set(folder.rglob("*.csv")) == before


def test_work_that_was_lost_can_be_started_again(desk):
    url, kept = upload(desk, HEADER + GOOD)
    work_on(kept.pk)
    desk.post(url)
    ProductImport.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=11))
    desk.post(url)
    work_on(kept.pk)
    assert Variant.objects.count() == 1


def test_progress_is_shown_in_percent(desk):
    url, _ = upload(desk, HEADER + GOOD)
    ProductImport.objects.update(position=45, size=90)
    part = desk.get(url, headers={"hx-request": "true"}).content.decode()
    assert "50%" in part and "<html" not in part


def test_columns_that_were_guessed_wrong_are_chosen_on_the_screen(desk):
    url, kept = upload(desk, "Title,Label,Final Price,MRP\nNeem Soap,Vanamitra,90,100\n")
    work_on(kept.pk)
    page = read(desk, url)
    assert "Columns of the file" in page and '<option value="title" selected>' in page
    chosen = {"do": "columns", "column-name": "title", "column-brand": "label", "column-price": "final price"}
    desk.post(url, chosen)
    kept.refresh_from_db()
    assert (kept.state, kept.mapping) == ("counting", {"brand": "label"})
    assert not Product.objects.exists()
    work_on(kept.pk)
    assert '<option value="label" selected>' in read(desk, url)
    refused = desk.post(url, {"do": "columns", "column-brand": "no such"}, follow=True).content.decode()
    assert "there is no such column" in refused


def test_a_file_without_a_known_name_can_be_mapped_after_its_refusal(desk):
    url, kept = upload(desk, "Bezeichnung,Final Price,MRP\nNeem Soap,90,100\n", format="table")
    work_on(kept.pk)
    assert "No column looks like a product name" in read(desk, url)
    desk.post(url, {"do": "columns", "column-name": "bezeichnung"})
    work_on(kept.pk)
    kept.refresh_from_db()
    assert (kept.state, kept.counts["created"]) == ("counted", 1)
