"""The days that a report is about, in the shop's own zone; and the days before them, to compare with."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

DAY = timedelta(days=1)
DAILY, WEEKLY = 31, 186  # days that are drawn one by one, and by sevens; more by months


@dataclass(frozen=True, slots=True)
class Period:
    """From the first to the last day, both included."""

    first: date
    last: date

    @classmethod
    def of_days(cls, days: int, last: date) -> "Period":
        return cls(last - (days - 1) * DAY, last)

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def begin(self) -> datetime:
        return _midnight(self.first)

    @property
    def end(self) -> datetime:
        """The first moment after it."""
        return _midnight(self.last + DAY)

    def before(self) -> "Period":
        """As many days, directly before."""
        return Period.of_days(self.days, self.first - DAY)

    def steps(self) -> list["Period"]:
        """It in parts of a day, a week or a calendar month, whatever can be read at its length."""
        starts = list(self._starts())
        return [Period(start, after - DAY) for start, after in pairwise([*starts, self.last + DAY])]

    def _starts(self) -> Iterator[date]:
        day = self.first
        while day <= self.last:
            yield day
            if self.days <= WEEKLY:
                day += DAY * (1 if self.days <= DAILY else 7)
            else:
                day = (day.replace(day=1) + 31 * DAY).replace(day=1)

    def __str__(self) -> str:
        if self.first == self.last:
            return _written(self.first)
        if self.first.day == 1 and (self.last + DAY).day == 1 and self.days <= 31:
            return date_format(self.first, "F Y")
        return gettext("{first} to {last}").format(first=_written(self.first), last=_written(self.last))


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))


def _written(day: date) -> str:
    return date_format(day, "j M Y")
