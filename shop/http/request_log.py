"""One id in a request's answer, in every log line that it writes and in those of the tasks that it starts;
and lines that tell nothing secret, whatever is written to them."""

import logging
import re
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from pythonjsonlogger.json import JsonFormatter

NO_ID = "-"
request_id: ContextVar[str] = ContextVar("request_id", default=NO_ID)
current_request: ContextVar[HttpRequest | None] = ContextVar("asked", default=None)
logger = logging.getLogger("shop.request")

GIVEN_ID = re.compile(r"[0-9a-f]{16,32}")
OWN_WORDS = {"level", "logger", "time", "request_id", "method"}  # nobody else's text
ID_LENGTH = 16  # hexadecimal digits: half of the number of a task
MAX_LOGGED_PATH = 200  # characters
MAX_LOGGED_TEXT = 16_000  # of a message or a traceback: its beginning and its end
MAX_FILTERED = 64_000  # what is longer loses its middle before it is looked through
SECRET_NAMES = (
    r"password|passwd|otp(?:_code)?|code|token|secret|signature|authorization|cookie|session(?:id)?|csrf\w{0,20}+"
)
# Every repetition has one place where it can begin, or is bounded, so that each takes linear time
# (shop/tests/rules/test_regular_expressions.py).
EMAIL = re.compile(r"(?<![\w.+-])(?P<before>[.+-]*+)(?P<first>\w)[\w.+-]*+@(?P<domain>[\w-]++\.[\w.-]+)")
SECRETS = re.compile(
    r"(?P<query>\?)[^\s\"'<>|)]*"  # of an address
    rf"|(?P<name>(?<![a-z])(?:{SECRET_NAMES})[\"']?\s{{0,9}}+(?:[:=]|\bis\b)\s{{0,9}}+[\"']?(?:(?:bearer|basic)\s{{1,9}}+)?)"
    r"[^\s\"',;&}]+"
    r"|(?P<scheme>\b(?:bearer|basic)\s{1,9}+)[\w.~+/=-]{6,}"
    r"|\b[0-9a-f]{40,}\b"  # signatures and digests
    r"|(?:\+\d{1,3}[ -]?)?(?<![\w.-])[6-9]\d{4}[ -]?\d{3}(?P<last>\d{2})(?![\w.])"  # an Indian mobile number
    r"|\+\d[\d -]{5,12}(?P<tail>\d{2})\b",  # any other
    re.IGNORECASE,
)
# Pages whose address ends with what a shopper looks for, or with the key of a mail's link; a file of the same
# name in a traceback stands in a longer path.
PRIVATE_PAGES = re.compile(
    r"(?<![\w./-])(?P<page>(?:https?://[\w.:\[\]-]{1,300})?/++(?:[a-z]{2,3}-[a-z]{2}/++)?"
    r"(?:search|newsletter|track|p|staff/++join|review|review-invitations|refill|wishlist/++shared)/++)[^\n]+",
    re.IGNORECASE,
)
CODE_IN_PATH = re.compile(r"(?<=/)\d{6}(?=/|\Z)")  # a one-time code, a PIN code


class RequestIdMiddleware:
    """A trusted proxy's own id is taken over, so that its log and ours tell of the same request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request_id.set(_given_id(request) or new_id())
        current_request.set(request)
        try:
            response = self.get_response(request)
        finally:
            current_request.set(None)
        response["X-Request-Id"] = request_id.get()
        return response


class RequestLineMiddleware:
    """One line for each request that the shop worked on. It stands behind kept pages and static files,
    which cost less than a line and are in the proxy's log."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not logger.isEnabledFor(logging.INFO):
            return self.get_response(request)
        start = time.perf_counter()
        response = self.get_response(request)
        facts: dict[str, float] = {
            "status": response.status_code,
            "milliseconds": round((time.perf_counter() - start) * 1000, 1),
        }
        logger.info("request", extra={**facts, **who_asks(request)})
        return response


def who_asks(request: HttpRequest) -> dict[str, int]:
    """The customer's number, where somebody asked for it already: no session is read for a log."""
    user = getattr(request, "_cached_user", None)
    number = user.pk if user else getattr(getattr(request, "api_token", None), "customer_id", None)
    return {} if number is None else {"customer": number}


def new_id() -> str:
    return uuid.uuid4().hex[:ID_LENGTH]


def _given_id(request: HttpRequest) -> str:
    if not settings.TRUSTED_PROXY_COUNT:
        return ""
    given = request.META.get("HTTP_X_REQUEST_ID", "").replace("-", "").lower()
    return given if GIVEN_ID.fullmatch(given) else ""


# --- Tasks and jobs -------------------------------------------------------------------------


def new_task_number() -> uuid.UUID:
    """Half of it is the id of the request that starts the task; see settings.TASKS."""
    of_request = request_id.get()[:ID_LENGTH]
    return uuid.UUID(hex=(of_request if of_request != NO_ID else new_id()) + new_id())


def enter_task(number: uuid.UUID | str) -> None:
    """From now on lines are of the task's request."""
    request_id.set(uuid.UUID(str(number)).hex[:ID_LENGTH])


@contextmanager
def under_id(number: str) -> Iterator[None]:
    """What is done in the block belongs to the request of this id."""
    before = request_id.set(number)
    try:
        yield
    finally:
        request_id.reset(before)


def own_id() -> AbstractContextManager[None]:
    """Work that no request asked for has an id of its own."""
    return under_id(new_id())


# --- Lines ------------------------------------------------------------------------------------


class RequestIdFilter(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


def without_secrets(text: str) -> str:
    """As it may be logged: at most MAX_LOGGED_TEXT characters, without what tells who somebody is or opens anything."""
    text = _shorten(text, MAX_FILTERED)
    text = PRIVATE_PAGES.sub(r"\g<page>…", text)
    text = EMAIL.sub(r"\g<before>\g<first>…@\g<domain>", text)
    return _shorten(SECRETS.sub(_hide, text), MAX_LOGGED_TEXT)


def logged_path(path: str) -> str:
    """The path of a request as it may be logged, without search words, keys and codes."""
    path = re.sub(r"\s", " ", path[: 2 * MAX_LOGGED_PATH])
    return _shorten(CODE_IN_PATH.sub("…", without_secrets(path)), MAX_LOGGED_PATH)


def _shorten(text: str, maximum: int) -> str:
    return text if len(text) <= maximum else f"{text[: maximum // 2]} … {text[-maximum // 2 :]}"


def _hide(found: re.Match[str]) -> str:
    kept = found["query"] or found["name"] or found["scheme"] or ""
    return f"{kept}…{found['last'] or found['tail'] or ''}"


class TextLines(logging.Formatter):
    """For a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return without_secrets(super().format(record))


class JsonLines(JsonFormatter):
    """For programs: one object a line."""

    def __init__(self) -> None:
        names = {"levelname": "level", "name": "logger", "exc_info": "traceback"}
        super().__init__(
            "%(levelname)s %(name)s %(message)s %(request_id)s",
            timestamp="time",
            rename_fields=names,
            json_ensure_ascii=False,
        )

    def add_fields(self, log_data: dict[str, Any], record: logging.LogRecord, message_dict: dict[str, Any]) -> None:
        super().add_fields(log_data, record, message_dict)
        if (request := current_request.get()) is not None:
            log_data["method"], log_data["path"] = request.method, logged_path(request.path)
        log_data.pop("request", None)  # Django's own lines bring the whole of it
        for name, value in log_data.items():
            if isinstance(value, str) and name not in OWN_WORDS:
                log_data[name] = without_secrets(value)
