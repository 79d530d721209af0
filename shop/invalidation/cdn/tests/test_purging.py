"""What a change purges, when, and how often it is tried."""

import re
import threading
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from shop.ops import health

from ... import subscriptions
from ...models import Change, PurgeState
from ...replica import MAX_LAG_SECONDS
from ...services import invalidate
from ...subscriptions import EVERY_SECONDS
from .. import purging, registry
from ..base import Cdn, NoAnswerYet, PurgeError
from ..keys import MAX_PRODUCTS, keys_of_changes, keys_of_page
from ..purging import DELAYS, LOOK_SECONDS, PurgeQueue, purge_trouble, purging_thread
from ..varnish import Varnish

EVERYTHING = [["shop"]]


class Noted(Cdn):
    """A CDN that notes what it is asked to purge, and fails while `error` is set."""

    max_keys = 5
    needs = ()

    def __init__(self):
        self.purged: list[list[str]] = []
        self.error: Exception | None = None

    def purge(self, keys):
        if self.error:
            raise self.error
        self.purged.append(list(keys))


def of(kind, *ids):
    return Change(kind=kind, ids=list(ids))


@pytest.fixture
def cdn():
    return Noted()


@pytest.fixture
def queue(cdn):
    """A queue whose first purges, of all that is there, are over."""
    queue = PurgeQueue(cdn, now=0.0)
    for delay in DELAYS:
        queue.purge_due(now=delay)
    cdn.purged.clear()
    return queue


def test_a_page_has_the_keys_that_the_page_cache_drops_it_by():
    assert keys_of_page(None) == ["shop", "products"]
    assert keys_of_page(frozenset()) == ["shop"]
    assert keys_of_page(frozenset({30, 4})) == ["shop", "product-4", "product-30"]
    assert keys_of_page(frozenset(range(MAX_PRODUCTS + 1))) == ["shop", "products", "stock"]
    assert len(" ".join(keys_of_page(frozenset(range(10**9, 10**9 + MAX_PRODUCTS))))) < 4096


@pytest.mark.parametrize(
    ("news", "keys"),
    [
        ([of("product", 4)], {"products", "stock", "product-4"}),
        ([of("stock", 4)], {"stock", "product-4"}),
        ([of("stock", 4), of("product", 5)], {"products", "stock", "product-4", "product-5"}),
        ([of("product", 4), of("shop")], {"shop"}),
        ([of("product", *range(5_000))], {"shop"}),
        (None, {"shop"}),
    ],
)
def test_a_change_purges_the_pages_that_show_it(news, keys):
    assert keys_of_changes(news, max_keys=30) == keys


@pytest.mark.parametrize("shows", [None, frozenset(), frozenset({4}), frozenset(range(MAX_PRODUCTS + 1))])
@pytest.mark.parametrize(
    "change", [of("product", 4), of("product", 9999), of("stock", 4), of("stock", 9999), of("shop")]
)
def test_whatever_the_page_cache_drops_is_purged(shows, change):
    from shop.markets.caching.page_cache import KeptPage, PageCache

    cache = PageCache()
    cache.put(("a",), KeptPage(200, {}, "", shows, 1e18, {"": b""}), version=0, max_bytes=10**6)
    cache.on_changes([change])
    is_purged = bool(keys_of_changes([change], max_keys=30) & set(keys_of_page(shows)))
    assert is_purged or cache.get(("a",))


def test_a_purge_waits_until_every_process_must_know_and_is_over_within_two_seconds(queue, cdn):
    """They look twice a second; a page that takes up to 0.6 s to make is within the two seconds, too, and half a second
    is left for machines that are busy."""
    queue.add([of("product", 4)], now=100.0)
    first, second, last = DELAYS
    assert first > EVERY_SECONDS + LOOK_SECONDS and second >= EVERY_SECONDS + 0.6
    assert second + 2 * LOOK_SECONDS + 0.5 < 2.0 < last
    queue.purge_due(now=100.0 + first - 0.01)
    assert cdn.purged == []
    for delay in DELAYS:
        for _ in range(2):
            queue.purge_due(now=100.0 + delay)
    assert cdn.purged == [["product-4", "products", "stock"]] * 3
    queue.purge_due(now=1000.0)
    assert len(cdn.purged) == 3


