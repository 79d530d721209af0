"""The inbox of one member of staff: what waits of all kinds that they may see, the shortest clock first."""

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, Q, QuerySet, Subquery

from shop.accounts.models import Customer

from ..models import Assignment
from .registry import SOURCES, InboxSource, Item

PER_PAGE = 25


@dataclass(frozen=True, slots=True)
class Page:
    """`counts` is by key of a source, of everything that waits."""

    items: list[Item]
    counts: list[tuple[InboxSource, int]]
    total: int
    mine: int
    number: int
    pages: int


def sources_for(user: Any) -> list[InboxSource]:
    return [source for source in SOURCES.values() if user.has_perm(source.permission)]


def inbox_page(user: Any, *, kind: str = "", mine: bool = False, number: int = 1) -> Page:
    """One page of what waits, in as many queries however much it is: one for all kinds, and one or two for the rows of
    each kind on the page."""
    sources = sources_for(user)
    waiting = [entry for source in sources for entry in _entries(source)]
    counts = [(source, sum(entry[0] == source.key for entry in waiting)) for source in sources]
    own = [entry for entry in waiting if entry[4] == user.pk]
    chosen = own if mine else waiting
    if kind in SOURCES:
        chosen = [entry for entry in chosen if entry[0] == kind]
    chosen.sort(key=lambda entry: (entry[3], entry[1]))
    pages = max(1, -(-len(chosen) // PER_PAGE))
    number = min(max(number, 1), pages)
    shown = chosen[(number - 1) * PER_PAGE : number * PER_PAGE]
    return Page(_items(shown), counts, len(waiting), len(own), number, pages)


def find_item(user: Any, key: str, pk: int) -> Item | None:
    """One thing by its kind and id, whether or not it still waits; None where there is none.

    Raises PermissionDenied where they may not see things of this kind, so that it does not look lost.
    """
    source = SOURCES.get(key)
    if source is None:
        return None
    if not user.has_perm(source.permission):
        raise PermissionDenied
    row = source.rows().filter(pk=pk).first()
    if row is None:
        return None
    clocks = source.waiting().filter(pk=pk).values_list("since", "due").first()
    taken = Assignment.objects.select_related("assignee").filter(source=key, object_id=pk).first()
    since, due = clocks or (row.created_at, row.created_at)
    return Item(source, row, since, due, taken.assignee if taken else None)


def is_waiting(item: Item) -> bool:
    return item.source.waiting().filter(pk=item.row.pk).exists()


def staff_for(source: InboxSource) -> QuerySet[Customer]:
    """Who may be given things of this kind."""
    app, codename = source.permission.split(".")
    of_group = Q(groups__permissions__codename=codename, groups__permissions__content_type__app_label=app)
    people = Customer.objects.filter(of_group | Q(is_superuser=True), is_staff=True, is_active=True)
    return people.distinct().order_by("name", "pk")


def _entries(source: InboxSource) -> list[tuple[str, int, Any, Any, int | None]]:
    """(key, id, since, due, who takes care of it) of all that waits of a kind."""
    taken = Assignment.objects.filter(source=source.key, object_id=OuterRef("pk")).values("assignee")
    rows = source.waiting().order_by().annotate(taken=Subquery(taken[:1]))
    return [(source.key, *row) for row in rows.values_list("pk", "since", "due", "taken")]


def _items(entries: list[tuple[str, int, Any, Any, int | None]]) -> list[Item]:
    keys = {key for key, *_ in entries}
    rows = {key: SOURCES[key].rows().in_bulk([pk for kind, pk, *_ in entries if kind == key]) for key in keys}
    people = Customer.objects.in_bulk({taken for *_, taken in entries if taken})
    return [
        Item(SOURCES[key], rows[key][pk], since, due, people.get(taken))
        for key, pk, since, due, taken in entries
        if pk in rows[key]
    ]
