"""Tokens of clients without a browser."""

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from shop.errors import NotFound

from ..models import ApiToken, Customer
from ..staff import sessions as staff_sessions
from ..staff.sessions import MAX_AGE, is_over

TOKEN_DAYS = 30
MAX_TOKENS = 20  # of one customer
NOTED_EVERY = timedelta(hours=1)  # a use; so that calls that only read do not write each time
MAX_NAME_LENGTH = 80


def issue_token(customer: Customer, *, name: str) -> tuple[str, ApiToken]:
    """A new token and its key, which is shown this once; the oldest of too many go.

    It is tied to the password as the caller knows it: one that changes meanwhile ends it.
    """
    key = secrets.token_urlsafe(32)
    token = ApiToken(
        customer=customer,
        key_hash=_hash(key),
        name=name.strip()[:MAX_NAME_LENGTH] or "Unnamed client",
        session_hash=customer.get_session_auth_hash(),
        expires_at=timezone.now() + (MAX_AGE if customer.is_staff else timedelta(days=TOKEN_DAYS)),
    )
    with transaction.atomic():
        token.save(force_insert=True)
        kept = list(customer.api_tokens.order_by("-id").values_list("pk", flat=True)[:MAX_TOKENS])
        customer.api_tokens.exclude(pk__in=kept).delete()
    return key, token


def token_of(key: str) -> ApiToken | None:
    """The token that a key opens, with its customer; None where it is unknown or opens nothing any more."""
    token = ApiToken.objects.select_related("customer").filter(key_hash=_hash(key)).first()
    if token is None or not is_good(token):
        return None
    _note_use(token, timezone.now())
    return token


def tokens_of(customer: Customer) -> list[ApiToken]:
    """Those that open something, the newest first."""
    return [token for token in customer.api_tokens.order_by("-id").select_related("customer") if is_good(token)]


def is_good(token: ApiToken) -> bool:
    customer = token.customer
    if customer.is_staff and is_over(token.created_at, token.last_used_at or token.created_at):
        return False
    return (
        token.expires_at > timezone.now()
        and customer.is_active
        and constant_time_compare(token.session_hash, customer.get_session_auth_hash())
    )


def revoke_token(customer: Customer, token_id: int) -> None:
    """End an own token; raises NotFound."""
    if not customer.api_tokens.filter(pk=token_id).delete()[0]:
        raise NotFound()


def delete_expired_tokens() -> int:
    """Delete tokens that open nothing any more; a scheduled job."""
    return ApiToken.objects.filter(expires_at__lt=timezone.now()).delete()[0]


def _note_use(token: ApiToken, now: datetime) -> None:
    pause = staff_sessions.NOTED_EVERY if token.customer.is_staff else NOTED_EVERY
    if token.last_used_at is None or token.last_used_at < now - pause:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)


def _hash(key: str) -> str:
    """Plain: nobody tries 256 random bits out."""
    return sha256(key.encode()).hexdigest()
