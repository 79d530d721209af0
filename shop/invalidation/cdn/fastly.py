"""Fastly: its API's purge of a service by surrogate keys."""

from collections.abc import Sequence

from django.conf import settings

from .base import Cdn, call


class Fastly(Cdn):
    keys_header = "Surrogate-Key"
    control_header = "Surrogate-Control"
    needs = ("CDN_PURGE_ID", "CDN_PURGE_TOKEN")
    api = "https://api.fastly.com"
    max_keys = 256

    def purge(self, keys: Sequence[str]) -> None:
        headers = {
            "Fastly-Key": settings.CDN_PURGE_TOKEN,
            "Accept": "application/json",
            "Surrogate-Key": " ".join(keys),
        }
        for url in self.addresses():
            call("POST", f"{url}/service/{settings.CDN_PURGE_ID}/purge", headers)
