"""What the pharmacist decides: by line, once, and nothing unapproved is packed."""

from datetime import date, timedelta
from decimal import Decimal
from html import unescape

import pytest
from django.db import transaction
from django.utils import timezone

from shop.catalog.models import Variant
from shop.errors import Changed, Invalid
from shop.messaging.models import Message
from shop.orders.models import Order, OrderLine, ReturnRequest
from shop.orders.returns.cancellation import cancel_units
from shop.orders.shipping.services import ship
from shop.orders.states import WrongState, move_order
from shop.pharmacy.models import OrderPrescription, PrescribedItem, PrescriptionLine
from shop.pharmacy.review.services import Decision, decide

from .conftest import approved, facts, paid, refused


def states(checked):
    return list(checked.lines.values_list("state", "quantity"))


def test_nothing_is_packed_before_every_line_is_approved(tablets, soap, prescribed):
    order, checked = prescribed({tablets: 2, soap: 1})
    for step in (lambda: move_order(order, "processing", actor="staff:1"), lambda: ship(order, actor="staff:1")):
        with pytest.raises(WrongState, match="approve the prescription for Metformin"), transaction.atomic():
            step()
    assert Order.objects.get().status == "placed"
    approved(checked)
    ship(order, actor="staff:1")
    assert Order.objects.get().status == "shipped"


def test_what_became_a_prescription_medicine_after_it_was_ordered_is_not_packed(pharmacy, soap, new_buyer, order_of):
    order = paid(order_of(new_buyer({soap: 1})))
    type(soap.product).objects.filter(pk=soap.product_id).update(is_prescription=True)
    with pytest.raises(WrongState):
        ship(order, actor="staff:1")


def test_a_refused_line_is_cancelled_and_owed_and_the_rest_goes_on(tablets, soap, prescribed):
    order, checked = prescribed({tablets: 2, soap: 1})
    (done,) = refused(checked)
    assert (done.state, done.get_reason_display()) == ("refused", "We can't read the prescription.")
    line = OrderLine.objects.get(variant=tablets)
    request = ReturnRequest.objects.get()
    assert (line.kept, request.quantity, request.refund_inr) == (0, 2, Decimal(100))
    assert Variant.objects.get(pk=tablets.pk).on_hand == 90
    ship(order, actor="staff:1")


def test_with_nothing_left_the_order_is_cancelled(tablets, prescribed):
    order, checked = prescribed({tablets: 2})
    refused(checked)
    order.refresh_from_db()
    assert order.status == "cancelled"


def test_a_refusal_that_comes_twice_refunds_once(tablets, soap, prescribed):
    _, checked = prescribed({tablets: 2, soap: 1})
    line = checked.lines.get()
    refused(checked, line)
    assert refused(checked, line) == []
    assert ReturnRequest.objects.count() == 1
    with pytest.raises(Changed):
        refused(checked, line, reason="expired")
    with pytest.raises(Changed):
        decide(checked, {line.pk: Decision(written=1)}, facts=facts(), actor="staff:1")
    assert states(checked) == [("refused", 0)]


def test_packs_beyond_what_is_written_are_cancelled(tablets, soap, prescribed):
    order, checked = prescribed({tablets: 3, soap: 1})
    approved(checked, written=2)
    assert states(checked) == [("approved", 2)]
    assert OrderLine.objects.get(variant=tablets).kept == 2
    assert ReturnRequest.objects.get().refund_inr == Decimal(50)
    ship(order, actor="staff:1")


