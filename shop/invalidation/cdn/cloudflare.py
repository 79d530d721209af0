"""Cloudflare: its API's purge of a zone by cache tags."""

from collections.abc import Iterator, Sequence

from django.conf import settings

from .base import Cdn, PurgeError, call, purge_addresses


class Cloudflare(Cdn):
    keys_header = "Cache-Tag"
    keys_separator = ","
    control_header = "Cloudflare-CDN-Cache-Control"
    max_keys = 30

    def purge(self, keys: Sequence[str]) -> None:
        headers = {"Authorization": f"Bearer {settings.CDN_PURGE_TOKEN}"}
        for url in purge_addresses("https://api.cloudflare.com"):
            address = f"{url}/client/v4/zones/{settings.CDN_PURGE_ID}/purge_cache"
            answer = call("POST", address, headers, {"tags": list(keys)})
            if not (isinstance(answer, dict) and answer.get("success")):
                raise PurgeError("the CDN answered without success")

    def missing_settings(self) -> Iterator[str]:
        for name in ("CDN_PURGE_ID", "CDN_PURGE_TOKEN"):
            if not getattr(settings, name):
                yield name
