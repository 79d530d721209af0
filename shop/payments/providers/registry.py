"""Every payment provider the shop knows; settings.PAYMENT_PROVIDERS names those that customers may choose."""

from collections.abc import Mapping

from shop.orders.payment_methods import ONLINE, register

from ..models import Payment
from .base import PaymentProvider
from .cash import cash
from .razorpay import razorpay

PROVIDERS: tuple[PaymentProvider, ...] = (razorpay, cash)  # as the checkout lists them


def register_all() -> None:
    for provider in PROVIDERS:
        register(provider)


def provider_of(payment: Payment) -> PaymentProvider:
    return {provider.recorded_as: provider for provider in PROVIDERS}[payment.method]


def provider_named(payment_method: str) -> PaymentProvider:
    """By Order.payment_method; raises KeyError."""
    return {provider.payment_method: provider for provider in PROVIDERS}[payment_method]


def online_provider() -> PaymentProvider:
    """The one with a ledger of its own and keys in the browser, which takes what names no other."""
    return provider_named(ONLINE)


def verified_event_id(body: bytes, headers: Mapping[str, str]) -> str:
    """The id of a webhook's event; empty where no provider signed it."""
    return next(filter(None, (provider.verify_webhook(body, headers) for provider in PROVIDERS)), "")
