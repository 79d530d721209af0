"""How many of the shop's own modules a request enters, by kind, once caches are warm.

What a reader has to open to follow a request. The page cache is off; migrations, tests, the bench and the simulated
provider do not count. `python -m shop.bench hops` prints the table for the demo shop.
"""

import json
import re
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings
from django.test import Client
from django.test.utils import override_settings

from shop.accounts.models import Customer
from shop.cart.models import Cart
from shop.catalog.models import Variant
from shop.payments.providers.keys import current_keys, sign

Request = Callable[[], Any]
SHOP = Path(__file__).resolve().parent.parent
APART = ("/migrations/", "/tests/", "/bench/", "/payments/simulator/", "conftest.py")
MARKET = "/en-in"
LIMITS = {
    "home": 22,
    "category page": 41,  # a module for each of ten facets
    "product page": 20,
    "add to cart": 16,
    "placing an order": 42,  # translated.py: ordered lines keep their names in every language
    "webhook": 12,
    "admin": 8,
    "health probe": 1,
}
WARM_UP = 2  # requests of a kind before the one that counts


def modules_entered(request: Request) -> set[str]:
    """Files below shop/ whose code ran in this thread while `request` was answered."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            files.add(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        request()
    finally:
        sys.setprofile(None)
    own = (file.removeprefix(f"{SHOP}/") for file in files if file.startswith(f"{SHOP}/"))
    return {file for file in own if not any(part in f"/{file}" for part in APART)}


def count_modules(customer: Customer, variant: Variant) -> dict[str, set[str]]:
    """The modules of every kind of request; `customer` has an address and gets an order for each try."""
    product = variant.product
    visitor = _client()
    event_ids = count()
    kinds: dict[str, Callable[[], Request]] = {
        "home": lambda: partial(visitor.get, f"{MARKET}/"),
        "category page": lambda: partial(visitor.get, f"{MARKET}/products/{product.category.path}/"),
        "product page": lambda: partial(visitor.get, f"{MARKET}/product/{product.slug}/"),
        "add to cart": lambda: _adding(_client(), variant),
        "placing an order": lambda: _placing(customer, variant),
        "webhook": lambda: _webhook(f"event_of_the_bench_{next(event_ids)}"),
        "admin": lambda: partial(visitor.get, "/admin/login/"),
        "health probe": lambda: partial(visitor.get, "/healthz"),
    }
    found = {}
    for kind, prepare in kinds.items():
        for _ in range(WARM_UP):
            _checked(kind, prepare())
        found[kind] = modules_entered(partial(_checked, kind, prepare()))
    return found


def _checked(kind: str, request: Request) -> None:
    response = request()
    if response.status_code not in (200, 302):
        raise SystemExit(f"{kind} answers {response.status_code}")


def _client(**headers: str) -> Client:
    client = Client(headers={"host": settings.SHOP_HOST, "sec-fetch-site": "same-origin"} | headers)
    client.handler.load_middleware()
    return client


def _adding(client: Client, variant: Variant) -> Request:
    return partial(client.post, f"{MARKET}/cart/add/", {"variant": variant.pk, "quantity": 1})


def _placing(customer: Customer, variant: Variant) -> Request:
    """The post of the checkout form with one line in the cart; the order is really placed."""
    Cart.objects.filter(customer=customer).delete()
    client = _client()
    client.force_login(customer, backend=settings.AUTHENTICATION_BACKENDS[0])
    _adding(client, variant)()
    total = re.search(r'name="total_amount" value="([0-9.]+)"', client.get(f"{MARKET}/checkout/").text)[1]
    form = {"address_id": customer.addresses.filter(country_id=1)[0].pk, "total_amount": total}
    return partial(client.post, f"{MARKET}/checkout/", form)


def _webhook(event_id: str) -> Request:
    entity = {"id": "pay_bench", "order_id": event_id}
    body = json.dumps({"event": "payment.captured", "payload": {"payment": {"entity": entity}}})
    signature = sign(body.encode(), current_keys().webhook_secrets[0])
    client = _client(**{"x-razorpay-event-id": event_id, "x-razorpay-signature": signature})
    return partial(client.post, "/payments/webhook/", body, content_type="application/json")


def show() -> None:
    """Print the table for the shop of this process."""
    variant = Variant.objects.filter(is_active=True, on_hand__gt=WARM_UP + 1, product__is_published=True).first()
    customer = Customer.objects.filter(is_staff=False, addresses__country_id=1).first()
    if variant is None or customer is None:
        raise SystemExit("The demo shop has no customer in India, or nothing in stock.")
    print(f"\n{'modules entered':<28}{'modules':>9}{'most':>6}")
    with override_settings(PAGE_CACHE_BYTES=0):
        found = count_modules(customer, variant)
    for kind, modules in found.items():
        print(f"{kind:<28}{len(modules):>9}{LIMITS[kind]:>6}")
