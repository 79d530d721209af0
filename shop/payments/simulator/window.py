"""The payment window: a stand-in for the provider's script, and the page that it opens."""

import json
from pathlib import Path

from .endpoints import Answer, Call, read_query
from .payer import look_at, pay_and_tell
from .provider import Provider
from .shapes import FAILURES, INDIAN_METHODS, SimulatorError
from .store import Body

HERE = Path(__file__).parent
METHODS = ("card", "upi", "netbanking", "wallet")


def window(provider: Provider, call: Call) -> Answer | None:
    """Answer a call of the window; None for one that is not its own."""
    if call.path == "/v1/checkout.js":
        return Answer(200, None, text=(HERE / "checkout.js").read_bytes())
    if call.path not in ("/window", "/window/pay", "/window/payment"):
        return None
    try:
        if call.path == "/window":
            return Answer(200, None, text=_page(provider, call))
        if call.path == "/window/pay":
            typed = call.json()
            return Answer(200, pay_and_tell(provider, str(typed["key"]), str(typed["order_id"]), typed))
        with provider.store.atomic():
            payment = provider.require(call.query["key"], "payment", call.query["payment_id"])
            return Answer(200, look_at(provider, payment))
    except KeyError as error:
        return Answer(400, {"error": {"description": f"The {error} is missing."}})
    except SimulatorError as error:
        return Answer(error.status, error.body)


def _page(provider: Provider, call: Call) -> bytes:
    """The window of an order, for a frame (GET) or as a page of its own (POST, with a callback)."""
    options = read_query(call.body.decode()) if call.method == "POST" else dict(call.query)
    with provider.store.atomic():
        order = provider.require(options.get("key", ""), "order", options.get("order_id", ""))
    offered = [name for name in METHODS if order.body["currency"] == "INR" or name not in INDIAN_METHODS]
    shown: Body = {
        "options": options | {"amount": order.body["amount"], "currency": order.body["currency"]},
        "methods": offered,
        "reasons": sorted(FAILURES),
    }
    # Inside a script element nothing may end it early.
    data = json.dumps(shown).replace("<", "\\u003c")
    return (HERE / "window.html").read_text().replace("{{ shown }}", data).encode()
