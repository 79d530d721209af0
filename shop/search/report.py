"""What shoppers searched for over some days, and what they did not find."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import QuerySet, Sum
from django.utils import timezone

from .models import SearchCount, SynonymTerm

PERIODS = (7, 30, 90)
MAX_ROWS = 50
MAX_RANKED = 200


@dataclass(frozen=True, slots=True)
class Searched:
    """Words, how often they were searched for, and how many products the newest search of them found."""

    words: str
    searches: int
    results: int
    last: date
    has_synonym: bool


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    searches: int
    failed: int


@dataclass(frozen=True, slots=True)
class SearchReport:
    days: list[Day]
    top: list[Searched]
    failed: list[Searched]

    @property
    def searches(self) -> int:
        return sum(day.searches for day in self.days)

    @property
    def failures(self) -> int:
        return sum(day.failed for day in self.days)

    @property
    def failed_percent(self) -> int:
        return round(100 * self.failures / self.searches) if self.searches else 0


def search_report(days: int) -> SearchReport:
    """The last days, today included; a handful of queries."""
    first = timezone.localdate() - timedelta(days=days - 1)
    rows = SearchCount.objects.filter(day__gte=first)
    return SearchReport(_by_day(rows, first, days), _top(rows), _top(rows, failed=True))


def _by_day(rows: QuerySet[SearchCount], first: date, days: int) -> list[Day]:
    """Every day, those without a search too."""
    each = rows.order_by().values("day")
    searches = dict(each.annotate(number=Sum("searches")).values_list("day", "number"))
    failed = dict(each.filter(results=0).annotate(number=Sum("searches")).values_list("day", "number"))
    dates = [first + timedelta(days=number) for number in range(days)]
    return [Day(day, searches.get(day, 0), failed.get(day, 0)) for day in dates]


def _top(rows: QuerySet[SearchCount], *, failed: bool = False) -> list[Searched]:
    """The words searched for most; `failed`: most without a result, and without one still."""
    counted = rows.filter(results=0) if failed else rows
    each = counted.order_by().values("words").annotate(number=Sum("searches"))
    numbers = dict(each.order_by("-number", "words").values_list("words", "number")[:MAX_RANKED])
    newest = {words: (results, day) for words, results, day in _answers(rows, list(numbers))}
    kept = [words for words in numbers if not failed or newest[words][0] == 0][:MAX_ROWS]
    known = set(SynonymTerm.objects.filter(term__in=kept).values_list("term", flat=True))
    return [Searched(words, numbers[words], *newest[words], words in known) for words in kept]


def _answers(rows: QuerySet[SearchCount], words: list[str]) -> Iterable[tuple[str, int, date]]:
    """Words, products found and day, the newest last."""
    return rows.filter(words__in=words).order_by("day").values_list("words", "results", "day")
