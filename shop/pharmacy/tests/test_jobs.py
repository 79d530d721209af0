"""Messages at each step, the owner's after four hours, the register, and what is kept for how long."""

import csv
from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import Group
from django.db import transaction
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.privacy.personal_data import data_of
from shop.accounts.signals import account_deleted
from shop.accounts.staff.roles import OWNER
from shop.catalog.batches.services import receive_batch
from shop.catalog.models import Product
from shop.messaging.models import Message
from shop.orders.models import Order, ReturnRequest, Shipment, ShipmentLine
from shop.orders.returns.services import approve, receive, request_return, send_replacement
from shop.orders.shipping.services import deliver, ship
from shop.orders.signals import parcel_packed
from shop.orders.states import WrongState, move_order
from shop.pharmacy import jobs
from shop.pharmacy.jobs import announce_prescriptions, delete_old_prescriptions, warn_of_late_prescriptions
from shop.pharmacy.models import OrderPrescription, Prescription, RegisterEntry
from shop.pharmacy.services import add_pages, begin_new, choose_kept, chosen_prescription

from .conftest import approved, photo


@pytest.fixture
def antibiotic(pharmacy, make_variant, make_product):
    made = {"active_ingredients": [["Cefixime", "200 mg"]], "is_prescription": True, "schedule": "H1"}
    return make_variant(price="90", units=10, product=make_product("Cefixime 200 mg", **made))


def test_customer_and_pharmacist_are_told_once(tablets, prescribed, pharmacist):
    order, _ = prescribed({tablets: 1})
    Customer.objects.filter(pk=order.customer_id).update(phone="+919876500009")
    assert (announce_prescriptions(), announce_prescriptions()) == (1, 0)
    kinds = ("prescription_received", "desk_prescription")
    sent = sorted(Message.objects.filter(kind__in=kinds).values_list("kind", "channel", "to"))
    assert sent == [
        ("desk_prescription", "mail", pharmacist.email),
        ("prescription_received", "mail", order.email),
        ("prescription_received", "sms", "+919876500009"),
    ]
    assert not any("Metformin" in message.text for message in Message.objects.filter(kind__in=kinds))


@pytest.mark.parametrize("hours, told", [(3.9, 0), (4.1, 1)])
def test_the_owner_is_told_after_four_hours_without_an_answer(tablets, prescribed, hours, told):
    owner = Customer.objects.create_user("owner@example.com", "correct horse battery", is_staff=True)
    owner.groups.add(Group.objects.get(name=OWNER))
    prescribed({tablets: 1})
    Order.objects.update(placed_at=timezone.now() - timedelta(hours=hours))
    assert (warn_of_late_prescriptions(), warn_of_late_prescriptions()) == (told, 0)
    assert (
        list(Message.objects.filter(kind="desk_prescription_late").values_list("to", flat=True)) == [owner.email] * told
    )


def test_nobody_is_told_of_what_was_decided(tablets, prescribed):
    _, checked = prescribed({tablets: 1})
    approved(checked)
    Order.objects.update(placed_at=timezone.now() - timedelta(hours=9))
    assert (announce_prescriptions(), warn_of_late_prescriptions()) == (0, 0)


# --- Register ---------------------------------------------------------------------------------------


def test_each_supply_of_schedule_h1_is_entered_once(antibiotic, tablets, prescribed):
    order, checked = prescribed({antibiotic: 3, tablets: 1})
    approved(checked)
    assert not RegisterEntry.objects.exists()
    line = order.lines.get(variant=antibiotic)
    ship(order, {line.pk: 2}, actor="staff:1")
    ship(order, actor="staff:1")
    parcel_packed.send(Shipment, lines=list(ShipmentLine.objects.all()))
    entries = RegisterEntry.objects.order_by("pk").values_list(
        "drug", "quantity", "patient_name", "patient_address", "prescriber_name", "prescriber_registration"
    )
    facts = ("Asha Rao", "12 Temple Road, Bengaluru", "Dr Meera Iyer", "KMC 12345")
    drug = "Cefixime 200 mg, Cefixime 200 mg"
    assert list(entries) == [(drug, 2, *facts), (drug, 1, *facts)]


def test_the_register_is_written_with_the_parcel_from_what_the_product_is_then(antibiotic, tablets, prescribed):
    order, checked = prescribed({antibiotic: 1, tablets: 1})
    approved(checked)
    Product.objects.filter(pk=tablets.product_id).update(schedule="H1")  # corrected before it is packed
    ship(order, actor="staff:1")
    Product.objects.update(schedule="", name="Renamed", is_prescription=False)
    entries = RegisterEntry.objects.order_by("pk")
    assert [entry.drug.partition(" ")[0] for entry in entries] == ["Cefixime", "Metformin"]
    assert {entry.supplied_on for entry in entries} == {timezone.localdate()}


