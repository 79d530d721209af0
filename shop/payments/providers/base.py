"""What a payment provider does for the shop. The rest of the shop knows providers by this interface alone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from shop.orders.payment_methods import PaymentMethod

from .failures import UNKNOWN


class ProviderError(Exception):
    """The provider could not do what was asked."""


class NoAnswer(ProviderError):
    """Down, slow, over its limit or unreadable: what was asked may or may not have been done."""


class Refused(ProviderError):
    """The provider understood and said no; the text is the provider's description."""


def is_no_answer(error: Exception) -> bool:
    """Whether a step failed only because the provider did not answer."""
    return isinstance(error, NoAnswer) or isinstance(error.__cause__, NoAnswer)


@dataclass(frozen=True, slots=True)
class ProviderOrder:
    id: str
    amount: int
    currency: str


@dataclass(frozen=True, slots=True)
class ProviderPayment:
    id: str
    order_id: str
    amount: int
    currency: str
    status: str  # created, authorized, captured, refunded or failed
    failure: str
    payer_email: str = ""

    @property
    def is_captured(self) -> bool:
        """The money is here. (What is "refunded" came and went.)"""
        return self.status == "captured"


@dataclass(frozen=True, slots=True)
class LedgerOrder:
    """An order as the provider lists it, with the tries to pay it."""

    id: str
    receipt: str
    notes: Mapping[str, Any]
    payments: list[ProviderPayment]


@dataclass(frozen=True, slots=True)
class ProviderRefund:
    id: str
    payment_id: str
    amount: int
    status: str  # pending, processed or failed
    receipt: str


class PaymentProvider(PaymentMethod):
    """One way to take money and to give it back.

    Every call is made once, outside any transaction, and raises NoAnswer or Refused; amounts are whole paise.
    A provider overrides what its capabilities say it can do; the rest refuses, and its lists are empty.
    """

    pay_template = "payments/checkout/pay.html"

    def create_order(self, *, amount: int, receipt: str, notes: Mapping[str, str]) -> ProviderOrder:
        raise self._cannot("make orders")

    def find_order(self, receipt: str) -> ProviderOrder | None:
        """Its order of this receipt; asked before one is made a second time."""
        return None

    def payments_of(self, order_id: str) -> list[ProviderPayment]:
        """Every try to pay one of its orders."""
        return []

    def fetch(self, payment_id: str) -> ProviderPayment:
        raise self._cannot("be asked for payments")

    def capture(self, payment: ProviderPayment) -> ProviderPayment:
        raise self._cannot("capture payments")

    def refund(self, *, payment_id: str, amount: int, key: str) -> ProviderRefund:
        """Give money back; safe to repeat with the same key, which is also the refund's receipt."""
        raise self._cannot("refund payments")

    def refunds_of(self, payment_id: str) -> list[ProviderRefund]:
        return []

    def orders_between(self, since: datetime, until: datetime) -> Iterator[list[LedgerOrder]]:
        """Its own list of orders made in a time, page by page, the newest first."""
        return iter(())

    def refunds_between(self, since: datetime, until: datetime) -> Iterator[list[ProviderRefund]]:
        return iter(())

    def verify_payment(self, *, order_id: str, payment_id: str, signature: str) -> bool:
        """Whether it signed that this payment was made. `order_id` is the stored one, never one that was posted."""
        return False

    def verify_webhook(self, body: bytes, headers: Mapping[str, str]) -> str:
        """The id of the event that it signed; empty for a call that is not its own, or wrongly signed."""
        return ""

    @property
    def is_simulated(self) -> bool:
        """Whether its payments are made on the simulated provider's page."""
        return False

    @property
    def public_key(self) -> str:
        """What the browser names to it."""
        return ""

    def browser(self) -> dict[str, Any]:
        """What `pay_template` needs of it besides order and payment."""
        return {}

    def explain_failure(self, reason: str) -> str:
        """Why a payment failed, in words that say what to do next."""
        return gettext(UNKNOWN)

    def missing_settings(self) -> Iterator[str]:
        """What must be set before customers may pay with it."""
        return iter(())

    def setting_warnings(self) -> Iterator[str]:
        return iter(())

    def _cannot(self, what: str) -> Refused:
        return Refused(f"{self.label} cannot {what}.")
