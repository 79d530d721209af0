"""When a return may be picked up: half days of the next week, as a wish that the courier is told."""

from datetime import date, timedelta
from typing import TYPE_CHECKING

from django.utils.dateformat import format as format_date
from django.utils.translation import gettext, gettext_noop

from shop.markets.geography.local_time import today_in

if TYPE_CHECKING:
    from ..models import Order

FIRST_DAYS, DAYS = 2, 5  # staff decide first
SUNDAY = 6
HALVES = {"am": gettext_noop("%(day)s, 9 am to 1 pm"), "pm": gettext_noop("%(day)s, 2 pm to 6 pm")}


def pickup_slots(order: "Order", today: date | None = None) -> dict[str, str]:
    """What may be asked for today, in words: {"2026-11-26.am": "Thu 26 Nov, 9 am to 1 pm"}; no Sundays."""
    first = (today or today_in(order)) + timedelta(days=FIRST_DAYS)
    days = [day for day in (first + timedelta(days=ahead) for ahead in range(DAYS + 1)) if day.weekday() != SUNDAY]
    return {f"{day}.{half}": _words(day, half) for day in days[:DAYS] for half in HALVES}


def pickup_words(kept: str) -> str:
    """The same of a wish that was kept; empty without one."""
    day, _, half = kept.partition(".")
    return _words(date.fromisoformat(day), half) if kept else ""


def _words(day: date, half: str) -> str:
    return gettext(HALVES[half]) % {"day": format_date(day, "D j M")}
