"""Refunds of any amount by the shop's own decision: within what is left, once, with papers, points and later returns
that follow."""

import re
import time
from datetime import date
from decimal import Decimal
from functools import partial
from unittest.mock import Mock

import pytest
from django.conf import settings
from django.urls import reverse

from shop.accounts.points.services import balance_of
from shop.accounts.staff.roles import CATALOGUE_MANAGER, ORDER_DESK
from shop.catalog.models import GstRate, HsnCode
from shop.company.models import Company
from shop.errors import Invalid, ShopError
from shop.messaging.models import Message
from shop.money import INR, display
from shop.orders.backoffice.tests.test_order_admin import staff
from shop.orders.invoices.services import current_invoice
from shop.orders.models import Invoice, Order, ReturnRequest
from shop.orders.placing.address_change import change_address
from shop.orders.placing.services import cancel_order
from shop.orders.returns.cancellation import cancel_units
from shop.orders.returns.refundable import refundable
from shop.orders.returns.services import approve, receive, request_return
from shop.orders.shipping import services as parcels
from shop.orders.shipping.services import deliver_all, ship
from shop.orders.states import WrongState
from shop.orders.tests.racing import of_kind, together, without_write_lock
from shop.tests.support.staff import confirm

from ...backoffice import refunds_for_staff
from ...models import Payment, Refund
from ...providers.base import Refused
from ...providers.razorpay import razorpay
from ...reconciliation.invariants import INVARIANTS
from ...services import start_payment
from .. import goodwill
from ..goodwill import ENDED, MEANWHILE, TOO_LITTLE, left_of, refund_amount
from ..services import issue_due_refunds, mark_paid_back
from .test_refunds import broken, cash_order, paid

pytestmark = pytest.mark.django_db


@pytest.fixture
def bought(make_variant, make_product, new_buyer, order_of):
    """bought(3, 1): a paid order with so many units of a line each, at 200 rupees with GST, and its shipping."""

    def make(*units):
        Company.objects.create(legal_name="Leaf Ltd", address="1 Road", gstin="29AAAPL2356Q1Z8")
        hsn = HsnCode.objects.create(code="3004")
        GstRate.objects.create(hsn=hsn, percent=18, valid_from=date(2020, 1, 1))
        products = [make_product(f"Soap {at}", hsn=hsn) for at in range(len(units))]
        variants = [make_variant("200", units=9, product=product) for product in products]
        order = order_of(new_buyer(dict(zip(variants, units, strict=True))))
        assert order.shipping_inr > 0
        return paid(order, start_payment(order))

    return make


def fresh(order):
    return Order.objects.get(pk=order.pk)


def refund(order, amount, key="a", **more):
    facts = {"reason": "Sorry for the dent", "actor": "staff:1", "after": left_of(fresh(order)).seen} | more
    return refund_amount(order, Decimal(amount), key=key, **facts)


def amounts_of(order):
    return sorted(Refund.objects.filter(payment__order=order).values_list("amount_paise", flat=True))


def delivered(order):
    ship(order, actor="staff:1")
    return deliver_all(order, actor="staff:1")


def give_back_units(order, quantity, at=0):
    line = order.lines.order_by("pk")[at]
    asked = request_return(line, customer=order.customer, kind="refund", reason="wrong-item", quantity=quantity)
    approve(asked, actor="staff:1")
    receive(asked, actor="staff:1", is_restocked=True)
    asked.refresh_from_db()
    return asked.refund_inr


