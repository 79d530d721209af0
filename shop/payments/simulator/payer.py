"""The person at the payment window: pays, tries and fails, or leaves it pending."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from ..keys import checkout_signature, simulated_keys
from . import records
from .events import note_event
from .records import Body, SimulatorError


@dataclass(frozen=True, slots=True)
class WindowResult:
    """What the provider's window hands to the shop's page after a payment."""

    razorpay_order_id: str
    razorpay_payment_id: str
    razorpay_signature: str


def pay(razorpay_order_id: str, *, until: str = "captured", method: str = "card", **fields: Any) -> WindowResult:
    """Pay the simulated order as far as `until`: created, authorized, captured or failed.

    `fields` override the payment's own (such as a wrong amount). A paid order takes no second
    payment, unless `second=True` plays two that race. Raises SimulatorError as the window would.
    """
    keys = simulated_keys()
    second = fields.pop("second", False)
    with transaction.atomic():
        order = records.lock(keys.key_id, "order", razorpay_order_id)
        if order.body["status"] == "paid" and not second:
            raise SimulatorError("Your payment has been declined as the order is already paid.")
        records.change(order, attempts=order.body["attempts"] + 1)
        if order.body["status"] == "created":
            records.change(order, status="attempted")
        payment = records.make_payment(keys.key_id, order.body, method=method, **fields)
    if until != "created":
        move_payment(payment["id"], until)
    return WindowResult(
        razorpay_order_id, payment["id"], checkout_signature(razorpay_order_id, payment["id"], keys.key_secret)
    )


@transaction.atomic
def move_payment(razorpay_payment_id: str, to: str) -> Body:
    """What happens to a payment later: the bank answers, late or at last not."""
    account = simulated_keys().key_id
    payment = records.lock(account, "payment", razorpay_payment_id)
    if to == "failed":
        failed = records.change(
            payment,
            status="failed",
            error_code="BAD_REQUEST_ERROR",
            error_description="Your payment could not be completed.",
            error_source="customer",
            error_step="payment_authentication",
            error_reason="payment_cancelled",
        )
        note_event(account, "payment.failed", payment=failed)
        return failed
    body = records.change(payment, status="authorized")
    note_event(account, "payment.authorized", payment=body)
    if to == "captured":
        body = records.capture_payment(account, payment)
        note_event(account, "payment.captured", payment=body)
        note_event(account, "order.paid", payment=body, order=records.lock(account, "order", payment.parent).body)
    return body
