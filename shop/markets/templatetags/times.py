"""Times in the zone of a market (shop/markets/geography/local_time.py); the argument names the market, as there.

{{ order.created_at|moment:order }} is 22 Nov 2026, 14:05 GMT; |clock leaves the day of today out: 14:05 GMT.
{{ order.created_at|local:order|date:"j F Y" }} is its date there. {{ order.hold_expires_at|time_left }}: 25 minutes.
"""

from datetime import datetime
from typing import Any

from django import template
from django.templatetags.tz import do_timezone

from ..geography.local_time import clock_words, moment_words, time_left_words, zone_of

register = template.Library()
register.filter("moment", moment_words)
register.filter("clock", clock_words)
register.filter("time_left", time_left_words)


@register.filter
def local(at: datetime | None, place: Any = None) -> datetime | str:
    return do_timezone(at, zone_of(place)) if at else ""
