"""What can go wrong in the shop's own terms.

Services raise these; pages show the message where the mistake happened, and the JSON API turns
them into a status with `{detail, code, fields}`. The message may be read by a customer.
"""

import copyreg
import errno
import sqlite3
from typing import Any

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext, gettext_noop

DISK_FULL = {errno.ENOSPC, errno.EDQUOT}
_INVISIBLE_CHARACTERS = "\u115f\u1160\u3164\uffa0"  # fillers of Hangul
UNAVAILABLE = gettext_noop("We can't do that right now. Please try again in a moment.")


class ShopError(Exception):
    """A refusal with a reason in words.

    `code` is for programs, `status` is what the JSON API answers, `fields` maps a form field to
    its messages, and `extra` adds members to the API's answer (such as a fresh cart).
    """

    code = "refused"
    status = 409

    def __init__(
        self,
        message: str,
        code: str | None = None,
        *,
        fields: dict[str, list[str]] | None = None,
        extra: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self.code
        self.fields = fields or {}
        self.extra = extra or {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Without `__init__`, whose arguments differ: one that cannot be read back hangs a pool of processes."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]


class NotFound(ShopError):
    """Missing or somebody else's: both look the same to the caller."""

    code = "not_found"
    status = 404

    def __init__(self, message: str = "") -> None:
        super().__init__(message or gettext("Not found."))


class Invalid(ShopError):
    """Input that can be mended by the person who typed it."""

    code = "invalid"
    status = 422


class Busy(ShopError):
    """Nothing is wrong with the input; the same will do in a moment."""

    code = "busy"
    status = 503


class FilesUnavailable(Busy):
    """The server of the buckets did not do what it was asked; nothing is lost, and the same will do in a moment."""

    def __init__(self) -> None:
        super().__init__(gettext("We can't store or open files right now. Please try again in a moment."))


def require_words(text: str, message: str, *, field: str = "") -> str:
    """The text without outer blanks. Raises Invalid with the message (at `field`) where it has neither letter nor
    digit: blanks, invisible characters and dashes alone are no answer and no reason."""
    if not any(sign.isalnum() and sign not in _INVISIBLE_CHARACTERS for sign in text):
        raise Invalid(message, fields={field: [message]} if field else None)
    return text.strip()


class VerificationFailed(ShopError):
    """A signature, code or password that does not match. Always one message per kind."""

    code = "bad_proof"
    status = 400


class TooMany(ShopError):
    """Over a limit; `retry_after` is in seconds."""

    code = "too_many"
    status = 429

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class OutOfStock(ShopError):
    code = "out_of_stock"


class Changed(ShopError):
    """Price, stock or country is no longer what the customer saw; `extra` holds the new figures."""

    code = "changed"


class ProviderDown(ShopError):
    """The payment provider did not answer; nothing is lost and the call may be repeated."""

    code = "provider_down"
    status = 503


def is_passing(error: BaseException | None) -> bool:
    """Whether an error lies in what the shop stands on, and ends when that is mended: a full disk, a database that
    is away, files that cannot be reached. Answered with 503 and UNAVAILABLE."""
    if isinstance(error, Busy):
        return True
    if isinstance(error, OSError):
        return error.errno in DISK_FULL
    if isinstance(error, OperationalError | InterfaceError):
        # So SQLite calls a wrong statement, too.
        return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR
    return False
