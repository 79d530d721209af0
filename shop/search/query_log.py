"""What shoppers search for, counted by day so that staff learn which words find nothing, or not what was meant. No
person is kept."""

import re
from datetime import timedelta
from typing import Any

from django.db.models import F, Model
from django.utils import timezone

from .engines.services import search
from .models import SearchChange, SearchCount
from .text.normalization import MAX_QUERY_LENGTH, plain_words

SHORTEST = 2
MAX_NEW_A_DAY = 5000
KEPT_DAYS = 180
PERSONAL = re.compile(r"@|\d(?:\W*\d){6}")  # an e-mail address, a phone number, a bar code


def count_search(query: str, country: str = "", *, is_search: bool = True, is_click: bool = False) -> None:
    """Add one to what `query` was asked for today in a country, however it was spelled; `is_click`: a product that it
    found was opened.

    Nothing is kept of one that may name a person, nor of new words beyond MAX_NEW_A_DAY.
    """
    if not (words := _words_to_keep(query)):
        return
    _add_one(
        SearchCount,
        {"day": timezone.localdate(), "words": words, "country": country},
        {"searches": F("searches") + int(is_search), "clicks": F("clicks") + int(is_click)},
        results=len(search(query).ids),
    )


def count_change(query: str, changed_to: str) -> None:
    """Somebody opened nothing of what `query` found and searched for other words. With the limits of count_search."""
    words, new_words = _words_to_keep(query), _words_to_keep(changed_to)
    if words and new_words and words != new_words:
        row = {"day": timezone.localdate(), "words": words, "changed_to": new_words}
        _add_one(SearchChange, row, {"times": F("times") + 1})


def _words_to_keep(query: str) -> str:
    words = plain_words(query)[:MAX_QUERY_LENGTH]
    return "" if len(words) < SHORTEST or PERSONAL.search(query) else words


def _add_one(model: type[Model], row: dict[str, Any], additions: dict[str, Any], **facts: Any) -> None:
    """In single statements, which meet others of the same row without a lock."""
    known = model._default_manager.filter(**row)
    if known.update(**additions, **facts):
        return
    if model._default_manager.filter(day=row["day"]).count() < MAX_NEW_A_DAY:
        model._default_manager.bulk_create([model(**row, **facts)], ignore_conflicts=True)
        known.update(**additions)


def delete_old_searches() -> None:
    """Scheduled job."""
    first = timezone.localdate() - timedelta(days=KEPT_DAYS)
    SearchCount.objects.filter(day__lt=first).delete()
    SearchChange.objects.filter(day__lt=first).delete()
