"""What shoppers searched for over some days, what they did not find, and what they did not open."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import F, QuerySet, Sum
from django.utils import timezone

from .models import Need, SearchChange, SearchCount, SynonymTerm

PERIODS = (7, 30, 90)
MAX_ROWS = 50
MAX_RANKED = 200
MIN_SEARCHES = 5  # before few clicks say anything
FEW_CLICKS = 5  # at most one search in so many led to a product
MIN_CHANGES = 2


@dataclass(frozen=True, slots=True)
class Searched:
    """Words, how often they were searched for, and how many products the newest search of them found."""

    words: str
    searches: int
    results: int
    last: date
    clicks: int
    has_synonym: bool
    has_need: bool


@dataclass(frozen=True, slots=True)
class Changed:
    """Words that found nothing worth opening, and what was searched for instead, how often."""

    words: str
    changed_to: str
    times: int
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
    few_clicks: list[Searched]
    changed: list[Changed]

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
    counted = rows.order_by().values("words").annotate(number=Sum("searches"), opened=Sum("clicks"))
    seldom = counted.filter(results__gt=0, number__gte=MIN_SEARCHES, opened__lte=F("number") / FEW_CLICKS)
    synonyms = set(SynonymTerm.objects.values_list("term", flat=True))
    phrases = {line for lines in Need.objects.values_list("phrases", flat=True) for line in lines.splitlines()}
    top, failed, few_clicks = (
        _searched(rows, some, synonyms, phrases) for some in (counted, counted.filter(results=0), seldom)
    )
    return SearchReport(
        _by_day(rows, first, days),
        top[:MAX_ROWS],
        [row for row in failed if not row.results][:MAX_ROWS],
        few_clicks[:MAX_ROWS],
        _changed(first, synonyms),
    )


def _by_day(rows: QuerySet[SearchCount], first: date, days: int) -> list[Day]:
    """Every day, those without a search too."""
    each = rows.order_by().values("day")
    searches = dict(each.annotate(number=Sum("searches")).values_list("day", "number"))
    failed = dict(each.filter(results=0).annotate(number=Sum("searches")).values_list("day", "number"))
    dates = [first + timedelta(days=number) for number in range(days)]
    return [Day(day, searches.get(day, 0), failed.get(day, 0)) for day in dates]


def _searched(
    rows: QuerySet[SearchCount], counted: QuerySet[Any, Any], synonyms: set[str], phrases: set[str]
) -> list[Searched]:
    """Those of `counted` searched for most, with what the newest search of each found."""
    numbers = {row["words"]: row for row in counted.order_by("-number", "words")[:MAX_RANKED]}
    # The newest last.
    answers = rows.filter(words__in=numbers).order_by("day", "pk").values_list("words", "results", "day")
    newest = {words: (results, day) for words, results, day in answers}
    return [
        Searched(words, row["number"], *newest[words], row["opened"], words in synonyms, words in phrases)
        for words, row in numbers.items()
    ]


def _changed(first: date, synonyms: set[str]) -> list[Changed]:
    """The changes made most."""
    pairs = SearchChange.objects.filter(day__gte=first).order_by().values("words", "changed_to")
    often = pairs.annotate(number=Sum("times")).filter(number__gte=MIN_CHANGES)
    rows = often.order_by("-number", "words", "changed_to").values_list("words", "changed_to", "number")[:MAX_ROWS]
    return [Changed(words, other, times, words in synonyms) for words, other, times in rows]
