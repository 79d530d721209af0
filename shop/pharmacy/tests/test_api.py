"""Prescriptions by the JSON API, and behind the link of a draft of the desk: the services and rules of the checkout."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from shop.cart.models import CartLine
from shop.catalog.models import Variant
from shop.orders.conftest import fill
from shop.orders.drafts import services as drafts
from shop.orders.drafts.queries import found_variants
from shop.orders.models import Order, OrderDraft
from shop.payments.drafts.tests.conftest import again, caller, cash_on_delivery, linked, new_draft  # noqa: F401
from shop.payments.drafts.tests.test_payer_pages import form_of
from shop.pharmacy.models import OrderPrescription, PrescriptionPage
from shop.pharmacy.services import add_pages, begin_new

from .conftest import approved, paid, pdf_of, photo

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def upload(client, *files):
    named = [SimpleUploadedFile(f"rx-{number}", data) for number, data in enumerate(files)]
    return client.post("/api/prescription/pages/", {"files": named})


def step(client, **body):
    return client.post("/api/prescription/", json.dumps(body), content_type="application/json")


def order_by_call(client, customer):
    cart = client.post("/get-cart/", {"deliver_to": 1}, content_type="application/json").json()
    body = {
        "user_id": customer.addresses.get().pk, "deliver_to": 1, "coupon_amt": 0, "payment_currency": "INR",
        "coupon_code": "",
        "cart_items": [{"product_variant_id": line.variant_id, "quantity": 2} for line in CartLine.objects.all()],
    }  # fmt: skip
    body |= {name: cart[name] for name in ("sub_total_amt", "shipping_amt", "total_amount")}
    return client.post("/save-orders/", json.dumps(body), content_type="application/json")


@pytest.fixture
def customer(tablets, new_buyer, client):
    person = new_buyer({tablets: 2})
    client.force_login(person)
    return person


# --- The API ----------------------------------------------------------------------------------------


def test_a_client_uploads_and_orders_by_calls_alone(customer, client):
    refused = order_by_call(client, customer)
    assert (refused.status_code, refused.json()["code"]) == (409, "prescription_required")
    answer = upload(client, photo(), pdf_of(2)).json()
    assert len(answer["pages"]) == 3 and not answer["is_kept"] and answer["kept"] == []
    assert client.get(answer["pages"][0]["url"]).status_code == 200
    assert order_by_call(client, customer).status_code == 200
    checked = OrderPrescription.objects.get()
    assert checked.order.customer == customer and checked.prescription.pages.count() == 3


def test_pages_go_and_a_repetition_changes_nothing(customer, client):
    first, second = upload(client, photo("red"), photo("blue")).json()["pages"]
    assert [page["id"] for page in upload(client, photo("blue")).json()["pages"]] == [first["id"], second["id"]]
    assert [page["id"] for page in step(client, step="remove", id=first["id"]).json()["pages"]] == [second["id"]]
    assert step(client, step="remove", id=first["id"]).status_code == 404
    assert step(client, step="new").json()["pages"] == [] == step(client, step="new").json()["pages"]


def test_a_kept_one_is_chosen_by_its_id(tablets, prescribed, client):
    order, checked = prescribed({tablets: 1})
    approved(checked, written=2, repeats=3)
    client.force_login(order.customer)
    assert client.get("/api/prescription/").json()["is_kept"], "it is chosen until another is"
    begin_new(order.customer)
    [kept] = client.get("/api/prescription/").json()["kept"]
    answer = step(client, step="choose", id=kept["id"]).json()
    assert answer["is_kept"] and len(answer["pages"]) == 1


def test_a_kept_one_with_repeats_leads_to_an_order(tablets, prescribed, client, india):
    order, checked = prescribed({tablets: 2})
    approved(checked, written=2, repeats=1)
    client.force_login(order.customer)
    begin_new(order.customer)
    fill(order.customer, {tablets: 2}, india)
    assert order_by_call(client, order.customer).json()["code"] == "prescription_required"
    [kept] = client.get("/api/prescription/").json()["kept"]
    step(client, step="choose", id=kept["id"])
    assert order_by_call(client, order.customer).status_code == 200
    again = OrderPrescription.objects.exclude(pk=checked.pk).get()
    assert again.prescription == checked.prescription and again.order.customer == order.customer
    assert list(again.lines.values_list("line__variant", "line__quantity", "state")) == [(tablets.pk, 2, "waiting")]


def test_what_is_no_prescription_is_refused_in_words(customer, client):
    answer = upload(client, b"hello")
    assert (answer.status_code, answer.json()["code"]) == (422, "not_a_picture")
    assert upload(client).status_code == 422 and not PrescriptionPage.objects.exists()
    assert step(client, step="destroy").status_code == 422


def test_another_customers_pages_and_prescriptions_are_not_there(customer, tablets, prescribed, client):
    _, checked = prescribed({tablets: 1})
    approved(checked, written=2, repeats=3)
    page = checked.prescription.pages.get()
    assert step(client, step="remove", id=page.pk).status_code == 404
    assert step(client, step="choose", id=checked.prescription_id).status_code == 404
    assert client.get("/api/prescription/").json() == {"pages": [], "is_kept": False, "kept": []}
    assert Client().get("/api/prescription/").status_code == 401


# --- Drafts of the desk -----------------------------------------------------------------------------


@pytest.fixture
def payer():
    """A browser in which nobody is signed in."""
    return Client(headers={"sec-fetch-site": "same-origin"})


def test_the_desk_may_put_it_into_a_draft_where_it_is_sold(tablets, new_draft, make_variant):  # noqa: F811
    draft = new_draft({make_variant(units=3): 1})
    [offer] = found_variants(tablets.sku, draft)
    assert offer["refusal"] == ""
    drafts.add_line(again(draft), variant_id=tablets.pk, quantity=1)
    assert again(draft).cart.lines.count() == 2


def test_without_a_licence_the_desk_reads_that_it_is_not_sold(tablets, new_draft, make_variant, settings):  # noqa: F811
    settings.COMPANY = settings.COMPANY | {"pharmacy_licence": ""}
    [offer] = found_variants(tablets.sku, new_draft({make_variant(units=3): 1}))
    assert offer["refusal"] == "Prescription medicine, not sold online"


def test_who_pays_by_the_link_is_asked_for_the_prescription(tablets, linked, payer):  # noqa: F811
    draft, path = linked({tablets: 2})
    page = payer.get(path)
    assert 'name="prescription"' in page.content.decode() and "multipart/form-data" in page.content.decode()
    refused = payer.post(path, form_of(page, has_parts="1"))
    assert refused.status_code == 409 and "Add a photo or PDF of your prescription" in refused.content.decode()
    assert not Order.objects.exists()
    files = [SimpleUploadedFile("rx.jpg", photo())]
    added = payer.post(path, form_of(page, has_parts="1", prescription_step="add", prescription=files))
    shown = added.content.decode()
    assert added.status_code == 200 and "Prescription, page 1" in shown
    assert "/prescription-page/" not in shown, "who has the link need not be the customer"
    assert payer.post(path, form_of(payer.get(path), has_parts="1")).status_code == 302
    order = paid(Order.objects.get())
    assert OrderPrescription.objects.get(order=order).prescription.customer == draft.customer
    assert order.lines.get().prescribed.state == "waiting"


def test_who_has_the_link_sees_and_removes_nothing_of_the_customers(tablets, linked, payer):  # noqa: F811
    draft, path = linked({tablets: 2})
    page = add_pages(draft.customer, [photo()]).pages.get()
    shown = payer.get(path).content.decode()
    assert "/prescription-page/" not in shown and "remove:" not in shown
    form = form_of(payer.get(path), has_parts="1", prescription_step=f"remove:{page.pk}")
    payer.post(path, form)
    assert PrescriptionPage.objects.filter(pk=page.pk).exists()


def test_a_kept_one_of_the_customer_counts_for_a_draft_too(tablets, linked, payer, prescribed, caller, india):  # noqa: F811
    fill(caller, {tablets: 1}, india)
    _, checked = prescribed({tablets: 1}, customer=caller)
    approved(checked, written=2, repeats=0)
    _, path = linked({tablets: 2})
    assert payer.post(path, form_of(payer.get(path), has_parts="1")).status_code == 409, "it was used, without repeats"
    assert Variant.objects.get(pk=tablets.pk).held == 0 and OrderDraft.objects.get().live_order is None