def test_with_a_replica_the_last_purge_is_after_the_most_that_it_may_be_late(queue, cdn, settings):
    """It is used up to MAX_LAG_SECONDS behind, its changes are read EVERY_SECONDS later, and a page takes its time."""
    settings.HAS_REPLICA = True
    queue.add([of("stock", 4)], now=100.0)
    for tenth in range(200):
        queue.purge_due(now=100.0 + tenth / 10)
        if tenth / 10 < MAX_LAG_SECONDS + EVERY_SECONDS + LOOK_SECONDS:
            before = len(cdn.purged)
    assert len(cdn.purged) == before + 1 == 5


def test_what_is_due_together_is_one_call(queue, cdn):
    for product in (1, 2):
        queue.add([of("stock", product)], now=100.0)
    queue.purge_due(now=100.0 + DELAYS[0])
    assert cdn.purged == [["product-1", "product-2", "stock"]]
    for product in range(2_000):
        queue.add([of("product", product)], now=200.0)
    queue.purge_due(now=200.0 + DELAYS[0])
    assert cdn.purged[1:] == EVERYTHING


def test_who_begins_purges_what_changed_before(cdn):
    queue = PurgeQueue(cdn, now=0.0)
    for delay in DELAYS:
        queue.purge_due(now=delay)
    assert cdn.purged == EVERYTHING * 3


def test_a_call_that_is_on_its_way_is_made_again_as_soon_as_it_is_over(queue, cdn):
    now = 100.0
    queue.add([of("product", 1)], now=now)
    cdn.error = NoAnswerYet("no answer yet")
    first = now + DELAYS[0]
    queue.purge_due(now=first)
    assert queue.error == "", "nothing failed"
    cdn.error = None
    queue.purge_due(now=first + LOOK_SECONDS)
    assert cdn.purged == [["product-1", "products", "stock"]]


def test_a_call_that_stays_away_is_a_failure(queue, cdn):
    queue.add([of("product", 1)], now=100.0)
    cdn.error = NoAnswerYet("no answer yet")
    first = 100.0 + DELAYS[0]
    queue.purge_due(now=first)
    queue.purge_due(now=first + purging.PATIENCE_SECONDS)
    assert queue.error == "no answer yet"
    cdn.error = None
    queue.purge_due(now=first + purging.PATIENCE_SECONDS + LOOK_SECONDS)
    assert cdn.purged == [], "tried again after a while"
    queue.purge_due(now=first + purging.PATIENCE_SECONDS + purging.RETRY_SECONDS)
    assert cdn.purged and queue.error == ""


@pytest.mark.parametrize("error", [PurgeError("the CDN answered 503"), ZeroDivisionError("a mistake of ours")])
def test_a_purge_that_failed_is_tried_again(queue, cdn, error):
    queue.add([of("stock", 4)], now=100.0)
    cdn.error, now = error, 100.0 + DELAYS[0]
    queue.purge_due(now=now)
    assert queue.error == str(error) and cdn.purged == []
    queue.purge_due(now=now + 0.1)
    assert queue.error, "it still fails"
    cdn.error = None
    queue.purge_due(now=now + purging.RETRY_SECONDS)
    assert (queue.error, cdn.purged) == ("", [["product-4", "stock"]])


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_a_clock_purges_what_others_change(cdn, settings, monkeypatch):
    monkeypatch.setattr(purging, "current_cdn", lambda: cdn)
    monkeypatch.setattr(purging, "DELAYS", (0.2, 2.0))  # so far apart that a busy machine sees two moments
    monkeypatch.setattr(purging, "LOOK_SECONDS", 0.02)
    with purging_thread():
        await_purges(cdn, 2)
        cdn.purged.clear()
        invalidate("stock", [7])
        await_purges(cdn, 2)
    assert cdn.purged == [["product-7", "stock"]] * 2
    assert (state := PurgeState.objects.get()).caught_up_at and not state.error
    assert not [thread for thread in threading.enumerate() if thread.name == "purging"]