@pytest.mark.parametrize("schedule", ["H", "H1"])
def test_what_needs_a_prescription_since_it_was_being_packed_stays_here(antibiotic, make_variant, prescribed, schedule):
    balm = make_variant("90", units=9)
    order, checked = prescribed({antibiotic: 1, balm: 1})
    approved(checked)
    move_order(order, Order.Status.PROCESSING, actor="staff:1")
    Product.objects.filter(pk=balm.product_id).update(is_prescription=True, schedule=schedule)
    line = order.lines.get(variant=balm)
    with pytest.raises(WrongState, match="The pharmacist has to approve"), transaction.atomic():
        ship(order, {line.pk: 1}, actor="staff:1")
    assert not ShipmentLine.objects.exists() and not RegisterEntry.objects.exists()
    ship(order, {order.lines.get(variant=antibiotic).pk: 1}, actor="staff:1")
    assert RegisterEntry.objects.count() == 1


def test_a_parcel_that_is_not_sent_leaves_no_entry(antibiotic, prescribed):
    order, checked = prescribed({antibiotic: 1})
    approved(checked)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        ship(order, actor="staff:1")
        raise ZeroDivisionError
    assert not RegisterEntry.objects.exists()


def test_a_replacement_is_a_supply_of_its_own(antibiotic, prescribed):
    order, checked = prescribed({antibiotic: 1})
    approved(checked)
    deliver(ship(order, actor="staff:1"), actor="staff:1")
    line, customer = order.lines.get(), order.customer
    request = request_return(line, customer=customer, kind="replacement", reason="wrong-item", quantity=1)
    receive(approve(request, actor="staff:1"), actor="staff:1", is_restocked=True)
    send_replacement(ReturnRequest.objects.get(), actor="staff:1")
    assert list(RegisterEntry.objects.values_list("quantity", "order_number")) == [(1, order.number)] * 2


def test_the_register_names_the_batches_of_the_parcel(make_variant, make_product, pharmacy, prescribed):
    product = make_product("Cefixime 200 mg", is_prescription=True, schedule="H1")
    variant = make_variant(price="90", units=0, product=product)
    today = timezone.localdate()
    for number, units, days in (("AB12", 1, 400), ("CD34", 5, 800)):
        receive_batch(
            variant.pk, number=number, manufactured=today - timedelta(days=30), expires=today + timedelta(days=days),
            units=units, actor="staff:1",
        )  # fmt: skip
    order, checked = prescribed({variant: 2})
    approved(checked)
    ship(order, actor="staff:1")
    assert RegisterEntry.objects.get().batch == "AB12, CD34"


def test_the_register_goes_out_as_csv_without_formulas(antibiotic, prescribed, pharmacist, browser_client):
    order, checked = prescribed({antibiotic: 1})
    approved(checked)
    ship(order, actor="staff:1")
    RegisterEntry.objects.update(patient_name="=1+1")
    browser_client.force_login(pharmacist)
    entry = RegisterEntry.objects.get()
    batch = browser_client.post(f"/admin/pharmacy/registerentry/{entry.pk}/change/", {"batch": "B-17"})
    assert batch.status_code == 302
    answer = browser_client.post(
        "/admin/pharmacy/registerentry/", {"action": "export_csv", "_selected_action": entry.pk, "index": "0"}
    )
    head, row = csv.reader(StringIO(b"".join(answer.streaming_content).decode("utf-8-sig")))
    said = dict(zip(head, row, strict=True))
    assert said == {
        "supplied_on": timezone.localdate().isoformat(),
        "drug": "Cefixime 200 mg, Cefixime 200 mg",
        "batch": "B-17",
        "quantity": "1",
        "patient_name": "'=1+1",
        "patient_address": "12 Temple Road, Bengaluru",
        "prescriber_name": "Dr Meera Iyer",
        "prescriber_address": "4 Clinic Street, Bengaluru",
        "prescriber_registration": "KMC 12345",
        "order_number": order.number,
    }


# --- Retention --------------------------------------------------------------------------------------


def aged(model, days, **of):
    model.objects.filter(**of).update(created_at=timezone.now() - timedelta(days=days))


def stored(page):
    return page.file.storage.exists(page.file.name)


