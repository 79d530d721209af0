"""The timeline of one customer: what happened of all kinds that a member of staff may see, the newest first."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import CharField, F, Value

from shop.backoffice.actors import shown_actors

from ..models import Customer
from .registry import SOURCES, Shown, TimelineSource

PER_PAGE = 20
MAX_PAGES = 500


@dataclass(frozen=True, slots=True)
class Entry:
    source: TimelineSource
    at: datetime
    shown: Shown
    who: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """One page; `kind` is the key of the only source that is shown, or empty."""

    entries: list[Entry]
    sources: list[TimelineSource]
    kind: str
    number: int
    has_more: bool


def sources_for(user: Any) -> list[TimelineSource]:
    return [source for source in SOURCES.values() if user.has_perm(source.permission)]


def timeline_of(customer: Customer, user: Any, *, kind: str = "", number: int = 1) -> Timeline:
    """One page, in as many queries however much there is: one for all kinds, a few for the rows of each kind on the
    page, and one for the names of those who did it."""
    sources = sources_for(user)
    chosen = [source for source in sources if source.key == kind] or sources
    number = min(max(number, 1), MAX_PAGES)
    end = number * PER_PAGE
    moments = _moments(chosen, customer, end + 1)
    entries = _entries(customer, moments[end - PER_PAGE : end])
    shown_kind = kind if len(chosen) == 1 and chosen[0].key == kind else ""
    return Timeline(entries, sources, shown_kind, number, len(moments) > end)


def _moments(sources: list[TimelineSource], customer: Customer, count: int) -> list[tuple[datetime, str, int]]:
    """(when, key, id) of the newest rows of these kinds: one query. It reads all rows of one customer, since SQLite
    cannot limit the parts of a union."""
    parts: list[Any] = [
        source.rows(customer)
        .order_by()
        .annotate(happened_at=F(source.moment), source_key=Value(source.key, CharField()))
        .values_list("happened_at", "source_key", "pk")
        for source in sources
    ]
    if not parts:
        return []
    found = parts[0].union(*parts[1:], all=True) if parts[1:] else parts[0]
    return list(found.order_by("-happened_at", "source_key", "-pk")[:count])


def _entries(customer: Customer, moments: list[tuple[datetime, str, int]]) -> list[Entry]:
    rows = {
        key: {
            row.pk: row for row in SOURCES[key].rows(customer).filter(pk__in=[pk for _, of, pk in moments if of == key])
        }
        for key in {key for _, key, _ in moments}
    }
    shown = [
        (SOURCES[key], at, SOURCES[key].show(rows[key][pk])) for at, key, pk in moments if pk in rows[key]
    ]  # a row may have gone since its moment was read
    names = shown_actors(one.actor for _, _, one in shown if one.actor)
    return [Entry(source, at, one, names.get(one.actor, "")) for source, at, one in shown]