@pytest.mark.database
def test_an_amount_goes_back_once_with_a_credit_note_and_the_reason(bought):
    order = bought(2, 1)
    assert refund(order, "50.55") is not None
    assert refund(order, "50.55", after=0) is None  # the same form again
    assert amounts_of(order) == [5055]
    note = Invoice.objects.get(reference__startswith="goodwill:")
    assert (note.total_inr, note.kind) == (Decimal("50.55"), "credit")
    assert sorted((row["quantity"], row["total"]) for row in note.content["rows"]) == [(0, "16.85"), (0, "33.70")]
    taxes = ("taxable", "cgst", "sgst", "igst", "vat")
    totals = note.content["totals"]
    assert sum(Decimal(totals[part]) for part in taxes) == Decimal("50.55")
    assert order.events.last().note == "Refund of ₹50.55: Sorry for the dent"
    assert "Reason: Sorry for the dent" in Message.objects.get(kind="refunded").text
    issue_due_refunds()
    assert Payment.objects.get(order=order).refunded_paise == 5055
    assert not broken()


def test_no_more_goes_back_than_is_left_and_a_newer_refund_is_noticed(bought):
    order = bought(1)
    total = order.total_inr
    with pytest.raises(Invalid, match="refund at most ₹"):
        refund(order, total + Decimal("0.01"))
    for nothing in ("0", "-5"):
        with pytest.raises(Invalid):
            refund(order, nothing)
    with pytest.raises(Invalid, match="Enter a reason"):
        refund(order, "5", reason="—")
    refund(order, "10")
    with pytest.raises(WrongState, match=re.escape(MEANWHILE)):
        refund(order, "10", key="b", after=0)
    refund(order, total - 10, key="c")
    with pytest.raises(Invalid, match="refund at most"):
        refund(order, "0.01", key="d")
    issue_due_refunds()
    assert sum(amounts_of(order)) == total * 100 and not broken()


@pytest.mark.database
def test_what_failed_is_still_owed_and_no_other_refund_takes_it(bought, monkeypatch):
    order = bought(2)
    with monkeypatch.context() as patch:
        patch.setattr(type(razorpay), "refund", Mock(side_effect=Refused("declined")))
        refund(order, 100)
        issue_due_refunds()
    failed = Refund.objects.get()
    assert failed.status == "failed" and left_of(fresh(order)).total == order.total_inr - 100
    cancel_order(fresh(order), actor="customer")
    issue_due_refunds()
    mark_paid_back(failed, reference="UTR 1", actor="staff:1")
    assert Payment.objects.get().refunded_paise == order.total_inr * 100
    assert broken() == {}


def test_shipping_alone_goes_back_up_to_its_price(bought):
    order = bought(1)
    with pytest.raises(Invalid, match="of the shipping"):
        refund(order, order.shipping_inr + 1, shipping_only=True)
    refund(order, order.shipping_inr, shipping_only=True)
    assert left_of(fresh(order)).shipping == 0
    assert [row["id"] for row in Invoice.objects.get(reference__startswith="goodwill:").content["rows"]] == ["shipping"]
    line_left = order.total_inr - order.shipping_inr
    assert give_back_units(delivered(order), 1) == line_left  # the shipping is not refunded twice
    issue_due_refunds()
    assert sum(amounts_of(order)) == order.total_inr * 100 and not broken()


def test_a_later_return_refunds_what_is_left_of_its_line(bought):
    order = delivered(bought(2))
    assert refund(order, "300") is not None
    assert give_back_units(order, 1) == Decimal("100") + order.shipping_inr  # our fault: shipping is due
    issue_due_refunds()
    assert give_back_units(order, 1) == 0
    issue_due_refunds()
    assert set(refundable(fresh(order)).values()) == {Decimal(0)}
    assert sum(amounts_of(order)) == order.total_inr * 100
    assert sum(note.total_inr for note in Invoice.objects.filter(kind="credit")) == order.total_inr
    assert not broken()


