"""The cache on Redis. What is kept there can be made anew at any time: a server that is away, slow or full, or
that holds something else, costs the time it would have saved and never an answer."""

import logging
import pickle
import time
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from django.core.signing import BadSignature
from django.utils.crypto import constant_time_compare, salted_hmac
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)
Found = TypeVar("Found")
WAIT_SECONDS = 0.5  # for one answer
BACKOFF_SECONDS = 5.0  # after a failure nothing is asked, so that pages do not wait one after the other


class FaultTolerantCache(RedisCache):
    def __init__(self, server: str, params: dict[str, Any]) -> None:
        options = {"serializer": SignedPickle, "socket_timeout": WAIT_SECONDS, "socket_connect_timeout": WAIT_SECONDS}
        super().__init__(server, params | {"OPTIONS": options | params.get("OPTIONS", {})})
        self._class = FaultTolerantClient


class FaultTolerantClient(RedisCacheClient):
    """What cannot be read is not there, and what cannot be written is not kept."""

    retry_after = 0.0  # of the whole process

    def get(self, key: Any, default: Any) -> Any:
        def read() -> Any:
            try:
                return super(FaultTolerantClient, self).get(key, default)
            except BadSignature:  # it stands in the way of what belongs there
                self.delete(key)
                return default

        return _try(read, default)

    def set(self, key: Any, value: Any, timeout: Any) -> None:
        _try(lambda: super(FaultTolerantClient, self).set(key, value, timeout), None)

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        return _try(lambda: super(FaultTolerantClient, self).add(key, value, timeout), False)


def _try(ask: Callable[[], Found], otherwise: Found) -> Found:
    if time.monotonic() < FaultTolerantClient.retry_after:
        return otherwise
    try:
        return ask()
    except RedisError as error:
        FaultTolerantClient.retry_after = time.monotonic() + BACKOFF_SECONDS
        logger.warning("Redis is left alone for %.0f seconds: %s", BACKOFF_SECONDS, error)
        return otherwise


class SignedPickle:
    """Values behind a signature. What else stands under a key of ours is not even unpickled, which could do
    anything."""

    def dumps(self, value: Any) -> bytes:
        packed = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        return _signature(packed) + packed

    def loads(self, kept: bytes) -> Any:
        size = len(_signature(b""))
        signature, packed = kept[:size], kept[size:]
        if not constant_time_compare(signature, _signature(packed)):
            raise BadSignature("This shop did not write it.")
        try:
            return pickle.loads(packed)  # nosec B301
        except (ImportError, AttributeError) as error:
            raise BadSignature("Another release wrote it, whose classes lie elsewhere.") from error


def _signature(packed: bytes) -> bytes:
    return salted_hmac("shop.redis_cache", packed, algorithm="sha256").digest()
