"""What is asked of a checkout, from form and API down to the service."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from typing import Any

from shop.accounts.models import Address, Customer
from shop.cart.models import Cart
from shop.markets.market import Market
from shop.markets.queries import Service
from shop.markets.services import service_for

from ..payment_methods import ONLINE, PaymentMethod, payment_method_named


@dataclass(frozen=True)
class SubmittedTotals:
    """What the client believes it buys. It is compared with the server's figures and never used.

    `amounts` may name sub_total_amt, shipping_amt, coupon_amt and total_amount; `quantities` and
    `unit_amounts` are by variant id; `coupon_code` is None where the client says nothing of it;
    `market` is the key of the one that its page showed, for words alone.
    """

    amounts: Mapping[str, Decimal] = field(default_factory=dict)
    quantities: Mapping[int, int] | None = None
    unit_amounts: Mapping[int, Decimal] = field(default_factory=dict)
    coupon_code: str | None = None
    market: str = ""


@dataclass(frozen=True, slots=True)
class Extra:
    """A text that customers may add to their order at the checkout."""

    label: str
    max_length: int


def extra(label: str, *, max_length: int) -> Any:
    """A field of PlaceOrder that is a text column of Order by the same name, empty by default.

    Checkout form, save-orders, the order's pages and its mails take it from here.
    """
    return field(default="", metadata={"extra": Extra(label, max_length)})


@dataclass(frozen=True)
class PlaceOrder:
    """One request to turn a cart into an order; form and API build it, check_out and place_order take it."""

    customer: Customer
    cart: Cart | None
    address: Address
    market: Market
    submitted: SubmittedTotals = SubmittedTotals()
    payment_method: str = ONLINE
    idempotency_key: str | None = None

    @property
    def extras(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in EXTRAS}

    @property
    def method(self) -> PaymentMethod:
        return payment_method_named(self.payment_method)

    @cached_property
    def service(self) -> Service:
        """How the shop delivers to the address."""
        return service_for(self.address.country_id, self.address.pincode)

    @property
    def hash(self) -> str:
        """Tells a repetition from another checkout under the same idempotency key."""
        said = self.submitted
        extras = sorted((name, text) for name, text in self.extras.items() if text)
        parts = [self.address.pk, self.market.key, self.payment_method, said.coupon_code or "", *(
            sorted((str(name), str(value)) for name, value in part.items())
            for part in (said.amounts, said.quantities or {}, said.unit_amounts)
        ), *extras]  # fmt: skip
        return sha256(json.dumps(parts).encode()).hexdigest()


def extras_of(request: type[PlaceOrder]) -> dict[str, Extra]:
    """By field name, in their order."""
    return {one.name: one.metadata["extra"] for one in fields(request) if "extra" in one.metadata}


EXTRAS = extras_of(PlaceOrder)
