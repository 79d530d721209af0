"""What a CDN reads of an answer that it may keep: how long, and under which keys it is purged.

How long stands in a header for the CDN alone. In Cache-Control a browser or a plain proxy would read it, too: by
stale-while-revalidate it may show its own copy of an old price, or in the currency of before, and nobody purges it.
"""

import time
from collections.abc import Iterable

from django.conf import settings
from django.http.response import HttpResponseBase

from shop.invalidation.cdn.base import Cdn
from shop.invalidation.cdn.keys import keys_of_page
from shop.invalidation.cdn.registry import cdn_of, current_cdn
from shop.invalidation.subscriptions import is_up_to_date, seconds_since_read

CDN_SECONDS = 60  # no copy is older, if every purge of it fails
WHILE_REVALIDATED = 30  # seconds that a copy is still shown while it is asked for anew
IF_ERROR = 3600  # seconds that it is still shown while the shop does not answer


def share(response: HttpResponseBase, shows: Iterable[int] | None = None, *, ends_at: float = float("inf")) -> None:
    """Let the CDN, if there is one, keep an answer until what it shows changes or ends (`ends_at`, monotonic)."""
    if cdn := current_cdn():
        keys = keys_of_page(None if shows is None else frozenset(shows))
        response.headers[cdn.keys_header] = cdn.keys_separator.join(keys)
        for name, value in _timing(cdn, ends_at).items():
            response.headers[name] = value


def shorten(headers: dict[str, str], *, ends_at: float) -> dict[str, str]:
    """The headers of a kept page behind a CDN, for as long as it has still to live."""
    return headers | _timing(cdn_of(settings.CDN), ends_at)


def _timing(cdn: Cdn, ends_at: float) -> dict[str, str]:
    age = {cdn.age_header: f"{seconds_since_read():.3f}"} if cdn.age_header else {}
    return {cdn.control_header: _control(ends_at), **age}


def _control(ends_at: float) -> str:
    # What may be older than purges reckon with is purged too early: it is not to be kept.
    left = max(0, int(min(ends_at - time.monotonic(), 10**6))) if is_up_to_date() else 0
    fresh = min(CDN_SECONDS, left)
    stale = min(WHILE_REVALIDATED, left - fresh)
    return f"max-age={fresh}, stale-while-revalidate={stale}, stale-if-error={IF_ERROR}"
