"""One-time codes: the Code table is their only store, for pages and calls alike."""

import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext, gettext_noop

from shop.errors import TooMany, VerificationFailed
from shop.limits.services import client_of, consume, seconds_left
from shop.messaging.languages import LazyText
from shop.messaging.services import queue_mail, queue_sms

from ..models import Code, Customer
from .puzzles import spend_puzzle
from .sms_budget import require_sms_country, spend_sms

OTP_DIGITS = 6
LIFETIME = timedelta(minutes=10)
GUESSES = 5
RESEND_SECONDS = 60
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
KEPT_AFTER_EXPIRY = timedelta(days=1)
IPV4_SENDS, IPV6_SENDS = 200, 20  # carriers put many people behind one IPv4 address
WRONG_OTP = gettext_noop("Please enter a valid OTP")
ALL_TRIES_USED = gettext_noop("You've used all %(tries)s attempts for this code. Request a new one.")
TRIES_USED_UP = ALL_TRIES_USED % {"tries": GUESSES}  # in English
EXPIRED = gettext_noop("This code has expired. Request a new one.")
TOO_SOON = gettext_noop("Please wait before requesting another OTP.")


class WrongCode(VerificationFailed):
    """Wrong, expired, used or never sent: always the same answer. `missing` fields are named beside it."""

    code = "wrong_code"

    def __init__(self, **missing: str) -> None:
        fields = {name: [words] for name, words in missing.items()} or {"otp_code": [gettext(WRONG_OTP)]}
        super().__init__(gettext(WRONG_OTP), fields=fields)


class TooSoon(TooMany):
    """The last send is less than a minute ago; no puzzle shortens that."""


@dataclass(frozen=True)
class CodeMessage:
    """What goes to the address: a template of templates/emails/ with its subject."""

    kind: str
    subject: str | LazyText
    context: dict[str, Any] = field(default_factory=dict)


def new_key() -> str:
    """A secret for whoever asks for a code: only what brings it can use the code."""
    return secrets.token_urlsafe(32)


def key_of(customer: Customer) -> str:
    """Stands for a customer who is signed in, where the code is for nobody else; never taken from outside."""
    return f"customer:{customer.pk}"


def holder_of(key: str) -> str:
    """What a code's row keeps of the key it was asked for with."""
    return sha256(key.encode()).hexdigest() if key else ""


def allow_send(
    address: str, *, client_address: str, browser: str = "", puzzle: str = "", is_signed_in: bool = False
) -> None:
    """Count one send to a canonical address, asked for from a client; raises Invalid, TooMany.

    The same for known and unknown addresses. A browser that its customer used before (browsers.browser_of)
    has counters of its own, so that strangers cannot use them up; who has solved a puzzle (puzzles.py) has
    a few sends beside theirs. SMS go to the shop's countries only, within their budget, whose end is kept for
    such browsers and for who `is_signed_in` to the account of the address. Call it before anything that costs
    time, and outside any transaction.
    """
    is_sms = "@" not in address
    if is_sms:
        require_sms_country(address)
    if browser:
        _count_send(_asker(address, browser), an_hour=5, a_day=10)
    else:
        _count_stranger(address, client_of(client_address), puzzle)
    if is_sms:
        spend_sms(address, is_known=bool(browser) or is_signed_in)


def _count_stranger(address: str, client: str, puzzle: str) -> None:
    try:
        consume("code_client", client, limit=IPV6_SENDS if ":" in client else IPV4_SENDS, period=HOUR)
        _count_send(address, an_hour=5, a_day=10)
    except TooSoon:
        raise
    except TooMany as refusal:
        spend_puzzle(puzzle, client=client, refusal=refusal)
        _count_send(f"{address}|{client}|puzzle", an_hour=2, a_day=2)
        consume("code_puzzle_hour", address, limit=3, period=HOUR)
        consume("code_puzzle_day", address, limit=5, period=DAY)


def _count_send(asker: str, *, an_hour: int, a_day: int) -> None:
    """The minute is counted last: who is refused for the hour or the day holds nobody up."""
    if left := seconds_left("code_minute", asker):
        raise TooSoon(gettext(TOO_SOON), left)
    consume("code_hour", asker, limit=an_hour, period=HOUR)
    consume("code_day", asker, limit=a_day, period=DAY)
    try:
        consume("code_minute", asker, limit=1, period=timedelta(seconds=RESEND_SECONDS), message=gettext(TOO_SOON))
    except TooMany as refusal:
        raise TooSoon(gettext(TOO_SOON), refusal.retry_after) from refusal


