"""Fastly: its API's purge of a service by surrogate keys."""

from collections.abc import Iterator, Sequence

from django.conf import settings

from .base import Cdn, call, purge_addresses


class Fastly(Cdn):
    keys_header = "Surrogate-Key"
    control_header = "Surrogate-Control"
    max_keys = 256

    def purge(self, keys: Sequence[str]) -> None:
        headers = {
            "Fastly-Key": settings.CDN_PURGE_TOKEN,
            "Accept": "application/json",
            "Surrogate-Key": " ".join(keys),
        }
        for url in purge_addresses("https://api.fastly.com"):
            call("POST", f"{url}/service/{settings.CDN_PURGE_ID}/purge", headers)

    def missing_settings(self) -> Iterator[str]:
        for name in ("CDN_PURGE_ID", "CDN_PURGE_TOKEN"):
            if not getattr(settings, name):
                yield name
