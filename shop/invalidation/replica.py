"""The read replica of DATABASE_REPLICA_URL: whether visitors' pages are read from it now, and which queries are.

What a process remembers stays as true as without a replica because of three rules:

- Changes are read where pages are read. A change commits with what it tells of, and a standby replays transactions in
  their order: whoever sees the change there sees the data. Read from the primary, a change would come before its
  data; a page would be made anew of old rows, and kept.
- What is remembered may be newer than the changes that were read, never older: a request that reads the primary (the
  cart, whoever just wrote something) fills the same memory, and the change that comes later only makes it be read
  again. So also for indexes, which are patched from wherever their asker reads. A process that wrote something asks
  for changes at its next request and then twice a second, until the standby has replayed it.
- Who went over to the primary comes back once the standby has all that was read there (`_positions`): else a change
  that was published already would be followed by rows from before it.

How far the standby is behind is told by positions of the primary's log, noted whenever changes
are read; times that PostgreSQL gives for it grow on an idle primary, too. A process that did not ask for a while reads
the primary for a second, unless the standby has everything.
"""

import logging
import time
from collections import deque
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.db.models import Model

from .replica_timeouts import ALIAS, PROBE_SECONDS, answer_seconds

logger = logging.getLogger(__name__)
MAX_LAG_SECONDS = 5.0
BACKOFF_SECONDS = 5.0  # after a failure nobody asks, so that visitors do not wait one after the other
# What visitors see and nobody owns. Sessions, customers, carts, orders and limits are always read from the primary.
VISITORS_APPS = {"catalog", "changes", "company", "content", "markets", "reviews", "search"}
POSITION = "SELECT (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint"
REPLAYED = "SELECT pg_is_in_recovery(), (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::bigint"

# Whether the present request is a visitor's read (shop/markets/caching/replica_reads.py).
is_visitors_read: ContextVar[bool] = ContextVar("is_visitors_read", default=False)


@dataclass
class Position:
    """An end of the primary's log, and from when until when it was seen there."""

    place: int
    first_at: float
    last_at: float


class Replica:
    """What this process knows of it. Only `give_up` may be called by several threads at once."""

    def __init__(self) -> None:
        self.is_wanted = False  # by a visitor or a probe: a worker, a clock and commands never ask for it
        self.is_usable = False
        self.trouble = ""  # in words
        self.lag = 0.0  # seconds, at most
        self._positions: deque[Position] = deque(maxlen=60)
        self._retry_after = 0.0

    def source(self, now: float) -> str:
        """Where changes are read from now on, and with them visitors' pages."""
        if not self.is_wanted or now < self._retry_after:
            self.is_usable = False
            return DEFAULT_DB_ALIAS
        if not self._positions or now - self._positions[-1].last_at > MAX_LAG_SECONDS:
            self.note_position(now)  # nobody asked for a while
        replayed = self._replayed(now)
        missing = [position for position in self._positions if replayed is None or position.place > replayed]
        self.lag = self._lag(missing, now)
        is_usable = self.lag <= MAX_LAG_SECONDS and (self.is_usable or not missing)
        if replayed is not None:
            behind = now - missing[0].first_at if missing else 0.0
            late = f"The read replica is {behind:.0f} seconds behind."
            self._note(late if behind > MAX_LAG_SECONDS else "")
        is_usable = is_usable and now >= self._retry_after  # another thread may have given up meanwhile
        self.is_usable = is_usable
        return ALIAS if is_usable else DEFAULT_DB_ALIAS

    def note_position(self, now: float) -> None:
        """Note where the primary's log ends, after changes were read."""
        if not self.is_wanted:
            return
        newest = self._positions[-1] if self._positions else None
        try:
            (place,) = _ask(DEFAULT_DB_ALIAS, POSITION)
        except DatabaseError:
            if not self.is_usable:  # changes were read from the primary, and to where is unknown
                self._positions.clear()
                return
            # Nothing more is known to be missing: while the primary is away visitors go on reading.
            place = newest.place if newest else None
        if newest and newest.place == place:
            newest.last_at = now
        elif place is not None:
            self._positions.append(Position(place, now, now))

    def leave(self) -> None:
        """Read the primary until the standby has all that was read there: before changes are read from the primary."""
        self.is_usable = False

    def give_up(self) -> None:
        """After an error of this thread's connection: read the primary for a while if the replica is gone."""
        replica = connections[ALIAS]
        if replica.connection is not None and replica.is_usable():
            replica.errors_occurred = False  # one query was broken off, as replaying may do
            return
        self._rest(time.monotonic(), "The read replica is not responding.")

    def _rest(self, now: float, trouble: str) -> None:
        self.is_usable, self._retry_after = False, now + BACKOFF_SECONDS
        self._note(trouble)
        replica = connections[ALIAS]
        replica.close()
        replica.errors_occurred = False

    def _replayed(self, now: float) -> int | None:
        """How far the standby is; None where it cannot be read."""
        began = time.monotonic()
        token = answer_seconds.set(PROBE_SECONDS)
        try:
            is_standby, replayed = _ask(ALIAS, REPLAYED)
        except DatabaseError as error:
            waited = round(time.monotonic() - began)
            self._rest(now + waited, f"The read replica is not responding ({type(error).__name__}).")
            return None
        finally:
            answer_seconds.reset(token)
        if not is_standby or replayed is None:
            self._rest(now, "The read replica is not a standby.")
            return None
        return int(replayed)

    def _lag(self, missing: list[Position], now: float) -> float:
        """Seconds since the standby's state was the primary's, at most."""
        there = len(self._positions) - len(missing)
        return now - self._positions[there - 1].last_at if there else float("inf")

    def _note(self, trouble: str) -> None:
        if bool(trouble) != bool(self.trouble):
            logger.warning(f"{trouble} Visitors read the primary." if trouble else "The read replica keeps up again.")
        self.trouble = trouble


replica = Replica()


def has_failed() -> bool:
    """Whether a query of this thread met an error there, even one that was dealt with."""
    return bool(connections[ALIAS].errors_occurred)


class ReplicaRouter:
    """Reads go to the replica in a visitor's read alone, outside transactions. Always names a database: without an
    answer Django would take the one that a row was read from, also for what is written."""

    def db_for_read(self, model: type[Model], **hints: Any) -> str:
        is_asked = is_visitors_read.get() and replica.is_usable and model._meta.app_label in VISITORS_APPS
        if is_asked and not connections[DEFAULT_DB_ALIAS].in_atomic_block and not has_failed():
            return ALIAS
        return DEFAULT_DB_ALIAS

    def db_for_write(self, model: type[Model], **hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, one: Model, other: Model, **hints: Any) -> bool:
        return True  # the same rows, wherever they were read

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS


def _ask(alias: str, sql: str) -> tuple[Any, ...]:
    with connections[alias].cursor() as cursor:
        cursor.execute(sql)
        row: tuple[Any, ...] = cursor.fetchone()
    return row
