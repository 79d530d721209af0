"""What one process changes, every other hears of."""

from datetime import timedelta

import pytest
from django.db import OperationalError, transaction
from django.utils import timezone

from shop.catalog.models import Brand
from shop.catalog.stock import services as stock

from .. import subscriptions
from ..models import Change
from ..services import delete_old_changes, invalidate
from ..subscriptions import remembered

pytestmark = [pytest.mark.django_db, pytest.mark.database]


class Process:
    """Another process, by a clock of its own."""

    def __init__(self, monkeypatch):
        self.now = 1000.0
        self.heard: list = []
        self._subscriptions = subscriptions._Subscriptions()
        self._subscriptions.subscribers = [(subscriptions.InvalidationOrder.READ, self.heard.append)]
        self._monkeypatch = monkeypatch
        self.ask()

    def ask(self, after: float = 4.0):
        self.now += after
        with self._monkeypatch.context() as patch:
            patch.setattr(subscriptions, "EVERY_SECONDS", 1.0)
            patch.setattr(subscriptions.time, "monotonic", lambda: self.now)
            self._subscriptions.catch_up()

    def heard_ids(self):
        return [change.ids for news in self.heard for change in news]


@pytest.fixture
def other(monkeypatch):
    return Process(monkeypatch)


@pytest.fixture
def kept():
    """A function that remembers, with how often it was asked; gone after the test."""
    calls: list = []

    @remembered("shop")
    def read(*words):
        calls.append(words)
        return len(calls)

    yield read, calls
    subscriptions._subscriptions.subscribers.pop()


def test_a_change_is_heard_once(other):
    invalidate("product", [7, 5, 7])
    other.ask()
    other.ask()
    assert [(change.kind, change.ids) for news in other.heard for change in news] == [("product", [5, 7])]


def test_nothing_is_asked_twice_within_a_second(other, django_assert_num_queries):
    invalidate("shop")
    with django_assert_num_queries(0):
        other.ask(after=0.5)
    assert other.heard == []
    other.ask(after=0.6)
    assert len(other.heard) == 1


def test_what_was_rolled_back_is_not_heard(other):
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        invalidate("shop")
        raise ZeroDivisionError
    other.ask()
    assert other.heard == []


def test_a_transaction_that_commits_after_a_later_one_is_heard(other):
    before, _ = (Change.objects.create(kind="product", ids=[number]) for number in (1, 2))
    Change.objects.filter(pk=before.pk).delete()
    other.ask()
    before.save(force_insert=True)  # numbered before, committed after
    other.ask()
    assert other.heard_ids() == [[2], [1]]


def test_old_numbers_are_not_read_again(other):
    invalidate("product", [1])
    other.ask()
    other.ask(after=20)
    invalidate("product", [2])
    other.ask()
    assert other.heard_ids() == [[1], [2]]
    assert other._subscriptions.settled > 0 and len(other._subscriptions.seen) == 1


def test_who_slept_too_long_forgets_everything(other):
    invalidate("product", [1])
    other.ask(after=3600)
    assert other.heard == [None]
    invalidate("product", [2])
    other.ask()
    assert [change.ids for change in other.heard[1]] == [[2]]


def test_a_broken_database_keeps_what_is_remembered(other, monkeypatch, caplog):
    def broken(now):
        raise OperationalError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(other._subscriptions, "_ask", broken)
        other.ask()
    invalidate("shop")
    other.ask()
    assert "changes cannot be read" in caplog.text and len(other.heard) == 1


def test_what_is_remembered_is_forgotten_when_changes_stay_unread(other, monkeypatch):
    """As long as a database restarts it is used; then it lives for a second, until changes can be read again."""

    def broken(now):
        raise OperationalError("gone")

    with monkeypatch.context() as patch:
        patch.setattr(other._subscriptions, "_ask", broken)
        other.ask()
        other.ask(after=subscriptions.UNREAD_SECONDS)
        assert other.heard == []
        other.ask(after=0.5)
        assert other.heard == []
        for _ in range(2):
            other.ask(after=1.0)
        assert other.heard == [None, None]
    other.ask()
    other.ask(after=2 * subscriptions.UNREAD_SECONDS)
    assert other.heard == [None, None]


