"""A prescription is read by the customer who uploaded it and by the pharmacist's role, and by nobody else."""

from datetime import timedelta
from unittest.mock import patch

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.core.files.storage import default_storage, storages
from django.shortcuts import get_object_or_404
from django.test import Client
from django.urls import reverse

from shop.accounts.models import Customer
from shop.accounts.staff.roles import GRANTS, PHARMACIST
from shop.pharmacy import views
from shop.pharmacy.access import page_key
from shop.pharmacy.checkout import page_url
from shop.pharmacy.models import PrescriptionPage, private_files
from shop.pharmacy.register import admin as register
from shop.pharmacy.review import admin as review
from shop.pharmacy.services import add_pages
from shop.tests.buckets.server import KEPT_IN_BOTH

from .conftest import photo

PASSWORD = "correct horse battery"


@pytest.fixture
def page(tablets, kept_in, prescribed):
    prescribed({tablets: 1})
    return PrescriptionPage.objects.get()


def member(role="", **fields):
    person = Customer.objects.create_user(f"{role or 'nobody'}@example.com".replace(" ", ""), PASSWORD, **fields)
    if role:
        person.groups.add(Group.objects.get(name=role))
    return person


def browser_of(person):
    client = Client(headers={"sec-fetch-site": "same-origin"})
    client.force_login(person)
    return client


def statuses(person, page):
    """Of the customer's address and of the back office's, each with a key that was made for this very person, of the
    pharmacist's page, its list and the register."""
    checked = page.prescription.orders.get()
    staff = reverse("admin:pharmacy_prescription_page", args=[page.pk])
    client = browser_of(person)
    addresses = [
        page_url(page, person.pk),
        f"{staff}?key={page_key(page, person.pk)}",
        reverse("admin:pharmacy_orderprescription_change", args=[checked.pk]),
        reverse("admin:pharmacy_orderprescription_changelist"),
        reverse("admin:pharmacy_registerentry_changelist"),
    ]
    return [client.get(address).status_code for address in addresses]


@KEPT_IN_BOTH
def test_its_customer_reads_it(page):
    answer = browser_of(page.prescription.customer).get(page_url(page, page.prescription.customer_id))
    assert b"".join(answer.streaming_content)[:3] == b"\xff\xd8\xff"
    assert answer["Cache-Control"] == "private, no-store" and answer["X-Content-Type-Options"] == "nosniff"
    assert statuses(page.prescription.customer, page)[1:] == [404, 404, 404, 404]


@KEPT_IN_BOTH
def test_the_pharmacist_reads_it_in_the_back_office(page):
    assert statuses(member(PHARMACIST, is_staff=True), page) == [404, 200, 200, 200, 200]


@pytest.mark.parametrize("role", [role for role in GRANTS if role != PHARMACIST])
def test_no_other_role_reads_it(page, role):
    assert not set(statuses(member(role, is_staff=True), page)) & {200, 302}


@KEPT_IN_BOTH
def test_a_superuser_without_the_role_reads_nothing(page):
    assert not set(statuses(member(is_staff=True, is_superuser=True), page)) & {200, 302}


@KEPT_IN_BOTH
def test_without_the_role_itself_a_superuser_reads_it(page, monkeypatch):
    """Negative control: a permission that stood for the role would open picture, page and list to the owner."""
    for module in (review, register):
        monkeypatch.setattr(module, "is_pharmacist", lambda person: person.has_perm("pharmacy.view_orderprescription"))
    assert statuses(member(is_staff=True, is_superuser=True), page) == [404, 200, 200, 200, 200]


def test_somebody_with_the_role_who_is_no_staff_reads_nothing(page):
    assert set(statuses(member(PHARMACIST), page)) == {404}


@KEPT_IN_BOTH
def test_another_customer_finds_nothing(page):
    assert statuses(member(), page)[0] == 404
    own = page_url(page, page.prescription.customer_id)
    assert browser_of(Customer.objects.get(email="nobody@example.com")).get(own).status_code == 404


@KEPT_IN_BOTH
def test_without_the_filter_by_customer_a_stranger_with_a_key_reads_it(page, monkeypatch):
    """Negative control: the key names its viewer, and does not know whose picture it is."""
    stranger = member()
    address, browser = page_url(page, stranger.pk), browser_of(stranger)
    assert browser.get(address).status_code == 404
    monkeypatch.setattr(views, "get_object_or_404", lambda model, pk, **others: get_object_or_404(model, pk=pk))
    assert browser.get(address).status_code == 200


@KEPT_IN_BOTH
def test_a_visitor_is_asked_to_sign_in(page):
    answer = Client().get(page_url(page, page.prescription.customer_id))
    assert answer.status_code == 302 and "/signin/" in answer["Location"]


@pytest.mark.parametrize("key", ["", "x", "x:y", "1:2:3"])
def test_without_a_good_key_it_is_missing(page, key):
    address = reverse("prescription_page", args=[page.pk])
    assert browser_of(page.prescription.customer).get(f"{address}?key={key}").status_code == 404


@KEPT_IN_BOTH
def test_an_address_ends_after_ten_minutes(page):
    owner = page.prescription.customer
    address, browser = page_url(page, owner.pk), browser_of(owner)
    with patch("shop.pharmacy.access.OPEN_FOR", timedelta(seconds=-1)):
        assert browser.get(address).status_code == 404
    assert browser.get(address).status_code == 200


def test_the_file_has_no_address_of_its_own(page, monkeypatch):
    private = private_files()
    monkeypatch.setattr(PrescriptionPage._meta.get_field("file"), "storage", private)
    add_pages(page.prescription.customer, [photo("navy")])
    kept = PrescriptionPage.objects.latest("pk").file
    assert private == storages["private"] and private.exists(kept.name) and kept.name != page.file.name
    assert Client().get(f"/media/{kept.name}").status_code == 404
    shown = default_storage.save(kept.name, kept)
    assert Client().get(f"/media/{shown}").status_code == 200, "what is kept with the pictures is shown to everybody"


def test_the_customers_order_shows_it_to_its_customer(page):
    order = page.prescription.orders.get().order
    html = browser_of(order.customer).get(f"/order-detail/{order.number}/").content.decode()
    assert f"/prescription-page/{page.pk}/?key=" in html and "Our pharmacist is checking your prescription." in html


def test_each_reading_by_staff_is_in_the_history_and_a_refused_one_is_not(page):
    person = member(PHARMACIST, is_staff=True)
    address = reverse("admin:pharmacy_prescription_page", args=[page.pk])
    browser = browser_of(person)
    assert browser.get(f"{address}?key=x:y").status_code == 404 and not LogEntry.objects.exists()
    assert browser.get(f"{address}?key={page_key(page, person.pk)}").status_code == 200
    [entry] = LogEntry.objects.all()
    assert (entry.user, entry.object_id) == (person, str(page.prescription_id))
    assert "Read page 1" in entry.change_message and entry.content_type.model == "prescription"
