"""Every kind of CDN that the shop knows, by the name that CDN gives it."""

from functools import cache

from django.conf import settings

from .base import Cdn
from .cloudflare import Cloudflare
from .fastly import Fastly
from .varnish import Varnish

KINDS: dict[str, type[Cdn]] = {"varnish": Varnish, "fastly": Fastly, "cloudflare": Cloudflare}


def current_cdn() -> Cdn | None:
    """The one that CDN names, None without any."""
    return cdn_of(settings.CDN) if settings.CDN else None


@cache
def cdn_of(kind: str) -> Cdn:
    return KINDS[kind]()
