"""The provider itself: its accounts, its clock, and what happens to orders, payments and refunds."""

import json
import secrets
import string
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from . import shapes
from .shapes import NO_ERROR, SimulatorError
from .store import Body, MemoryStore, Row, Store

ID_ALPHABET = string.ascii_letters + string.digits
NO_BANK_ANSWER = 10 * 60  # seconds until a payment without one has failed
CAPTURE_DEADLINE = 3 * 86400  # what is only authorized goes back after that
REFUNDABLE_FOR = 183 * 86400
LATE_REASONS = {"failed": "payment_cancelled", "timed_out": "payment_timed_out", "declined": "payment_declined"}
TURNED_ROUND = {"payment.authorized": 1.5, "payment.captured": 1.0, "order.paid": 0.5}  # seconds: the last comes first


@dataclass
class Webhook:
    """Where events are posted. It is switched off after a day of failures, until somebody enables it."""

    url: str = ""
    secret: str = ""
    old_secret: str = ""  # signs what was noted before the secret was changed
    enabled: bool = True


@dataclass
class Clock:
    ahead: float = 0.0

    def now(self) -> float:
        return time.time() + self.ahead

    def advance(self, seconds: float) -> None:
        self.ahead += seconds


@dataclass
class Provider:
    accounts: Mapping[str, str]  # key id: secret
    store: Store = field(default_factory=MemoryStore)
    webhook: Webhook = field(default_factory=Webhook)
    clock: Clock = field(default_factory=Clock)
    random: Random = field(default_factory=secrets.SystemRandom)
    international: bool = True
    mix: dict[str, float] = field(default_factory=dict)  # faults that new orders draw from, by weight
    post: Callable[[Any], int] = lambda delivery: 0  # posts a webhook; answers the status, 0 for none

    def now(self) -> int:
        return int(self.clock.now())

    def new_id(self, prefix: str) -> str:
        return f"{prefix}_" + "".join(self.random.choices(ID_ALPHABET, k=14))

    def require(self, account: str, kind: str, row_id: str) -> Row:
        """The row; a missing one and another account's do not exist."""
        if len(row_id.rpartition("_")[2]) != 14:
            raise SimulatorError(f"{row_id} is not a valid id")
        row = self.store.get(kind, row_id)
        if row is None or row.account != account:
            raise SimulatorError("The id provided does not exist")
        return row

    def change(self, row: Row, **fields: Any) -> Body:
        row.body |= fields
        self.store.save(row)
        return row.body

    # --- Orders and payments ---------------------------------------------------------------

    def create_order(self, account: str, request: Body, fault: Body | None = None) -> Row:
        shapes.require_only(request, shapes.ORDER_FIELDS)
        shapes.require_amount(request.get("amount"), request.get("currency"), international=self.international)
        receipt = request.get("receipt")
        if receipt is not None and (not isinstance(receipt, str) or len(receipt) > 40):
            raise SimulatorError("The receipt may not be greater than 40 characters.", field="receipt")
        automatic = shapes.captures_automatically(request)
        body = shapes.order_body(self.new_id("order"), request, self.now())
        body |= {"_automatic": automatic} | ({"_fault": fault} if fault else {})
        return self.store.add(Row(body["id"], "order", account, body, mark=receipt or ""))

    def begin_payment(self, account: str, order_id: str, method: str, *, second: bool = False, **fields: Any) -> Row:
        """Somebody tries to pay; `fields` override the payment's own (such as a wrong amount).

        An order that has its money takes no other payment, unless `second` plays two that race.
        """
        order = self.require(account, "order", order_id)
        taken = any(row.body["status"] == "authorized" for row in self.payments_of(order))
        if (order.body["status"] == "paid" or taken) and not second:
            raise SimulatorError("Your payment has been declined as the order is already paid.")
        if order.body["currency"] != "INR" and method in shapes.INDIAN_METHODS:
            raise SimulatorError("This method is offered for rupees only.", field="method")
        body = shapes.payment_body(self.new_id("pay"), order.body, method, self.now()) | fields
        self.change(order, attempts=order.body["attempts"] + 1, status=_tried(order.body["status"]))
        if method == "card":
            body["card_id"] = self.new_id("card")
        return self.store.add(Row(body["id"], "payment", account, body, parent=order_id))

    def payments_of(self, order: Row) -> list[Row]:
        return self.store.find("payment", parent=order.id)

    def move(self, payment: Row, to: str, *, reason: str = "payment_cancelled") -> None:
        """What the bank says about a payment, now or late: authorized, captured or failed."""
        if to == "failed":
            if payment.body["status"] == "created":
                self.change(payment, status="failed", **shapes.failure(reason))
                self.note("payment.failed", payment)
        elif payment.body["status"] in ("created", "failed"):
            self._authorize(payment)
            if to == "captured":
                self.capture(payment)
            else:
                self.later(CAPTURE_DEADLINE, "give_up", payment.id)
        elif (payment.body["status"], to) == ("authorized", "captured"):
            self.capture(payment)

    def _authorize(self, payment: Row) -> None:
        number = "".join(self.random.choices(string.digits, k=12))
        self.change(
            payment,
            status="authorized",
            acquirer_data=shapes.acquirer_data(payment.body["method"], number),
            **NO_ERROR,
        )
        self.note("payment.authorized", payment)

    def capture(self, payment: Row) -> Body:
        """An authorized payment becomes captured, and its order paid."""
        fee = payment.body["amount"] * 2 // 100
        self.change(payment, status="captured", captured=True, fee=fee, tax=fee * 18 // 118)
        order = self.require(payment.account, "order", payment.parent)
        self.change(order, status="paid", amount_paid=order.body["amount"], amount_due=0)
        self.note("payment.captured", payment)
        self.note("order.paid", payment, order=order)
        return payment.body

    def give_up(self, payment: Row) -> None:
        """Authorized money that nobody captured, or that came after the order was paid, goes back."""
        if payment.body["status"] == "authorized":
            self._finish_refund(self._add_refund(payment, {}, payment.body["amount"], ""), "processed")

    # --- Refunds and disputes ----------------------------------------------------------------

    def refund(self, payment: Row, request: Body, key: str) -> Row:
        """Give money back, all or part of it, once for each idempotency key."""
        shapes.require_only(request, shapes.REFUND_FIELDS)
        for earlier in self.store.find("refund", mark=key) if key else ():
            if earlier.account == payment.account:
                if earlier.parent != payment.id or earlier.body["_request"] != request:
                    raise SimulatorError(
                        "Different request with the same idempotency key has already been processed.", status=409
                    )
                return earlier
        amount = self._refundable(payment.body, request)
        shapes.read_notes(request.get("notes"))
        if request.get("speed", "normal") not in ("normal", "optimum"):
            raise SimulatorError("The speed must be normal or optimum.", field="speed")
        is_first = not self.store.find("refund", parent=payment.id)
        refund = self._add_refund(payment, request, amount, key)
        fault = self.fault_of(payment)
        if fault == "refund_pending" or (fault == "refund_fails" and is_first):
            self.later(120, "processed" if fault == "refund_pending" else "failed", refund.id)
        else:
            self._finish_refund(refund, "processed")
        return refund

    def _refundable(self, paid: Body, request: Body) -> int:
        left = paid["amount"] - paid["amount_refunded"]
        amount = request.get("amount", left)
        if not paid["captured"]:
            raise SimulatorError("The payment status should be captured for action to be taken")
        if left == 0:
            raise SimulatorError("The payment has been fully refunded already")
        if type(amount) is not int:
            raise SimulatorError("The amount must be an integer.", field="amount")
        if amount < shapes.MINIMUM["INR"]:
            raise SimulatorError("The amount must be at least INR 1.00", field="amount")
        if amount > left:
            raise SimulatorError("The refund amount provided is greater than amount captured", field="amount")
        if self.now() - paid["created_at"] > REFUNDABLE_FOR:
            raise SimulatorError("Refund is not allowed on payments which are more than 6 months old")
        return amount

    def _add_refund(self, payment: Row, request: Body, amount: int, key: str) -> Row:
        self._count_refunded(payment, amount)
        body = shapes.refund_body(self.new_id("rfnd"), payment.body, request, amount, self.now())
        body["_request"] = request
        refund = self.store.add(Row(body["id"], "refund", payment.account, body, parent=payment.id, mark=key))
        self.note("refund.created", payment, refund=refund)
        return refund

    def _finish_refund(self, refund: Row, status: str) -> None:
        if refund.body["status"] != "pending":
            return
        payment = self.require(refund.account, "payment", refund.parent)
        self.change(refund, status=status)
        if status == "failed":
            self._count_refunded(payment, -refund.body["amount"])
        self.note(f"refund.{status}", payment, refund=refund)

    def _count_refunded(self, payment: Row, amount: int) -> None:
        refunded = payment.body["amount_refunded"] + amount
        whole = refunded == payment.body["amount"]
        rest = "captured" if payment.body["captured"] else payment.body["status"]
        refund_status = "full" if whole else "partial" if refunded else None
        self.change(
            payment, amount_refunded=refunded, refund_status=refund_status, status="refunded" if whole else rest
        )

    def open_dispute(self, payment: Row) -> None:
        body = shapes.dispute_body(self.new_id("disp"), payment.body, self.now())
        dispute = self.store.add(Row(body["id"], "dispute", payment.account, body, parent=payment.id))
        self.note("payment.dispute.created", payment, dispute=dispute)

    # --- Later -----------------------------------------------------------------------------------

    def later(self, seconds: float, what: str, row_id: str) -> None:
        """Let something happen on the clock: a payment's or refund's next state, give_up or dispute."""
        task = {"due": self.clock.now() + seconds, "what": what, "of": row_id}
        self.store.add(Row(self.new_id("task"), "task", "", task, mark="waiting"))

    def run_due(self) -> None:
        """Do what the clock has come to, oldest first."""
        with self.store.atomic():
            waiting = [row for row in self.store.find("task", mark="waiting") if row.body["due"] <= self.clock.now()]
            for task in sorted(waiting, key=lambda row: row.body["due"]):
                self.store.drop(task)
                self._run(task.body["what"], task.body["of"])

    def _run(self, what: str, row_id: str) -> None:
        if refund := self.store.get("refund", row_id):
            return self._finish_refund(refund, what)
        payment = self.store.get("payment", row_id)
        if payment is None:
            return None
        if what == "dispute":
            return self.open_dispute(payment)
        if what == "give_up":
            return self.give_up(payment)
        if what in LATE_REASONS:
            return self.move(payment, "failed", reason=LATE_REASONS[what])
        order = self.require(payment.account, "order", payment.parent)
        if order.body["status"] != "paid":
            return self.move(payment, what if order.body["_automatic"] else "authorized")
        self.move(payment, "authorized")  # late: the order has other money
        return self.give_up(payment)

    # --- Events ----------------------------------------------------------------------------------

    def fault_of(self, payment: Row) -> str:
        """The fault that was chosen for the order of a payment."""
        order = self.store.get("order", payment.parent)
        return str(((order and order.body.get("_fault")) or {}).get("name", ""))

    def note(self, event: str, payment: Row, **others: Row) -> None:
        """Remember that an event is to be delivered: a snapshot of this moment, signed with this
        moment's secret."""
        if payment.account != next(iter(self.accounts)):
            return  # only the first account has a webhook
        fault = self.fault_of(payment)
        if fault in ("callback_only", "no_news"):
            return
        rows = {"payment": payment} | others
        content = {
            "entity": "event",
            "account_id": "acc_Simulated00000",
            "event": event,
            "contains": list(rows),
            "payload": {name: {"entity": row.expanded} for name, row in rows.items()},
            "created_at": self.now(),
        }
        now = self.clock.now()
        body = {
            "event": event,
            "text": json.dumps(content),
            "secret": (fault == "old_secret" and self.webhook.old_secret) or self.webhook.secret,
            "attempts": 0,
            "noted": now,
            "due": now + (TURNED_ROUND.get(event, 0) if fault == "events_reversed" else 0),
            "copies": 2 if fault == "events_twice" else 1,
            "forged": fault == "bad_webhook_signature",
        }
        mark = "waiting" if self.webhook.enabled else "unsent"
        self.store.add(Row(self.new_id("event"), "event", payment.account, body, parent=payment.parent, mark=mark))


def _tried(status: str) -> str:
    return "attempted" if status == "created" else status
