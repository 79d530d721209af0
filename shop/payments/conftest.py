import json
import threading

import pytest
import urllib3

from shop.markets.queries import market_registry
from shop.orders.conftest import crowd, new_buyer, order_of  # noqa: F401 (fixtures)

from .services import start_payment
from .simulator.provider import Provider, Webhook
from .simulator.server import Server


@pytest.fixture
def paying(make_variant, new_buyer, order_of):  # noqa: F811
    """paying(variant=…, quantity=…): an order that waits for its payment, and that payment."""

    def begin(variant=None, quantity=1):
        order = order_of(new_buyer({variant or make_variant(price="250", units=10): quantity}))
        return order, start_payment(order)

    return begin


class Served:
    """A simulated provider as a server of its own, and its controls over HTTP."""

    def __init__(self, server):
        self.provider = server.provider
        self.url = f"http://127.0.0.1:{server.server_port}"
        self._pool = urllib3.PoolManager()

    def fetch(self, path, body=None):
        """The status, and the body as JSON; a body given is posted."""
        sent = {} if body is None else {"body": json.dumps(body), "headers": {"Content-Type": "application/json"}}
        found = self._pool.request("GET" if body is None else "POST", self.url + path, retries=False, **sent)
        return found.status, json.loads(found.data)

    def steer(self, what, **body):
        status, found = self.fetch(f"/control/{what}", body)
        assert status == 200, found
        return found

    def ledger(self):
        return self.fetch("/control/ledger")[1]["orders"]


@pytest.fixture
def served(settings, monkeypatch):
    """The shop with keys, paying at a provider on the loopback address; its events wait to be delivered."""
    keys = {"rzp_test_shop": "very secret", "rzp_test_other": "other secret"}
    provider = Provider(keys, webhook=Webhook(secret="new", old_secret="old"))
    with Server(0, provider) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        settings.SIMULATED_GATEWAY = False
        settings.RAZORPAY_KEY_ID, settings.RAZORPAY_KEY_SECRET = "rzp_test_shop", "very secret"
        settings.RAZORPAY_WEBHOOK_SECRETS = ["new", "old"]
        settings.RAZORPAY_API_URL = f"http://127.0.0.1:{server.server_port}"
        monkeypatch.setattr("shop.payments.providers.razorpay.TIMEOUT", (1, 0.3))
        yield Served(server)
        server.shutdown()
        thread.join(5)


@pytest.fixture
def market(transactional_db):
    return market_registry().market(market_registry().by_code["IN"])
