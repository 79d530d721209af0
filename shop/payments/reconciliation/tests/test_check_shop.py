"""Each query of check_shop finds the fault that is planted for it, and nothing in a healthy shop."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.db.models import F
from django.utils import timezone

from shop.accounts.models import Code, PointsEntry
from shop.cart.models import Coupon
from shop.catalog.models import Batch, ReturnReason, Variant
from shop.catalog.stock import services as stock
from shop.messaging.models import Message
from shop.orders.batches.models import ShippedBatch
from shop.orders.conftest import new_address
from shop.orders.models import (
    Invoice,
    InvoiceSeries,
    Order,
    OrderEvent,
    OrderLine,
    ReturnRequest,
    Shipment,
    ShipmentLine,
)

from ...models import Payment, Refund, StrayCapture
from ...refunds.services import key_of
from ...services import cancel, verify_payment
from ...simulator.payer import pay
from ..invariants import INVARIANTS

LONG_AGO = timezone.now() - timedelta(hours=1)


def broken():
    return {invariant.name for invariant in INVARIANTS if list(invariant.broken())}


def verify(payment):
    result = pay(payment.razorpay_order_id)
    return verify_payment(
        razorpay_order_id=result.razorpay_order_id,
        razorpay_payment_id=result.razorpay_payment_id,
        signature=result.razorpay_signature,
    )


@pytest.fixture
def shop(paying):
    """A shop with a waiting, a placed, a cancelled and a paid and cancelled order."""
    waiting, _ = paying()
    verify(paying()[1])
    cancel(paying()[0], actor="customer")
    paid, payment = paying()
    verify(payment)
    paid.refresh_from_db()
    cancel(paid, actor="customer")
    return waiting


def test_a_healthy_shop_has_nothing_to_report(shop, capsys):
    assert broken() == set()
    call_command("check_shop")
    assert capsys.readouterr().out.count("ok") == len(INVARIANTS)


def plant_lost_stock(order):
    Variant.objects.filter(pk=order.lines.get().variant_id).update(held=0, on_hand=F("on_hand") + F("held"))


def plant_stock_that_came_back_twice(order):
    """All columns and movements agree; only the orders know better."""
    sold = OrderLine.objects.get(order__status="placed")
    stock.take_back({sold.variant_id: sold.quantity}, reference="x")


def plant_no_lines(order):
    order.lines.all().delete()


def plant_message_without_order(order):
    Message.objects.create(kind="order_placed", key="order_placed:ORD-GONE00000", to="x", text="x")


def plant_capture_too_small(order):
    Payment.objects.filter(status="captured").update(captured_paise=F("captured_paise") - 1)


def plant_homeless_money(order):
    Payment.objects.filter(order=order).update(
        status="refused", razorpay_payment_id="pay_x", captured_paise=F("amount_paise"), captured_at=LONG_AGO
    )


def plant_stray_that_also_paid(order):
    paid = Payment.objects.filter(status="captured").first()
    StrayCapture.objects.create(payment=paid, razorpay_payment_id=paid.razorpay_payment_id, amount_paise=1, reason="x")


def plant_wrong_total(order):
    Order.objects.filter(pk=order.pk).update(total_inr=F("total_inr") + Decimal("0.01"))


def plant_wrong_price(order):
    order.lines.update(list_price_inr=F("list_price_inr") + 1)


def plant_overdue_hold(order):
    Order.objects.filter(pk=order.pk).update(hold_expires_at=LONG_AGO)


def plant_foreign_address(order):
    stranger = Order.objects.exclude(customer=order.customer).first().customer
    foreign = new_address(stranger, is_default=False)
    Order.objects.filter(pk=order.pk).update(address_id_then=foreign.pk)


def plant_guesses(order):
    Code.objects.create(purpose="sign_up", address="a@example.com", code_hash="x", expires_at=LONG_AGO, tries=6)


def plant_old_message(order):
    Message.objects.create(kind="greeting", to="x", text="x", created_at=LONG_AGO)


def plant_step_back(order):
    OrderEvent.objects.create(order=order, status_from="pending", status_to="shipped")


def ask_back(order, **fields):
    line = OrderLine.objects.filter(order__status="cancelled", order__placed_at__isnull=False).get()
    defaults = {"line": line, "kind": "refund", "reason": ReturnReason.objects.first(), "quantity": 1}
    ReturnRequest.objects.create(**(defaults | fields))


def plant_too_many_back(order):
    ask_back(order, quantity=99)


def plant_return_without_money(order):
    ask_back(order, status="refunded", refund_inr=1)


def plant_return_whose_refund_failed(order):
    ask_back(order, status="refunded", refund_inr=1)
    Refund.objects.create(
        payment=Payment.objects.filter(status="captured", order__status="cancelled").get(), status="failed",
        razorpay_payment_id="x", idempotency_key=key_of(ReturnRequest.objects.get()), amount_paise=100, reason="x",
    )  # fmt: skip


def plant_lost_invoice(order):
    Invoice.objects.filter(kind="credit").delete()
    Invoice.objects.first().delete()


def plant_refund_without_note(order):
    Refund.objects.create(
        payment=Payment.objects.filter(status="captured", order__status="cancelled").get(),
        razorpay_payment_id="x", idempotency_key="return_00000001", amount_paise=1, reason="x",
    )  # fmt: skip


def plant_gap(order):
    InvoiceSeries.objects.update(last=F("last") + 1)


def plant_uncounted_coupon(order):
    Coupon.objects.create(code="LOST", kind="percent", percent=5, uses=1)


def plant_points_from_nowhere(order):
    PointsEntry.objects.create(customer=order.customer, kind="redeemed", points=-5, reference="x", key="x")


def plant_units_without_a_batch(order):
    Variant.objects.filter(pk=order.lines.get().variant_id).update(is_batched=True)


def plant_a_batch_sent_in_no_parcel(order):
    Batch.objects.create(variant=order.lines.get().variant, number="B1", received=1, packed=1)


def plant_units_packed_after_their_last_day(order):
    line, yesterday = order.lines.get(), timezone.localdate() - timedelta(days=1)
    batch = Batch.objects.create(variant=line.variant, number="B1", received=1, packed=1, sold_until=yesterday)
    packed = ShipmentLine.objects.create(shipment=Shipment.objects.create(order=order), order_line=line, quantity=1)
    ShippedBatch.objects.create(shipment_line=packed, batch=batch, quantity=1)


def plant_units_said_to_be_unmet(order):
    """A batch covers all that is reserved."""
    variant = order.lines.get().variant
    Batch.objects.create(variant=variant, received=variant.held, units=variant.held)
    stock = Variant.objects.filter(pk=variant.pk)
    stock.update(is_batched=True, received=F("received") - F("on_hand"), on_hand=0, unmet=1)


@pytest.mark.parametrize(
    ("plant", "name"),
    [
        (plant_lost_stock, "Q1"),
        (plant_stock_that_came_back_twice, "Q1"),
        (plant_no_lines, "Q3"),
        (plant_message_without_order, "Q4"),
        (plant_capture_too_small, "Q5"),
        (plant_homeless_money, "Q6"),
        (plant_stray_that_also_paid, "Q7"),
        (plant_wrong_total, "Q9"),
        (plant_wrong_price, "Q10"),
        (plant_overdue_hold, "Q11"),
        (plant_foreign_address, "Q13"),
        (plant_guesses, "Q15"),
        (plant_old_message, "Q16"),
        (plant_step_back, "Q17"),
        (plant_too_many_back, "Q18"),
        (plant_return_without_money, "Q19"),
        (plant_return_whose_refund_failed, "Q19"),
        (plant_lost_invoice, "Q20"),
        (plant_refund_without_note, "Q20"),
        (plant_gap, "Q21"),
        (plant_uncounted_coupon, "Q22"),
        (plant_points_from_nowhere, "Q23"),
        (plant_units_without_a_batch, "Q25"),
        (plant_a_batch_sent_in_no_parcel, "Q25"),
        (plant_units_packed_after_their_last_day, "Q25"),
        (plant_units_said_to_be_unmet, "Q25"),
    ],
)
def test_a_planted_fault_is_found(shop, plant, name):
    plant(shop)
    assert name in broken()
    with pytest.raises(SystemExit) as end:
        call_command("check_shop")
    assert end.value.code == 1


def test_what_the_database_itself_refuses_needs_no_plant(shop):
    """Q2, Q8, Q12 and Q14 stand behind constraints: the rows they look for cannot be written."""
    constraints = {
        constraint.name for model in (Variant, Order, OrderLine, Payment) for constraint in model._meta.constraints
    }
    assert {"stock_never_negative", "one_live_hold_a_customer", "one_open_payment_an_order"} <= constraints
