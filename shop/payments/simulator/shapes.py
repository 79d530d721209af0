"""What the provider's objects look like, and what it refuses (shared facts, sections 1 to 5)."""

import json
import re
from typing import Any

from .store import Body

ZERO_DECIMALS = frozenset(
    ["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"]
)
THREE_DECIMALS = frozenset(["BHD", "IQD", "JOD", "KWD", "OMR", "TND"])
MINIMUM = {"INR": 100, "USD": 50}
RUPEES_FOR_ONE = 83  # of any other currency: only the shape of base_amount matters
ORDER_FIELDS = {"amount", "currency", "receipt", "notes", "payment", "payment_capture", "partial_payment"}
REFUND_FIELDS = {"amount", "speed", "notes", "receipt"}
INDIAN_METHODS = {"netbanking", "upi", "wallet"}  # offered for rupees only
BAD, GATEWAY = "BAD_REQUEST_ERROR", "GATEWAY_ERROR"
PROVING, ALLOWING = "payment_authentication", "payment_authorization"
# reason: (code, description, source, step)
FAILURES = {
    "payment_cancelled": (BAD, "Payment processing cancelled by user", "customer", PROVING),
    "payment_timed_out": (BAD, "Payment was not completed on time.", "customer", PROVING),
    "insufficient_funds": (BAD, "Payment failed due to insufficient account balance.", "bank", ALLOWING),
    "incorrect_otp": (BAD, "Payment failed because of an incorrect OTP.", "customer", PROVING),
    "incorrect_cvv": (BAD, "Payment failed because of an incorrect CVV.", "customer", ALLOWING),
    "card_declined": (BAD, "The card was declined by the bank.", "issuer_bank", ALLOWING),
    "card_expired": (BAD, "The card has expired.", "customer", ALLOWING),
    "authentication_failed": (BAD, "Authentication of the payment failed.", "customer", PROVING),
    "bank_technical_error": (GATEWAY, "The bank has a technical problem.", "bank", ALLOWING),
    "gateway_technical_error": (GATEWAY, "The gateway has a technical problem.", "gateway", ALLOWING),
    "payment_declined": (BAD, "The payment was declined by the bank.", "bank", ALLOWING),
    "invalid_vpa": (BAD, "Invalid VPA. Please enter a valid one.", "customer", "payment_initiation"),
    "payment_collect_request_expired": (BAD, "The collect request has expired.", "customer", PROVING),
    "international_transaction_not_allowed": (BAD, "International cards are not accepted.", "business", ALLOWING),
}
NO_ERROR = dict.fromkeys(("error_code", "error_description", "error_source", "error_step", "error_reason"))


class SimulatorError(Exception):
    """An answer other than 2xx, in the provider's shape."""

    def __init__(self, description: str, *, status: int = 400, field: str | None = None) -> None:
        super().__init__(description)
        self.status = status
        self.body: Body = {
            "error": {
                "code": "BAD_REQUEST_ERROR",
                "description": description,
                "source": "business" if field else "NA",
                "step": "payment_initiation" if field else "NA",
                "reason": "input_validation_failed" if field else "NA",
                "metadata": {},
                "field": field,
            }
        }


def failure(reason: str) -> Body:
    """The five members of a payment that say why it failed."""
    code, description, source, step = FAILURES[reason]
    return {
        "error_code": code, "error_description": description, "error_source": source, "error_step": step,
        "error_reason": reason,
    }  # fmt: skip


def require_amount(amount: Any, currency: Any, *, international: bool = True) -> None:
    if type(amount) is not int:
        raise SimulatorError("The amount must be an integer.", field="amount")
    if not isinstance(currency, str) or not currency:
        raise SimulatorError("The currency field is required.", field="currency")
    if not re.fullmatch("[A-Z]{3}", currency) or (currency != "INR" and not international):
        raise SimulatorError("Currency is not supported", field="currency")
    least = MINIMUM.get(currency, 1)
    if amount < least:
        shown = f"{least}.00" if currency in ZERO_DECIMALS else f"{least / 100:.2f}"
        raise SimulatorError(f"The amount must be at least {currency} {shown}", field="amount")
    if currency in THREE_DECIMALS and amount % 10:
        raise SimulatorError("The last digit of the amount must be 0.", field="amount")


