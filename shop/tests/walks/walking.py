"""Requests to every route of the shop, one at a time, and what is wrong with its answer."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.db import connection, transaction
from django.test import Client
from django.test.client import ClientHandler

from ..support.access import RouteAccess
from ..support.belongings import Belongings, Member

SAME_SITE = {"sec-fetch-site": "same-origin"}
ELSEWHERE = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", "origin": "https://elsewhere.example"}
# What may be written although the question was refused: that it was asked, and by which browser.
KEPT_COUNT = {"limits_counter", "django_session"}
WRITES = re.compile(r'\s*(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+"(\w+)"', re.IGNORECASE)
SIGN_IN = re.compile(r"(?:/en-in)?/signin/\?|/admin/(?:login/.*)?$")
LEAKS = re.compile(rb"Traceback|SELECT .* FROM|django\.core|sqlite3|psycopg")


@dataclass
class World:
    """Two customers who know nothing of each other, what nobody has, and staff of each role."""

    asha: Belongings
    bhavani: Belongings
    nobody: Belongings
    staff: list[Member]


@dataclass
class Answer:
    entry: RouteAccess
    method: str
    status: int
    headers: dict[str, str]
    body: bytes
    written: set[str] = field(default_factory=set)  # tables of which rows changed

    def is_json(self) -> bool:
        return self.headers.get("Content-Type", "").startswith("application/json")

    def faults(self, *problems: str | None) -> list[str]:
        """The problems that were found, with what no answer may do."""
        found = [*problems, *self._always()]
        return [f"{self.method} {self.entry.route} ({self.status}): {problem}" for problem in found if problem]

    def _always(self) -> Iterator[str | None]:
        yield "a fault of the shop" if self.status >= 500 else None
        yield "allows foreign origins" if any(name.startswith("Access-Control-") for name in self.headers) else None
        yield "names no request id" if "X-Request-Id" not in self.headers else None
        if self.status >= 400:
            yield "tells how the shop is built" if LEAKS.search(self.body) else None
            yield self._shape()

    def _shape(self) -> str | None:
        """Calls are refused as JSON, pages as a page (or as JSON where no browser may have asked)."""
        if self.method == "HEAD":
            return None
        if self.is_json():
            wanted = {"detail", "code", "request_id", "fields"}
            return None if wanted <= json.loads(self.body or b"{}").keys() else "refused in another shape"
        return "a call refused without JSON" if self.entry.is_api else None

    def asks_to_sign_in(self) -> bool:
        if self.entry.is_api:
            return self.status == 401
        return self.status == 302 and bool(SIGN_IN.match(self.headers["Location"]))

    def says(self, words: Iterable[str]) -> list[str]:
        """Those of the words that stand in the answer, or in its headers."""
        text = self.body + json.dumps(self.headers).encode()
        return [word for word in words if word.encode() in text]

    def changed(self) -> str | None:
        rows = self.written - KEPT_COUNT
        return f"changed {sorted(rows)}" if rows else None

    def without(self, own: Belongings) -> bytes:
        """The body without what differs in any case: request id, token, and the names that were sent."""
        text = re.sub(rb'"request_id": *"\w+"', b"", self.body)
        text = re.sub(rb'value="\w{64}"', b"", text)
        for name in _names_in(self.entry.path_for(own)) | _names_in(json.dumps(self.entry.body_for(own))):
            text = text.replace(name.encode(), b"...")
        return text


def _names_in(text: str) -> set[str]:
    """Numbers and keys that are too long to stand somewhere else by chance."""
    return {name for name in re.findall(r"[\w-]{6,}", text) if re.search(r"\d", name)}


def ask(
    entry: RouteAccess,
    method: str,
    own: Belongings,
    cookies: dict[str, str],
    *,
    headers: dict[str, str] | None = None,
    content_type: str = "",
    extra: dict[str, Any] | None = None,
) -> Answer:
    """Ask for what belongs to `own` with these cookies, and take back whatever came of it.

    Where nothing else is said, what changes something is asked by a page of the shop, and what only reads by the
    script of another site: it must not be told that it may read the answer.
    """
    usual = ELSEWHERE if method in ("GET", "HEAD") else SAME_SITE
    client = client_of(cookies, usual if headers is None else headers)
    sent: dict[str, Any] = {}
    if method == "POST":
        sent = _sent(entry, entry.body_for(own) | (extra or {}), content_type)
    with undone():
        path = entry.path_for(own)  # may make what it leads to
        with counting_writes() as written:
            response = getattr(client, method.lower())(path, **sent)
            body = b"".join(response.streaming_content) if response.streaming else response.content
        return Answer(entry, method, response.status_code, dict(response.headers), body, written)


def client_of(cookies: dict[str, str], headers: dict[str, str] = SAME_SITE) -> Client:
    """A browser in India with these cookies."""
    client = Client(raise_request_exception=False, headers=headers)
    client.handler = _handler()
    for name, value in {"deliver_to": "IN", **cookies}.items():
        client.cookies[name] = value
    return client


@cache
def _handler() -> ClientHandler:
    """One for all: to put the middleware together costs more than most questions."""
    return ClientHandler(enforce_csrf_checks=True)


def _sent(entry: RouteAccess, body: dict[str, Any], content_type: str) -> dict[str, Any]:
    if content_type == "form" or (entry.is_upload and not content_type):
        return {"data": body}
    if content_type or entry.is_api:
        return {"data": json.dumps(body, default=str), "content_type": content_type or "application/json"}
    return {"data": body}


@contextmanager
def undone() -> Iterator[None]:
    """What is done inside is taken back. Services that insist on a transaction of their own get one, as in
    every test: this is the test's."""
    block = transaction.atomic()
    block._from_testcase = True
    with block:
        yield
        transaction.set_rollback(True)


@contextmanager
def counting_writes() -> Iterator[set[str]]:
    """The tables of which rows are really changed."""
    written: set[str] = set()

    def look(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        # SQLite counts what it returns once that is read.
        if (wrote := WRITES.match(sql)) and (context["cursor"].rowcount or " RETURNING " in sql):
            written.add(wrote[1])
        return result

    with connection.execute_wrapper(look):
        yield written
