import threading
from contextlib import nullcontext
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from shop.errors import TooMany

from .. import services
from ..models import Counter
from ..services import client_of, consume, delete_expired_counters, release, reset, seconds_left

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def test_the_limit_is_reached_exactly():
    for _ in range(3):
        consume("guess", "asha", limit=3, period=MINUTE)
    with pytest.raises(TooMany) as refusal:
        consume("guess", "asha", limit=3, period=MINUTE)
    assert 59 <= refusal.value.retry_after <= 61


def test_each_subject_and_purpose_has_its_own_counter():
    consume("guess", "asha", limit=1, period=MINUTE)
    consume("guess", "ravi", limit=1, period=MINUTE)
    consume("send", "asha", limit=1, period=MINUTE)


def test_a_new_window_begins_when_the_old_one_is_over():
    consume("send", "asha", limit=1, period=MINUTE)
    Counter.objects.update(expires_at=timezone.now())
    consume("send", "asha", limit=1, period=MINUTE)
    with pytest.raises(TooMany):
        consume("send", "asha", limit=1, period=MINUTE)


def test_a_refused_try_does_not_lengthen_the_window():
    consume("send", "asha", limit=1, period=MINUTE)
    before = Counter.objects.get().expires_at
    with pytest.raises(TooMany):
        consume("send", "asha", limit=1, period=MINUTE)
    assert Counter.objects.get().expires_at == before


def test_the_subject_is_not_readable():
    consume("send", "asha@example.com", limit=1, period=MINUTE)
    assert "asha" not in Counter.objects.get().key


def test_what_is_given_back_is_not_counted():
    consume("guess", "asha", limit=1, period=MINUTE)
    reset("guess", "asha")
    consume("guess", "asha", limit=1, period=MINUTE)


def test_one_count_is_given_back_of_many():
    consume("guess", "asha", limit=2, period=MINUTE)
    consume("guess", "asha", limit=2, period=MINUTE)
    release("guess", "asha")
    consume("guess", "asha", limit=2, period=MINUTE)
    with pytest.raises(TooMany):
        consume("guess", "asha", limit=2, period=MINUTE)


def test_more_is_never_given_back_than_was_counted():
    consume("guess", "asha", limit=1, period=MINUTE)
    for _ in range(3):
        release("guess", "asha")
    release("guess", "nobody")
    assert Counter.objects.get().count == 0


def test_the_seconds_until_a_window_ends():
    assert seconds_left("send", "asha") == 0
    consume("send", "asha", limit=1, period=MINUTE)
    assert 50 < seconds_left("send", "asha") <= 60
    Counter.objects.update(expires_at=timezone.now() - MINUTE)
    assert seconds_left("send", "asha") == 0


def test_expired_counters_are_forgotten():
    consume("guess", "asha", limit=1, period=MINUTE)
    Counter.objects.update(expires_at=timezone.now() - MINUTE)
    consume("guess", "ravi", limit=1, period=MINUTE)
    assert delete_expired_counters() == 1


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("nonsense", "unknown"),
    ],
)
def test_a_client_is_an_ipv4_address_or_an_ipv6_subscriber(address, client):
    assert client_of(address) == client


def race(tries=30):
    allowed, barrier = [], threading.Barrier(tries)

    def work():
        barrier.wait()
        try:
            consume("guess", "asha", limit=5, period=MINUTE)
            allowed.append(1)
        except TooMany:
            pass
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(tries)]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    return len(allowed)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_thirty_at_once_share_five_places():
    assert race() == 5


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_conditional_update_more_than_five_get_through(monkeypatch):
    Counter.objects.create(key=services._key("guess", "asha"), expires_at=timezone.now() + MINUTE)
    looked = threading.Barrier(30)

    def look_then_write(key, limit, period):
        counter = Counter.objects.get(key=key)
        looked.wait()
        Counter.objects.filter(pk=counter.pk).update(count=counter.count + 1)
        return counter.count < limit

    monkeypatch.setattr(services, "_consume", look_then_write)
    monkeypatch.setattr(services.transaction, "atomic", lambda **options: nullcontext())
    assert race() == 30