def require_only(body: Body, known: set[str]) -> None:
    if unknown := sorted(body.keys() - known):
        raise SimulatorError(f"{', '.join(unknown)} is/are not required and should not be sent", field=unknown[0])


def read_notes(given: Any) -> Body | list[Any]:
    """Notes as they are answered: none are an empty list."""
    if given in (None, [], {}):
        return []
    if not isinstance(given, dict):
        raise SimulatorError("The notes must be an object.", field="notes")
    if len(given) > 15:
        raise SimulatorError("The number of fields in notes should be less than or equal to 15.", field="notes")
    if any(len(value if isinstance(value, str) else json.dumps(value)) > 256 for value in given.values()):
        raise SimulatorError("A value of notes may not be greater than 256 characters.", field="notes")
    return given


def captures_automatically(request: Body) -> bool:
    """The account's setting is automatic; an order may say otherwise, in the new way or the old one."""
    options = request.get("payment")
    if options is None:
        return request.get("payment_capture", 1) in (1, True, "1")
    if not isinstance(options, dict) or options.get("capture") not in ("automatic", "manual"):
        raise SimulatorError("The capture must be automatic or manual.", field="payment.capture")
    return bool(options["capture"] == "automatic")


def order_body(order_id: str, request: Body, now: int) -> Body:
    return {
        "id": order_id, "entity": "order", "amount": request["amount"], "amount_paid": 0,
        "amount_due": request["amount"], "currency": request["currency"], "receipt": request.get("receipt"),
        "offer_id": None, "status": "created", "attempts": 0, "notes": read_notes(request.get("notes")),
        "created_at": now,
    }  # fmt: skip


def payment_body(payment_id: str, order: Body, method: str, now: int) -> Body:
    """A payment in its first state."""
    return {
        "id": payment_id, "entity": "payment", "amount": order["amount"], "currency": order["currency"],
        "status": "created", "order_id": order["id"], "invoice_id": None, "international": False, "method": method,
        "amount_refunded": 0, "refund_status": None, "captured": False, "description": None, "card_id": None,
        "bank": None, "wallet": None, "vpa": None, "email": "payer@example.com", "contact": "+919876543210",
        "notes": [], "fee": None, "tax": None, **NO_ERROR, "acquirer_data": acquirer_data(method),
        "created_at": now,
        **(in_rupees(order["amount"], order["currency"]) if order["currency"] != "INR" else {}),
    }  # fmt: skip


def in_rupees(amount: int, currency: str) -> Body:
    """The settlement value of another currency: paise for its smallest units, by its exponent."""
    units = 1 if currency in ZERO_DECIMALS else 1000 if currency in THREE_DECIMALS else 100
    return {"base_amount": amount * RUPEES_FOR_ONE * 100 // units, "base_currency": "INR"}


def acquirer_data(method: str, number: str | None = None) -> Body:
    """What the bank answered with; nulls until it has."""
    if method == "upi":
        return {"rrn": number, "upi_transaction_id": number and f"SIM{number}"}
    return {{"netbanking": "bank_transaction_id", "wallet": "transaction_id"}.get(method, "auth_code"): number}


def refund_body(refund_id: str, payment: Body, request: Body, amount: int, now: int) -> Body:
    return {
        "id": refund_id, "entity": "refund", "amount": amount, "currency": payment["currency"],
        "payment_id": payment["id"], "notes": read_notes(request.get("notes")), "receipt": request.get("receipt"),
        "acquirer_data": {"arn": None}, "created_at": now, "batch_id": None, "status": "pending",
        "speed_requested": request.get("speed", "normal"), "speed_processed": "normal",
    }  # fmt: skip


def dispute_body(dispute_id: str, payment: Body, now: int) -> Body:
    return {
        "id": dispute_id, "entity": "dispute", "payment_id": payment["id"], "amount": payment["amount"],
        "currency": payment["currency"], "amount_deducted": 0, "reason_code": "goods_or_services_not_received",
        "respond_by": now + 7 * 86400, "status": "open", "phase": "chargeback", "created_at": now,
    }  # fmt: skip


def collection(items: list[Body]) -> Body:
    return {"entity": "collection", "count": len(items), "items": items}
