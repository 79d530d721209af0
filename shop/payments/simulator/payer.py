"""The person at the payment window: pays, tries and fails, or leaves it pending."""

from dataclasses import asdict, dataclass
from typing import Any

from ..providers.keys import checkout_signature
from .events import send, take
from .in_process import shop_provider
from .provider import NO_BANK_ANSWER, Provider
from .shapes import FAILURES, SimulatorError
from .store import Body, Row

UPI_SECONDS = 1.5  # a test payment by UPI succeeds by itself, whether the window is open or not
NETWORKS = {"4": "Visa", "5": "MasterCard", "6": "RuPay"}
INTERNATIONAL = {"4012888888881881"}
REFUSED_CARDS = {"4100280000080001": "insufficient_funds", "4100280000070002": "payment_cancelled"}


@dataclass(frozen=True, slots=True)
class WindowResult:
    """What the provider's window hands to the shop's page after a payment."""

    razorpay_order_id: str
    razorpay_payment_id: str
    razorpay_signature: str


def pay(
    razorpay_order_id: str, *, until: str = "captured", provider: Provider | None = None, **fields: Any
) -> WindowResult:
    """Pay an order as far as `until`: created, authorized, captured or failed.

    `fields` are those of Provider.begin_payment. Raises SimulatorError as the window would.
    """
    provider = provider or shop_provider()
    with provider.store.atomic():
        order = provider.store.get("order", razorpay_order_id)
        if order is None:
            raise SimulatorError("The id provided does not exist")
        payment = provider.begin_payment(order.account, order.id, fields.pop("method", "card"), **fields)
        if until != "created":
            provider.move(payment, until)
        return result_of(provider, payment)


def move_payment(razorpay_payment_id: str, to: str, provider: Provider | None = None) -> Body:
    """What happens to a payment later: the bank answers, late or at last not."""
    provider = provider or shop_provider()
    with provider.store.atomic():
        payment = provider.store.get("payment", razorpay_payment_id)
        if payment is None:
            raise SimulatorError("The id provided does not exist")
        provider.move(payment, to)
        return payment.public


def result_of(provider: Provider, payment: Row) -> WindowResult:
    secret = provider.accounts[payment.account]
    return WindowResult(payment.parent, payment.id, checkout_signature(payment.parent, payment.id, secret))


# --- At the window: what is typed decides, and the fault that was chosen for the order -----------


def pay_at_window(provider: Provider, key_id: str, order_id: str, typed: Body) -> Body:
    """What the window shows next: a `result`, an `error`, `waiting` for a payment, or `lost`."""
    with provider.store.atomic():
        order = provider.require(key_id, "order", order_id)
        method = str(typed.get("method", "card"))
        fields = _fields(method, typed)
        if _fault_name(order) == "wrong_amount":
            fields["amount"] = order.body["amount"] - 1
        reason = typed.get("reason") or _refusal(method, typed, provider.international)
        if reason not in ("", *FAILURES):
            raise SimulatorError(f"There is no reason {reason}.", field="reason")
        payment = provider.begin_payment(key_id, order_id, method, **fields)
        if reason or method == "upi" or _fault_name(order) in ("failed_then_captured", "late_authorization"):
            return _wait_or_fail(provider, payment, reason, order.body.get("_fault") or {})
        if _fault_name(order) == "two_captures":
            second = provider.begin_payment(key_id, order_id, method, second=True, **fields)
            provider.move(second, "captured")
        return _succeed(provider, payment, order, lost=bool(typed.get("lost")))


def pay_and_tell(provider: Provider, key_id: str, order_id: str, typed: Body) -> Body:
    """The same, where the order's fault may be that its webhooks arrive before the window's result."""
    with provider.store.atomic():
        seen = pay_at_window(provider, key_id, order_id, typed)
        order = provider.require(key_id, "order", order_id)
        early = take(provider, order_id) if _fault_name(order) == "webhook_first" else []
    for delivery in early:
        send(provider, delivery, provider.post)
    return seen


