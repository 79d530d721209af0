"""Purging what a CDN keeps once every process knows of a change, so that no price behind it is older than two seconds.

A process reads changes half a second after the last time, at most (subscriptions.EVERY_SECONDS): until then it may
answer an old page, and one that it was making a little later. A purge before that would only have the old page fetched
again. So copies are purged soon after that; once more well before two seconds are over, for pages that took longer to
make (what is left of them is for busy machines); and once more for those that took seconds. Varnish keeps no page that
comes too late for the second one (Cdn.age_header). What else goes wrong ends with the lifetime of a copy
(shop/markets/caching/cdn_headers.py).

With a replica a process learns of a change when the standby has it: what is purged before may be fetched again as it
was, until the last purge, after the most that a standby in use may be late.

Each clock purges: it is safe to repeat, and one that is down is not waited for.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection, connections
from django.utils import timezone

from ..models import Change, PurgeState
from ..replica import MAX_LAG_SECONDS
from ..subscriptions import EVERY_SECONDS, follow
from .base import Cdn, NoAnswerYet, PurgeError
from .keys import bounded, keys_of_changes
from .registry import current_cdn

logger = logging.getLogger(__name__)
LOOK_SECONDS = 0.1
# After a change was seen, which is LOOK_SECONDS after its commit at most.
DELAYS = (0.7, 1.2, 5.0)
# Besides, where a standby may be late.
REPLICA_DELAYS = (3.0, MAX_LAG_SECONDS + 2 * EVERY_SECONDS + 1)
RETRY_SECONDS = 0.5
PATIENCE_SECONDS = 1.0  # with a call that is on its way; until then it is made again as soon as it is over
NOTED_SECONDS = 10.0  # how often it is written down that all is well
NOTED_SECONDS_SQLITE = 30.0  # where everybody waits for whoever writes
LATE_SECONDS = 60.0  # then nobody purges
END_SECONDS = 10.0


class PurgeQueue:
    """Keys by when they are due, on a monotonic clock."""

    def __init__(self, cdn: Cdn, *, now: float) -> None:
        self.error = ""  # of the last purge, if it failed
        self._cdn = cdn
        self._due: list[tuple[float, frozenset[str]]] = []
        self.add(None, now=now)  # what changed while nobody purged

    def add(self, news: list[Change] | None, *, now: float) -> None:
        keys = keys_of_changes(news, max_keys=self._cdn.max_keys)
        delays = DELAYS + REPLICA_DELAYS if settings.HAS_REPLICA else DELAYS
        self._due += [(now + delay, keys) for delay in delays]

    def purge_due(self, *, now: float) -> None:
        """All that is due in one call; what fails is tried again."""
        due = [(at, keys) for at, keys in self._due if at <= now]
        if not due:
            return
        self._due = [(at, keys) for at, keys in self._due if at > now]
        since = min(at for at, _ in due)
        keys = bounded(frozenset[str]().union(*(keys for _, keys in due)), self._cdn.max_keys)
        try:
            self._cdn.purge(sorted(keys))
        except Exception as failure:
            if isinstance(failure, NoAnswerYet) and now - since < PATIENCE_SECONDS:
                self._due.append((since, keys))
                return
            if not isinstance(failure, PurgeError):
                logger.exception("a purge failed")
            self.error = str(failure) or type(failure).__name__
            self._due.append((now + RETRY_SECONDS, keys))
        else:
            self.error = ""


@contextmanager
def purging_thread() -> Iterator[None]:
    """Purge the shop's CDN until the block ends; without one nothing is done."""
    cdn = current_cdn()
    if cdn is None:
        yield
        return
    stop_requested = threading.Event()
    thread = threading.Thread(target=_go_round, args=[cdn, stop_requested], name="purging", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop_requested.set()
        thread.join(END_SECONDS)


def _go_round(cdn: Cdn, stop_requested: threading.Event) -> None:
    queue, log = PurgeQueue(cdn, now=time.monotonic()), _Log()
    read = follow(lambda news: queue.add(news, now=time.monotonic()))
    try:
        while not stop_requested.wait(LOOK_SECONDS):
            try:
                log.note(_look(queue, read))
            except Exception:  # nothing ends the thread
                logger.exception("purging failed")
                stop_requested.wait(RETRY_SECONDS)
    finally:
        connections.close_all()


def _look(queue: PurgeQueue, read: Callable[[], None]) -> str:
    """What goes wrong, or nothing."""
    error = ""
    try:
        close_old_connections()
        read()
    except DatabaseError as failure:
        error = f"changes cannot be read: {type(failure).__name__}"
    finally:
        queue.purge_due(now=time.monotonic())
    return queue.error or error


class _Log:
    """Says in the log and in PurgeState when purges begin to fail and when they work again."""

    def __init__(self) -> None:
        self._error = ""
        self._noted_at = float("-inf")

    def note(self, error: str) -> None:
        is_news = bool(error) != bool(self._error)
        if is_news and error:
            logger.error("purging the CDN fails: %s", error)
        elif is_news:
            logger.warning("purging the CDN works again")
        now = time.monotonic()
        self._error = error
        if is_news or (not error and now - self._noted_at >= _noted_seconds()):
            self._noted_at = now
            _write_state(error)


def _noted_seconds() -> float:
    return NOTED_SECONDS_SQLITE if connection.vendor == "sqlite" else NOTED_SECONDS


def _write_state(error: str) -> None:
    news: dict[str, object] = {"error": error[:300]} if error else {"error": "", "caught_up_at": timezone.now()}
    try:
        if not PurgeState.objects.filter(pk=1).update(**news):
            PurgeState.objects.bulk_create([PurgeState(pk=1, **news)], ignore_conflicts=True)
    except DatabaseError:
        logger.exception("the state of purging cannot be written")


def purge_trouble() -> str:
    """What is wrong with purging, in words; nothing where all is well or there is no CDN."""
    if current_cdn() is None:
        return ""
    state = PurgeState.objects.filter(pk=1).first()
    if state and state.error:
        return f"Purging the CDN fails ({state.error})."
    return "No clock purges the CDN." if seconds_behind(state) > LATE_SECONDS else ""


def seconds_behind(state: PurgeState | None) -> float:
    """Since when nobody has purged all that changed."""
    return (timezone.now() - state.caught_up_at).total_seconds() if state and state.caught_up_at else float("inf")
