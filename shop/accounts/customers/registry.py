"""What a customer's timeline may hold: each app that comes after this one registers its own kinds of entries."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from shop.messaging.languages import LazyText

from ..models import Customer


@dataclass(frozen=True, slots=True)
class Shown:
    """One row in words; `tone` colours its `state` (good, warn, bad, other), `actor` is a key of actors.py."""

    words: str
    url: str = ""
    state: str = ""
    tone: str = "other"
    detail: str = ""
    actor: str = ""


@dataclass(frozen=True, slots=True)
class TimelineSource:
    """A kind of entry. `rows` answers those of a customer, with what `show` reads of each (a constant number of
    queries for any number of rows); `moment` names the field that says when it happened."""

    key: str
    label: LazyText | str
    plural: LazyText | str
    permission: str
    rows: Callable[[Customer], QuerySet[Any]]
    show: Callable[[Any], Shown]
    moment: str = "created_at"


SOURCES: dict[str, TimelineSource] = {}


def register(source: TimelineSource) -> TimelineSource:
    SOURCES[source.key] = source
    return source
