"""The keys that payments are made and verified with: the provider's, or the simulator's own."""

import hmac
from dataclasses import dataclass
from hashlib import sha256

from django.conf import settings

SIMULATED_KEY_ID = "rzp_test_simulated"


@dataclass(frozen=True, slots=True)
class Keys:
    key_id: str
    key_secret: str
    webhook_secrets: tuple[str, ...]


def current_keys() -> Keys:
    if settings.SIMULATED_GATEWAY:
        return simulated_keys()
    return Keys(settings.RAZORPAY_KEY_ID, settings.RAZORPAY_KEY_SECRET, tuple(settings.RAZORPAY_WEBHOOK_SECRETS))


def simulated_keys() -> Keys:
    """Derived from the shop's secret: as hard to guess as that, and different from any real key."""
    return Keys(SIMULATED_KEY_ID, _derive("key"), (_derive("webhook"),))


def _derive(purpose: str) -> str:
    return hmac.new(settings.SECRET_KEY.encode(), f"simulated {purpose}".encode(), sha256).hexdigest()


def sign(message: bytes, secret: str) -> str:
    return hmac.new(secret.encode(), message, sha256).hexdigest()


def checkout_signature(razorpay_order_id: str, razorpay_payment_id: str, secret: str) -> str:
    """What the provider's window hands over after a payment."""
    return sign(f"{razorpay_order_id}|{razorpay_payment_id}".encode(), secret)


def is_checkout_signature(signature: str, *, razorpay_order_id: str, razorpay_payment_id: str) -> bool:
    """`razorpay_order_id` is the one stored here, never one that was posted. Without a secret nothing is good:
    everybody could sign with an empty one."""
    secret = current_keys().key_secret
    expected = checkout_signature(razorpay_order_id, razorpay_payment_id, secret)
    return bool(secret) and hmac.compare_digest(expected.encode(), signature.encode("utf-8", "replace"))


def is_webhook_signature(signature: str, body: bytes) -> bool:
    """Over the raw body; several secrets are good while one is being changed."""
    given = signature.encode("utf-8", "replace")
    secrets = filter(None, current_keys().webhook_secrets)
    return any(hmac.compare_digest(sign(body, secret).encode(), given) for secret in secrets)
