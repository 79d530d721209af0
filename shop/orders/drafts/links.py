"""The link that pays a draft without signing in: twelve letters and digits that can be read out on the phone.

They are a signature over the draft and a random seed, so that staff can be shown the link again, and the database
alone opens nothing: it holds the seed and a keyed hash.
"""

import secrets

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from ..models import OrderDraft
from ..placing.services import DraftClosed

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: nothing that is mistaken for another
MISHEARD = str.maketrans("oil", "011")
LENGTH, GROUP = 12, 4  # 60 bits


def new_seed() -> str:
    return secrets.token_hex(16)


def token_of(pk: int, seed: str, secret: str | bytes | None = None) -> str:
    """The end of the link's address: 7k4m-q9xd-2h8t."""
    digest = salted_hmac("shop.orders.drafts.link", f"{pk}:{seed}", secret=secret, algorithm="sha256").digest()
    characters = "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:LENGTH])
    return "-".join(characters[at : at + GROUP] for at in range(0, LENGTH, GROUP))


def hash_token(token: str, secret: str | bytes | None = None) -> str:
    """Of a token as it was typed: capitals, blanks and hyphens do not count, and neither do letters misheard."""
    said = "".join(sign for sign in token[:40].lower() if sign.isascii() and sign.isalnum()).translate(MISHEARD)
    return salted_hmac("shop.orders.drafts.hash", said, secret=secret, algorithm="sha256").hexdigest()


def path_of(token: str) -> str:
    return reverse("draft_link", args=[token])


def link_of(draft: OrderDraft) -> str:
    """The whole address of its link while that is open, for staff to read out; empty where there is none, or where
    it was made with a secret that the shop no longer has."""
    if not draft.is_link_open:
        return ""
    for secret in _secrets():
        token = token_of(draft.pk, draft.link_seed, secret)
        if draft.token_hash == hash_token(token, secret):
            return settings.SHOP_URL + path_of(token)
    return ""


def draft_of(token: str) -> OrderDraft:
    """The draft that a link opens; raises DraftClosed for a wrong key, one that has ended and one that was withdrawn,
    alike."""
    hashes = [hash_token(token, secret) for secret in _secrets()]
    open_ones = OrderDraft.objects.filter(withdrawn_at=None, expires_at__gt=timezone.now(), token_hash__in=hashes)
    draft: OrderDraft | None = open_ones.select_related("customer", "location", "cart").first()
    if draft is None:
        raise DraftClosed()
    return draft


def _secrets() -> list[str | bytes]:
    return [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
