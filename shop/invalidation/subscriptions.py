"""What a process remembers of the database, and how it learns of changes: two small queries a second and
process at most, however many things are remembered.

Whoever uses something remembered catches up first, so nothing is older than EVERY_SECONDS. While changes cannot be read
it goes on being used for UNREAD_SECONDS, as a restart of the database takes, and then for EVERY_SECONDS at a time.
"""

import logging
import threading
import time
from collections.abc import Callable, Hashable, Iterable
from enum import IntEnum
from functools import wraps
from operator import itemgetter
from typing import Any, Generic, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection

from .models import Change
from .replica import MAX_LAG_SECONDS, replica
from .replica_timeouts import ALIAS

logger = logging.getLogger(__name__)
EVERY_SECONDS = 0.5
# Transactions commit in another order than their rows were numbered: numbers below one that was seen
# this long ago are taken as complete. On a replica the commits may be as much further apart as it may be late.
SETTLED_SECONDS = 15.0 + (MAX_LAG_SECONDS if settings.HAS_REPLICA else 0.0)
UNREAD_SECONDS = 30.0
ASKING_SECONDS = 0.2  # after which a question takes long
# Rows are kept for an hour (services.KEPT); who did not ask for half of it may have missed some.
LOST_SECONDS = 1800.0

Subscriber = Callable[[list[Change] | None], None]
Read = TypeVar("Read", bound=Callable[..., Any])
Made = TypeVar("Made")
MISSING = object()


class InvalidationOrder(IntEnum):
    """In which order subscribers are called: what was made of other remembered things comes after them. Else it could
    be made anew of the old ones in between, and kept. Among equals, lower apps come first."""

    READ = 0  # from the database
    MADE = 1  # of several readings
    MARKUP = 2
    PAGE = 3


class _Subscriptions:
    def __init__(self) -> None:
        self.subscribers: list[tuple[InvalidationOrder, Subscriber]] = []
        self.lock = threading.Lock()
        self.forget()

    def forget(self) -> None:
        self.seen: dict[int, float] | None = None  # number to when it was seen; None: nothing asked yet
        self.settled = 0
        self.read_at = 0.0
        self.due_at = 0.0
        self.unread_since: float | None = None  # when the first question was asked that has no answer
        self.committed: set[int] = set()  # numbers of own changes that may have been seen before their commit

    def catch_up(self) -> None:
        now = time.monotonic()
        if now < self.due_at:
            return
        if self.lock.acquire(blocking=False):
            try:
                self.due_at = now + EVERY_SECONDS  # before asking: a change during it makes it due again
                self.unread_since = self.unread_since or now
                if settings.HAS_REPLICA:
                    self._ask_where_pages_are_read(now)
                else:
                    self._ask(now)
                self.unread_since = None
            except DatabaseError:
                logger.exception("changes cannot be read")
            finally:
                self.lock.release()
        self._forget_if_unread(now)

    def _forget_if_unread(self, now: float) -> None:
        """Also while the question of another thread waits."""
        if (since := self.unread_since) is not None and now - since > UNREAD_SECONDS:
            self.due_at = now + EVERY_SECONDS
            self._publish(None)

    def _ask_where_pages_are_read(self, now: float) -> None:
        if replica.source(now) != ALIAS or not self._ask_standby(now):
            replica.leave()
            self._ask(now)
        replica.note_position(now)

    def _ask_standby(self, now: float) -> bool:
        """Whether visitors' pages may go on being read there."""
        try:
            self._ask(now, ALIAS)
        except DatabaseError:
            replica.give_up()
            return False
        return not self._lacks_shop_changes()

    def _lacks_shop_changes(self) -> bool:
        """Whether the primary has changes to the whole shop that the standby does not have yet. Rates, locations and
        discounts are remembered for orders, too, which may not follow the standby."""
        if connection.in_atomic_block:  # what this thread has not committed may not be published
            return False
        rows = Change.objects.using(DEFAULT_DB_ALIAS).filter(kind=Change.Kind.SHOP, pk__gt=self.settled)
        try:
            return any(pk not in (self.seen or {}) for pk in rows.values_list("pk", flat=True))
        except DatabaseError:  # visitors go on reading while the primary is away
            return False

    def _ask(self, now: float, source: str = DEFAULT_DB_ALIAS) -> None:
        lost = self.seen is not None and now - self.read_at > LOST_SECONDS
        if self.seen is None or lost:
            self._start(source, now)
            if lost:
                self._publish(None)
            self.read_at = now
            return
        self._unsee_committed()
        rows = Change.objects.using(source).filter(pk__gt=self.settled).order_by("pk")
        news = [row for row in rows if row.pk not in self.seen]
        self.seen |= {row.pk: now for row in news}
        self._settle(now)
        if news:
            self._publish(news)
        self.read_at = now  # not before: until then what is remembered is as it was

    def _unsee_committed(self) -> None:
        """Publish own changes again that were seen before their commit: what others read in between was old."""
        while self.committed and self.seen is not None:
            number = self.committed.pop()
            self.seen.pop(number, None)
            self.settled = min(self.settled, number - 1)

    def _start(self, source: str, now: float) -> None:
        newest = Change.objects.using(source).order_by("-pk").values_list("pk", flat=True)[:1000]
        self.seen = dict.fromkeys(newest, now)
        self.settled = min(self.seen, default=1) - 1

    def _settle(self, now: float) -> None:
        old = [pk for pk, at in (self.seen or {}).items() if now - at > SETTLED_SECONDS]
        if old:
            self.settled = max(old)
            self.seen = {pk: at for pk, at in (self.seen or {}).items() if pk > self.settled}

    def _publish(self, news: list[Change] | None) -> None:
        for _, subscriber in sorted(self.subscribers, key=itemgetter(0)):
            subscriber(news)


