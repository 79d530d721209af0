"""Typing errors: the nearest words that products have.

Words share most of their letter triples with what was meant. The triples stand in a table of their
own, so that both databases need neither an extension nor rights to create one.
"""

from collections.abc import Iterable

from django.db import connection
from django.db.models import Count

from ..models import Word, WordPart

MIN_WORD_LENGTH = 4
LONG_WORD = 8  # from here on two errors are forgiven, below one
MAX_WORDS = 3
MIN_BEGINNING_LENGTH = 5
MAX_COMPLETIONS = 20
MAX_CANDIDATES = 300


def remember_words(texts: Iterable[str]) -> None:
    """Learn the words of texts cut by text.plain_words; those known already stay as they are."""
    words = sorted({word for text in texts for word in text.split() if _is_spelled(word)})
    Word.objects.bulk_create([Word(word=word) for word in words], ignore_conflicts=True, batch_size=500)
    parts = [WordPart(word_id=word, part=part) for word in words for part in sorted(_parts(word))]
    WordPart.objects.bulk_create(parts, ignore_conflicts=True, batch_size=500)


def completions(beginning: str) -> list[str]:
    """A few known words that go on after `beginning`; of short ones the text engines know better."""
    if len(beginning) < MIN_BEGINNING_LENGTH:
        return []
    words = Word.objects.filter(word__startswith=beginning)
    if connection.vendor == "sqlite":  # whose LIKE uses no index
        words = words.filter(word__range=(beginning, beginning + "\U0010ffff"))
    return list(words.exclude(pk=beginning).order_by("pk").values_list("pk", flat=True)[:MAX_COMPLETIONS])


def correct(words: list[str]) -> list[str]:
    """`words` with unknown ones replaced by their nearest known ones; two queries at most."""
    doubtful = [word for word in words if _is_spelled(word)]
    known = set(Word.objects.filter(pk__in=doubtful).values_list("pk", flat=True)) if doubtful else set()
    unknown = sorted({*doubtful} - known, key=len)[-MAX_WORDS:]
    if not unknown:
        return words
    parts = {part for word in unknown for part in _parts(word)}
    near = (
        WordPart.objects.filter(part__in=parts)
        .values_list("word_id")
        .annotate(shared=Count("pk"))
        .order_by("-shared", "word_id")[:MAX_CANDIDATES]
    )
    candidates = [word for word, _ in near]
    meant = {word: _nearest(word, candidates) for word in unknown}
    return [meant.get(word) or word for word in words]


def _nearest(word: str, candidates: list[str]) -> str | None:
    """Of equally near ones the one with the same beginning, then the one with more in common."""
    allowed = 2 if len(word) >= LONG_WORD else 1
    measured = [(distance(word, one, allowed), one[0] != word[0], rank) for rank, one in enumerate(candidates)]
    errors, _, rank = min(measured, default=(allowed + 1, True, 0))
    return candidates[rank] if errors <= allowed else None


def distance(one: str, other: str, maximum: int) -> int:
    """Letters to add, drop, change or swap with their neighbour; `most` + 1 when there are more."""
    if abs(len(one) - len(other)) > maximum:
        return maximum + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, last, row = row, before, [i]
        for j, expected in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != expected))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == expected:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > maximum:
            return maximum + 1
    return row[-1]


def _is_spelled(word: str) -> bool:
    return MIN_WORD_LENGTH <= len(word) <= Word.MAX_LENGTH and not any(letter.isdigit() for letter in word)


def _parts(word: str) -> set[str]:
    """Letter triples, with the word's beginning and end marked."""
    padded = f"  {word} "
    return {padded[start : start + 3] for start in range(len(padded) - 2)}
