"""What allauth's passkeys and one-time passwords ask of the shop."""

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any

from allauth.account.utils import user_pk_to_url_str
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet
from django.conf import settings

from ..models import Customer


class Adapter(DefaultMFAAdapter):
    """Named by settings.MFA_ADAPTER."""

    def get_totp_issuer(self) -> str:
        return settings.SHOP_NAME

    def get_totp_label(self, user: Customer) -> str:
        return user.email or user.phone or str(user)

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """A passkey belongs to the shop's host; the demo is looked at under several."""
        host = settings.SHOP_HOST
        if settings.DEMO or settings.DEBUG or settings.TESTING:
            host = context.request.get_host().partition(":")[0]
        return {"id": host, "name": settings.SHOP_NAME}

    def get_public_key_credential_user_entity(self, user: Customer) -> dict[str, Any]:
        return {
            "id": user_pk_to_url_str(user).encode(),
            "name": self.get_totp_label(user),
            "display_name": str(user),
        }

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _cipher().decrypt(encrypted_text.encode()).decode()


def _cipher() -> Fernet:
    """Keyed by SECRET_KEY: with another one, staff set their second factor up again."""
    return Fernet(
        urlsafe_b64encode(sha256(f"shop.accounts.second_factor.adapter|{settings.SECRET_KEY}".encode()).digest())
    )
