"""Customers who buy over HTTP, as the shop's own scripts do, and who do not give up."""

import http.client
import itertools
import json
import random
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.utils import timezone

from shop.accounts.models import Address, Customer
from shop.accounts.sessions.store import SessionStore, stored_key
from shop.accounts.staff.sessions import begin
from shop.cart.models import Cart, CartLine
from shop.catalog.models import Variant

BACKEND = settings.AUTHENTICATION_BACKENDS[0]
AMOUNTS = ("sub_total_amt", "shipping_amt", "coupon_amt", "total_amount")
PATIENCE = 120.0  # seconds that a buyer repeats one step; a provider that hangs costs a step 40 of them
ADDRESS = {
    "full_name": "Asha Rao", "phone_number": "9876543210", "alt_phone_number": "9876543211",
    "address": "12 Temple Road", "city": "Bengaluru", "state": "Karnataka", "pincode": "560001", "country_id": 1,
    "is_default": True,
}  # fmt: skip


class Unanswered(Exception):
    """The connection broke, or the server said that it could not just now."""


@dataclass
class Answered:
    """What the shop told its buyers, to be compared with its rows afterwards."""

    saved: set[str] = field(default_factory=set)  # numbers of orders
    paid: set[str] = field(default_factory=set)
    refused: dict[str, int] = field(default_factory=dict)  # by code
    broken: int = 0  # connections
    cut_off: int = 0  # of these, new ones: not even their first request was answered
    unable: Counter[int] = field(default_factory=Counter)  # statuses of 500 and above; the call was repeated
    calls: int = 0  # that were answered, whatever it was
    seconds: list[float] = field(default_factory=list)  # save-orders and verify of one checkout together


@dataclass
class Buyer:
    """One signed-in customer with a connection that is kept open."""

    url: str
    customer_id: int
    address_id: int
    session: str
    answered: Answered
    _connection: http.client.HTTPConnection | None = None

    def call(self, path: str, body: dict[str, Any], **headers: str) -> tuple[int, dict[str, Any]]:
        """One try; raises Unanswered."""
        headers |= {
            "Content-Type": "application/json",
            "Sec-Fetch-Site": "same-origin",
            "Cookie": f"{settings.SESSION_COOKIE_NAME}={self.session}",
        }
        is_new = self._connection is None or self._connection.sock is None
        try:
            connection = self._connection or http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=40)
            self._connection = connection
            connection.request("POST", path, json.dumps(body), headers)
            answer = connection.getresponse()
            found = answer.status, json.loads(answer.read() or b"{}")
        except (OSError, http.client.HTTPException, ValueError) as error:
            self._connection = None
            self.answered.broken += 1
            self.answered.cut_off += is_new
            raise Unanswered from error
        self.answered.calls += 1
        return found

    def insist(self, path: str, body: dict[str, Any], **headers: str) -> tuple[int, dict[str, Any]]:
        """Repeat a call, as it is, until it is answered with something else than "try again"."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                status, answer = self.call(path, body, **headers)
                if status < 500:
                    return status, answer
                self.answered.unable[status] += 1
            except Unanswered:
                status = 0
            assert time.monotonic() < until, f"{path} was not answered: {status}"
            time.sleep(random.uniform(0.05, 0.3))

    def checkout_of(self, cart: dict[str, Any]) -> dict[str, Any]:
        """The body of save-orders for a cart as get-cart answers it."""
        return {
            "user_id": self.address_id,
            **{name: str(cart.get(name, "0")) for name in AMOUNTS},
            "cart_items": [
                {"product_variant_id": line["product"], "quantity": line["quantity"]} for line in cart["cart_items"]
            ],
            "deliver_to": 1,
            "currency": "INR",
        }

    def save_order(self, cart: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Check this cart out under one key, as often as it takes."""
        status, answer = self.insist("/save-orders/", self.checkout_of(cart), **{"Idempotency-Key": uuid.uuid4().hex})
        if status == 200:
            self.answered.saved.add(answer["data"]["order_number"])
        else:
            self.refuse(answer)
        return status, answer

    def verify(self, number: str, result: dict[str, str]) -> bool:
        status, answer = self.insist("/verify-razorpay-payment/", result)
        if status == 200:
            self.answered.paid.add(number)
        else:
            self.refuse(answer)
        return status == 200

    def refuse(self, answer: dict[str, Any]) -> None:
        code = str(answer.get("code", "?"))
        self.answered.refused[code] = self.answered.refused.get(code, 0) + 1


def new_buyers(url: str, count: int, answered: Answered) -> list[Buyer]:
    """Customers with an address and a live session, written in a few statements."""
    start = Customer.objects.count()
    people = Customer.objects.bulk_create(
        Customer(email=f"buyer{start + number}@example.com", name="Asha Rao", password="!") for number in range(count)
    )
    addresses = Address.objects.bulk_create(Address(customer=person, **ADDRESS) for person in people)
    store, ends = SessionStore(), timezone.now() + timezone.timedelta(days=1)
    keys = [uuid.uuid4().hex for _ in people]
    Session.objects.bulk_create(
        Session(session_key=stored_key(key), session_data=store.encode(_signed_in(person)), expire_date=ends)
        for key, person in zip(keys, people, strict=True)
    )
    return [
        Buyer(url, person.pk, address.pk, key, answered)
        for person, address, key in zip(people, addresses, keys, strict=True)
    ]


def _signed_in(person: Customer) -> dict[str, Any]:
    session: dict[str, Any] = {
        SESSION_KEY: str(person.pk),
        BACKEND_SESSION_KEY: BACKEND,
        HASH_SESSION_KEY: person.get_session_auth_hash(),
    }
    begin(session)
    return session


def fill_carts(buyers: list[Buyer], variants: list[Variant]) -> None:
    """One unit of one variant each, in turn."""
    carts = Cart.objects.bulk_create(Cart(customer_id=buyer.customer_id) for buyer in buyers)
    turn: Iterator[Variant] = itertools.cycle(variants)
    CartLine.objects.bulk_create(CartLine(cart=cart, variant=next(turn), quantity=1) for cart in carts)
