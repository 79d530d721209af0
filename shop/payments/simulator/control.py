"""What a test or a proof steers from outside: faults, the clock, the webhook, the payer.

POST takes and answers JSON:
  /control/faults   {"name", "order": "next" or an id, "after", "times", "seconds", "minutes"}, or
                    {"name", "method", "path"} for the next matching API calls, or {"mix": {name: weight}}
                    that each new order draws from ("none" for no fault), or {"clear": true}: no more
                    faults for new orders and for calls
  /control/pay      {"order_id", "method", "card", "otp", "vpa", "reason", "lost"}: what the window shows
  /control/move     {"id", "to"}: a payment's or refund's next state, or a payment's "dispute"
  /control/clock    {"advance": seconds}
  /control/webhook  {"url", "secret", "enabled"}: a new secret leaves the old one to earlier events
  /control/replay   {"event_ids": […]}, or all that were not sent
GET answers:
  /control/ledger      every order with its fault, payments and refunds: the truth for proofs
  /control/deliveries  every posted webhook, newest first
"""

from collections.abc import Callable
from typing import Any

from . import events, faults
from .endpoints import Answer, Call
from .payer import pay_and_tell
from .provider import Provider
from .shapes import SimulatorError
from .store import Body


def control(provider: Provider, call: Call) -> Answer:
    try:
        return Answer(200, ENDPOINTS[call.method, call.path](provider, call.json()))
    except KeyError as error:
        return Answer(404, {"error": {"description": f"Unknown or incomplete: {error}"}})
    except SimulatorError as error:
        return Answer(error.status, error.body)


def _faults(provider: Provider, given: Body) -> Body:
    if given.get("clear"):
        faults.clear(provider)
    elif "mix" in given:
        provider.mix = {name: float(weight) for name, weight in given["mix"].items()}
        for name in provider.mix.keys() - {"none"}:
            faults.make_fault(name)
    elif "path" in given:
        faults.plan(given["method"], given["path"], given["name"], provider=provider, **_numbers(given))
    else:
        faults.choose(provider, given.get("order", "next"), faults.make_fault(given["name"], **_numbers(given)))
    return {"mix": provider.mix}


def _numbers(given: Body) -> dict[str, Any]:
    return {name: given[name] for name in ("after", "times", "seconds", "minutes") if name in given}


def _pay(provider: Provider, given: Body) -> Body:
    with provider.store.atomic():
        order = provider.store.get("order", given["order_id"])
    if order is None:
        raise SimulatorError("The id provided does not exist")
    return pay_and_tell(provider, order.account, order.id, given)


def _move(provider: Provider, given: Body) -> Body:
    provider.later(0, given["to"], given["id"])
    provider.run_due()
    return {}


def _clock(provider: Provider, given: Body) -> Body:
    provider.clock.advance(float(given.get("advance", 0)))
    provider.run_due()
    return {"now": provider.clock.now()}


def _webhook(provider: Provider, given: Body) -> Body:
    webhook = provider.webhook
    if "secret" in given:
        webhook.old_secret, webhook.secret = webhook.secret, given["secret"]
    webhook.url = given.get("url", webhook.url)
    webhook.enabled = given.get("enabled", webhook.enabled)
    return {"url": webhook.url, "enabled": webhook.enabled}


def _replay(provider: Provider, given: Body) -> Body:
    return {"replayed": events.replay(provider, given.get("event_ids", ()))}


def _deliveries(provider: Provider, given: Body) -> Body:
    return {"deliveries": events.delivery_log(provider), "enabled": provider.webhook.enabled}


def ledger(provider: Provider, given: Body | None = None) -> Body:
    with provider.store.atomic():
        refunds: dict[str, list[Body]] = {}
        for row in provider.store.find("refund"):
            refunds.setdefault(row.parent, []).append(row.public)
        payments: dict[str, list[Body]] = {}
        for row in provider.store.find("payment"):
            payments.setdefault(row.parent, []).append(row.public | {"refunds": refunds.get(row.id, [])})
        return {
            "orders": [
                row.public | {"fault": (row.body.get("_fault") or {}).get("name"), "payments": payments.get(row.id, [])}
                for row in provider.store.find("order")
            ]
        }


ENDPOINTS: dict[tuple[str, str], Callable[[Provider, Body], Body]] = {
    ("POST", "/control/faults"): _faults,
    ("POST", "/control/pay"): _pay,
    ("POST", "/control/move"): _move,
    ("POST", "/control/clock"): _clock,
    ("POST", "/control/webhook"): _webhook,
    ("POST", "/control/replay"): _replay,
    ("GET", "/control/ledger"): ledger,
    ("GET", "/control/deliveries"): _deliveries,
}