def test_each_line_by_itself(tablets, make_variant, make_product, prescribed):
    other = make_variant(price="70", units=5, product=make_product("Amlodipine", is_prescription=True))
    order, checked = prescribed({tablets: 1, other: 1})
    first, second = checked.lines.all()
    decide(checked, {first.pk: Decision(written=1)}, facts=facts(), actor="staff:1")
    checked.refresh_from_db()
    assert checked.decided_at is None and not Message.objects.filter(kind="prescription_decided").exists()
    with pytest.raises(WrongState, match="Amlodipine"), transaction.atomic():
        ship(order, actor="staff:1")
    refused(checked, second, reason="other")
    checked.refresh_from_db()
    assert checked.decided_at is not None
    text = Message.objects.get(kind="prescription_decided").text
    assert "Metformin 500 mg: Approved: 1" in text
    assert "Amlodipine: Not approved. The prescription doesn't name this medicine or strength." in text
    ship(order, actor="staff:1")


@pytest.mark.parametrize(
    "changes, field",
    [
        ({"patient_name": " "}, "patient_name"),
        ({"prescriber_registration": "-"}, "prescriber_registration"),
        ({"prescriber_name": ""}, "prescriber_name"),
        ({"issued_on": timedelta(days=-190)}, "issued_on"),
        ({"issued_on": timedelta(days=1)}, "issued_on"),
        ({"repeats": 99}, "repeats"),
    ],
)
def test_nothing_is_approved_with_a_fact_missing(tablets, prescribed, changes, field):
    _, checked = prescribed({tablets: 1})
    if field == "issued_on":  # from the day on which this test runs, which may not be that on which it was collected
        changes = {field: timezone.localdate() + changes[field]}
    with pytest.raises(Invalid) as refusal:
        decide(checked, {checked.lines.get().pk: Decision(written=1)}, facts=facts(**changes), actor="staff:1")
    assert list(refusal.value.fields) == [field]
    assert states(checked) == [("waiting", 0)] and not PrescribedItem.objects.exists()


@pytest.mark.parametrize("written", [0, -1, 1001])
def test_the_packs_that_are_written_are_a_number_that_can_be(tablets, prescribed, written):
    _, checked = prescribed({tablets: 1})
    line = checked.lines.get()
    with pytest.raises(Invalid) as refusal:
        decide(checked, {line.pk: Decision(written=written)}, facts=facts(), actor="staff:1")
    assert list(refusal.value.fields) == [f"written_{line.pk}"]
    assert states(checked) == [("waiting", 0)] and not PrescribedItem.objects.exists()


@pytest.mark.parametrize(
    ("issued", "last"),
    [
        (date(2026, 1, 15), date(2026, 7, 15)),
        (date(2025, 8, 31), date(2026, 2, 28)),
        (date(2026, 7, 1), date(2027, 1, 1)),
        (date(2026, 6, 30), date(2026, 12, 30)),
    ],
)
def test_approved_on_the_last_day_of_six_months_and_not_on_the_next(tablets, prescribed, issued, last, monkeypatch):
    _, checked = prescribed({tablets: 1})
    decisions = {checked.lines.get().pk: Decision(written=1)}
    monkeypatch.setattr(timezone, "localdate", lambda *args: last + timedelta(days=1))
    with pytest.raises(Invalid) as refusal:
        decide(checked, decisions, facts=facts(issued_on=issued), actor="staff:1")
    assert list(refusal.value.fields) == ["issued_on"] and states(checked) == [("waiting", 0)]
    monkeypatch.setattr(timezone, "localdate", lambda *args: last)
    decide(checked, decisions, facts=facts(issued_on=issued), actor="staff:1")
    assert states(checked) == [("approved", 1)]


def test_what_the_customer_cancelled_waits_for_nobody(tablets, soap, prescribed):
    order, checked = prescribed({tablets: 2, soap: 1})
    line = checked.lines.get()
    assert list(OrderPrescription.objects.waiting()) == [checked]
    cancel_units(order, {line.line_id: 2}, actor=f"customer:{order.customer_id}")
    assert not OrderPrescription.objects.waiting()
    ship(order, actor="staff:1")


def test_nothing_is_decided_once_the_order_is_cancelled(tablets, prescribed):
    order, checked = prescribed({tablets: 2})
    from shop.orders.placing.services import cancel_order

    cancel_order(order, actor="customer:1")
    with pytest.raises(WrongState):
        approved_all = PrescriptionLine.objects.filter(checked=checked)
        decide(checked, {line.pk: Decision(written=1) for line in approved_all}, facts=facts(), actor="staff:1")