def seconds_until_resend(address: str, *, browser: str = "") -> int:
    """How long the last send keeps the next one waiting."""
    return seconds_left("code_minute", _asker(address, browser))


def send_code(
    *,
    purpose: Code.Purpose,
    address: str,
    message: CodeMessage | None,
    payload: dict[str, Any] | None = None,
    is_real: bool = True,
    holder: str = "",
) -> Code:
    """Replace the code of this address, purpose and holder by a new one and queue the message that holds it.

    `holder` is the hash of the secret of whoever asks (holder_of, browsers.browser_of): codes of others
    stand beside this one. With `is_real=False` the message says something else, or there is none, and no
    code opens anything, while nothing looks different from outside. Call allow_send first.
    """
    digits = f"{secrets.randbelow(10**OTP_DIGITS):0{OTP_DIGITS}}"
    now = timezone.now()
    fields = {
        "code_hash": _hash(purpose, address, digits) if is_real else "",
        "payload": payload or {},
        "tries": 0,
        "created_at": now,
        "expires_at": now + LIFETIME,
        "used_at": None,
    }
    secret = {"code": digits, "minutes": LIFETIME.seconds // 60} if is_real else {}
    with transaction.atomic():
        code, _ = Code.objects.update_or_create(purpose=purpose, address=address, browser=holder, defaults=fields)
        if message:
            _queue(message, address, message.context | secret, code)
    return code


def check_code(*, purpose: Code.Purpose, address: str, digits: str, holder: str = "", or_shared: bool = False) -> Code:
    """The holder's code if `digits` are right; raises WrongCode. Spend it with spend_code.

    With `or_shared` it may be one that was asked for without any secret, where the holder has none. The
    guess is counted by one conditional update on the very code it is compared with, before it is compared,
    so parallel guesses cannot share a place. Call it outside any transaction.
    """
    holders = {holder, ""} if or_shared else {holder}
    sent = Code.objects.filter(purpose=purpose, address=address, browser__in=holders).order_by("-browser")
    code = next(filter(_is_open, sent), None)
    if code is None or not _count_guess(code):
        raise WrongCode()
    if not constant_time_compare(code.code_hash, _hash(purpose, address, digits)):
        raise WrongCode()
    return code


def why_closed(*, purpose: str, address: str, key: str) -> str:
    """Why no digits can be right any more for whoever asked for a code with this key, in words; empty while they can.

    It says nothing of the address: a code that opens nothing is counted and ends like any other.
    """
    code = Code.objects.filter(purpose=purpose, address=address, browser=holder_of(key)).first()
    if code is None or _is_open(code):
        return ""
    return gettext(ALL_TRIES_USED) % {"tries": GUESSES} if code.tries >= GUESSES else gettext(EXPIRED)


def spend_code(code: Code) -> None:
    """Use a checked code up, inside the transaction of what it opens; raises WrongCode if it was
    used or replaced meanwhile."""
    now = timezone.now()
    unused = Code.objects.filter(pk=code.pk, created_at=code.created_at, used_at=None)
    if not unused.update(used_at=now, payload={}):
        raise WrongCode()


def delete_expired_codes() -> int:
    """Delete codes that expired long ago, with what they would have confirmed; a scheduled job."""
    return Code.objects.filter(expires_at__lt=timezone.now() - KEPT_AFTER_EXPIRY).delete()[0]


def _asker(address: str, browser: str) -> str:
    return f"{address}|{browser}" if browser else address


def _is_open(code: Code) -> bool:
    return code.tries < GUESSES and code.used_at is None and code.expires_at > timezone.now()


def _count_guess(code: Code) -> bool:
    open_code = Code.objects.filter(
        pk=code.pk, created_at=code.created_at, tries__lt=GUESSES, used_at=None, expires_at__gt=timezone.now()
    )
    with transaction.atomic(durable=True):
        return bool(open_code.update(tries=F("tries") + 1))


def _hash(purpose: str, address: str, digits: str) -> str:
    """Keyed, because so few digits could be tried out against a plain hash in no time."""
    return salted_hmac("shop.accounts.codes", f"{purpose}|{address}|{digits}", algorithm="sha256").hexdigest()


def _queue(message: CodeMessage, address: str, context: dict[str, Any], code: Code) -> None:
    if "@" in address:
        queue_mail(
            kind=message.kind,
            to=address,
            subject=message.subject,
            template=message.kind,
            context=context,
            stale_after=code.expires_at,
        )
    else:
        queue_sms(kind=message.kind, to=address, template=message.kind, context=context, stale_after=code.expires_at)