def test_taxes_of_all_credit_notes_add_up_to_those_of_the_invoice(bought):
    order = bought(2, 2)
    refund(order, "33.33")
    cancel_units(order, {order.lines.first().pk: 1}, actor="staff:1")
    refund(order, "11.11", key="b")
    issue_due_refunds()
    cancel_order(fresh(order), actor="staff:1")
    issue_due_refunds()
    invoice = current_invoice(order)
    notes = [note.content["totals"] for note in Invoice.objects.filter(kind="credit")]
    assert Decimal(invoice.content["totals"]["cgst"]) > 0
    for part, total in invoice.content["totals"].items():
        assert sum(Decimal(note[part]) for note in notes) == Decimal(total), part
    assert sum(amounts_of(order)) == order.total_inr * 100 and not broken()


def test_another_state_keeps_the_lowered_prices(bought):
    order = bought(2)
    refund(order, "150")
    cancel_units(order, {order.lines.get().pk: 1}, actor="staff:1")  # of 400, 250 were left; this unit has 200
    change_address(order, {"state": "Kerala", "city": "Kochi", "pincode": "682001"}, actor="staff:1")
    renewed = current_invoice(order)
    assert renewed.total_inr == order.total_inr - 350
    issue_due_refunds()
    refund(order, "50", key="b")
    with pytest.raises(Invalid, match="refund at most"):
        refund(order, order.shipping_inr + 1, key="c")
    issue_due_refunds()
    assert not broken()


def test_points_follow_the_goods_and_not_the_shipping(bought):
    order = delivered(bought(3))
    earned = balance_of(order.customer)
    assert earned == 6
    refund(order, order.shipping_inr, shipping_only=True)
    assert balance_of(order.customer) == 6
    refund(order, "250", key="b")
    assert balance_of(order.customer) == 3
    give_back_units(order, 3)
    issue_due_refunds()
    assert balance_of(order.customer) == 0 and not broken()


def test_less_is_earned_where_the_price_was_lowered_before(bought):
    order = bought(3)
    refund(order, "250")
    delivered(order)
    assert balance_of(order.customer) == 3 and not broken()


def test_an_ended_or_unpaid_order_has_nothing_left(bought, paying):
    order = bought(1)
    cancel_order(order, actor="staff:1")
    with pytest.raises(WrongState, match=re.escape(ENDED)):
        refund(order, "1")
    unpaid, _ = paying()
    with pytest.raises(Invalid, match="Nothing was paid"):
        refund(unpaid, "1")
    assert left_of(unpaid).total == 0


def test_cash_is_transferred_by_hand(make_variant, new_buyer, order_of):
    order = cash_order(make_variant, new_buyer, order_of)
    assert left_of(order).total == 0
    delivered(order)
    refund(order, "20")
    refund(order, "10", key="b")  # for the same reason
    assert not Message.objects.filter(kind="refunded").exists()
    assert refunds_for_staff().filter(status="requested").count() == 2


@pytest.mark.parametrize("same", ["Sorry for the dent", "Sorry for the wait"])
def test_one_that_failed_stays_in_sight_beside_another_of_the_same_reason(bought, same):
    order = bought(2)
    failed = refund(order, "20")
    Refund.objects.filter(pk=failed.pk).update(status="failed")
    refund(order, "10", key="b", reason=same)
    assert list(refunds_for_staff()) == [failed]


# --- At one moment --------------------------------------------------------------------------------


def send_at_once(order, amounts, *, key):
    jobs = [partial(refund, order, amount, key=key(at), after=0) for at, amount in enumerate(amounts)]
    return together(jobs)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_one_form_sent_often_at_once_pays_once(bought):
    order = bought(2)
    results = send_at_once(order, ["100"] * 8, key=lambda at: "one")
    assert len(of_kind(results, Refund)) == 1 and amounts_of(order) == [10000]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_two_people_at_once_one_refunds_and_the_other_is_told(bought):
    order = bought(2)
    results = send_at_once(order, ["300"] * 6, key=str)
    assert_one_refunded(order, results)


