"""Private files in a bucket: the shop's own views hand them out, and nobody reads them there."""

import csv
import os
import time
from io import StringIO

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from shop.catalog.import_export.services import column_choices, work_on
from shop.catalog.models import ProductImport
from shop.http.buckets import SIGNED_SECONDS
from shop.pharmacy.models import Prescription, PrescriptionPage
from shop.pharmacy.services import add_pages
from shop.pharmacy.tests.conftest import photo

from .server import PRIVATE, PUBLIC

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(buckets, customer):
    return add_pages(customer, [photo("navy")]).pages.get()


def test_a_prescription_has_no_address_that_opens_it(page, buckets):
    assert buckets.names(PRIVATE) == {page.file.name} and buckets.names(PUBLIC) == set()
    bare = f"{buckets.url.replace(PUBLIC, PRIVATE)}/{page.file.name}"
    assert buckets.get(bare).status_code == 403
    moved = Client().get(f"/media/{page.file.name}")
    assert buckets.get(moved["Location"]).status_code in (403, 404)
    kept = buckets.client.head_object(Bucket=PRIVATE, Key=page.file.name)
    assert kept["CacheControl"] == "private, no-store"


def test_an_address_that_is_signed_for_a_private_file_ends_within_a_minute(page, buckets):
    address = storages["private"].url(page.file.name)
    assert f"X-Amz-Expires={SIGNED_SECONDS}" in address and SIGNED_SECONDS <= 60
    assert "X-Amz-Signature=" in address and buckets.get(address).content[:3] == b"\xff\xd8\xff"


def test_a_page_taken_away_leaves_no_file(page, buckets, customer, django_capture_on_commit_callbacks):
    from shop.pharmacy.services import remove_page

    with django_capture_on_commit_callbacks(execute=True):
        remove_page(customer, page.pk)
    assert buckets.names(PRIVATE) == set() and not PrescriptionPage.objects.exists()


@pytest.fixture
def depths(buckets, monkeypatch):
    """In how many transactions each file was sent, beside that of the test."""
    private, seen, outside = storages["private"], [], len(connection.savepoint_ids)
    real = private._save

    def save(name, content):
        seen.append(len(connection.savepoint_ids) - outside)
        return real(name, content)

    monkeypatch.setattr(private, "_save", save)
    return seen


def test_files_are_sent_before_a_lock_is_taken(depths, customer):
    """A server that hangs holds up whoever uploads, and nobody else."""
    add_pages(customer, [photo("navy"), photo("red")])
    assert depths == [0, 0]


def test_without_rows_with_files_they_are_sent_inside_the_transaction(depths, customer):
    with transaction.atomic():
        prescription = Prescription.objects.create(customer=customer)
        content = ContentFile(photo("navy"), name="x.jpg")
        PrescriptionPage.objects.create(prescription=prescription, position=1, file=content, digest="x")
    assert depths == [1]


def test_what_is_refused_after_it_was_sent_leaves_no_file(buckets, customer):
    from shop.errors import Invalid

    add_pages(customer, [photo(colour) for colour in ("navy", "red", "green")])
    kept = buckets.names(PRIVATE)
    with pytest.raises(Invalid):
        add_pages(customer, [photo(colour) for colour in ("white", "black", "blue")])
    assert buckets.names(PRIVATE) == kept


def test_a_page_sent_twice_is_kept_once(page, buckets, customer, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        add_pages(customer, [photo("navy")])
    assert buckets.names(PRIVATE) == {page.file.name}


def test_an_import_is_worked_on_by_a_machine_that_did_not_take_it(buckets, desk, settings, tmp_path):
    """The worker has a folder of its own, and so has the machine that shows what it found."""
    rows = b"handle,sku,name,selling_price,actual_price,stock\nsoap,S-1,Soap,90,100,7\ntea,T-1,Tea,120,100,3\n"
    file = SimpleUploadedFile("stock.csv", rows)
    answer = desk.post(reverse("admin:catalog_productimport_add"), {"file": file, "format": "", "currency": "INR"})
    assert answer.status_code == 302
    kept = ProductImport.objects.get()
    settings.DATA_DIR = tmp_path / "worker"
    work_on(kept.pk)
    settings.DATA_DIR = tmp_path / "web"
    assert "above the actual price" in desk.get(answer["Location"]).content.decode()
    refused = desk.get(reverse("admin:catalog_productimport_refused_rows", args=[kept.pk]))
    table = list(csv.reader(StringIO(b"".join(refused.streaming_content).decode("utf-8-sig"))))
    assert [row[1] for row in table[1:]] == ["T-1"]
    kept.refresh_from_db()
    assert column_choices(kept) == ([], [])  # it is no plain table
    assert len(list((tmp_path / "web").rglob("stock.csv"))) <= 1


def test_a_file_that_is_used_is_kept_on_this_machine_and_others_go(buckets, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    kept = [ProductImport(name=f"{number}.csv") for number in range(3)]
    for one in kept:
        one.file.save(one.name, ContentFile(b"sku"), save=False)
    used, unused = kept[0].path, kept[1].path
    for path in (used, unused):
        os.utime(path, (time.time() - 90_000,) * 2)
    assert kept[0].path == used and kept[2].path.read_bytes() == b"sku"
    assert used.read_bytes() == b"sku" and not unused.parent.exists()
