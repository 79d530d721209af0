"""Where a shopper is, prefix aside: the pickers' cookie, else CDN header, country database, languages."""

from functools import lru_cache
from ipaddress import ip_address

import maxminddb
from django.conf import settings
from django.http import HttpRequest

from ..models import Location
from ..queries import MarketRegistry

COUNTRY_COOKIE = "deliver_to"
# The constitution's (Eighth Schedule), as browsers name them.
LANGUAGES_OF_INDIA = {
    "as", "bn", "brx", "doi", "gu", "hi", "kn", "kok", "ks", "mai", "ml", "mni", "mr", "ne", "or", "pa", "sa", "sat",
    "sd", "ta", "te", "ur",
}  # fmt: skip


def locate(request: HttpRequest, markets: MarketRegistry) -> tuple[Location, str]:
    """Where the shopper is, prefix aside, and how that is known: cookie, detection or default."""
    if kept := markets.by_code.get(request.COOKIES.get(COUNTRY_COOKIE, "").upper()):
        return kept, "cookie"
    if guessed := markets.by_code.get(guess_country(request) or ""):
        return guessed, "detection"
    return markets.default, "default"


def client_address(request: HttpRequest) -> str:
    """The caller's address, seen through exactly the configured number of trusted proxies."""
    forwarded = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",") if part.strip()]
    chain = [*forwarded, request.META.get("REMOTE_ADDR", "")]
    seen = chain[-1 - settings.TRUSTED_PROXY_COUNT] if len(chain) > settings.TRUSTED_PROXY_COUNT else chain[0]
    try:
        return str(ip_address(seen))
    except ValueError:
        return str(request.META.get("REMOTE_ADDR", ""))


def guess_country(request: HttpRequest) -> str | None:
    """Two capital letters, or None when nothing is known."""
    return country_of_cdn(request) or _from_database(client_address(request)) or _from_languages(request)


def country_of_cdn(request: HttpRequest) -> str | None:
    """Two capital letters from COUNTRY_HEADER, or None."""
    code = request.headers.get(settings.COUNTRY_HEADER, "") if settings.COUNTRY_HEADER else ""
    return code.upper() if len(code) == 2 and code.isalpha() and code.upper() not in ("XX", "T1") else None


@lru_cache
def _database() -> maxminddb.Reader | None:
    path = settings.COUNTRY_DATABASE
    return maxminddb.open_database(path) if path.exists() else None


def _from_database(address: str) -> str | None:
    database = _database()
    try:
        record = database.get(address) if database and address else None
    except ValueError:
        return None
    return str(record["country_code"]) if isinstance(record, dict) and "country_code" in record else None


def _from_languages(request: HttpRequest) -> str | None:
    """The region of the first language that names one: en-IN is India, and so is a language of India without one."""
    for tag in _language_tags(request):
        language, _, region = tag.rpartition("-")
        if len(region) == 2 and region.isalpha() and language:
            return region.upper()
        if tag.lower() in LANGUAGES_OF_INDIA:
            return "IN"
    return None


def accepted_languages(request: HttpRequest) -> list[str]:
    """Codes without region of an Accept-Language header, in its order."""
    return [tag.partition("-")[0].lower() for tag in _language_tags(request)]


def _language_tags(request: HttpRequest) -> list[str]:
    parts = request.headers.get("Accept-Language", "")[:200].split(",")
    return [tag for part in parts if (tag := part.partition(";")[0].strip())]
