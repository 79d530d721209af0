"""What can go wrong, for the next calls (`plan`) or for one order.

An order's fault is chosen by its `notes.fault`, by /control/faults (for the next order, a known one,
or a mix that new orders draw from). `ORDER_FAULTS` change what the payer and the webhooks do
(payer.py, events.py); `CALL_FAULTS` strike an API call.
"""

import re
from typing import Any

from .endpoints import Answer, Call, answer
from .in_process import shop_provider
from .provider import Provider
from .shapes import SimulatorError
from .store import Body, Row

# The name, and whether the work is done all the same.
CALL_FAULTS = {
    "lost_answer": True,  # nothing comes until the client's time limit
    "cut_off": True,  # the connection breaks half way through the answer
    "refused": False,  # the connection is closed
    "busy": False,  # 429
    "error": False,  # 500
    "html": False,  # a proxy's 502 page
    "nonsense": True,  # an amount as text
    "huge": True,  # 10 MB
    "in_progress": True,  # 409 of a refund whose first request still runs; strikes refunds only
}
ORDER_FAULTS = {
    "webhook_first",  # the events arrive before the window's result
    "callback_only",  # no events
    "webhook_only",  # the window's result is lost
    "no_news",  # neither
    "events_twice",
    "events_reversed",
    "failed_then_captured",  # the bank changes its mind half a minute later
    "late_authorization",  # the bank answers after `minutes`
    "two_captures",  # two payments race
    "wrong_amount",  # a paisa less than ordered
    "bad_signature",  # of the window's result
    "bad_webhook_signature",
    "old_secret",  # events signed with the secret before the last change
    "refund_pending",  # processed two minutes later
    "refund_fails",  # the first one, two minutes later
    "dispute",  # a minute after the capture
}
REFUSALS = {
    "busy": (429, "BAD_REQUEST_ERROR", "Too many requests"),
    "error": (500, "SERVER_ERROR", "We are facing some trouble completing your request at the moment."),
    "in_progress": (
        409,
        "BAD_REQUEST_ERROR",
        "Another request with the same idempotency key is still in progress.",
    ),
}
LONG = 11.0  # seconds: longer than the shop waits


def plan(method: str, path_pattern: str, name: str, *, provider: Provider | None = None, **more: Any) -> None:
    """Let the next calls that match (`times`) fail in this way."""
    provider = provider or shop_provider()
    body = {"method": method, "path": path_pattern} | make_fault(name, **more)
    with provider.store.atomic():
        provider.store.add(Row(provider.new_id("fault"), "fault", "", body, mark="call"))


def make_fault(name: str, *, after: int = 0, times: int = 1, seconds: float = LONG, minutes: float = 20) -> Body:
    """`after` so many calls about the order, `times` calls fail."""
    if name not in CALL_FAULTS and name not in ORDER_FAULTS:
        raise SimulatorError(f"There is no fault {name}.", field="fault")
    return {"name": name, "after": after, "times": times, "seconds": seconds, "minutes": minutes}


def choose(provider: Provider, order_id: str, fault: Body) -> None:
    """Give a fault to an order, or to the order that is created next."""
    with provider.store.atomic():
        if order_id == "next":
            provider.store.add(Row(provider.new_id("fault"), "fault", "", fault, mark="next"))
            return
        order = provider.store.get("order", order_id)
        if order is None:
            raise SimulatorError("The id provided does not exist")
        provider.change(order, _fault=fault)


def clear(provider: Provider) -> None:
    """No more faults for new orders and for calls; payer and webhooks of earlier orders go on as chosen."""
    provider.mix = {}
    with provider.store.atomic():
        for row in provider.store.find("fault"):
            provider.store.drop(row)
        for order in provider.store.find("order"):
            if "_fault" in order.body:
                provider.change(order, _fault=order.body["_fault"] | {"times": 0})


def respond(provider: Provider, call: Call) -> Answer:
    """Answer a call, with the fault that is due for it."""
    with provider.store.atomic():
        fault = _planned(provider, call) or _of_order(provider, call)
        if fault is None:
            return answer(provider, call)
        found = answer(provider, call) if CALL_FAULTS[fault["name"]] else Answer(500, {})
    return _spoil(fault, found)


def _planned(provider: Provider, call: Call) -> Body | None:
    for row in reversed(provider.store.find("fault", mark="call")):
        if row.body["method"] == call.method and re.fullmatch(row.body["path"], call.path):
            fault = dict(row.body)
            if row.body["times"] > 1:
                provider.change(row, times=row.body["times"] - 1)
            else:
                provider.store.drop(row)
            return fault
    return None


def _of_order(provider: Provider, call: Call) -> Body | None:
    """The call fault of the order that this call creates or is about, if its turn has come."""
    order = None
    if (call.method, call.path) == ("POST", "/v1/orders"):
        fault = call.fault = _for_new_order(provider, call)
    else:
        order = _order_of(provider, call)
        fault = order.body.get("_fault") if order else None
    if not fault or fault["name"] not in CALL_FAULTS or not fault["times"]:
        return None
    if fault["name"] == "in_progress" and not _is_refund(call):
        return None
    struck = fault["after"] <= 0
    fault["times" if struck else "after"] -= 1
    if order:
        provider.store.save(order)
    return fault if struck else None


def _is_refund(call: Call) -> bool:
    return call.method == "POST" and call.path.endswith("/refund")


def _for_new_order(provider: Provider, call: Call) -> Body | None:
    for row in reversed(provider.store.find("fault", mark="next")):
        provider.store.drop(row)
        return row.body
    try:
        notes = call.json().get("notes")
        if isinstance(notes, dict) and notes.get("fault"):
            return make_fault(str(notes["fault"]))
    except SimulatorError:
        return None
    if not provider.mix:
        return None
    [name] = provider.random.choices(list(provider.mix), weights=list(provider.mix.values()))
    return make_fault(name, after=provider.random.randrange(3)) if name != "none" else None


def _order_of(provider: Provider, call: Call) -> Row | None:
    match = re.match(r"/v1/(order|payment|refund)s/(\w+)", call.path)
    row = provider.store.get(match[1], match[2]) if match else None
    while row and row.kind != "order":
        row = provider.store.get("order" if row.kind == "payment" else "payment", row.parent)
    return row


def _spoil(fault: Body, found: Answer) -> Answer:
    name = fault["name"]
    if name == "lost_answer":
        return Answer(found.status, {"seconds": fault["seconds"]}, trouble="silence")
    if name in ("refused", "cut_off"):
        return Answer(found.status, found.body, trouble="cut" if name == "cut_off" else "refused")
    if name == "html":
        return Answer(502, None, text=b"<html><body>Bad Gateway</body></html>")
    if name == "nonsense":
        return Answer(200, _as_text(found.body))
    if name == "huge":
        return Answer(200, found.body | {"filler": "x" * 10_000_000})
    status, code, words = REFUSALS[name]
    return Answer(status, {"error": {"code": code, "description": words}})


def _as_text(body: Any) -> Any:
    """The same answer with its amounts as text."""
    if isinstance(body, list):
        return [_as_text(item) for item in body]
    if not isinstance(body, dict):
        return body
    return {name: f"{value / 100:.2f}" if name == "amount" else _as_text(value) for name, value in body.items()}
