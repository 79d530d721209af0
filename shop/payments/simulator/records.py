"""What the simulator remembers, and the shapes it answers with."""

import secrets
import string
import time
from typing import Any

from django.db import transaction

from ..models import SimulatedRecord

ID_ALPHABET = string.ascii_letters + string.digits
Body = dict[str, Any]


class SimulatorError(Exception):
    """An answer other than 2xx, in the provider's shape."""

    def __init__(self, description: str, *, status: int = 400, field: str | None = None, code: str = "") -> None:
        super().__init__(description)
        self.status = status
        self.body: Body = {
            "error": {
                "code": code or "BAD_REQUEST_ERROR",
                "description": description,
                "source": "business" if field else "NA",
                "step": "payment_initiation" if field else "NA",
                "reason": "input_validation_failed" if field else "NA",
                "metadata": {},
                "field": field,
            }
        }


def new_id(prefix: str) -> str:
    return f"{prefix}_" + "".join(secrets.choice(ID_ALPHABET) for _ in range(14))


def keep(account: str, kind: str, body: Body, *, parent: str = "", mark: str = "") -> Body:
    SimulatedRecord.objects.create(id=body["id"], account=account, kind=kind, parent=parent, mark=mark, body=body)
    return body


def lock(account: str, kind: str, record_id: str) -> SimulatedRecord:
    """The record, locked until the end of the transaction; a missing or foreign one does not exist."""
    if len(record_id.rpartition("_")[2]) != 14:
        raise SimulatorError(f"{record_id} is not a valid id")
    record = SimulatedRecord.objects.select_for_update().filter(account=account, kind=kind, id=record_id).first()
    if record is None:
        raise SimulatorError("The id provided does not exist")
    return record


def change(record: SimulatedRecord, **fields: Any) -> Body:
    record.body |= fields
    record.save(update_fields=["body"])
    return record.body


def listing(account: str, kind: str, query: dict[str, str], **filters: Any) -> Body:
    """A collection, newest first, by `count`, `skip`, `from` and `to`."""
    count, skip = _whole(query, "count", 10), _whole(query, "skip", 0)
    if not 1 <= count <= 100 or skip < 0:
        raise SimulatorError("The count must be between 1 and 100.", field="count")
    rows = SimulatedRecord.objects.filter(account=account, kind=kind, **filters).order_by("-created_at", "-id")
    if "from" in query:
        rows = rows.filter(body__created_at__gte=_whole(query, "from", 0))
    if "to" in query:
        rows = rows.filter(body__created_at__lte=_whole(query, "to", 0))
    items = [row.body for row in rows[skip : skip + count]]
    return {"entity": "collection", "count": len(items), "items": items}


def _whole(query: dict[str, str], name: str, default: int) -> int:
    value = query.get(name, str(default))
    if not value.isascii() or not value.isdigit():
        raise SimulatorError(f"The {name} must be an integer.", field=name)
    return int(value)


@transaction.atomic
def make_order(account: str, body: Body) -> Body:
    amount, currency = body.get("amount"), body.get("currency")
    _require_amount(amount, currency)
    if len(str(body.get("receipt") or "")) > 40:
        raise SimulatorError("The receipt may not be greater than 40 characters.", field="receipt")
    order = {
        "id": new_id("order"), "entity": "order", "amount": amount, "amount_paid": 0, "amount_due": amount,
        "currency": currency, "receipt": body.get("receipt"), "offer_id": None, "status": "created", "attempts": 0,
        "notes": body.get("notes") or [], "created_at": int(time.time()),
    }  # fmt: skip
    return keep(account, "order", order, mark=str(body.get("receipt") or ""))


THREE_DECIMALS = {"BHD", "IQD", "JOD", "KWD", "OMR", "TND"}


def _require_amount(amount: Any, currency: Any) -> None:
    if type(amount) is not int:
        raise SimulatorError("The amount must be an integer.", field="amount")
    if not isinstance(currency, str) or len(currency) != 3:
        raise SimulatorError("The currency field is required.", field="currency")
    if currency == "INR" and amount < 100:
        raise SimulatorError("Order amount less than minimum amount allowed", field="amount")
    if currency in THREE_DECIMALS and amount % 10:
        raise SimulatorError("The last digit of the amount must be 0.", field="amount")


def make_payment(account: str, order: Body, **fields: Any) -> Body:
    """A payment in its first state; `fields` override the shape."""
    payment = {
        "id": new_id("pay"), "entity": "payment", "amount": order["amount"], "currency": order["currency"],
        "status": "created", "order_id": order["id"], "invoice_id": None, "international": False, "method": "card",
        "amount_refunded": 0, "refund_status": None, "captured": False, "description": None, "card_id": None,
        "bank": None, "wallet": None, "vpa": None, "email": "payer@example.com", "contact": "+919876543210",
        "notes": [], "fee": None, "tax": None, "error_code": None, "error_description": None, "error_source": None,
        "error_step": None, "error_reason": None, "acquirer_data": {"auth_code": None},
        "created_at": int(time.time()),
    }  # fmt: skip
    return keep(account, "payment", payment | fields, parent=order["id"])


def make_refund(account: str, payment: SimulatedRecord, body: Body, key: str) -> Body:
    """Give money back, all or part of it, once for each idempotency key."""
    unknown = body.keys() - {"amount", "speed", "notes", "receipt"}
    if unknown:
        raise SimulatorError(f"{', '.join(sorted(unknown))} is/are not required and should not be sent")
    if key and (earlier := SimulatedRecord.objects.filter(account=account, kind="refund", mark=key).first()):
        if earlier.parent != payment.id or earlier.body["amount"] != body.get("amount"):
            raise SimulatorError(
                "Different request with the same idempotency key has already been processed.", status=409
            )
        return earlier.body
    paid = payment.body
    left = paid["amount"] - paid["amount_refunded"]
    amount = body.get("amount", left)
    if type(amount) is not int or amount < 100:
        raise SimulatorError("The amount must be at least INR 1.00", field="amount")
    if not paid["captured"]:
        raise SimulatorError("The payment status should be captured for action to be taken")
    if left == 0:
        raise SimulatorError("The payment has been fully refunded already")
    if amount > left:
        raise SimulatorError("The refund amount provided is greater than amount captured", field="amount")
    refunded = paid["amount_refunded"] + amount
    whole = refunded == paid["amount"]
    change(
        payment,
        amount_refunded=refunded,
        refund_status="full" if whole else "partial",
        status="refunded" if whole else "captured",
    )
    refund = {
        "id": new_id("rfnd"), "entity": "refund", "amount": amount, "currency": paid["currency"],
        "payment_id": payment.id, "notes": body.get("notes") or [], "receipt": body.get("receipt"),
        "acquirer_data": {"arn": None}, "created_at": int(time.time()), "batch_id": None, "status": "processed",
        "speed_requested": body.get("speed", "normal"), "speed_processed": "normal",
    }  # fmt: skip
    return keep(account, "refund", refund, parent=payment.id, mark=key)


def capture_payment(account: str, payment: SimulatedRecord) -> Body:
    """An authorized payment becomes captured, and its order paid."""
    fee = payment.body["amount"] * 2 // 100
    captured = change(
        payment, status="captured", captured=True, fee=fee, tax=fee * 18 // 118, error_code=None,
        error_description=None, error_reason=None,
    )  # fmt: skip
    order = lock(account, "order", payment.parent)
    change(order, status="paid", amount_paid=order.body["amount"], amount_due=0)
    return captured
