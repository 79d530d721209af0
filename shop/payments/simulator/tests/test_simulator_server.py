"""The simulator as a server of its own: the payment window, the controls, webhooks over HTTP."""

import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import urllib3
from django.core.management import CommandError, call_command

from ...conftest import Served
from .. import server as server_module
from ..provider import Provider
from ..server import Server

KEY = "rzp_test_shop"
http = urllib3.PoolManager(retries=False)


@pytest.fixture
def order(served):
    return served.provider.create_order(KEY, {"amount": 29900, "currency": "INR"})


def window(served, **options):
    return http.request("GET", f"{served.url}/window", fields={"key": KEY, **options})


def test_it_serves_the_script_and_a_window_for_an_order_of_the_key(served, order):
    assert b"class Razorpay" in http.request("GET", f"{served.url}/v1/checkout.js").data
    page = window(served, order_id=order.id, name="</script><b>Shop")
    assert page.status == 200 and page.headers["Content-Type"] == "text/html"
    assert b"\\u003c/script>\\u003cb>Shop" in page.data and b"</script><b>" not in page.data
    assert window(served, order_id="order_00000000000000").status == 400
    assert window(served, order_id=order.id, key="rzp_test_other").status == 400


def test_the_window_offers_cards_only_for_other_currencies(served):
    dollars = served.provider.create_order(KEY, {"amount": 500, "currency": "USD"})
    assert b'"methods": ["card"]' in window(served, order_id=dollars.id).data


def test_the_window_pays_fails_waits_and_loses_its_result(served, order):
    def pay(**typed):
        return served.fetch("/window/pay", {"key": KEY, "order_id": order.id, **typed})

    assert pay(card="4100 2800 0008 0001")[1]["error"]["reason"] == "insufficient_funds"
    error = pay(reason="card_declined")[1]["error"]
    assert error.keys() == {"code", "description", "source", "step", "reason", "metadata"}
    assert error["metadata"]["order_id"] == order.id
    waiting = pay(method="upi", vpa="failure@razorpay")[1]["waiting"]
    served.steer("clock", advance=2)
    seen = served.fetch(f"/window/payment?key={KEY}&payment_id={waiting}")[1]
    assert seen["error"]["reason"] == "payment_declined"
    assert pay(lost=True) == (200, {"lost": True})
    assert pay()[0] == 400  # paid already
    assert pay(method="barter")[0] == 400
    assert served.fetch("/window/pay", {"key": KEY})[0] == 400
    assert [row["status"] for row in served.ledger()[0]["payments"]] == ["captured", "failed", "failed", "failed"]


def test_a_control_that_is_misspelt_says_so(served, order):
    for what, body in [
        ("faults", {"name": "no_such_fault"}),
        ("faults", {"mix": {"no_such_fault": 1}}),
        ("faults", {"name": "dispute", "order": "order_00000000000000"}),
        ("faults", {}),
        ("pay", {"order_id": "order_00000000000000"}),
        ("nothing", {}),
    ]:
        assert served.fetch(f"/control/{what}", body)[0] in (400, 404), what


def test_a_mix_gives_each_new_order_a_fault_until_it_is_cleared(served):
    def faults_of_ten():
        for _ in range(10):
            credentials = urllib3.make_headers(basic_auth=f"{KEY}:very secret")
            http.request(
                "POST", f"{served.url}/v1/orders", json={"amount": 100, "currency": "INR"}, headers=credentials
            )
        return [row["fault"] for row in served.ledger()][:10]

    served.steer("faults", mix={"no_news": 1, "dispute": 1, "none": 0})
    assert {*faults_of_ten()} == {"no_news", "dispute"}
    served.steer("faults", name="two_captures")
    assert faults_of_ten().count("two_captures") == 1
    served.steer("faults", clear=True)
    assert {*faults_of_ten()} == {None}


def test_a_fault_of_a_call_strikes_after_as_many_calls_as_chosen(served):
    credentials = urllib3.make_headers(basic_auth=f"{KEY}:very secret")
    served.steer("faults", name="error", after=2, times=2)
    made = http.request("POST", f"{served.url}/v1/orders", json={"amount": 100, "currency": "INR"}, headers=credentials)
    path = f"{served.url}/v1/orders/{made.json()['id']}"
    assert [http.request("GET", path, headers=credentials).status for _ in range(5)] == [200, 500, 500, 200, 200]
    served.steer("faults", name="error", order=made.json()["id"], times=9)
    assert http.request("GET", path, headers=credentials).status == 500
    served.steer("faults", clear=True)
    assert http.request("GET", path, headers=credentials).status == 200


