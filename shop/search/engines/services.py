"""Which engine answers: the search server where one is set, else, and while it does not answer, the embedded one."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeVar

from django.conf import settings

from shop.invalidation.models import Change
from shop.invalidation.subscriptions import catch_up, subscribe

from ..text.matching import Found
from .base import Explanation, SearchEngine, SearchEngineError
from .embedded import EmbeddedEngine
from .opensearch import OpenSearchEngine

logger = logging.getLogger(__name__)
PAUSE_SECONDS = 30.0  # after the server did not answer, before it is asked again
SETTLING_SECONDS = 10.0  # after a change, while the server may not know it

Answer = TypeVar("Answer")
embedded = EmbeddedEngine()


@dataclass
class _State:
    """Of this process; plain numbers, which threads may overwrite."""

    silent_until: float = 0.0
    changed_at: float = field(default_factory=time.monotonic)  # a process that starts knows of no change before


_state = _State()


@lru_cache(1)
def _server_at(address: str) -> SearchEngine:
    return OpenSearchEngine(address)


def search_server() -> SearchEngine | None:
    """The server that is set, whether or not it answers."""
    return _server_at(settings.SEARCH_SERVER_URL) if settings.SEARCH_SERVER_URL else None


def search(query: str) -> Found:
    """Products for `query`. What a server says just after a change is not kept (`is_makeshift`)."""
    return _settled(_ask(lambda engine: engine.search(query)))


def suggest(query: str) -> Found:
    """The first products for words that may be unfinished."""
    return _settled(_ask(lambda engine: engine.suggest(query)))


def explain(query: str) -> Explanation:
    return _ask(lambda engine: engine.explain(query))


def server_trouble() -> str:
    """What is wrong with the search server, in words; empty where there is none, or nothing is."""
    try:
        if server := search_server():
            server.check()
    except SearchEngineError as error:
        return f"{str(error).capitalize()}. Searches use the index in each process."
    return ""


def index() -> None:
    """Scheduled job: both engines know what changed. The embedded one first, which stands in for the other."""
    embedded.index()
    index_on_server()


def index_on_server() -> None:
    """A server that is away is told the next time."""
    if server := search_server():
        try:
            server.index()
        except SearchEngineError as error:
            logger.warning("the search server was not brought up to date: %s", error)


def _ask(question: Callable[[SearchEngine], Answer]) -> Answer:
    server = search_server()
    if server and time.monotonic() >= _state.silent_until:
        try:
            return question(server)
        except SearchEngineError as error:
            _state.silent_until = time.monotonic() + PAUSE_SECONDS
            logger.warning("searches are answered without the search server for %d s: %s", PAUSE_SECONDS, error)
    return question(embedded)


def _settled(found: Found) -> Found:
    if not search_server():
        return found
    catch_up()
    is_settling = time.monotonic() - _state.changed_at < SETTLING_SECONDS
    return replace(found, is_makeshift=True) if is_settling else found


def _on_changes(news: list[Change] | None) -> None:
    if news is None or any(change.kind != Change.Kind.STOCK for change in news):
        _state.changed_at = time.monotonic()


subscribe(_on_changes)
