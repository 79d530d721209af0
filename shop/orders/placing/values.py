"""What is asked of a checkout, from form and API down to the service."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, gettext_noop
from stdnum.exceptions import ValidationError
from stdnum.in_ import gstin

from shop.accounts.models import Address, Customer
from shop.backoffice.actors import customer_actor
from shop.cart.models import Cart
from shop.errors import Invalid
from shop.markets.market import Market
from shop.markets.queries import Service, service_for

from ..payment_methods import ONLINE, PaymentMethod, payment_method_named

if TYPE_CHECKING:
    from ..models import OrderDraft

WRONG_GSTIN = gettext_noop("This is not a valid GSTIN. Check all fifteen characters.")


def clean_gstin(typed: str) -> str:
    """The GSTIN of a business that buys in its one form, or nothing; raises Invalid. It stands on the invoice, so that
    its tax can be claimed."""
    try:
        return str(gstin.validate(typed)) if typed.strip() else ""
    except ValidationError as error:
        raise Invalid(gettext(WRONG_GSTIN), fields={"gstin": [gettext(WRONG_GSTIN)]}) from error


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
    """A text that customers may add to their order at the checkout, in `country_code` alone where one is named.
    `clean` gives it its one form or raises Invalid."""

    label: str
    max_length: int
    country_code: str = ""
    clean: Callable[[str], str] = str


def extra(label: str, *, max_length: int, country_code: str = "", clean: Callable[[str], str] = str) -> Any:
    """A field of PlaceOrder that is a text column of Order by the same name, empty by default.

    Checkout form, save-orders, the order's pages and its mails take it from here.
    """
    return field(default="", metadata={"extra": Extra(label, max_length, country_code, clean)})


@dataclass(frozen=True)
class PlaceOrder:
    """One request to turn a cart into an order; form and API build it, check_out and place_order take it.

    `actor` is who asks for it where that is not the customer; `draft` is what the desk prepared, whose cart it is.
    """

    customer: Customer
    cart: Cart | None
    address: Address
    market: Market
    submitted: SubmittedTotals = SubmittedTotals()
    payment_method: str = ONLINE
    payment_option: str = ""  # a wish: the provider's window begins with it
    idempotency_key: str | None = None
    actor: str = ""
    draft: "OrderDraft | None" = None
    gstin: str = extra("GSTIN", max_length=15, country_code="IN", clean=clean_gstin)  # nosec B610 (a field, not SQL)

    @property
    def extras(self) -> dict[str, str]:
        """Each in its one form, and empty where it is not asked for; raises Invalid."""
        asked = {name: one for name, one in EXTRAS.items() if one.country_code in ("", self.market.country_code)}
        return {name: asked[name].clean(getattr(self, name)) if name in asked else "" for name in EXTRAS}

    @property
    def placed_by(self) -> str:
        return self.actor or customer_actor(self.customer.pk)

    @property
    def address_id(self) -> int:
        """Of the address that it goes to; 0 where the customer keeps none, such as one told on the phone."""
        return self.address.pk or (self.draft.address_id_then if self.draft else 0)

    @property
    def email(self) -> str:
        """Where the order's mails go."""
        return (self.draft.email if self.draft else "") or self.customer.email or ""

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
        parts = [self.address_id, self.market.key, self.payment_method, said.coupon_code or "", *(
            sorted((str(name), str(value)) for name, value in part.items())
            for part in (said.amounts, said.quantities or {}, said.unit_amounts)
        ), *extras]  # fmt: skip
        return sha256(json.dumps(parts).encode()).hexdigest()


def extras_of(request: type[PlaceOrder]) -> dict[str, Extra]:
    """By field name, in their order."""
    return {one.name: one.metadata["extra"] for one in fields(request) if "extra" in one.metadata}


EXTRAS = extras_of(PlaceOrder)