_subscriptions = _Subscriptions()


def subscribe(subscriber: Subscriber, order: InvalidationOrder = InvalidationOrder.READ) -> None:
    """Call `subscriber` with each list of new changes, or with None where some may have been missed:
    then everything remembered is to be forgotten. It is called in the thread of some request."""
    _subscriptions.subscribers.append((order, subscriber))


def catch_up() -> None:
    """Publish what changed to the subscribers, if EVERY_SECONDS have passed since the last time."""
    _subscriptions.catch_up()


def is_due() -> bool:
    """Whether the next catch_up asks the database."""
    return time.monotonic() >= _subscriptions.due_at


def seconds_since_read() -> float:
    """How old what is remembered may be: since changes were asked for the last time, with an answer."""
    return time.monotonic() - _subscriptions.read_at


def is_up_to_date() -> bool:
    """Whether what is remembered is as of EVERY_SECONDS ago, about: not while changes cannot be read, nor while another
    thread of a process that was idle is reading them."""
    return seconds_since_read() <= EVERY_SECONDS + ASKING_SECONDS


def follow(subscriber: Subscriber) -> Callable[[], None]:
    """What calls `subscriber` with the changes since it was called last, apart from what this process remembers and
    as often as it is called. It raises DatabaseError."""
    own = _Subscriptions()
    own.subscribers = [(InvalidationOrder.READ, subscriber)]
    return lambda: own._ask(time.monotonic())


def look_at_replica() -> None:
    """The same, in a process that reads the replica from now on, if there is one."""
    replica.is_wanted = True
    catch_up()


def on_commit_of(change: Change) -> None:
    """This process committed a change, which a thread may have seen inside its transaction."""
    _subscriptions.committed.add(change.pk)
    if change.kind != Change.Kind.STOCK:  # of which there may be many a second, and none needs to be seen at once
        check_at_once()


def check_at_once() -> None:
    """This process changed something itself: its next catch_up asks at once."""
    _subscriptions.due_at = 0.0


def reset() -> None:
    """As in a new process, with what subscribers remember emptied; for tests."""
    _subscriptions.forget()
    _subscriptions._publish(None)


def remembered(*kinds: str) -> Callable[[Read], Read]:
    """Keep a function's answers, by its arguments, until a change of one of these kinds.

    For small answers that many requests need: the menu, the markets. What was being read while a
    change arrived is answered, and not kept.
    """

    def decorate(read: Read) -> Read:
        kept: dict[Hashable, Any] = {}
        version = [0]

        def forget(news: list[Change] | None) -> None:
            if news is None or any(change.kind in kinds for change in news):
                version[0] += 1
                kept.clear()

        @wraps(read)
        def wrapped(*args: Hashable) -> Any:
            catch_up()
            answer = kept.get(args, MISSING)
            if answer is MISSING:
                before = version[0]
                answer = read(*args)
                if version[0] == before:
                    kept[args] = answer
            return answer

        wrapped.forget = lambda: forget(None)  # type: ignore[attr-defined]
        subscribe(forget)
        return wrapped  # type: ignore[return-value]

    return decorate


class ProductMemory(Generic[Made]):
    """What was made of a few products, until one of them, or the shop, changes: at most `max_size` values by their
    keys; the oldest is forgotten first.

    Take `version` before a value is made: one whose making a change overtook is not kept. `shows`
    are ids of products, None if any may change the value; `stock` tells whether a changed number on
    hand counts.
    """

    def __init__(
        self, max_size: int, *, stock: bool = False, order: InvalidationOrder = InvalidationOrder.MADE
    ) -> None:
        self._max_size = max_size
        self._stock = stock
        self._kept: dict[Hashable, tuple[Made, frozenset[int] | None]] = {}
        self._lock = threading.Lock()
        self._version = 0
        subscribe(self._on_changes, order)

    @property
    def version(self) -> int:
        catch_up()
        return self._version

    def get(self, key: Hashable) -> Made | None:
        catch_up()
        found = self._kept.get(key)
        return found[0] if found else None

    def keep(self, key: Hashable, made: Made, *, shows: Iterable[int] | None, version: int) -> None:
        with self._lock:
            if version != self._version:
                return
            while len(self._kept) >= self._max_size:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = made, None if shows is None else frozenset(shows)

    def _on_changes(self, news: list[Change] | None) -> None:
        relevant = [change for change in news or () if self._stock or change.kind != Change.Kind.STOCK]
        with self._lock:
            if news is None or any(change.kind == Change.Kind.SHOP for change in relevant):
                self._version += 1
                self._kept.clear()
            elif relevant:
                self._version += 1
                changed = {pk for change in relevant for pk in change.ids}
                kept = self._kept.items()
                for key in [key for key, (_, shows) in kept if shows is None or not changed.isdisjoint(shows)]:
                    del self._kept[key]
