"""Words that products have, found by their inflection, their sound, their beginning, or near them."""

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property, lru_cache

import Stemmer
from rapidfuzz import process
from rapidfuzz.distance import OSA

from .sounds import consonants, sound_key

MIN_CORRECTED = 4
LONG_WORD = 8  # from here on two errors are forgiven, below one
MAX_NEAR = 40
MIN_BEGINNING = 5  # letters of an unfinished word, below which an error in it may mean anything
MIN_PART = 3
SUFFIXES = {"", "s", "es", "ies", "y", "ing", "ings", "ed", "d", "e", "er", "ers", "or", "ors"}
DIGIT = re.compile(r"\d")
_stemmer = Stemmer.Stemmer("english")


@lru_cache(20_000)
def stem_of(word: str) -> str:
    return str(_stemmer.stemWord(word)) if word.isascii() and word.isalpha() else word


def allowed_errors(word: str) -> int:
    return 2 if len(word) >= LONG_WORD else 1 if len(word) >= MIN_CORRECTED else 0


class Words:
    """Some words, grouped as they are looked up; each grouping is made when it is first needed."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = [word for word in words if not DIGIT.search(word)]  # codes and sizes are never misspelled words

    @cached_property
    def by_stem(self) -> dict[str, list[str]]:
        return _grouped((stem_of(word), word) for word in self._words if word.isascii() and word.isalpha())

    @cached_property
    def by_sound(self) -> dict[str, list[str]]:
        return _grouped((sound_key(word), word) for word in self._words if len(word) >= MIN_PART)

    @cached_property
    def sounds_by_length(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        for key in self.by_sound:
            found[len(key)].append(key)
        return found

    @cached_property
    def by_consonants(self) -> dict[str, list[str]]:
        return _grouped((consonants(word), word) for word in self._words if len(word) >= MIN_PART)

    @cached_property
    def by_length(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = defaultdict(list)
        for word in self._words:
            found[len(word)].append(word)
        return found

    @cached_property
    def by_initial(self) -> dict[str, list[str]]:
        return _grouped((word[0], word) for word in self._words)


class Vocabulary:
    """Words of products and of the tables beside them. `count`: how many products have a word."""

    def __init__(self, parts: Sequence[Words], count: Callable[[str], int]) -> None:
        self._parts = parts
        self.count = count

    def _of(self, grouping: str, key: Hashable) -> list[str]:
        found = [word for part in self._parts for word in getattr(part, grouping).get(key, ())]
        return list(dict.fromkeys(found)) if len(self._parts) > 1 else found

    def inflections(self, word: str) -> list[str]:
        """Other forms of the word: capsule, capsules."""
        return [one for one in self._of("by_stem", stem_of(word)) if one != word and _is_form(one, word)]

    def sounding_like(self, word: str) -> list[str]:
        key = sound_key(word)
        return [one for one in self._of("by_sound", key) if one != word] if len(key) > 2 else []

    def nearly_sounding_like(self, word: str) -> list[tuple[str, int]]:
        """Words whose sound differs in one letter, or in two vowels."""
        key, skeleton = sound_key(word), consonants(word)
        if len(key) < MIN_CORRECTED:
            return []
        found: list[tuple[str, int]] = []
        for length in range(len(key) - 2, len(key) + 3):
            choices = self._of("sounds_by_length", length)
            near = process.extract(key, choices, scorer=OSA.distance, score_cutoff=2, limit=MAX_NEAR)
            for other, errors, _ in near:
                if errors == 1 or (errors == 2 and len(skeleton) > 2):
                    words = self._of("by_sound", other)
                    found += [(one, int(errors)) for one in words if errors == 1 or consonants(one) == skeleton]
        limit = max(2, int(len(word) / 2.5))  # letters: "creaitn" sounds nearly as "krishna" does
        return [(one, errors) for one, errors in found if OSA.distance(word, one, score_cutoff=limit) <= limit]

    def same_consonants(self, word: str) -> list[str]:
        """For scripts that do not write all vowels."""
        key = consonants(word)
        return self._of("by_consonants", key) if len(key) > 1 else []

    def near(self, word: str) -> list[tuple[str, int]]:
        """Words with as many letters as allowed_errors says added, dropped, changed or swapped, and how many."""
        allowed = allowed_errors(word)
        if not allowed:
            return []
        found: list[tuple[str, int]] = []
        for length in range(len(word) - allowed, len(word) + allowed + 1):
            choices = self._of("by_length", length)
            if choices:
                near = process.extract(word, choices, scorer=OSA.distance, score_cutoff=allowed, limit=MAX_NEAR)
                found += [(one, int(errors)) for one, errors, _ in near]
        return found

    def beginning_near(self, word: str) -> list[tuple[str, int]]:
        """Longer words that begin nearly as `word` does."""
        if len(word) < MIN_BEGINNING:
            return []
        cut: dict[str, list[str]] = defaultdict(list)
        for first in {word[0], word[1]}:
            for one in self._of("by_initial", first):
                if len(one) > len(word):
                    cut[one[: len(word)]].append(one)
        near = process.extract(word, list(cut), scorer=OSA.distance, score_cutoff=1, limit=MAX_NEAR)
        return [(one, int(errors)) for start, errors, _ in near for one in cut[start]]

    def splits(self, word: str) -> list[tuple[str, ...]]:
        """The word as two or three known words, those of many products first."""
        return sorted(self._splits(word, 3), key=lambda parts: (len(parts), -min(self.count(part) for part in parts)))

    def _splits(self, word: str, max_parts: int) -> Iterable[tuple[str, ...]]:
        for at in range(MIN_PART, len(word) - MIN_PART + 1):
            head, rest = word[:at], word[at:]
            if self.count(head):
                if self.count(rest):
                    yield head, rest
                if max_parts > 2:
                    yield from ((head, *parts) for parts in self._splits(rest, max_parts - 1))


def _is_form(one: str, other: str) -> bool:
    """Whether two words of one stem are forms of one word: not "acid" and "acidity", nor "or" and "ors"."""
    shared = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return shared >= MIN_PART and one[shared:] in SUFFIXES and other[shared:] in SUFFIXES


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for key, word in pairs:
        if key:
            found[key].append(word)
    return found
