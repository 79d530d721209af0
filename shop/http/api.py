"""What every JSON call shares: strict schemas, the body parser, who is calling, how errors look.

Odd field names of the specification live in each app's schemas.py and go no deeper.
"""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

from annotated_types import GroupedMetadata
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.parser import Parser
from ninja.security import APIKeyCookie, HttpBearer
from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, PlainSerializer

from shop.errors import UNAVAILABLE, ShopError, TooMany, is_passing

from .request_log import request_id

logger = logging.getLogger(__name__)
MAX_INTEGER = 2**63 - 1
MAX_JSON_DEPTH = 32
MAX_AMOUNT = Decimal(10) ** 9


def storable_text(text: str) -> str:
    """The text itself; raises ValueError where it holds NUL or a lone surrogate, which no database keeps."""
    if "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError("The text contains a character that can't be stored.")
    return text


def _read_amount(value: Any) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal):
        raise ValueError("Send the amount as a decimal string or a number.")
    try:
        amount = Decimal(str(value))
    except ArithmeticError as error:
        raise ValueError("Send the amount as a decimal string or a number.") from error
    if not amount.is_finite() or abs(amount) > MAX_AMOUNT:
        raise ValueError("The amount must be below 1,000,000,000.")
    return amount


@dataclass(frozen=True)
class text(GroupedMetadata):  # noqa: N801 (reads as a function in Annotated[str, text(40)])
    """Marks a string of at most `max_length` characters without NUL and lone surrogates."""

    max_length: int
    min_length: int = 0

    def __iter__(self) -> Iterator[object]:
        yield Field(max_length=self.max_length, min_length=self.min_length)
        yield AfterValidator(storable_text)


Text = Annotated[str, text(200)]
Slug = Annotated[str, text(250)]
Id = Annotated[int, Field(ge=1, le=MAX_INTEGER)]
Amount = Annotated[Decimal, BeforeValidator(_read_amount)]
Money = Annotated[Decimal, PlainSerializer(lambda amount: f"{amount:f}", return_type=str)]


class Body(Schema):
    """Base of every request body: no coercion, unknown fields refused."""

    model_config = ConfigDict(strict=True, extra="forbid")


class Error(Schema):
    detail: str
    code: str
    request_id: str
    fields: dict[str, list[str]] = {}


ERRORS = {
    400: Error,
    401: Error,
    403: Error,
    404: Error,
    405: Error,
    409: Error,
    413: Error,
    415: Error,
    422: Error,
    429: Error,
    503: Error,
}


class JsonParser(Parser):
    """What it raises is answered with 400."""

    def parse_body(self, request: HttpRequest) -> Any:
        return parse_json(request.body)


def parse_json(text: str | bytes, **options: Any) -> Any:
    """Strict JSON: no NaN, lists and objects at most MAX_JSON_DEPTH deep. Raises ValueError; options are those of
    json.loads."""
    try:
        value = json.loads(text, **{"parse_constant": _refuse_constant} | options)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    inside = [value]
    for _ in range(MAX_JSON_DEPTH + 1):
        inside = [part for part in inside if isinstance(part, dict | list)]
        if not inside:
            return value
        inside = [child for part in inside for child in (part.values() if isinstance(part, dict) else part)]
    raise ValueError("nested too deeply")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


class SignedIn(APIKeyCookie):
    """The caller's session cookie. Where it comes from is proven by SameOriginMiddleware."""

    param_name = "session"

    def __init__(self) -> None:
        super().__init__(csrf=False)

    def __call__(self, request: HttpRequest) -> Any:
        return request.user if request.user.is_authenticated else None

    def authenticate(self, request: HttpRequest, key: str | None) -> Any:
        return self(request)


class WithToken(HttpBearer):
    """The caller's bearer token, which accounts/bearer.py has looked up already."""

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        return request.user if request.user.is_authenticated else None


signed_in = [SignedIn(), WithToken()]

STATUS_CODES = {
    400: "bad_request",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "too_large",
    414: "too_long",
    415: "unsupported_media_type",
    422: "invalid",
    429: "too_many",
    500: "server_error",
    503: "unavailable",
}


def error_body(
    status: int, detail: str, *, code: str = "", fields: dict[str, Any] | None = None, **extra: Any
) -> dict[str, Any]:
    return {
        "detail": detail,
        "code": code or STATUS_CODES.get(status, "error"),
        "request_id": request_id.get(),
        "fields": fields or {},
        **extra,
    }


def failure(error: BaseException | None) -> tuple[int, str]:
    """Status and words for what nobody foresaw."""
    return (503, gettext(UNAVAILABLE)) if is_passing(error) else (500, "Server Error")


_message_names: dict[str, str] = {}


def repeat_message(path: str, name: str) -> None:
    """The refusals of the call at `path` repeat their message under a second name, which the
    specification gave it."""
    _message_names[path] = name


_takes_files: set[str] = set()


def take_files(path: str) -> None:
    """The call at `path` takes multipart/form-data in place of JSON."""
    _takes_files.add(path)


def content_type_of(path: str) -> str:
    """What a call takes."""
    return "multipart/form-data" if path in _takes_files else "application/json"


def install_error_answers(api: NinjaAPI) -> None:
    """One shape for every refusal of the JSON API."""

    def answer(request: HttpRequest, status: int, detail: str, **rest: Any) -> HttpResponse:
        if name := _message_names.get(request.path_info):
            rest[name] = detail
        return api.create_response(request, error_body(status, detail, **rest), status=status)

    @api.exception_handler(TooMany)
    def too_many(request: HttpRequest, error: TooMany) -> HttpResponse:
        response = answer(request, 429, error.message, fields=error.fields, **error.extra)
        response["Retry-After"] = str(error.retry_after)
        return response

    @api.exception_handler(ShopError)
    def refused(request: HttpRequest, error: ShopError) -> HttpResponse:
        return answer(request, error.status, error.message, code=error.code, fields=error.fields, **error.extra)

    @api.exception_handler(ValidationError)
    def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        fields: dict[str, list[str]] = {}
        for problem in error.errors:
            name = ".".join(str(part) for part in problem["loc"][2:]) or "body"
            fields.setdefault(name, []).append(problem["msg"])
        return answer(request, 422, gettext("Some fields are not valid."), fields=fields)

    @api.exception_handler(HttpError)
    def http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
        return answer(request, error.status_code, str(error))

    @api.exception_handler(AuthenticationError)
    def unauthenticated(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
        return answer(request, 401, gettext("Please sign in."))

    @api.exception_handler(Exception)
    def unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
        logger.exception("unexpected error in %s", request.path)
        return answer(request, *failure(error))
