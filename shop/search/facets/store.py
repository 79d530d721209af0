"""The facet index of this process: loaded or built when it is first asked for, patched from what changed.

The database stays the truth. A small catalogue is read at once; of a large one a chore keeps a
snapshot that every process loads. While there is none, listings are answered by SQL.
"""

import logging
import threading
import time
import zipfile
import zlib
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import DatabaseError
from django.utils import timezone

from shop.catalog.models import Product
from shop.invalidation.models import Change
from shop.invalidation.subscriptions import catch_up, subscribe

from ..models import FacetSnapshot
from .base import Facet
from .index import FacetIndex
from .loading import read_facts
from .registry import FACETS

logger = logging.getLogger(__name__)
LAYOUT = 2  # of FacetIndex.dump
SMALL_CATALOGUE = 5000  # products that a process reads by itself, in a good tenth of a second
WAIT_SECONDS = 2.0  # for another thread that builds or patches
RETRY_SECONDS = 2.0  # before looking again for a snapshot that was not there
MARGIN = timedelta(minutes=5)  # longer than any transaction that changes products
RENEWED = timedelta(minutes=5)
LOADABLE = timedelta(minutes=45)  # changes are kept for an hour
REBUILT = timedelta(days=1)
UNREADABLE = (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile)


def version_of(facets: Iterable[type[Facet]]) -> int:
    """Another one for every set of facets: a snapshot without a facet is not read by a shop that has it."""
    return zlib.crc32(repr((LAYOUT, sorted((facet.kind, facet.version) for facet in facets))).encode()) >> 1


VERSION = version_of(FACETS)


class _IndexHolder:
    """What this process has; listings of several threads ask for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._news = threading.Lock()
        self._index: FacetIndex | None = None
        self._changed: set[int] = set()
        self._changes = self._lost = 0  # how often
        self._is_current = False
        self._look_at = 0.0

    def on_changes(self, news: list[Change] | None) -> None:
        with self._news:
            self._changes += 1
            self._is_current = False
            if news is None:
                self._lost += 1
                self._index, self._changed, self._look_at = None, set(), 0.0
            else:
                self._changed |= _products_in(news)

    def current(self) -> FacetIndex | None:
        catch_up()
        if self._is_current:
            return self._index
        if time.monotonic() < self._look_at or not self._lock.acquire(timeout=WAIT_SECONDS):
            return None  # rather than an old one, of which a page could be made and kept
        try:
            self._bring_up_to_date()
        except DatabaseError:
            logger.exception("the facet index cannot be brought up to date")
        finally:
            self._lock.release()
        return self._index

    def _bring_up_to_date(self) -> None:
        with self._news:
            index, changed = self._index, self._changed
            changes, lost = self._changes, self._lost
            self._changed = set()
        try:
            if index is None:
                index, missed = _load()
                changed |= missed
            if index is not None and changed:
                index = index.patched(changed, read_facts(changed))
        except DatabaseError:
            with self._news:
                self._changed |= changed
            raise
        if index is None:
            self._look_at = time.monotonic() + RETRY_SECONDS
        with self._news:
            if lost == self._lost:
                self._index = index
                self._is_current = index is not None and changes == self._changes


_holder = _IndexHolder()
subscribe(_holder.on_changes)


def current_index() -> FacetIndex | None:
    """The index as of at most a second ago, or None while there is none: then SQL answers."""
    return _holder.current()


def keep_snapshot() -> None:
    """A chore: a snapshot for a large catalogue, at most RENEWED old and read anew each day."""
    if _is_small():
        FacetSnapshot.objects.all().delete()
        return
    now = timezone.now()
    newest = FacetSnapshot.objects.defer("data").order_by("-made_at").first()
    if newest and newest.version == VERSION and now - newest.built_at < REBUILT:
        if now - newest.made_at < RENEWED:
            return
        changed = _changed_since(newest.made_at)
        if not changed:
            FacetSnapshot.objects.filter(pk=newest.pk).update(made_at=now)
            return
        if now - newest.made_at < LOADABLE and (index := _read(newest)):
            _store(index.patched(changed, read_facts(changed)), made_at=now, built_at=newest.built_at)
            return
    _store(FacetIndex.of(read_facts()), made_at=now, built_at=now)


def _load() -> tuple[FacetIndex | None, set[int]]:
    """An index, and the products that changed since it was made."""
    newest = FacetSnapshot.objects.defer("data").order_by("-made_at").first()
    is_fresh = newest and newest.version == VERSION and timezone.now() - newest.made_at < LOADABLE
    if newest and is_fresh and (index := _read(newest)):
        return index, _changed_since(newest.made_at)
    return (FacetIndex.of(read_facts()), set()) if _is_small() else (None, set())


def _read(snapshot: FacetSnapshot) -> FacetIndex | None:
    try:
        return FacetIndex.load(bytes(snapshot.data))
    except UNREADABLE:
        logger.exception("the facet snapshot is unreadable and will be made anew")
        FacetSnapshot.objects.filter(pk=snapshot.pk).delete()
        return None


def _store(index: FacetIndex, *, made_at: datetime, built_at: datetime) -> None:
    data = index.dump()
    FacetSnapshot.objects.update_or_create(
        pk=1, defaults={"version": VERSION, "data": data, "made_at": made_at, "built_at": built_at}
    )


def _is_small() -> bool:
    return Product.objects.order_by()[SMALL_CATALOGUE : SMALL_CATALOGUE + 1].count() == 0


def _changed_since(moment: datetime) -> set[int]:
    return _products_in(Change.objects.filter(kind=Change.Kind.PRODUCT, at__gte=moment - MARGIN))


def _products_in(changes: Iterable[Change]) -> set[int]:
    return {pk for change in changes if change.kind == Change.Kind.PRODUCT for pk in change.ids}