def test_its_clock_goes_on_after_a_turn_that_failed(served, order, monkeypatch):
    run_due, turns = served.provider.run_due, []

    def fail_once():
        turns.append(1)
        if len(turns) == 1:
            raise RuntimeError("a fault in one turn")
        run_due()

    monkeypatch.setattr(served.provider, "run_due", fail_once)
    served.fetch("/window/pay", {"key": KEY, "order_id": order.id, "method": "upi", "vpa": "success@razorpay"})
    served.provider.clock.advance(2)
    until(lambda: served.ledger()[0]["status"] == "paid")
    assert len(turns) > 1


def test_an_event_whose_post_fails_in_any_way_is_delivered_later(served, order, monkeypatch):
    served.provider.webhook.url = "http://127.0.0.1:9/"

    def fail(*args, **kwargs):
        raise OSError("no more files")

    monkeypatch.setattr(served.provider.post._pool, "request", fail)
    served.steer("pay", order_id=order.id)
    until(lambda: served.fetch("/control/deliveries")[1]["deliveries"])
    assert {row["status"] for row in served.fetch("/control/deliveries")[1]["deliveries"]} == {0}
    until(lambda: not served.provider.store.find("event", mark="on its way"))
    assert len(served.provider.store.find("event", mark="waiting")) == 3


class Receiver(HTTPServer):
    """A shop's webhook address that answers as it is told."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), ReceiverEndpoint)
        self.got, self.status, self.seconds = [], 200, 0.0


class ReceiverEndpoint(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.headers, body))
        time.sleep(self.server.seconds)
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        """Quiet."""


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        threading.Thread(target=receiver.serve_forever, args=(0.02,), daemon=True).start()
        yield receiver
        receiver.shutdown()


def until(holds):
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_it_posts_webhooks_and_tries_again_when_the_clock_says_so(served, order, receiver):
    receiver.status = 500
    served.steer("webhook", url=f"http://127.0.0.1:{receiver.server_port}/hook")
    served.steer("pay", order_id=order.id)
    until(lambda: len(served.fetch("/control/deliveries")[1]["deliveries"]) == 3)
    time.sleep(0.2)
    assert len(receiver.got) == 3
    receiver.status = 200
    served.steer("clock", advance=61)
    until(lambda: len(served.fetch("/control/deliveries")[1]["deliveries"]) == 6)
    ids = [headers["x-razorpay-event-id"] for headers, _ in receiver.got]
    assert sorted(ids[:3]) == sorted(ids[3:])
    assert all(headers["X-Razorpay-Signature"] and headers["Content-Type"] == "application/json" for headers, _ in receiver.got)  # fmt: skip  # noqa: E501
    served.steer("clock", advance=3600)
    time.sleep(0.2)
    assert len(receiver.got) == 6


def test_a_shop_that_takes_too_long_did_not_answer(monkeypatch, receiver):
    monkeypatch.setattr(server_module, "TIME_LIMIT", 0.2)
    receiver.seconds = 0.5
    provider = Provider({KEY: "very secret"})
    provider.webhook.url = f"http://127.0.0.1:{receiver.server_port}/hook"
    order = provider.create_order(KEY, {"amount": 29900, "currency": "INR"})
    with Server(0, provider) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        served = Served(server)
        served.steer("pay", order_id=order.id)
        until(lambda: len(served.fetch("/control/deliveries")[1]["deliveries"]) == 3)
        assert {row["status"] for row in served.fetch("/control/deliveries")[1]["deliveries"]} == {0}
        server.shutdown()


def test_it_listens_on_this_machine_only_and_takes_test_keys_only():
    with Server(0, Provider({KEY: "very secret"})) as server:
        assert server.server_address[0] == "127.0.0.1"
    for wrong in ("rzp_live_x:y", "rzp_test_x"):
        with pytest.raises(CommandError):
            call_command("razorpay_simulator", "--port", "0", "--key", wrong)
