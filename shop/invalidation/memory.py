"""What a process made of a few products, kept until one of them, or the shop, changes."""

import threading
from collections.abc import Hashable, Iterable
from typing import Generic, TypeVar

from .models import Change
from .subscriptions import InvalidationOrder, catch_up, subscribe

Made = TypeVar("Made")


class ProductMemory(Generic[Made]):
    """At most `most` values by their keys; the oldest is forgotten first.

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
