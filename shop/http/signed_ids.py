"""Ids in the links of messages, with a key over each: who has the link needs no other proof."""

from base64 import urlsafe_b64encode

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

KEY_BYTES = 15  # 120 bits, which are 20 characters


def sign_id(purpose: str, pk: int, secret: str | bytes | None = None) -> str:
    """The id and its key, as the end of an address; a key opens nothing for another purpose."""
    digest = salted_hmac(purpose, str(pk), secret=secret, algorithm="sha256").digest()
    return f"{pk}.{urlsafe_b64encode(digest[:KEY_BYTES]).decode()}"


def id_in(purpose: str, token: str) -> int:
    """The id in a token; 0, which no row has, for one that this shop did not make."""
    number = token.partition(".")[0]
    if not (number.isascii() and number.isdecimal() and len(number) <= 18):
        return 0
    pk, secrets = int(number), [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    known = any(constant_time_compare(token, sign_id(purpose, pk, secret)) for secret in secrets)
    return pk if known else 0