def assert_one_refunded(order, results):
    assert len(of_kind(results, Refund)) == 1 and len(of_kind(results, ShopError)) == 5
    assert amounts_of(order) == [30000]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_of_the_order_more_goes_back_than_was_left(bought, monkeypatch):
    order = bought(2)
    without_write_lock(monkeypatch)
    shares = goodwill._shares

    def slow(*args, **more):
        time.sleep(0.05)
        return shares(*args, **more)

    monkeypatch.setattr(goodwill, "_shares", slow)
    results = send_at_once(order, ["300"] * 6, key=str)
    with pytest.raises(AssertionError):
        assert_one_refunded(order, results)


# --- On the page ----------------------------------------------------------------------------------


def form_of(client, order, **more):
    page = client.post(reverse("admin:orders_order_step", args=[order.pk, "refund"])).content.decode()
    key = re.search(r'value="([0-9a-f]+)" id="refund-key"', page)[1]
    after = re.search(r'name="after" value="(\d+)" id="refund-after"', page)[1]
    return {"key": key, "after": after, "amount": "25.50", "part": "order", "words": "A leaking cap"} | more


def send(client, order, form):
    return client.post(reverse("admin:orders_order_step", args=[order.pk, "refund"]), form)


def test_staff_are_asked_once_with_the_amount(bought):
    order, desk = bought(1), staff(ORDER_DESK)
    asked = send(desk, order, form_of(desk, order))
    assert "₹25.50 will be refunded: 1 order." in asked.content.decode() and amounts_of(order) == []
    assert confirm(desk, asked).status_code == 302
    again = confirm(desk, asked)
    assert again.status_code == 302 and amounts_of(order) == [2550]
    more = form_of(desk, order, amount="30")
    other = confirm(desk, send(desk, order, more), amount="31")  # changed on the page that asks
    assert "₹31.00 will be refunded" in other.content.decode() and amounts_of(order) == [2550]


def test_what_is_refused_is_said_at_the_field_and_what_was_typed_stays(bought):
    order, desk = bought(1), staff(ORDER_DESK)
    asked = send(desk, order, form_of(desk, order, amount="99999"))
    answer = confirm(desk, asked)
    page = answer.content.decode()
    assert answer.status_code == 422 and "refund at most ₹" in page and "A leaking cap" in page and "99999" in page
    assert amounts_of(order) == []


def test_staff_who_read_hindi_are_asked_and_refused_in_hindi(bought):
    """What the order keeps of it is English all the same, and read in Hindi."""
    order, desk = bought(1), staff(ORDER_DESK)
    desk.cookies[settings.LANGUAGE_COOKIE_NAME] = "hi"
    page = desk.post(reverse("admin:orders_order_step", args=[order.pk, "refund"])).content.decode()
    for words in ("रकम रुपयों में", "किसका रिफ़ंड", "वजह", "ग्राहक इसे देखेंगे।", "ऑर्डर, पहले आइटम: ₹", "सिर्फ़ शिपिंग: ₹"):
        assert words in page
    assert "The customer will see it." not in page and "up to ₹" not in page
    refused = confirm(desk, send(desk, order, form_of(desk, order, amount="99999"))).content.decode()
    assert "ज़्यादा से ज़्यादा ₹" in refused and "You can refund" not in refused
    assert confirm(desk, send(desk, order, form_of(desk, order))).status_code == 302
    assert order.events.last().note == "Refund of ₹25.50: A leaking cap"
    read = desk.get(reverse("admin:orders_order_change", args=[order.pk])).content.decode()
    assert "₹25.50 का रिफ़ंड: A leaking cap" in read


def test_only_whoever_may_refund_refunds(bought):
    order, other = bought(1), staff(CATALOGUE_MANAGER)
    assert send(other, order, {"amount": "1"}).status_code == 403


def test_planted_faults_are_found(bought):
    order = bought(1)
    refund(order, "10")
    assert not broken()
    fit = next(one for one in INVARIANTS if one.name == "Q24").broken
    Refund.objects.filter(idempotency_key__startswith="goodwill_").update(amount_paise=900)
    assert list(fit())


