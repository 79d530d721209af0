"""What shoppers search for, counted by day so that staff learn which words find nothing. No person is kept."""

import re
from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from .models import SearchCount
from .text.matching import find_products
from .text.normalization import MAX_QUERY_LENGTH, plain_words

SHORTEST = 2
MAX_NEW_A_DAY = 5000
KEPT_DAYS = 180
PERSONAL = re.compile(r"@|\d(?:\W*\d){6}")  # an e-mail address, a phone number, a bar code


def count_search(query: str) -> None:
    """Add one to what `query` was asked for today, however it was spelled.

    Nothing is kept of one that may name a person, nor of new words beyond MAX_NEW_A_DAY.
    """
    words = plain_words(query)[:MAX_QUERY_LENGTH]
    if len(words) < SHORTEST or PERSONAL.search(query):
        return
    results = len(find_products(query).ids)
    today = timezone.localdate()
    known = SearchCount.objects.filter(day=today, words=words)
    if known.update(searches=F("searches") + 1, results=results):
        return
    if SearchCount.objects.filter(day=today).count() < MAX_NEW_A_DAY:
        SearchCount.objects.bulk_create([SearchCount(day=today, words=words, results=results)], ignore_conflicts=True)
        known.update(searches=F("searches") + 1)


def forget_old_searches() -> None:
    """A chore."""
    SearchCount.objects.filter(day__lt=timezone.localdate() - timedelta(days=KEPT_DAYS)).delete()