def test_it_is_forgotten_too_while_another_thread_waits_for_the_answer(other, monkeypatch):
    """A pooler without a free connection lets it wait."""

    def wait(now):
        with monkeypatch.context() as patch:
            patch.setattr(other._subscriptions, "_ask", None)
            other.ask(after=subscriptions.UNREAD_SECONDS / 2)
            assert other.heard == []
            other.ask(after=subscriptions.UNREAD_SECONDS)
            assert other.heard == [None]

    with monkeypatch.context() as patch:
        patch.setattr(other._subscriptions, "_ask", wait)
        other.ask()
    assert other._subscriptions.unread_since is None


def test_a_remembered_answer_lasts_until_a_change_of_its_kind(kept):
    read, calls = kept
    assert [read(), read(), read("other")] == [1, 1, 2]
    invalidate("product", [1])
    assert read() == 1
    invalidate("shop")
    assert read() == 3
    assert calls == [(), ("other",), ()]


def test_what_was_read_while_a_change_was_heard_is_not_kept():
    answers = iter(["old", "new"])

    @remembered("shop")
    def read():
        read.forget()
        return next(answers)

    try:
        assert [read(), read()] == ["old", "new"]
    finally:
        subscriptions._subscriptions.subscribers.pop()


def test_rows_announce_themselves_when_saved_and_deleted(other, make_product):
    brand = Brand.objects.create(name="Himagiri", slug="himagiri")
    product = make_product("Neem Soap", brand=brand)
    other.ask()
    assert [(row.kind, row.ids) for row in other.heard[0] if row.kind == "product"] == [("product", [product.pk])]
    assert "shop" in {row.kind for row in other.heard[0]}
    pk = product.pk
    product.delete()
    other.ask()
    assert [row.ids for row in other.heard[1] if row.kind == "product"] == [[pk]]


def test_stock_tells_whether_lists_are_concerned(other, make_variant):
    variant = make_variant(units=2)
    other.ask()
    other.heard.clear()
    stock.receive(variant, -1)
    stock.receive(variant, -1)
    other.ask()
    kinds = [(row.kind, row.ids) for row in other.heard[0]]
    assert kinds == [("stock", [variant.product_id]), ("product", [variant.product_id])]


def test_a_mark_left_wrong_by_a_race_is_mended(make_variant):
    variant = make_variant(units=1)
    type(variant).objects.filter(pk=variant.pk).update(on_hand=0, sold=1)
    stock.mend_availability()
    variant.product.refresh_from_db()
    assert variant.product.in_stock is False


def test_rows_are_forgotten_after_an_hour():
    Change.objects.all().delete()
    invalidate("shop")
    invalidate("shop")
    Change.objects.filter(pk=Change.objects.first().pk).update(at=timezone.now() - timedelta(minutes=61))
    delete_old_changes()
    assert Change.objects.count() == 1


def test_what_was_made_of_others_hears_after_them(other):
    heard = []
    for told in (
        subscriptions.InvalidationOrder.PAGE,
        subscriptions.InvalidationOrder.READ,
        subscriptions.InvalidationOrder.MARKUP,
        subscriptions.InvalidationOrder.MADE,
    ):
        other._subscriptions.subscribers.append((told, lambda news, told=told: heard.append(told)))
    invalidate("shop")
    other.ask()
    assert heard == sorted(subscriptions.InvalidationOrder)


def test_changes_count_as_read_when_every_subscriber_knows_of_them(other, make_product):
    """Not before: a page that is made meanwhile, of what is remembered, would say that it is as of now."""
    process = other._subscriptions
    before, meanwhile = process.read_at, []
    process.subscribers.append((subscriptions.InvalidationOrder.PAGE, lambda news: meanwhile.append(process.read_at)))
    make_product("Neem Soap")
    other.ask()
    assert meanwhile == [before] and process.read_at == other.now > before


@pytest.mark.django_db(transaction=True)
def test_a_change_seen_in_its_transaction_is_published_again_when_it_is_committed(kept):
    """Meanwhile another thread may have read what was there before."""
    read, calls = kept
    read()
    with transaction.atomic():
        invalidate("shop")
        read()
    read()
    assert len(calls) == 3
    read()
    assert len(calls) == 3
