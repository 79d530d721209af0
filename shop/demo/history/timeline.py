"""When things happened: a year that grows, with weekends, evenings and seasons."""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from random import Random

from django.utils import timezone

DAYS = 365
WEEKEND = 1.4
SEASONS = {1: 1.1, 2: 0.95, 3: 1.0, 4: 0.9, 5: 0.85, 6: 0.9, 7: 1.05, 8: 1.1, 9: 1.0, 10: 1.2, 11: 1.4, 12: 1.25}
YOUNGEST = timedelta(minutes=10)  # by then each order is paid: a payment takes up to six
HOURS = (3, 2, 1, 1, 1, 2, 4, 6, 8, 10, 12, 12, 11, 10, 9, 9, 10, 11, 13, 15, 17, 16, 12, 7)  # of 24, how busy


@dataclass
class Story:
    """What happened to one order, step by step; only what has happened by now."""

    at: datetime
    end: str = ""  # how it ends instead of being delivered: unpaid, cancelled, refused
    back: str = ""  # what is asked for after the delivery: refund, replacement
    steps: dict[str, datetime] = field(default_factory=dict)


def moments(random: Random, now: datetime, number: int) -> list[datetime]:
    """So many moments of the last year, in order."""
    today = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    days = [today - timedelta(days=back) for back in range(DAYS, -1, -1)]
    weights = [_weight(day.date(), number) for number, day in enumerate(days)]
    weights[-1] *= sum(HOURS[: timezone.localtime(now).hour]) / sum(HOURS)  # of today only what is over
    found = [_moment(random, day, now) for day in random.choices(days, weights, k=number)]
    return sorted(found)


def _weight(day: date, number: int) -> float:
    growth = 1 + 2 * number / DAYS
    return growth * SEASONS[day.month] * (WEEKEND if day.weekday() >= 5 else 1)


def _moment(random: Random, day: datetime, now: datetime) -> datetime:
    at = day + timedelta(hours=random.choices(range(24), HOURS)[0], seconds=random.randrange(3600))
    return at if at < now - YOUNGEST else now - YOUNGEST - timedelta(minutes=random.randint(1, 80))


def tell(random: Random, at: datetime, now: datetime, transit_days: int) -> Story:
    """What becomes of an order of that moment."""
    ends = ("", "unpaid", "cancelled", "refused")
    story = Story(at, end=random.choices(ends, (79, 17, 2.5, 1.5))[0])
    if now - at < timedelta(hours=1):
        story.end = ""  # nothing waits for its payment, and runs out
    steps = [("pending", at)]
    after = {
        "placed": timedelta(minutes=random.randint(1, 6)),
        "processing": timedelta(hours=random.uniform(8, 30)),
        "shipped": timedelta(hours=random.uniform(3, 26)),
        "delivered": timedelta(days=random.uniform(0.3, 1.2) + transit_days * 0.6),
        "completed": timedelta(days=9),
    }
    if story.end == "unpaid":
        after = {"cancelled": timedelta(minutes=31)}
    elif story.end == "cancelled":
        after = {"placed": after["placed"], "cancelled": timedelta(hours=random.uniform(0.2, 3))}
    elif story.end == "refused":
        after = {**{name: after[name] for name in ("placed", "processing", "shipped")}, "returned": after["delivered"]}
    else:
        story.back = random.choices(("", "refund", "replacement"), (94, 4.5, 1.5))[0]
    for name, pause in after.items():
        steps.append((name, steps[-1][1] + pause))
    story.steps = {name: moment for name, moment in steps if moment < now}
    return story