def _fault_name(order: Row) -> str:
    return str((order.body.get("_fault") or {}).get("name", ""))


def _fields(method: str, typed: Body) -> Body:
    """The members of a payment that tell how it was paid."""
    if method == "card":
        number = str(typed.get("card", "4100280000001007")).replace(" ", "")
        card = {
            "entity": "card", "name": "", "last4": number[-4:], "network": NETWORKS.get(number[:1], "Unknown"),
            "type": "credit", "issuer": None, "international": number in INTERNATIONAL, "emi": False,
            "sub_type": "consumer",
        }  # fmt: skip
        return {"_card": card, "international": number in INTERNATIONAL}
    if method == "upi":
        vpa = str(typed.get("vpa", "success@razorpay"))
        upi = {"vpa": vpa, "flow": "collect", "payer_account_type": "bank_account"}
        return {"vpa": vpa, "upi": upi}
    if method in ("netbanking", "wallet"):
        name = "bank" if method == "netbanking" else "wallet"
        return {name: str(typed.get(name, "HDFC" if name == "bank" else "mobikwik"))}
    raise SimulatorError("The method is not offered.", field="method")


def _refusal(method: str, typed: Body, international: bool) -> str:
    """Why what was typed does not pay (the provider's test data); empty where it does."""
    if method == "upi":
        vpa = str(typed.get("vpa", "success@razorpay"))
        return "" if vpa in ("success@razorpay", "failure@razorpay") else "invalid_vpa"
    if method != "card":
        return ""
    number = str(typed.get("card", "4100280000001007")).replace(" ", "")
    otp = str(typed.get("otp", "1234"))
    if number in INTERNATIONAL and not international:
        return "international_transaction_not_allowed"
    if number in REFUSED_CARDS:
        return REFUSED_CARDS[number]
    return "" if otp.isdigit() and 4 <= len(otp) <= 10 else "incorrect_otp"


def _wait_or_fail(provider: Provider, payment: Row, reason: str, fault: Body) -> Body:
    if reason:
        provider.move(payment, "failed", reason=reason)
    elif fault.get("name") == "failed_then_captured":
        provider.move(payment, "failed", reason="bank_technical_error")
        provider.later(30, "captured", payment.id)
    elif fault.get("name") == "late_authorization":
        provider.later(NO_BANK_ANSWER, "timed_out", payment.id)
        provider.later(max(fault["minutes"] * 60, NO_BANK_ANSWER + 1), "captured", payment.id)
    else:
        ending = "declined" if payment.body["vpa"] == "failure@razorpay" else "captured"
        provider.later(UPI_SECONDS, ending, payment.id)
        provider.later(NO_BANK_ANSWER, "timed_out", payment.id)
    return look_at(provider, payment)


def _succeed(provider: Provider, payment: Row, order: Row, *, lost: bool) -> Body:
    if payment.body["status"] == "created":
        # A racing payment may have paid the order in between: both are captured.
        provider.move(payment, "captured" if order.body["_automatic"] else "authorized")
    if _fault_name(order) == "dispute":
        provider.later(60, "dispute", payment.id)
    return {"lost": True} if lost else look_at(provider, payment)


def look_at(provider: Provider, payment: Row) -> Body:
    """What the window knows about a payment by now."""
    fault = provider.fault_of(payment)
    if payment.body["status"] == "created":
        return {"waiting": payment.id}
    if payment.body["status"] == "failed":
        return {"error": error_of(payment.body)}
    if fault in ("webhook_only", "no_news"):
        return {"lost": True}
    result = asdict(result_of(provider, payment))
    return {"result": result | ({"razorpay_signature": "0" * 64} if fault == "bad_signature" else {})}


def error_of(payment: Body) -> Body:
    """What `payment.failed` tells the shop's page."""
    names = ("code", "description", "source", "step", "reason")
    metadata = {"payment_id": payment["id"], "order_id": payment["order_id"]}
    return {name: payment[f"error_{name}"] for name in names} | {"metadata": metadata}
