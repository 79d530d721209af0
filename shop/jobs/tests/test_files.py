"""Files whose rows go, or never come: none outlives its row, and none goes before it is certain that its row does."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import transaction
from django.test import Client
from django.utils import timezone

from shop.accounts.models import Customer
from shop.errors import Busy
from shop.orders.returns.photos import rows_with_files
from shop.pharmacy.models import Prescription, PrescriptionPage
from shop.pharmacy.services import add_pages, remove_page
from shop.pharmacy.tests.conftest import photo

from .. import files
from ..files import new_files, remove_after_commit, remove_left_files
from ..models import FileToRemove

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


class Away(Busy):
    def __init__(self):
        super().__init__("The files are away.")


@pytest.fixture
def private(monkeypatch, settings, tmp_path):
    """The storage of private files; `away` holds the names of what it does not do."""
    settings.STORAGES = settings.STORAGES | {
        "private": settings.STORAGES["private"] | {"OPTIONS": {"location": tmp_path, "base_url": None}}
    }
    storage, away = storages["private"], set()
    monkeypatch.setattr(PrescriptionPage._meta.get_field("file"), "storage", storage)
    real = storage.delete

    def delete(name):
        if "delete" in away:
            raise Away()
        real(name)

    monkeypatch.setattr(storage, "delete", delete)
    storage.away, storage.names = (
        away,
        lambda: sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file()),
    )
    return storage


@pytest.fixture
def customer(private):
    return Customer.objects.create_user("asha@example.com", "honey and amla")


def contents(*names):
    return [{"file": ContentFile(b"x", name=name)} for name in names]


def later():
    FileToRemove.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    return remove_left_files()


def test_a_file_that_cannot_be_removed_is_removed_later(private, customer):
    page = add_pages(customer, [photo("navy")]).pages.get()
    private.away.add("delete")
    remove_page(customer, page.pk)
    assert not PrescriptionPage.objects.exists() and len(private.names()) == 1
    assert later() == 0 and len(private.names()) == 1
    private.away.clear()
    assert remove_left_files() == 0, "it was tried just now"
    assert later() == 1 and private.names() == [] and not FileToRemove.objects.exists()


def test_without_the_note_a_file_outlives_its_row(private, customer, monkeypatch):
    def forget(noted, due_at):
        return [FileToRemove(name=str(file.name)) for file in noted]

    page = add_pages(customer, [photo("navy")]).pages.get()
    monkeypatch.setattr(files, "_note", forget)
    private.away.add("delete")
    remove_page(customer, page.pk)
    private.away.clear()
    assert later() == 0 and not PrescriptionPage.objects.exists() and len(private.names()) == 1


def test_what_is_removed_at_once_is_owed_no_more(private, customer):
    page = add_pages(customer, [photo("navy")]).pages.get()
    assert not FileToRemove.objects.exists()
    remove_page(customer, page.pk)
    assert private.names() == [] and not FileToRemove.objects.exists()


def test_what_is_not_committed_removes_nothing(private, customer):
    page = add_pages(customer, [photo("navy")]).pages.get()
    with pytest.raises(RuntimeError), transaction.atomic():
        remove_after_commit([page.file])
        raise RuntimeError
    assert len(private.names()) == 1 and not FileToRemove.objects.exists()


def test_a_failing_removal_keeps_no_other_hook_from_running(private, customer):
    pages = list(add_pages(customer, [photo("navy"), photo("red")]).pages.all())
    done = []
    private.away.add("delete")
    with transaction.atomic():
        remove_after_commit(page.file for page in pages)
        transaction.on_commit(lambda: done.append(True))
    assert done == [True] and FileToRemove.objects.count() == 2


def test_an_account_is_deleted_and_signed_out_while_the_files_are_away(private, customer):
    add_pages(customer, [photo("navy")])
    browser = Client(headers={"sec-fetch-site": "same-origin"})
    browser.force_login(customer)
    private.away.add("delete")
    answer = browser.post("/en-in/profile/delete/", {"password": "honey and amla"})
    assert (answer.status_code, answer["Location"]) == (302, "/en-in/")
    assert Customer.objects.get().deleted_at and browser.get("/api/me/").json()["signed_in"] is False
    private.away.clear()
    assert later() == 1 and private.names() == []


def test_files_of_rows_that_were_committed_stay_whatever_fails_then(private, customer):
    def fail():
        raise RuntimeError("after the commit")

    with pytest.raises(RuntimeError), rows_with_files(PrescriptionPage, contents("a.jpg")) as (row,):
        row.prescription, row.position = Prescription.objects.create(customer=customer), 1
        row.save()
        transaction.on_commit(fail)
    assert PrescriptionPage.objects.get().file.read() == b"x"
    assert later() == 0 and private.names() == ["prescriptions/a.jpg"]


def test_a_refusal_is_told_and_its_files_go_later_where_they_cannot_at_once(private):
    private.away.add("delete")
    with pytest.raises(RuntimeError, match="refused"), rows_with_files(PrescriptionPage, contents("a.jpg", "b.jpg")):
        raise RuntimeError("refused")
    assert private.names() == ["prescriptions/a.jpg", "prescriptions/b.jpg"]
    private.away.clear()
    assert later() == 2 and private.names() == []


def test_one_that_cannot_be_removed_keeps_no_other(private, monkeypatch):
    real = private.delete
    monkeypatch.setattr(private, "delete", lambda name: {}["away"] if name.endswith("a.jpg") else real(name))
    with pytest.raises(RuntimeError, match="refused"), rows_with_files(PrescriptionPage, contents("a.jpg", "b.jpg")):
        raise RuntimeError("refused")
    assert private.names() == ["prescriptions/a.jpg"]


def test_an_upload_that_arrives_unheard_is_removed(private, monkeypatch):
    real = private._save

    def save(name, content):
        real(name, content)
        private.away.add("delete")
        raise Away()

    monkeypatch.setattr(private, "_save", save)
    with pytest.raises(Away), rows_with_files(PrescriptionPage, contents("a.jpg")):
        pass
    assert private.names() == ["prescriptions/a.jpg"]
    private.away.clear()
    assert later() == 1 and private.names() == []


def test_what_a_killed_process_left_is_removed(private):
    started = new_files([(PrescriptionPage().file, "a.jpg", ContentFile(b"x"))])
    started.__enter__()  # and no end
    assert private.names() == ["prescriptions/a.jpg"] and remove_left_files() == 0
    assert later() == 1 and private.names() == []


def test_rows_whose_files_were_given_up_are_refused(private, customer):
    with pytest.raises(Busy), rows_with_files(PrescriptionPage, contents("a.jpg")) as (row,):
        later()
        row.prescription, row.position = Prescription.objects.create(customer=customer), 1
        row.save()
    assert not PrescriptionPage.objects.exists() and not Prescription.objects.exists()
