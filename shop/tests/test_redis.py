import pytest
from django.core.cache import cache
from redis import Redis
from redis.exceptions import ConnectionError

from .needs import lack, redis_url


@pytest.fixture
def redis(settings):
    """The shop's cache on a Redis server, under a prefix of its own."""
    url = redis_url()
    server = Redis.from_url(url)
    try:
        server.ping()
    except ConnectionError:
        lack("Redis does not answer at TEST_REDIS_URL")
    prefix = "shop-test"
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": url, "KEY_PREFIX": prefix}
    }
    yield server
    for key in server.scan_iter(f"{prefix}:*"):
        server.delete(key)


def test_what_crawlers_ask_for_is_kept_in_redis(redis, client, db):
    index = client.get("/sitemap.xml").content.decode()
    assert cache.get("sitemap-index") == index
    assert [key for key in redis.scan_iter("shop-test:*") if key.endswith(b"sitemap-index")]