# --- The pages --------------------------------------------------------------------------------------


@pytest.fixture
def desk(pharmacist, browser_client):
    browser_client.force_login(pharmacist)
    return browser_client


def change(checked):
    return f"/admin/pharmacy/orderprescription/{checked.pk}/change/"


def form_of(checked, **decisions):
    said = facts()
    line = checked.lines.waiting().first()
    return {
        **{name: getattr(said, name) for name in said.__slots__ if name not in ("issued_on",)},
        "issued_on": said.issued_on.isoformat(),
        f"decision_{line.pk}": "approve",
        f"written_{line.pk}": "2",
        **decisions,
    }


def test_the_pharmacist_sees_pictures_beside_lines_and_decides(desk, tablets, soap, prescribed):
    _, checked = prescribed({tablets: 2, soap: 1})
    page = desk.get(change(checked))
    html = page.content.decode()
    assert "Metformin 500 mg" in html and "Page 1 of 1" in html and "Neem Soap" not in html
    assert "no-store" in page["Cache-Control"] and "private" in page["Cache-Control"]
    answer = desk.post(change(checked), form_of(checked))
    assert answer.status_code == 302
    assert states(checked) == [("approved", 2)]
    checked.prescription.refresh_from_db()
    assert checked.prescription.prescriber_registration == "KMC 12345"


def test_a_refusal_needs_a_reason_and_keeps_what_was_typed(desk, tablets, prescribed):
    _, checked = prescribed({tablets: 2})
    line = checked.lines.get()
    answer = desk.post(change(checked), form_of(checked, **{f"decision_{line.pk}": "refuse"}))
    html = answer.content.decode()
    assert answer.status_code == 422 and "Choose a reason." in html and 'value="KMC 12345"' in html
    assert states(checked) == [("waiting", 0)]


def test_the_next_one_is_the_oldest_that_waits(desk, tablets, prescribed):
    _, first = prescribed({tablets: 1})
    _, second = prescribed({tablets: 1})
    Order.objects.filter(pk=second.order_id).update(placed_at=timezone.now() - timedelta(hours=5))
    assert desk.get("/admin/pharmacy/orderprescription/next/")["Location"] == change(second)
    assert desk.get(f"/admin/pharmacy/orderprescription/next/?after={second.pk}")["Location"] == change(first)
    listed = desk.get("/admin/pharmacy/orderprescription/").content.decode().replace("\xa0", " ")
    assert "1 hour late" in listed and "left" in listed


def test_it_waits_in_the_inbox_with_a_clock_and_without_what_is_on_it(desk, tablets, prescribed):
    order, checked = prescribed({tablets: 1})
    listed = desk.get("/admin/care/enquiry/inbox/")
    assert order.number in listed.content.decode() and "1 medicine to approve" in listed.content.decode()
    item = desk.get(f"/admin/care/enquiry/inbox/prescription/{checked.pk}/").content.decode()
    assert change(checked) in item and "prescription-page" not in item


def test_confirmation_and_its_mail_say_that_a_pharmacist_looks_first(prescribed, tablets, soap, client):
    order, checked = prescribed({tablets: 1, soap: 1})
    words = "Our pharmacist is checking your prescription. We&#x27;ll pack your order after that."
    client.force_login(order.customer)
    address = f"/en-in/ordercon/?order={order.number}"
    assert words in client.get(address).content.decode()
    mail = Message.objects.get(kind="order_placed")
    assert unescape(words) in mail.text and words in mail.html
    approved(checked)
    assert words not in client.get(address).content.decode()


def test_the_confirmation_of_other_orders_says_nothing_of_a_pharmacist(new_buyer, order_of, soap):
    paid(order_of(new_buyer({soap: 1})))
    assert "pharmacist" not in Message.objects.get(kind="order_placed").text
