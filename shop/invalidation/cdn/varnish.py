"""Varnish with shop/ops/varnish.vcl: PURGE with the keys in a header, at each of its addresses."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from django.conf import settings

from .base import Cdn, PurgeError, call, purge_addresses

MAX_ADDRESSES = 16  # asked at the same time: one that is away delays no other


class Varnish(Cdn):
    keys_header = "Surrogate-Key"
    control_header = "Surrogate-Control"
    max_keys = 200  # a header of Varnish has at most 8 kB

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(MAX_ADDRESSES, "purge")

    def purge(self, keys: Sequence[str]) -> None:
        headers = {"Purge-Keys": " ".join(keys)}
        calls = [self._executor.submit(call, "PURGE", f"{url}/", headers) for url in purge_addresses()]
        if errors := [str(error) for error in (asked.exception() for asked in calls) if error]:
            raise PurgeError(", ".join(errors))

    def missing_settings(self) -> Iterator[str]:
        if not settings.CDN_PURGE_URLS:
            yield "CDN_PURGE_URLS"
