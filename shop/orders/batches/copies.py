"""The parcel's own copy of its batches: numbers and expiry dates as they were when it was packed."""

from collections.abc import Iterable
from typing import Any

from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.translation import gettext

from shop.catalog.batches.services import Taken


def copy_of(taken: Iterable[Taken]) -> list[dict[str, Any]]:
    """What a line of a parcel keeps of its batches."""
    return [
        {
            "number": one.batch.number,
            "expires": one.batch.expires.isoformat() if one.batch.expires else "",
            "units": one.units,
        }
        for one in taken
    ]


def batch_words(copies: Iterable[dict[str, Any]]) -> str:
    """Batch AB12 (expires Jun 2027), in the active language; empty for stock from before batches."""
    named = [copy for copy in copies if copy["number"]]
    return ", ".join(_words(copy, with_units=len(named) > 1) for copy in named)


def _words(copy: dict[str, Any], *, with_units: bool) -> str:
    day = parse_date(copy["expires"])
    until = date_format(day, "M Y") if day else "–"
    words = gettext("Batch %(number)s (expires %(month)s)") % {"number": copy["number"], "month": until}
    return f"{copy['units']} × {words}" if with_units else words
