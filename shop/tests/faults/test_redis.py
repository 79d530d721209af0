"""The cache on Redis: what is kept there, and that nothing depends on it."""

import pickle
import socket
import time

import pytest
from django.core.cache import cache
from redis import Redis
from redis.exceptions import ConnectionError

from shop.http import redis_cache
from shop.http.redis_cache import FaultTolerantClient

from ..support.needs import lack, redis_url

PREFIX = "shop-test"
INDEX = f"{PREFIX}:1:sitemap-index"
DJANGOS_OWN = "django.core.cache.backends.redis.RedisCache"


@pytest.fixture
def use_redis(settings, monkeypatch):
    """use_redis(url): the shop's cache is there, under a prefix of its own."""
    monkeypatch.setattr(FaultTolerantClient, "retry_after", 0.0)

    def use(url, backend="shop.http.redis_cache.FaultTolerantCache"):
        settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": url, "KEY_PREFIX": PREFIX}}

    return use


@pytest.fixture
def redis(use_redis):
    url = redis_url()
    server = Redis.from_url(url)
    try:
        server.ping()
    except ConnectionError:
        lack("Redis does not answer at TEST_REDIS_URL")
    use_redis(url)
    yield server
    for key in server.scan_iter(f"{PREFIX}:*"):
        server.delete(key)


@pytest.fixture
def silent_server():
    """One that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        yield listening


def ask_for_index(client):
    answer = client.get("/sitemap.xml")
    assert answer.status_code == 200
    return answer.content.decode()


def test_what_crawlers_ask_for_is_kept_in_redis(redis, client, db):
    index = ask_for_index(client)
    assert cache.get("sitemap-index") == index
    assert redis.exists(INDEX)


class MaliciousPickle:
    """Unpickled, it does what it likes."""

    def __reduce__(self):
        return pytest.fail, ("what a stranger wrote was unpickled",)


@pytest.mark.parametrize(
    "wrong",
    [
        b"",
        b"7",
        b"\x80\x05 no pickle",
        pickle.dumps("of somebody else"),
        pickle.dumps(MaliciousPickle()),
        b"\xff" * 100,
    ],
    ids=["nothing", "number", "half", "foreign", "trap", "long"],
)
def test_what_this_shop_did_not_write_is_not_read_and_makes_room(redis, client, db, wrong):
    redis.set(INDEX, wrong)
    index = ask_for_index(client)
    assert "<sitemapindex" in index
    assert cache.get("sitemap-index") == index


def test_what_another_release_wrote_of_a_class_that_moved_is_not_there(redis, monkeypatch):
    class Moved:
        pass

    monkeypatch.setattr(redis_cache, "Moved", Moved, raising=False)
    Moved.__module__, Moved.__qualname__ = redis_cache.__name__, "Moved"
    cache.set("moved", Moved())
    monkeypatch.delattr(redis_cache, "Moved")
    assert cache.get("moved", "nothing") == "nothing"
    cache.set("moved", 1)
    assert cache.get("moved") == 1


def test_a_key_of_another_kind_is_done_without(redis, client, db):
    redis.rpush(INDEX, "a list")
    assert "<sitemapindex" in ask_for_index(client)


def test_a_server_that_is_away_is_done_without(use_redis, client, db):
    use_redis("redis://127.0.0.1:1/0")
    assert "<sitemapindex" in ask_for_index(client)


def test_without_the_fault_tolerant_cache_a_page_fails(use_redis, client, db):
    use_redis("redis://127.0.0.1:1/0", DJANGOS_OWN)
    with pytest.raises(ConnectionError):
        client.get("/sitemap.xml")


def test_a_server_that_hangs_is_waited_for_once(silent_server, use_redis, monkeypatch, client, db):
    monkeypatch.setattr(redis_cache, "BACKOFF_SECONDS", 600.0)
    use_redis(f"redis://127.0.0.1:{silent_server.getsockname()[1]}/0")
    for _ in range(3):
        ask_for_index(client)
    silent_server.accept()
    with pytest.raises(BlockingIOError):  # nobody else came
        silent_server.accept()


def test_it_is_asked_again_after_a_rest(redis, monkeypatch, client, db):
    monkeypatch.setattr(FaultTolerantClient, "retry_after", time.monotonic() + 60)
    ask_for_index(client)
    assert not redis.exists(INDEX)
    monkeypatch.setattr(FaultTolerantClient, "retry_after", time.monotonic())
    ask_for_index(client)
    assert redis.exists(INDEX)
