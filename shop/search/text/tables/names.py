"""Other names of the same: herbs and remedies in the languages of the trade, and the groups that staff keep.

data/names.csv is written by us; a cell holds the names of one language in its script and in Latin letters.
"""

import csv
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from pathlib import Path

from shop.invalidation.models import Change
from shop.invalidation.subscriptions import remembered

from ...models import SynonymTerm
from ..normalization import split_words
from ..sounds import consonants, sound_key
from ..vocabulary import Words

FILE = Path(__file__).parents[2] / "data" / "names.csv"
MAX_WORDS = 5

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Names:
    """Groups of phrases that mean the same."""

    groups: tuple[tuple[Phrase, ...], ...]

    @cached_property
    def by_phrase(self) -> dict[Phrase, list[int]]:
        found: dict[Phrase, list[int]] = defaultdict(list)
        for number, phrases in enumerate(self.groups):
            for phrase in phrases:
                found[phrase].append(number)
        return found

    @cached_property
    def words(self) -> Words:
        return Words({word for phrase in self.by_phrase for word in phrase})

    @cached_property
    def _by_sound(self) -> dict[str, list[Phrase]]:
        found: dict[str, list[Phrase]] = defaultdict(list)
        for phrase in self.by_phrase:
            found["".join(map(sound_key, phrase))].append(phrase)
        return found

    @cached_property
    def _by_consonants(self) -> dict[str, list[Phrase]]:
        found: dict[str, list[Phrase]] = defaultdict(list)
        for phrase in self.by_phrase:
            found[" ".join(map(consonants, phrase))].append(phrase)
        return found

    def others(self, phrase: Phrase) -> list[Phrase]:
        """Phrases that mean the same as this one, which is not among them."""
        forms = (phrase, _singular(phrase), _without_article(phrase))
        numbers = next((self.by_phrase[form] for form in forms if form in self.by_phrase), [])
        return list(dict.fromkeys(one for number in numbers for one in self.groups[number] if one != phrase))

    def is_in(self, words: Sequence[str]) -> bool:
        """Whether a text names any of them."""
        return any(
            phrase in self.by_phrase or _singular(phrase) in self.by_phrase
            for at in range(len(words))
            for phrase in (tuple(words[at : at + size]) for size in range(1, MAX_WORDS + 1))
        )

    def sounding_like(self, words: Phrase) -> list[Phrase]:
        """Names that sound as the words do, written in one or in several."""
        key = "".join(map(sound_key, words))
        return self._by_sound.get(key, []) if len(key) > 2 else []

    def same_consonants(self, words: Phrase) -> list[Phrase]:
        """For scripts that do not write all vowels."""
        key = " ".join(map(consonants, words))
        return self._by_consonants.get(key, []) if len(key) > 2 else []


def _singular(phrase: Phrase) -> Phrase:
    *before, last = phrase
    return (*before, last[:-1]) if len(last) > 3 and last.endswith("s") else phrase


def _without_article(phrase: Phrase) -> Phrase:
    """Arabic writes "the" with the word."""
    first, *rest = phrase
    return (first.removeprefix("ال"), *rest) if len(first) > 4 else phrase


@cache
def shipped_groups(*kinds: str) -> tuple[tuple[Phrase, ...], ...]:
    """Of each row of the file, or of each that is of these kinds, all names, in every language."""
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = [
            [text for name, text in row.items() if name != "kind"]
            for row in csv.DictReader(lines)
            if not kinds or row["kind"] in kinds
        ]
    phrases = [[tuple(split_words(name)) for cell in row for name in cell.split("|")] for row in rows]
    return tuple(tuple(dict.fromkeys(phrase for phrase in row if phrase)) for row in phrases)


@cache
def herbs() -> Names:
    """Herbs and remedies of the file."""
    return Names(shipped_groups("herb", "remedy"))


@remembered(Change.Kind.SHOP)
def names() -> Names:
    """What the file and the staff say; one query, remembered until the shop changes."""
    own: dict[int, list[Phrase]] = defaultdict(list)
    for group, term in SynonymTerm.objects.order_by("group_id", "pk").values_list("group_id", "term"):
        own[group].append(tuple(term.split()))
    return _names((*shipped_groups(), *map(tuple, own.values())))


@lru_cache(maxsize=1)
def _names(groups: tuple[tuple[Phrase, ...], ...]) -> Names:
    """The same ones as before where only something else of the shop changed."""
    return Names(groups)
