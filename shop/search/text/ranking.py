"""Which products match what was asked for, and how well."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .index import ANYWHERE, BREAK, IN_NAME, ON_CARD, Postings, Segment, WordIndex
from .measures import UNITS
from .tables.substances import substances

SATURATION = 4.0
BEGINNING = "*"  # at the end of a word: every word that begins so
# Tiers: the smaller, the better.
IN_ORDER, TYPED, SAME_MEANING, ELSEWHERE, BEGUN, BEGUN_ELSEWHERE = range(6)
# "ash" of somebody who types may be all of "ashwagandha" in a name, before "ash gourd" in a text.
WHILE_TYPING = np.array([IN_ORDER, TYPED, SAME_MEANING, BEGUN, ELSEWHERE, BEGUN_ELSEWHERE], np.uint8)
NONE = 255
MAX_KNOWN = 16  # groups of one search, each with five bytes for every product
LOOKED_AT = 200  # of the best, whose names are looked at word by word
PHRASE_BONUS = 0.15
COVERAGE_BONUS = 0.3
HEAD_BONUS = 0.3  # "Wild Forest Honey" is honey, "Almond & Honey Lotion" is a lotion
# What most of them are is meant: of "notebook" the notebook PCs, not the sleeves. Kinds below MIN_KIND are no sign.
KIND_BONUS = 0.5
MIN_KIND = 0.2
BESIDE = 0.8  # what it is for, or comes with, is not what it is: "Stand for Tablets"
ENDS_OF_THING = {BREAK, "for", "with", "without"}
OTHER_SUBSTANCE = 0.75  # a mixture stands after what holds only the substance that was asked for

Scores = NDArray[np.float32]
Tiers = NDArray[np.uint8]


@dataclass(frozen=True)
class Alternative:
    """All of `words`, each in one of its forms; `factor` says how near it is to what was typed."""

    words: tuple[tuple[str, ...], ...]
    factor: float = 1.0
    tier: int = TYPED
    fields: int = ANYWHERE
    is_flat: bool = False  # how often the words occur says nothing, `factor` alone counts


@dataclass(frozen=True)
class Group:
    """One thing that is asked for: any of the alternatives."""

    typed: tuple[str, ...]
    alternatives: tuple[Alternative, ...]
    is_substance: bool = False


@dataclass(frozen=True)
class Matches:
    """Products that hold all groups: ids, tiers and scores, in no order."""

    ids: NDArray[np.int64]
    tiers: Tiers
    scores: Scores

    def __len__(self) -> int:
        return len(self.ids)

    def only(self, which: NDArray[np.bool_]) -> "Matches":
        return Matches(self.ids[which], self.tiers[which], self.scores[which])


class Matcher:
    """Finds products in one index. What a group matches is computed once: the steps of a search ask for the same groups
    again and again. Of products that only resemble another (`by_words_alone`) the order of their words tells nothing.
    """

    def __init__(self, index: WordIndex, *, by_words_alone: bool = False) -> None:
        self._index = index
        self._by_words_alone = by_words_alone
        self._known: dict[tuple[int, Group], tuple[Scores, Tiers]] = {}

    def matches(self, groups: Sequence[Group], excluded: Sequence[Alternative] = ()) -> Matches:
        """Products that hold all of `groups` and none of `excluded`."""
        found = [self._in_segment(number, groups, excluded) for number in range(len(self._index.segments))]
        ids = np.concatenate([ids for ids, _, _ in found])
        return Matches(
            ids, np.concatenate([tiers for _, tiers, _ in found]), np.concatenate([scores for _, _, scores in found])
        )

    def has(self, group: Group) -> bool:
        """Whether any product holds the group."""
        return any(bool(np.any(self._tiers_of(number, [group]) != NONE)) for number in range(len(self._index.segments)))

    def _in_segment(
        self, number: int, groups: Sequence[Group], excluded: Sequence[Alternative]
    ) -> tuple[NDArray[np.int64], Tiers, Scores]:
        segment = self._index.segments[number]
        worst = self._tiers_of(number, groups)
        words = _WordsRead(segment)
        for alternative in excluded:
            worst[_of_alternative(words, alternative)[0]] = NONE
        rows = np.flatnonzero(worst != NONE).astype(np.uint32)
        total = np.zeros(len(rows), np.float32)
        for group in groups:
            scores, tiers = self._of_group(number, group)
            total += scores[rows] * rarity(len(self._index), int(np.count_nonzero(tiers != NONE)))
        tiers = worst[rows]
        if not self._by_words_alone:
            _look_at_names(segment, groups, rows, tiers, total)
        return segment.ids[rows], tiers, total

    def _tiers_of(self, number: int, groups: Sequence[Group]) -> Tiers:
        """Of each row the worst tier of all `groups`, NONE where one is missing or the row is no longer there."""
        segment = self._index.segments[number]
        worst = np.zeros(len(segment.ids), np.uint8)
        for group in groups:
            np.maximum(worst, self._of_group(number, group)[1], out=worst)
        if segment is self._index.base:
            worst[self._index.gone] = NONE
        return worst

    def _of_group(self, number: int, group: Group) -> tuple[Scores, Tiers]:
        key = number, group
        known = self._known.get(key)
        if known is None:
            known = _of_group(self._index.segments[number], group)
            if len(self._known) < MAX_KNOWN:
                self._known[key] = known
        return known


def rarity(size: int, hits: int) -> float:
    """What it counts that `hits` products of `size` have it."""
    return float(np.log1p((size - hits + 0.5) / (hits + 0.5))) if size >= hits else 0.1


def _of_group(segment: Segment, group: Group) -> tuple[Scores, Tiers]:
    scores, tiers = np.zeros(len(segment.ids), np.float32), np.full(len(segment.ids), NONE, np.uint8)
    words = _WordsRead(segment)
    for alternative in group.alternatives:
        rows, values, found = _of_alternative(words, alternative)
        scores[rows] = np.maximum(scores[rows], values)
        tiers[rows] = np.minimum(tiers[rows], found)
    return scores, tiers


class _WordsRead:
    """Postings of the words of one group: "hair oil" and "hair mask" read the same ones of "hair"."""

    def __init__(self, segment: Segment) -> None:
        self._segment = segment
        self._read: dict[tuple[tuple[str, ...], int], Postings] = {}

    def postings(self, forms: tuple[str, ...], fields: int) -> Postings:
        key = forms, fields
        if key not in self._read:
            self._read[key] = _of_word(self._segment, forms, fields)
        return self._read[key]


def _of_alternative(words: _WordsRead, alternative: Alternative) -> tuple[NDArray[np.uint32], Scores, Tiers]:
    rows, values, masks = words.postings(alternative.words[0], alternative.fields)
    for word in alternative.words[1:]:
        more, other, mask = words.postings(word, alternative.fields)
        rows, first, second = np.intersect1d(rows, more, assume_unique=True, return_indices=True)
        values = values[first] + other[second]
        # Words of one thing stand in one field: "black" of a name and "seed" of a text are no black seed.
        masks = masks[first] & mask[second]
        rows, values, masks = rows[masks > 0], values[masks > 0], masks[masks > 0]
    if alternative.is_flat:
        values = np.where(masks & IN_NAME, 1.0, 0.9).astype(np.float32) * np.float32(alternative.factor)
    else:
        values = values * np.float32(alternative.factor / len(alternative.words))
    return rows, values, _tiers(masks, alternative.tier)


def _tiers(masks: NDArray[np.uint8], tier: int) -> Tiers:
    elsewhere = BEGUN_ELSEWHERE if tier >= BEGUN else max(tier, ELSEWHERE)
    return np.where(masks & ON_CARD, tier, elsewhere).astype(np.uint8)


def _of_word(segment: Segment, forms: Iterable[str], fields: int) -> Postings:
    """Rows that hold any of the forms in these fields, ascending; each form after the first counts a little less."""
    rows, values, masks = np.zeros(0, np.uint32), np.zeros(0, np.float32), np.zeros(0, np.uint8)
    for number, form in enumerate(forms):
        found = segment.postings_of_beginning(form[:-1]) if form.endswith(BEGINNING) else segment.postings(form)
        if found is None:
            continue
        more, weights, mask = found
        mask = mask & np.uint8(fields)
        kept = mask > 0
        more, weights, mask = more[kept], weights[kept], mask[kept]
        counted = weights / (weights + SATURATION) * (1.0 if number == 0 else 0.95)
        rows, values, masks = _union(
            np.concatenate([rows, more]),
            np.concatenate([values, counted.astype(np.float32)]),
            np.concatenate([masks, mask]),
        )
    return rows, values, masks


def _union(rows: NDArray[np.uint32], values: Scores, masks: NDArray[np.uint8]) -> Postings:
    """Each row once, with the best value and all fields."""
    if len(rows) < 2 or bool(np.all(rows[1:] > rows[:-1])):
        return rows, values, masks
    order = np.argsort(rows, kind="stable")
    rows, values, masks = rows[order], values[order], masks[order]
    starts = np.flatnonzero(np.diff(rows, prepend=rows[0] + 1))
    return (
        rows[starts],
        np.maximum.reduceat(values, starts),
        np.bitwise_or.reduceat(masks, starts),
    )


def _look_at_names(
    segment: Segment, groups: Sequence[Group], rows: NDArray[np.uint32], tiers: Tiers, scores: Scores
) -> None:
    """Of the best, raise those whose names are what was typed: the words in this order, little beside them, and one of
    them for the thing itself."""
    if not len(rows):
        return
    best = np.lexsort((-scores, tiers))[:LOOKED_AT]
    typed = [word for group in groups for word in group.typed]
    forms = [_forms(group) for group in groups]
    has_substance = any(group.is_substance for group in groups)
    heads: list[tuple[int, str]] = []
    for at in best.tolist():
        if tiers[at] >= BEGUN:
            continue
        parts = segment.name_of(int(rows[at]))
        name = [word for word in parts if word != BREAK]
        if not name:
            continue
        matched = [any(word in words for words in forms) for word in name]
        scores[at] *= 1 + COVERAGE_BONUS * sum(matched) / len(name)
        core = next((place for place, word in enumerate(parts) if place and word in ENDS_OF_THING), len(name))
        head = next((place for place in reversed(range(core)) if _may_be_thing(name[place])), -1)
        if head >= 0:
            heads.append((at, name[head]))
        if head >= 0 and matched[head]:
            scores[at] *= 1 + HEAD_BONUS
        elif not any(matched[:core]):
            scores[at] *= BESIDE
        if has_substance:
            others = sum(not hit and word in substances() for hit, word in zip(matched, name, strict=True))
            scores[at] *= OTHER_SUBSTANCE**others
        if tiers[at] == TYPED and _holds(name, typed):
            tiers[at] = IN_ORDER
            scores[at] *= 1 + PHRASE_BONUS
    # Substances stand in the order of their mixtures, what is apt for a need in that of its kinds.
    if not has_substance and not any(one.is_flat for group in groups for one in group.alternatives):
        _raise_usual_kinds(heads, len(best), scores)


def _raise_usual_kinds(heads: Sequence[tuple[int, str]], size: int, scores: Scores) -> None:
    """`heads`: places in `scores`, each with the word for the thing that is there."""
    usual = Counter(head for _, head in heads)
    for at, head in heads:
        share = usual[head] / size
        if share > MIN_KIND:
            scores[at] *= 1 + KIND_BONUS * share


def _may_be_thing(word: str) -> bool:
    return word.isalpha() and len(word) > 1 and word not in UNITS


def _forms(group: Group) -> set[str]:
    return {form for one in group.alternatives for word in one.words for form in word}


def _holds(name: list[str], typed: list[str]) -> bool:
    return any(name[start : start + len(typed)] == typed for start in range(len(name) - len(typed) + 1))