# --- Beside other money ---------------------------------------------------------------------------


def test_points_are_lost_once_where_a_return_of_cash_waits_for_its_transfer(make_variant, new_buyer, order_of):
    order = cash_order(make_variant, new_buyer, order_of, quantity=2)  # at 250: five points
    delivered(order)
    assert balance_of(order.customer) == 5
    give_back_units(order, 1)
    issue_due_refunds()  # transferred by hand later
    refund(order, "40")
    assert balance_of(order.customer) == 4
    mark_paid_back(Refund.objects.get(idempotency_key__startswith="return_"), reference="UTR 1", actor="staff:1")
    assert balance_of(order.customer) == 2 and not broken()  # of 210


def test_points_are_earned_for_all_that_was_kept_where_units_were_cancelled_beside(make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant("200", units=9): count for count in (2, 4)}))
    paid(order, start_payment(order))
    refund(order, "1000")  # of 1200: 333.33 of the first line
    cancel_units(fresh(order), {order.lines.order_by("pk")[0].pk: 1}, actor="staff:1")
    issue_due_refunds()
    kept = sum(inr for row, inr in refundable(fresh(order)).items() if row != "shipping")
    assert 100 < kept < 200
    delivered(fresh(order))
    assert balance_of(order.customer) == 1 and not broken()


def test_what_was_refused_at_the_door_was_not_paid_and_is_not_refunded(make_variant, new_buyer, order_of):
    order = cash_order(make_variant, new_buyer, order_of, quantity=2)
    line = order.lines.get()
    for arrive in (parcels.deliver, parcels.refuse):
        arrive(ship(order, {line.pk: 1}, actor="staff:1"), actor="staff:1")
    collected = order.total_inr - 250
    assert left_of(fresh(order)).total == collected
    with pytest.raises(Invalid, match="at most"):
        refund(order, collected + 1)
    refund(order, collected)
    receive(ReturnRequest.objects.get(), actor="staff:1", is_restocked=True)
    issue_due_refunds()
    assert Refund.objects.get(reference="Never collected").amount_paise == 250_00 and not broken()


def test_cancelling_afterwards_names_what_is_left_to_refund(bought):
    order = bought(1)
    refund(order, "50")
    cancel_order(fresh(order), actor="staff:1")
    left = display(order.total_inr - 50, INR)
    assert f"We'll refund the remaining {left} to the card" in Message.objects.get(kind="order_cancelled").text
    issue_due_refunds()
    assert sum(amounts_of(order)) == order.total_inr * 100 and not broken()


def test_cancelling_what_was_refunded_already_promises_nothing(bought):
    order = bought(1)
    refund(order, order.total_inr)
    cancel_order(fresh(order), actor="staff:1")
    assert "Everything you paid has already been refunded." in Message.objects.get(kind="order_cancelled").text
    for _ in range(2):
        issue_due_refunds()
    assert order.invoices.filter(kind="credit").count() == 2  # the amount, and the unit that was left
    assert sum(amounts_of(order)) == order.total_inr * 100 and not broken()


@pytest.mark.parametrize("amount", ["0.01", "0.99"])
def test_what_the_provider_never_refunds_is_refused_at_once(bought, amount):
    order = bought(1)
    with pytest.raises(Invalid, match=re.escape(TOO_LITTLE)):
        refund(order, amount)
    assert not Refund.objects.exists() and not Message.objects.filter(kind="refunded").exists()
    refund(order, "1.00")
    issue_due_refunds()
    assert Refund.objects.get().status == "processed" and not broken()


def test_the_transfer_of_cash_names_the_reason(make_variant, new_buyer, order_of):
    order = delivered(cash_order(make_variant, new_buyer, order_of))
    paid_back = refund(order, "0.50")
    mark_paid_back(paid_back, reference="UTR 1", actor="staff:1")
    assert "Sorry for the dent" in Message.objects.get(kind="refunded").text
