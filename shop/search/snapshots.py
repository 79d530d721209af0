"""An index of this process: loaded or built when it is first asked for, patched from what changed.

The database stays the truth. A small catalogue is read at once; of a large one a scheduled job keeps a snapshot that
every process loads. While there is none, or it cannot be brought up to date, the asker does without.
"""

import logging
import threading
import time
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, ClassVar, Generic, TypeVar

from django.utils import timezone

from shop.catalog.models import Product
from shop.invalidation.models import Change
from shop.invalidation.subscriptions import catch_up, subscribe

from .models import IndexSnapshot

logger = logging.getLogger(__name__)
WAIT_SECONDS = 2.0  # for another thread that builds or patches
RETRY_SECONDS = 2.0  # before looking again for a snapshot that was not there, or after a failure
LOGGED_SECONDS = 60.0  # between two log lines of an index that fails again and again
MARGIN = timedelta(minutes=5)  # longer than any transaction that changes products
LOADABLE = timedelta(minutes=45)  # changes are kept for an hour
REBUILT = timedelta(days=1)
UNREADABLE = (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile)

Index = TypeVar("Index")
_stores: list["IndexStore[Any]"] = []


class IndexStore(ABC, Generic[Index]):
    """What this process has; requests of several threads ask for it."""

    name: ClassVar[str]  # of the snapshot
    small: int  # a catalogue of at most so many products is read by each process itself
    renewed: timedelta  # age of a snapshot at which the job patches it

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._news = threading.Lock()
        self._index: Index | None = None
        self._changed: set[int] = set()
        self._changes = self._lost = 0  # how often
        self._is_current = False
        self._look_at = 0.0
        self._failed_since: float | None = None
        self._logged_at = 0.0
        subscribe(self._on_changes)
        _stores.append(self)

    @property
    @abstractmethod
    def version(self) -> int:
        """Another one for every layout: a snapshot of another version is not loaded."""

    @abstractmethod
    def build(self) -> Index:
        """The index of the whole catalogue."""

    @abstractmethod
    def patch(self, index: Index, changed: set[int]) -> Index:
        """The index after these products changed."""

    @abstractmethod
    def dump(self, index: Index) -> bytes: ...

    @abstractmethod
    def load(self, data: bytes) -> Index:
        """What `dump` wrote; raises one of UNREADABLE for anything else."""

    def current(self) -> Index | None:
        """The index as of at most half a second ago, or None while there is none: never an older one, of which a page
        could be made and kept."""
        catch_up()
        if self._is_current:
            return self._index
        if time.monotonic() < self._look_at or not self._lock.acquire(timeout=WAIT_SECONDS):
            return None
        try:
            self._bring_up_to_date()
        except Exception:  # whatever it is: SQL answers meanwhile
            self._note_failure()
            return None
        finally:
            self._lock.release()
        if self._failed_since is not None and self._is_current:  # nothing changed meanwhile
            logger.warning("the index of %s is up to date again", self.name)
            self._failed_since = None
        return self._index

    @property
    def trouble(self) -> str:
        """Why this process does without, in words; empty while nothing fails. It tries again first."""
        if self._failed_since is not None:
            self.current()
        if (since := self._failed_since) is None:
            return ""
        return f"The index of {self.name} has not been up to date for {time.monotonic() - since:.0f} s; SQL answers."

    def _note_failure(self) -> None:
        now = time.monotonic()
        self._look_at = now + RETRY_SECONDS
        if self._failed_since is None:
            self._failed_since = now
        if not self._logged_at or now - self._logged_at >= LOGGED_SECONDS:
            self._logged_at = now
            logger.exception("the index of %s cannot be brought up to date; SQL answers", self.name)

    def keep_snapshot(self) -> None:
        """Scheduled job: a snapshot for a large catalogue, at most `renewed` old and read anew each day."""
        mine = IndexSnapshot.objects.filter(name=self.name)
        if self._is_small():
            mine.delete()
            return
        now = timezone.now()
        newest = mine.defer("data").first()
        if newest and newest.version == self.version and now - newest.built_at < REBUILT:
            if now - newest.made_at < self.renewed:
                return
            changed = changed_since(newest.made_at)
            if not changed:
                mine.update(made_at=now)
                return
            if now - newest.made_at < LOADABLE and (index := self._read(newest)) is not None:
                self._store(self.patch(index, changed), made_at=now, built_at=newest.built_at)
                return
        self._store(self.build(), made_at=now, built_at=now)

    def _on_changes(self, news: list[Change] | None) -> None:
        with self._news:
            self._changes += 1
            self._is_current = False
            if news is None:
                self._lost += 1
                self._index, self._changed, self._look_at = None, set(), 0.0
            else:
                self._changed |= _products_in(news)

    def _bring_up_to_date(self) -> None:
        with self._news:
            index, changed = self._index, self._changed
            changes, lost = self._changes, self._lost
            self._changed = set()
        try:
            if index is None:
                index, missed = self._first()
                changed |= missed
            if index is not None and changed:
                index = self.patch(index, changed)
        except BaseException:
            with self._news:
                self._changed |= changed
            raise
        if index is None:
            self._look_at = time.monotonic() + RETRY_SECONDS
        with self._news:
            if lost == self._lost:
                self._index = index
                self._is_current = index is not None and changes == self._changes

    def _first(self) -> tuple[Index | None, set[int]]:
        """An index, and the products that changed since it was made."""
        newest = IndexSnapshot.objects.filter(name=self.name).defer("data").first()
        is_fresh = newest and newest.version == self.version and timezone.now() - newest.made_at < LOADABLE
        if newest and is_fresh and (index := self._read(newest)) is not None:
            return index, changed_since(newest.made_at)
        return (self.build(), set()) if self._is_small() else (None, set())

    def _read(self, snapshot: IndexSnapshot) -> Index | None:
        try:
            return self.load(bytes(snapshot.data))
        except UNREADABLE:
            logger.exception("the snapshot of %s is unreadable and will be made anew", self.name)
            IndexSnapshot.objects.filter(pk=snapshot.pk).delete()
            return None

    def _store(self, index: Index, *, made_at: datetime, built_at: datetime) -> None:
        values = {"version": self.version, "data": self.dump(index), "made_at": made_at, "built_at": built_at}
        IndexSnapshot.objects.update_or_create(name=self.name, defaults=values)

    def _is_small(self) -> bool:
        return Product.objects.order_by()[self.small : self.small + 1].count() == 0


def index_trouble() -> str:
    """Which indexes of this process cannot be brought up to date, in words; empty if none."""
    return " ".join(filter(None, (store.trouble for store in _stores)))


def changed_since(moment: datetime) -> set[int]:
    return _products_in(Change.objects.filter(kind=Change.Kind.PRODUCT, at__gte=moment - MARGIN))


def _products_in(changes: Iterable[Change]) -> set[int]:
    return {pk for change in changes if change.kind == Change.Kind.PRODUCT for pk in change.ids}
