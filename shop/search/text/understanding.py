"""From words to groups: what each word may stand for, one step wider at a time.

Each word is itself and its inflections, a name in another language, two words written as one or one written as two,
and, where no product has it, the nearest word that one has. A substance of medicines is only itself (substances.py).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import log10
from typing import Protocol

from rapidfuzz.distance import OSA

from .index import ANYWHERE, BIT, ON_CARD
from .needs import NeedPlans
from .query import may_be_left_out
from .ranking import BEGINNING, BEGUN, SAME_MEANING, Alternative, Group
from .sounds import latin, sound_key
from .tables.names import MAX_WORDS, Names, Phrase
from .tables.substances import Substances
from .vocabulary import LONG_WORD, MIN_PART, Vocabulary, Words, allowed_errors

# A substance that is merely mentioned in a text ("not together with aspirin") is not in the product.
OF_SUBSTANCES = ANYWHERE & ~BIT["body"]
MIN_BEGINNING = 2
MAX_OTHERS = 40
MAX_GUESSES = 4
MIN_JOINED = 5
SECOND_VOWEL_COST = 0.2  # there is a second error only where the consonants are the same
NAME_COST = 0.3  # of a word that no product has, but one of its other names
MAX_COST, MAX_COST_OF_SHORT = 2.4, 1.4


@dataclass(frozen=True)
class Guess:
    """What was probably meant by a word, and how far it is from what was typed."""

    words: Phrase
    cost: float


class KnownTerms(Protocol):
    """What products have: the word index, or what stands for it."""

    @property
    def words(self) -> Sequence[Words]: ...

    def count(self, term: str) -> int:
        """How many products hold the term."""


class Understanding:
    def __init__(self, index: KnownTerms, names: Names, substances: Substances, needs: NeedPlans) -> None:
        self.index = index
        self.names = names
        self.substances = substances
        self.needs = needs

    @cached_property
    def vocabulary(self) -> Vocabulary:
        parts = [*self.index.words, self.names.words, self.needs.words]
        return Vocabulary(parts, self.index.count)

    def groups(self, words: Sequence[str], *, is_unfinished: bool) -> list[Group]:
        """Everything that `words` say as they were typed; of unfinished ones the last may go on."""
        groups: list[Group] = []
        at = 0
        while at < len(words):
            group = self._substance_at(words, at) or self._name_at(words, at) or self._joined_at(words, at)
            if group is None:
                group = self.word(words[at], is_last=is_unfinished and at == len(words) - 1)
            elif is_unfinished and at + len(group.typed) == len(words) and not group.is_substance:
                group = self._unfinished(group)
            groups.append(group)
            at += len(group.typed)
        return groups

    def _substance_at(self, words: Sequence[str], at: int) -> Group | None:
        """A substance that is named here, also with a space too many ("amlo dipine")."""
        for phrase in _phrases_at(words, at):
            if phrase in self.substances.phrases:
                return self._substance(phrase, phrase)
        if words[at] in self.substances:
            return self._substance((words[at],), (words[at],))
        pair = tuple(words[at : at + 2])
        is_apart = len(pair) == 2 and all(
            len(part) >= MIN_PART and part not in self.substances.families for part in pair
        )
        joined = ("".join(pair),)
        return self._substance(pair, joined) if is_apart and joined in self.substances.phrases else None

    def _substance(self, typed: Phrase, name: Phrase) -> Group:
        names = self.substances.other_names(name) if name in self.substances.phrases else [name]
        alternatives = [Alternative(tuple((word,) for word in one), fields=OF_SUBSTANCES) for one in names]
        return Group(typed, tuple(alternatives), is_substance=True)

    def _name_at(self, words: Sequence[str], at: int) -> Group | None:
        for phrase in _phrases_at(words, at):
            others = self.names.others(phrase)
            if others:
                return self._named(phrase, others)
        return None

    def _named(self, phrase: Phrase, others: Iterable[Phrase], factor: float = 1.0) -> Group:
        """The phrase itself, and its other names; what is one word is whole in any of its forms."""
        alternatives = [Alternative(tuple(self.forms(word) for word in phrase), factor)]
        if len(phrase) > 1:
            alternatives.append(Alternative((("".join(phrase),),), factor))
        alternatives += [
            Alternative(tuple(self.forms(word) for word in other), 0.85 * factor, SAME_MEANING)
            for other in list(others)[:MAX_OTHERS]
            if all(self.index.count(word) for word in other)
        ]
        return Group(phrase, (*alternatives, *self._apart(phrase)))

    def _joined_at(self, words: Sequence[str], at: int) -> Group | None:
        """Two words that products, or names, write as one."""
        if at + 1 >= len(words) or not (words[at].isalpha() and words[at + 1].isalpha()):
            return None
        pair = (words[at], words[at + 1])
        joined = "".join(pair)
        if len(joined) < MIN_JOINED or {*pair} & self.substances.families.keys():
            return None
        others = self.names.others((joined,))
        if not self.index.count(joined) and not others:
            return None
        group = self._named((joined,), others, 0.95)
        apart = Alternative(tuple(self.forms(word) for word in pair))
        return Group(pair, (apart, *group.alternatives))

    def word(self, word: str, *, is_last: bool = False) -> Group:
        alternatives = [Alternative((self.forms(word),))]
        alternatives += self._apart((word,))
        group = Group((word,), tuple(alternatives))
        return self._unfinished(group) if is_last else group

    def _apart(self, phrase: Phrase) -> list[Alternative]:
        """One word that products write as two or three: facewash, face wash."""
        if (
            len(phrase) > 1
            or len(phrase[0]) < MIN_JOINED + 1
            or not phrase[0].isalpha()
            or phrase[0] in self.substances
        ):
            return []
        return [
            Alternative(tuple(self.forms(part) for part in parts), 0.9, fields=ON_CARD)
            for parts in self.vocabulary.splits(phrase[0])[:2]
        ]

    def _unfinished(self, group: Group) -> Group:
        """Words that begin with the last one."""
        last = group.typed[-1]
        if len(last) < MIN_BEGINNING or not last[0].isalpha() or last in self.substances:
            return group
        before = tuple(self.forms(word) for word in group.typed[:-1])
        beginning = Alternative((*before, (last + BEGINNING,)), 0.7, BEGUN)
        return replace(group, alternatives=(*group.alternatives, beginning))

    def forms(self, word: str) -> tuple[str, ...]:
        """The word, and its inflections; never another substance."""
        others = self.vocabulary.inflections(word)
        return (word, *(one for one in others if self._may_stand_for(one, word)))

    def _may_stand_for(self, candidate: str, word: str) -> bool:
        """Whether `candidate`, if it is a substance, may be found for what was typed as `word`."""
        if word in self.substances:
            return self.substances.same(word, candidate)
        return candidate not in self.substances

    # What no product has

    def guesses(self, word: str, *, is_last: bool = False) -> list[Guess]:
        """What was probably meant by an unknown word, the most probable first."""
        if word in self.substances or len(word) < 3:
            return []
        costs: dict[Phrase, float] = {}

        def add(words: Phrase, cost: float) -> None:
            is_here = all(map(self.index.count, words))
            if words == (word,) or not (is_here or "".join(words).isascii()):
                return  # the same, or a name in another script, which nobody would read as a correction
            cost += 0.0 if is_here else NAME_COST
            costs[words] = min(cost, costs.get(words, cost))

        for one in self.vocabulary.sounding_like(word):
            add((one,), 0.4)
        for phrase in self.names.sounding_like((word,)):
            add(phrase, 0.4 if word.isascii() else 0.1)
        if not word.isascii():
            for one in self.vocabulary.same_consonants(word):
                add((one,), 0.7 + _distance_by_sound(word, (one,)))
            for name in self.names.same_consonants((word,)):
                for phrase in [name, *self.names.others(name)]:
                    if "".join(phrase).isascii():
                        add(phrase, 0.2 + _distance_by_sound(word, name))
        for one, errors in self.vocabulary.nearly_sounding_like(word):
            add((one,), 1.2 + SECOND_VOWEL_COST * (errors - 1))
        for one, errors in self.vocabulary.near(word):
            add((one,), errors + (0.0 if one[0] == word[0] else 0.4))
        for parts in self.vocabulary.splits(word)[:2]:
            add(parts, 0.3 + 0.2 * len(parts))
        if is_last:
            for one, errors in self.vocabulary.beginning_near(word):
                add((one,), errors + 0.3)
        allowed = max(allowed_errors(word), 1)
        most = MAX_COST if len(word) >= LONG_WORD else MAX_COST_OF_SHORT
        guesses = [
            Guess(words, cost - 0.25 * log10(1 + self._found(words)))
            for words, cost in costs.items()
            if cost <= most and self._found(words) and self._is_safe(words, word, allowed, is_last=is_last)
        ]
        return sorted(guesses, key=lambda guess: guess.cost)[:MAX_GUESSES]

    def _found(self, words: Phrase) -> int:
        """In how many products the rarest of the words, or another name of the phrase, occurs."""
        here = min(map(self.index.count, words))
        if here:
            return here
        if self.needs.known.issuperset(words):
            return 1
        return max((min(map(self.index.count, other)) for other in self.names.others(words)), default=0)

    def _is_safe(self, words: Phrase, typed: str, allowed: int, *, is_last: bool) -> bool:
        """A substance is a guess only if no other one is as near."""
        return all(
            self.substances.nearest_is(word, typed, allowed, is_beginning=is_last)
            for word in words
            if word in self.substances
        )

    def least_significant(self, groups: Sequence[Group]) -> int | None:
        """Which group to leave out first: what no product has, then what says little, then the rarest. A substance
        never is."""
        counts = {at: max(map(self.index.count, group.typed)) for at, group in enumerate(groups)}
        places = [at for at, group in enumerate(groups) if not group.is_substance]
        return min(
            places,
            key=lambda at: (counts[at] > 0, not may_be_left_out(groups[at].typed[0]), counts[at], -at),
            default=None,
        )

    def may_be_substance(self, word: str) -> bool:
        """Whether an unknown word is nearly a substance, which is then not left out."""
        return word.isascii() and bool(self.substances.near(word, allowed_errors(word)))

    def is_substance(self, words: Phrase) -> bool:
        return words in self.substances.phrases or any(word in self.substances for word in words)


def _distance_by_sound(word: str, phrase: Phrase) -> float:
    """How far a word in another script is from a phrase, by their sound and, since vowels may be left out, a little by
    their letters."""
    key, letters = "".join(map(sound_key, phrase)), "".join(map(latin, phrase))
    return 0.2 * OSA.distance(sound_key(word), key) + 0.1 * OSA.distance(latin(word), letters)


def _phrases_at(words: Sequence[str], at: int) -> Iterable[Phrase]:
    for size in range(min(MAX_WORDS, len(words) - at), 0, -1):
        yield tuple(words[at : at + size])