def await_purges(cdn, number):
    until = time.monotonic() + 30
    while len(cdn.purged) < number:
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.django_db
def test_while_changes_cannot_be_read_what_is_known_is_purged(queue, cdn):
    def broken():
        raise DatabaseError("password=hunter2")

    queue.add([of("stock", 4)], now=time.monotonic() - 3600)
    assert purging._look(queue, broken) == "changes cannot be read: DatabaseError"
    assert cdn.purged == [["product-4", "stock"]]


def test_no_mistake_ends_the_thread(cdn, monkeypatch, caplog):
    """What is due is purged all the same."""
    monkeypatch.setattr(purging, "current_cdn", lambda: cdn)
    monkeypatch.setattr(purging, "DELAYS", (0.02,))
    monkeypatch.setattr(purging, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(purging, "RETRY_SECONDS", 0.02)
    monkeypatch.setattr(purging, "follow", lambda subscriber: lambda: subscriber([of("stock", 4)]) or 1 / 0)
    with purging_thread():
        await_purges(cdn, 3)
    assert "ZeroDivisionError" in caplog.text and ["product-4", "stock"] in cdn.purged


@pytest.mark.django_db
def test_the_state_is_written_by_one_statement_and_on_sqlite_seldom(django_assert_num_queries, monkeypatch):
    log = purging._Log()
    log.note("")
    with django_assert_num_queries(1) as asked:
        log.note("the CDN answered 503")
    assert asked[0]["sql"].startswith("UPDATE")
    seldom = purging.NOTED_SECONDS_SQLITE
    log.note("")
    for vendor, after in (("sqlite", seldom), ("postgresql", purging.NOTED_SECONDS)):
        monkeypatch.setattr(purging, "connection", SimpleNamespace(vendor=vendor))
        with django_assert_num_queries(0):
            monkeypatch.setattr(purging.time, "monotonic", lambda after=after: log._noted_at + after - 1)
            log.note("")
        with django_assert_num_queries(1):
            monkeypatch.setattr(purging.time, "monotonic", lambda at=log._noted_at + after: at)
            log.note("")
    assert seldom < purging.LATE_SECONDS


@pytest.mark.django_db
def test_failing_purges_are_named_once_and_by_probes(settings, caplog):
    settings.CDN = "varnish"
    log = purging._Log()
    assert health.CHECKS["cdn"]() == "No clock purges the CDN."
    log.note("")
    assert purge_trouble() == ""
    for _ in range(3):
        log.note("the CDN answered 503")
    assert purge_trouble() == "Purging the CDN fails (the CDN answered 503)."
    log.note("")
    assert purge_trouble() == ""
    assert [record.getMessage() for record in caplog.records] == [
        "purging the CDN fails: the CDN answered 503",
        "purging the CDN works again",
    ]
    PurgeState.objects.update(caught_up_at=timezone.now() - timedelta(minutes=2))
    assert purge_trouble() == "No clock purges the CDN."
    settings.CDN = ""
    assert purge_trouble() == ""


@pytest.mark.django_db
def test_without_a_cdn_nothing_is_asked(django_assert_num_queries):
    with django_assert_num_queries(0), purging_thread():
        assert registry.current_cdn() is None


@pytest.mark.django_db
def test_two_readers_of_changes_miss_nothing_of_each_other():
    noted: list[list[int]] = [[], []]
    reads = [
        subscriptions.follow(lambda news, own=own: own.extend(pk for row in news for pk in row.ids)) for own in noted
    ]
    for read in reads:
        read()
    invalidate("stock", [1])
    for read in (*reads, *reads):
        read()
    assert noted == [[1], [1]]


def test_varnish_gets_headers_that_it_takes():
    assert Varnish.max_keys * len("product-1234567890123456789 ") < 8_000


def test_varnish_keeps_nothing_that_the_second_purge_would_miss():
    vcl = (settings.BASE_DIR / "shop/ops/varnish.vcl").read_text()
    limit = re.search(r"Surrogate-Age.*\n.*X-Asked-At, 0\.0\) > ([\d.]+)\)", vcl)
    assert float(limit[1]) < DELAYS[1] < 2.0 - 2 * LOOK_SECONDS
