"""A small proof of work, for an owner whom the tries of strangers would keep out.

Where a limit is reached the answer holds a puzzle: a number whose hash with the puzzle's begins with so many zero
bits. A browser finds it in about a second. Who runs no scripts sends the puzzle back after a minute instead. Each is
good once, for the client that got it; how much it buys is limited where it is spent (tries.py, codes.py).
"""

import secrets
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.signing import BadSignature, TimestampSigner

from shop.errors import TooMany
from shop.limits.services import consume

LASTS = timedelta(minutes=10)
WAIT = timedelta(minutes=1)
_signer = TimestampSigner(salt="shop.accounts.puzzles")


class PuzzleNeeded(TooMany):
    """A limit was reached, and `extra` holds the puzzle that buys one more try."""

    def __init__(self, refusal: TooMany, client: str) -> None:
        super().__init__(refusal.message, refusal.retry_after)
        self.extra = {"puzzle": new_puzzle(client)}


def new_puzzle(client: str) -> dict[str, Any]:
    """`ticket` is sent back with the answer, as "ticket answer"; the hash is of "nonce:answer"."""
    nonce = secrets.token_urlsafe(16)
    ticket = _signer.sign(f"{nonce}:{_mark(client)}")
    return {"ticket": ticket, "nonce": nonce, "bits": settings.PUZZLE_BITS, "wait_seconds": WAIT.seconds}


def spend_puzzle(solution: str, *, client: str, refusal: TooMany) -> None:
    """Use up the solution of a client's puzzle; raises PuzzleNeeded with a new one where it is none."""
    nonce = _solved(solution, client)
    if not nonce:
        raise PuzzleNeeded(refusal, client)
    try:
        consume("puzzle", nonce, limit=1, period=LASTS)
    except TooMany:
        raise PuzzleNeeded(refusal, client) from None


def _solved(solution: str, client: str) -> str:
    """The nonce of a puzzle that was solved, or waited for; else nothing."""
    ticket, _, answer = solution.partition(" ")
    try:
        nonce, mark = _signer.unsign(ticket, max_age=LASTS).split(":")
    except BadSignature:
        return ""
    is_solved = bool(answer) and _zero_bits(f"{nonce}:{answer}") >= settings.PUZZLE_BITS
    return nonce if mark == _mark(client) and (is_solved or _has_waited(ticket)) else ""


def _has_waited(ticket: str) -> bool:
    try:
        _signer.unsign(ticket, max_age=WAIT)
    except signing.SignatureExpired:
        return True
    return False


def _zero_bits(text: str) -> int:
    return 256 - int.from_bytes(sha256(text.encode()).digest()).bit_length()


def _mark(client: str) -> str:
    return sha256(client.encode()).hexdigest()[:16]