@pytest.mark.parametrize("days, kept", [(3 * 365 - 1, True), (3 * 366 + 1, False)])
def test_pictures_are_kept_three_years_after_the_last_order(
    tablets, prescribed, days, kept, django_capture_on_commit_callbacks
):
    _, checked = prescribed({tablets: 1})
    page = checked.prescription.pages.get()
    aged(Prescription, days)
    aged(OrderPrescription, days)
    with django_capture_on_commit_callbacks(execute=True):
        delete_old_prescriptions()
    assert Prescription.objects.exists() is kept and stored(page) is kept
    assert Order.objects.exists()


@pytest.mark.parametrize("days, kept", [(6, True), (8, False)])
def test_an_upload_without_an_order_is_kept_a_week(pharmacy, customer, days, kept, django_capture_on_commit_callbacks):
    page = add_pages(customer, [photo()]).pages.get()
    aged(Prescription, days)
    with django_capture_on_commit_callbacks(execute=True):
        delete_old_prescriptions()
    assert Prescription.objects.exists() is kept and stored(page) is kept


def test_however_many_are_old_all_go_in_one_run(pharmacy, new_buyer, monkeypatch):
    monkeypatch.setattr(jobs, "BATCH", 2)
    old = [add_pages(new_buyer({}), [photo()]) for _ in range(5)]
    aged(Prescription, 8)
    stuck, delete = old[1], jobs._delete

    def fail_for_one(prescription):
        if prescription.pk == stuck.pk:
            raise ValueError("It can't be forgotten.")
        return delete(prescription)

    monkeypatch.setattr(jobs, "_delete", fail_for_one)
    assert delete_old_prescriptions() == 4
    assert Prescription.objects.get() == stuck


def test_entries_of_the_register_go_after_three_years(antibiotic, prescribed):
    order, checked = prescribed({antibiotic: 1})
    approved(checked)
    ship(order, actor="staff:1")
    RegisterEntry.objects.update(supplied_on=timezone.localdate() - timedelta(days=3 * 365 + 1))  # one is a leap year
    delete_old_prescriptions()
    assert RegisterEntry.objects.exists()
    long_ago = timezone.now() - timedelta(days=3 * 366 + 1)
    RegisterEntry.objects.update(supplied_on=long_ago.date())
    Shipment.objects.update(shipped_at=long_ago)
    delete_old_prescriptions()
    assert not RegisterEntry.objects.exists()


# --- Personal data ----------------------------------------------------------------------------------


def test_a_customer_takes_prescriptions_along(tablets, prescribed):
    order, checked = prescribed({tablets: 1})
    approved(checked)
    (said,) = data_of(order.customer)["prescriptions"]
    assert (said["patient_name"], said["pages"]) == ("Asha Rao", 1)
    assert said["orders"][0]["lines"][0]["state"] == "approved"


def test_a_deleted_account_leaves_what_was_ordered_with_and_nothing_else(
    tablets, prescribed, django_capture_on_commit_callbacks
):
    order, checked = prescribed({tablets: 1})
    unused = add_pages(order.customer, [photo("red")]).pages.get()
    with django_capture_on_commit_callbacks(execute=True):
        account_deleted.send(Customer, customer=order.customer)
    assert list(Prescription.objects.all()) == [checked.prescription]
    assert stored(checked.prescription.pages.get()) and not stored(unused)


def test_of_uploads_that_nobody_orders_with_one_is_kept(tablets, prescribed, django_capture_on_commit_callbacks):
    order, checked = prescribed({tablets: 1})
    customer, pages = order.customer, []
    with django_capture_on_commit_callbacks(execute=True):
        for colour in ("red", "blue"):
            pages.append(add_pages(customer, [photo(colour)]).pages.get())
            begin_new(customer)
        pages.append(add_pages(customer, [photo("green")]).pages.get())
    assert [stored(page) for page in pages] == [False, False, True]
    assert stored(checked.prescription.pages.get()), "an order holds it"
    assert customer.prescriptions.count() == 2


def test_choosing_a_kept_prescription_deletes_the_upload_it_replaces(
    tablets, prescribed, django_capture_on_commit_callbacks
):
    order, checked = prescribed({tablets: 1})
    approved(checked, written=2, repeats=3)
    begin_new(order.customer)
    with django_capture_on_commit_callbacks(execute=True):
        upload = add_pages(order.customer, [photo("red")]).pages.get()
        choose_kept(order.customer, checked.prescription_id)
    assert not stored(upload) and chosen_prescription(order.customer) == checked.prescription
