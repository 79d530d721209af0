"""The word index: which products hold which words, in which field, in memory beside the database.

Products are rows, numbered without gaps. A `Segment` never changes. A `WordIndex` is a large segment, a small one
of what changed since, and the rows of the large one that the small one replaces.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

from .vocabulary import Words

Rows = NDArray[np.uint32]
Weights = NDArray[np.float32]
Masks = NDArray[np.uint8]
Postings = tuple[Rows, Weights, Masks]

# Fields of a product, with what a word in it counts, how much a long field lessens this, and its usual length.
FIELDS: dict[str, tuple[float, float, float]] = {
    "name": (10.0, 0.4, 6.0),
    "title": (5.0, 0.5, 8.0),
    "brand": (6.0, 0.3, 2.0),
    "tags": (4.0, 0.4, 6.0),
    "options": (3.0, 0.2, 6.0),
    "ingredients": (3.0, 0.6, 15.0),
    "body": (1.0, 0.7, 60.0),
    "codes": (8.0, 0.0, 2.0),  # and names in other languages, which leave the weight of English words alone
}
BIT = {name: 1 << number for number, name in enumerate(FIELDS)}
IN_NAME = BIT["name"] | BIT["title"] | BIT["codes"]
ON_CARD = IN_NAME | BIT["brand"] | BIT["tags"] | BIT["options"]
ANYWHERE = 255
MAX_RECENT = 2000  # changed products, beyond which the segments are merged
LAST = "\U0010ffff"
BREAK = "|"  # between the parts of a name; in its order of words alone

Entry = tuple[int, dict[str, str]]  # id of a product, and the words of its fields


@dataclass(frozen=True)
class Segment:
    """Postings of each term, the terms in order: a beginning of words is one slice of them."""

    ids: NDArray[np.int64]  # product of each row
    terms: list[str]
    starts: NDArray[np.int64]  # of each term's postings, and the end of the last
    rows: Rows
    weights: Weights
    masks: Masks  # in which fields
    names: NDArray[np.int32]  # numbers of the terms of each name, in order
    name_starts: NDArray[np.int64]

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Segment":
        ids: list[int] = []
        numbers: dict[str, int] = {}
        term_of: list[int] = []
        row_of: list[int] = []
        weight_of: list[float] = []
        mask_of: list[int] = []
        names: list[int] = []
        name_starts = [0]
        for row, (pk, fields) in enumerate(entries):
            ids.append(pk)
            found: dict[int, tuple[float, int]] = {}
            for field, text in fields.items():
                words = text.split()
                if field == "name":
                    names += [numbers.setdefault(word, len(numbers)) for word in words]
                    words = [word for word in words if word != BREAK]
                if not words:
                    continue
                boost, fading, usual = FIELDS[field]
                each = boost / (1 - fading + fading * len(words) / usual)
                bit = BIT[field]
                for word in words:
                    number = numbers.setdefault(word, len(numbers))
                    weight, mask = found.get(number, (0.0, 0))
                    found[number] = weight + each, mask | bit
            name_starts.append(len(names))
            term_of += found
            row_of += [row] * len(found)
            weight_of += [weight for weight, _ in found.values()]
            mask_of += [mask for _, mask in found.values()]
        return cls._sorted(
            np.array(ids, np.int64), list(numbers), np.array(term_of, np.int64), np.array(row_of, np.uint32),
            np.array(weight_of, np.float32), np.array(mask_of, np.uint8), np.array(names, np.int64),
            np.array(name_starts, np.int64),
        )  # fmt: skip

    @classmethod
    def _sorted(
        cls, ids: NDArray[np.int64], terms: list[str], term_of: NDArray[np.int64], rows: Rows, weights: Weights,
        masks: Masks, names: NDArray[np.int64], name_starts: NDArray[np.int64],
    ) -> "Segment":  # fmt: skip
        by_name = sorted(range(len(terms)), key=terms.__getitem__)
        rank = np.empty(len(terms), np.int64)
        rank[by_name] = np.arange(len(terms))
        ranks = rank[term_of] if len(terms) else term_of
        order = np.lexsort((rows, ranks))
        counts = np.bincount(ranks, minlength=len(terms))
        return cls(
            ids=ids,
            terms=[terms[number] for number in by_name],
            starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            rows=rows[order],
            weights=weights[order],
            masks=masks[order],
            names=(rank[names] if len(terms) else names).astype(np.int32),
            name_starts=name_starts,
        )

    def merged(self, gone: Rows, other: "Segment") -> "Segment":
        """One segment of this one without the rows `gone`, and of `other`."""
        is_kept = np.ones(len(self.ids), bool)
        is_kept[gone] = False
        new_row = np.cumsum(is_kept) - 1
        kept = is_kept[self.rows]
        terms = list(dict.fromkeys([*self.terms, *other.terms]))
        numbers = {term: number for number, term in enumerate(terms)}
        elsewhere = np.array([numbers[term] for term in other.terms], np.int64)
        mine = np.repeat(np.arange(len(self.terms)), np.diff(self.starts))[kept]
        theirs = np.repeat(elsewhere, np.diff(other.starts))
        lengths = np.concatenate([np.diff(self.name_starts)[is_kept], np.diff(other.name_starts)])
        in_kept_name = np.repeat(is_kept, np.diff(self.name_starts))
        return self._sorted(
            np.concatenate([self.ids[is_kept], other.ids]),
            terms,
            np.concatenate([mine, theirs]),
            np.concatenate([new_row[self.rows[kept]], other.rows + is_kept.sum()]).astype(np.uint32),
            np.concatenate([self.weights[kept], other.weights]),
            np.concatenate([self.masks[kept], other.masks]),
            np.concatenate([self.names[in_kept_name], elsewhere[other.names] if len(other.terms) else other.names]),
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        )

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {term: number for number, term in enumerate(self.terms)}

    def postings(self, term: str) -> Postings | None:
        number = self.numbers.get(term)
        return None if number is None else self._slice(number, number + 1)

    def postings_of_beginning(self, beginning: str) -> Postings:
        """Of all terms that begin so; a row may occur several times."""
        return self._slice(*self.range_of(beginning))

    def range_of(self, beginning: str) -> tuple[int, int]:
        """Numbers of the terms that begin so: from, up to and without."""
        return bisect_left(self.terms, beginning), bisect_left(self.terms, beginning + LAST)

    def _slice(self, first: int, end: int) -> Postings:
        here = slice(int(self.starts[first]), int(self.starts[end]))
        return self.rows[here], self.weights[here], self.masks[here]

    def count(self, term: str) -> int:
        """How many rows hold the term."""
        number = self.numbers.get(term)
        return 0 if number is None else int(self.starts[number + 1] - self.starts[number])

    @cached_property
    def words(self) -> Words:
        return Words(self.terms)

    def name_of(self, row: int) -> list[str]:
        return [self.terms[number] for number in self.names[self.name_starts[row] : self.name_starts[row + 1]]]

    @property
    def size(self) -> int:
        """Bytes of the arrays."""
        arrays = (self.ids, self.starts, self.rows, self.weights, self.masks, self.names, self.name_starts)
        return sum(array.nbytes for array in arrays)


@dataclass(frozen=True)
class WordIndex:
    """The words of all published products; `patched` gives another one that shares the large segment."""

    base: Segment
    gone: Rows  # rows of `base` that are replaced or no longer published
    recent: Segment

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "WordIndex":
        return cls(Segment.of(entries), np.zeros(0, np.uint32), Segment.of(()))

    @property
    def segments(self) -> tuple[Segment, ...]:
        return (self.base, self.recent) if len(self.recent.ids) else (self.base,)

    def __len__(self) -> int:
        return len(self.base.ids) - len(self.gone) + len(self.recent.ids)

    @property
    def words(self) -> tuple[Words, ...]:
        return tuple(segment.words for segment in self.segments)

    def count(self, term: str) -> int:
        """How many products hold the term; replaced ones count too."""
        return sum(segment.count(term) for segment in self.segments)

    def patched(self, changed: Iterable[int], entries: Sequence[Entry]) -> "WordIndex":
        """The index after the products `changed`, of which `entries` are those that may be found."""
        is_changed = np.isin(self.base.ids, np.fromiter(changed, np.int64))
        gone = np.union1d(self.gone, np.flatnonzero(is_changed)).astype(np.uint32)
        unchanged = ~np.isin(self.recent.ids, np.fromiter(changed, np.int64))
        others = self.recent
        recent = others.merged(np.flatnonzero(~unchanged).astype(np.uint32), Segment.of(entries))
        if len(recent.ids) > MAX_RECENT:
            return WordIndex(self.base.merged(gone, recent), np.zeros(0, np.uint32), Segment.of(()))
        return WordIndex(self.base, gone, recent)

    def folded(self) -> "WordIndex":
        """The same in one segment."""
        if not len(self.gone) and not len(self.recent.ids):
            return self
        return WordIndex(self.base.merged(self.gone, self.recent), np.zeros(0, np.uint32), Segment.of(()))

    def dump(self) -> bytes:
        """The index as bytes that `load` reads."""
        one = self.folded().base
        file = BytesIO()
        np.savez_compressed(
            file, allow_pickle=False, ids=one.ids, starts=one.starts, rows=one.rows, weights=one.weights,
            masks=one.masks, names=one.names, name_starts=one.name_starts,
            terms=np.frombuffer("\n".join(one.terms).encode(), np.uint8),
        )  # fmt: skip
        return file.getvalue()

    @classmethod
    def load(cls, dumped: bytes) -> "WordIndex":
        """What `dump` wrote. Raises ValueError, KeyError, OSError or zipfile.BadZipFile for anything else."""
        with np.load(BytesIO(dumped), allow_pickle=False) as file:
            text = file["terms"].tobytes().decode()
            base = Segment(
                ids=file["ids"], terms=text.split("\n") if text else [], starts=file["starts"], rows=file["rows"],
                weights=file["weights"], masks=file["masks"], names=file["names"], name_starts=file["name_starts"],
            )  # fmt: skip
        if len(base.starts) != len(base.terms) + 1:
            raise ValueError("terms and postings do not belong together")
        return cls(base, np.zeros(0, np.uint32), Segment.of(()))
