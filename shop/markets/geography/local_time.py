"""Dates and times as a person of a market reads them: in its time zone, and saying which.

`place` names the market: a Market, an order or another row with `location_id` (an order keeps the market that it
was placed in), a location's id, or nothing for the shop's own time, as staff read it.
"""

from datetime import date, datetime, timedelta
from functools import lru_cache
from math import ceil
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.conf import settings
from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.translation import gettext, gettext_noop, ngettext

from ..queries import market_registry

UTC = "UTC"
INDIA = "Asia/Kolkata"
# Names that one zone of the world goes by; IST and CST stand for several.
KNOWN_NAMES = frozenset(
    ("UTC", "GMT", "BST", "WET", "WEST", "CET", "CEST", "EET", "EEST", "EST", "EDT", "AEST", "AEDT", "NZST", "NZDT")
)


def zone_of(place: Any = None) -> ZoneInfo:
    location_id = getattr(place, "location_id", place)
    if not isinstance(location_id, int):
        return _zone(settings.TIME_ZONE)
    return _zone(market_registry().time_zones.get(location_id, settings.TIME_ZONE))


@lru_cache
def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # written past the form
        return ZoneInfo(UTC)


def in_zone_of(place: Any, at: datetime) -> datetime:
    return at.astimezone(zone_of(place))


def today_in(place: Any = None) -> date:
    return in_zone_of(place, timezone.now()).date()


def moment_words(at: datetime | None, place: Any = None) -> str:
    """22 Nov 2026, 14:05 GMT; nothing for no moment."""
    if not at:  # a template without it passes an empty text
        return ""
    local = in_zone_of(place, at)
    return gettext("%(day)s, %(time)s") % {"day": format_date(local, "j M Y"), "time": _time_words(local)}


def clock_words(at: datetime | None, place: Any = None) -> str:
    """14:05 GMT, with the day before it unless that is today."""
    if not at:  # a template without it passes an empty text
        return ""
    local = in_zone_of(place, at)
    if local.date() == today_in(place):
        return _time_words(local)
    return gettext("%(day)s, %(time)s") % {"day": format_date(local, "j M"), "time": _time_words(local)}


def _time_words(local: datetime) -> str:
    return f"{format_date(local, 'H:i')} {_zone_name(local)}"


def _zone_name(local: datetime) -> str:
    """The zone's well-known short name, else its distance from Greenwich: IST, CET, GMT+4, GMT-3:30."""
    if getattr(local.tzinfo, "key", "") == INDIA:
        return "IST"
    if (name := local.tzname() or "") in KNOWN_NAMES:
        return name
    minutes = round((local.utcoffset() or timedelta()).total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"GMT{'-' if minutes < 0 else '+'}{hours}" + (f":{rest:02}" if rest else "")


# Django's Hindi misspells these months; the shop's own catalogue has them right.
MISSPELT = (gettext_noop("September"), gettext_noop("November"), gettext_noop("December"))


def time_left_words(until: datetime | None) -> str:
    """25 minutes, 1 hour 5 minutes; empty when it is over."""
    if until is None:
        return ""
    hours, minutes = divmod(ceil((until - timezone.now()).total_seconds() / 60), 60)
    if hours < 0:
        return ""
    of_hours = ngettext("%(number)s hour", "%(number)s hours", hours) % {"number": hours} if hours else ""
    of_minutes = ngettext("%(number)s minute", "%(number)s minutes", minutes) % {"number": minutes} if minutes else ""
    if of_hours and of_minutes:
        return gettext("%(hours)s %(minutes)s") % {"hours": of_hours, "minutes": of_minutes}
    return of_hours or of_minutes


def delivery_starts(place: Any) -> date:
    """From when days of delivery count: from today, there and in the shop, so that no promise is a day short."""
    return max(today_in(place), today_in())


def next_midnight(place: Any = None) -> datetime:
    """When the dates on a page change."""
    zone = zone_of(place)
    tomorrow = timezone.now().astimezone(zone).date() + timedelta(days=1)
    return datetime(tomorrow.year, tomorrow.month, tomorrow.day, tzinfo=zone)
