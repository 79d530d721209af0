"""What may wait in the inbox: each app that comes after this one registers its own kinds of things."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext

from shop.messaging.languages import LazyText


@dataclass(frozen=True, slots=True)
class Shown:
    """One row in words: who waits, what for, and where it is worked on beside the inbox."""

    who: str
    words: str
    url: str


@dataclass(frozen=True, slots=True)
class InboxSource:
    """A kind of thing that waits for staff.

    `waiting` answers its rows with `since` and `due` (moments); `show` puts a row into words, and `template` shows it
    whole with its forms: it reads `row`, and what `context` adds.
    """

    key: str
    label: LazyText | str
    plural: LazyText | str
    model: str  # whose view permission opens it: "care.enquiry"
    waiting: Callable[[], QuerySet[Any]]
    rows: Callable[[], QuerySet[Any]]  # all of them, with what `show` reads
    show: Callable[[Any], Shown]
    template: str
    context: Callable[[Any], dict[str, Any]] = lambda row: {}

    @property
    def permission(self) -> str:
        app, model = self.model.split(".")
        return f"{app}.view_{model}"

    @property
    def change_permission(self) -> str:
        app, model = self.model.split(".")
        return f"{app}.change_{model}"


@dataclass(frozen=True, slots=True)
class Item:
    """A row that waits, with its clock and who takes care of it."""

    source: InboxSource
    row: Any
    since: datetime
    due: datetime
    assignee: Any = None

    @property
    def shown(self) -> Shown:
        return self.source.show(self.row)

    @property
    def is_late(self) -> bool:
        return self.due < timezone.now()

    @property
    def clock(self) -> str:
        now = timezone.now()
        if self.is_late:
            return gettext("%(time)s late") % {"time": timesince(self.due, now, depth=1)}
        return gettext("%(time)s left") % {"time": timeuntil(self.due, now, depth=1)}


SOURCES: dict[str, InboxSource] = {}


def register(source: InboxSource) -> InboxSource:
    SOURCES[source.key] = source
    return source
