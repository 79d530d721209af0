"""Cloudflare: its API's purge of a zone by cache tags."""

from collections.abc import Sequence

from django.conf import settings

from .base import Cdn, PurgeError, call


class Cloudflare(Cdn):
    keys_header = "Cache-Tag"
    keys_separator = ","
    control_header = "Cloudflare-CDN-Cache-Control"
    needs = ("CDN_PURGE_ID", "CDN_PURGE_TOKEN")
    api = "https://api.cloudflare.com"
    max_keys = 30

    def purge(self, keys: Sequence[str]) -> None:
        headers = {"Authorization": f"Bearer {settings.CDN_PURGE_TOKEN}"}
        for url in self.addresses():
            address = f"{url}/client/v4/zones/{settings.CDN_PURGE_ID}/purge_cache"
            answer = call("POST", address, headers, {"tags": list(keys)})
            if not (isinstance(answer, dict) and answer.get("success")):
                raise PurgeError("the CDN answered without success")
