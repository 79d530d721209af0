"""The facet index: which products have which value and how they sort, in memory beside the database.

Products are rows here, numbered without gaps. A FacetIndex never changes: `patched` gives a new one
that shares what stayed the same, so a listing that is being worked out sees one state of the catalogue.
"""

import json
from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from typing import Any, TypeVar

import numpy as np
from pyroaring import BitMap

T = TypeVar("T")
Key = tuple[str, int]  # the kind of a value ("brand"), and its id
Array = np.ndarray
COLUMNS = {
    "price": np.int64,  # of the first variant, in paise
    "popularity": np.uint32,
    "published": np.uint32,  # seconds since 1970
    "discount": np.uint8,
    "rating": np.uint16,  # hundredths of a star
    "reviews": np.uint32,
    "origin": np.uint16,  # origin_number
    "in_stock": np.bool_,
    "is_prescription": np.bool_,
}
MAX_ID = 2**32 - 1
UNKNOWN = -1
AS_ONE_SET = 2_000  # rows that are counted in the time of meeting two sets
MAX_REMEMBERED = 1_024  # answers, some twenty for a listing: a few MB in all


@dataclass(frozen=True)
class Facts:
    """What the database says of some products that visitors may see (loading.py)."""

    ids: Array  # int64
    columns: dict[str, Array]  # as COLUMNS, each as long as ids
    pairs: dict[str, tuple[Array, Array]]  # kind of value to (value ids, product ids)
    fixed: dict[int, tuple[Array, Array]]  # location to (product ids, selling price in thousandths)


@dataclass(frozen=True)
class FixedPrices:
    """Prices of one location, in thousandths of its own currency; rows ascend."""

    rows: Array
    amounts: Array

    @cached_property
    def bitmap(self) -> BitMap:
        return bitmap_of(self.rows)


@dataclass(frozen=True)
class FacetIndex:
    ids: Array  # product id of each row
    everything: BitMap  # rows that visitors may see
    bitmaps: dict[Key, BitMap]
    columns: dict[str, Array]
    fixed: dict[int, FixedPrices]
    _unions: dict[tuple[Key, ...], BitMap] = field(default_factory=dict, compare=False, repr=False)
    _pairs: dict[str, tuple[Array, Array, Array]] = field(default_factory=dict, compare=False, repr=False)
    _crossed: dict[tuple[str, str], dict[int, dict[int, int]]] = field(default_factory=dict, compare=False, repr=False)
    _remembered: dict[Hashable, Any] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, facts: Facts) -> "FacetIndex":
        columns: dict[str, Array] = {name: np.zeros(0, kind) for name, kind in COLUMNS.items()}
        return cls(np.zeros(0, np.int64), BitMap(), {}, columns, {}).patched([], facts)

    def patched(self, changed: Iterable[int], facts: Facts) -> "FacetIndex":
        """The index after the products `changed`, of which `facts` tell those that may be seen."""
        gone = bitmap_of(self.rows_of(np.fromiter(changed, np.int64)))
        fresh = facts.ids[self._numbers.rows_of(facts.ids) == UNKNOWN]
        grown = _Numbers(np.concatenate([self.ids, np.sort(fresh)])) if len(fresh) else self._numbers
        bitmaps = {key: bitmap - gone if bitmap.intersect(gone) else bitmap for key, bitmap in self.bitmaps.items()}
        for kind, (values, products) in facts.pairs.items():
            for value, rows in _grouped(values, grown.rows_of(products)):
                bitmaps[kind, value] = bitmaps.get((kind, value), BitMap()) | bitmap_of(rows)
        rows = grown.rows_of(facts.ids)
        bitmaps = {key: bitmap for key, bitmap in bitmaps.items() if bitmap}
        other = {key for key in {*bitmaps, *self.bitmaps} if not _is_same(bitmaps.get(key), self.bitmaps.get(key))}
        kinds = {kind for kind, _ in other}
        columns = {name: _patched(self.columns[name], rows, facts.columns[name], len(fresh)) for name in COLUMNS}
        index = FacetIndex(
            ids=grown.ids,
            everything=(self.everything - gone) | bitmap_of(rows),
            bitmaps=bitmaps,
            columns=columns,
            fixed=self._patched_prices(gone, facts, grown),
            _crossed={pair: counts for pair, counts in self._crossed.items() if kinds.isdisjoint(pair)},
        )
        index.__dict__["_numbers"] = grown  # else it would be made anew
        return index

    def _patched_prices(self, gone: BitMap, facts: Facts, grown: "_Numbers") -> dict[int, FixedPrices]:
        prices = {}
        for location in {*self.fixed, *facts.fixed}:
            before = self.fixed.get(location, FixedPrices(np.zeros(0, np.uint32), np.zeros(0, np.int64)))
            products, amounts = facts.fixed.get(location, (np.zeros(0, np.int64), np.zeros(0, np.int64)))
            kept = ~np.isin(before.rows, rows_in(gone))
            rows = np.concatenate([before.rows[kept], grown.rows_of(products)]).astype(np.uint32)
            amounts = np.concatenate([before.amounts[kept], amounts])
            order = np.argsort(rows)
            if len(rows):
                prices[location] = FixedPrices(rows[order], amounts[order])
        return prices

    def rows_of(self, product_ids: Sequence[int] | Array) -> Array:
        """Rows of those products that the index has ever known, in the order of `product_ids`."""
        rows = self._numbers.rows_of(np.asarray(product_ids, np.int64))
        known: Array = rows[rows != UNKNOWN]
        return known

    def column_of(self, name: str, product_ids: Array) -> Array:
        """A column's value for each of the products; zero for those that the index has never known."""
        rows = self._numbers.rows_of(np.asarray(product_ids, np.int64))
        values = self.columns[name]
        return (
            np.where(rows == UNKNOWN, 0, values[np.maximum(rows, 0)]).astype(values.dtype) if len(values) else rows * 0
        )

    @cached_property
    def _numbers(self) -> "_Numbers":
        return _Numbers(self.ids)

    def having(self, kind: str, values: Iterable[int]) -> BitMap:
        """Rows with any of these values; large unions are remembered."""
        keys = tuple((kind, value) for value in sorted(set(values)) if (kind, value) in self.bitmaps)
        if len(keys) < 2:
            return self.bitmaps[keys[0]] if keys else BitMap()
        found = self._unions.get(keys)
        if found is None:
            found = BitMap.union(*(self.bitmaps[key] for key in keys))
            if kind == "category":  # a part of the tree; as many as there are categories
                self._unions[keys] = found
        return found

    @cached_property
    def in_stock(self) -> BitMap:
        """Rows of products that have stock."""
        return self.everything & bitmap_of(np.flatnonzero(self.columns["in_stock"]))

    @cached_property
    def prescription_categories(self) -> list[int]:
        """Ids of categories that hold prescription products themselves."""
        rows = self.everything & bitmap_of(np.flatnonzero(self.columns["is_prescription"]))
        return [pk for pk in self.values_of("category") if rows.intersect(self.bitmaps["category", pk])]

    def values_of(self, kind: str) -> list[int]:
        """Ids of all values of a kind that some product has."""
        return self._values.get(kind, [])

    def is_counted_at_once(self, kind: str) -> bool:
        """Whether one pass over the rows with a value of the kind costs less than meeting the rows of each value."""
        return len(self.ids) < AS_ONE_SET * len(self.values_of(kind))

    def remembered(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gave for this key before: until a product changes, as an index never does."""
        found: T | None = self._remembered.get(key)
        if found is None:
            if len(self._remembered) >= MAX_REMEMBERED:
                self._remembered.clear()
            found = self._remembered[key] = make()
        return found

    def counts(self, rows: BitMap, kind: str) -> dict[int, int]:
        """How many of the rows have each value of a kind, without those that none has."""
        values, numbers, having = self._pairs_of(kind)
        is_listed = np.zeros(len(self.ids), np.bool_)
        is_listed[rows_in(rows)] = True
        found = np.bincount(numbers[is_listed[having]], minlength=len(values))
        there = np.flatnonzero(found)
        return dict(zip(values[there].tolist(), found[there].tolist(), strict=True))

    def _pairs_of(self, kind: str) -> tuple[Array, Array, Array]:
        """The values of a kind, and each row that has one: the number of the value among them, and the row."""
        if kind not in self._pairs:
            self._pairs[kind] = self._read_pairs(kind)
        return self._pairs[kind]

    def _read_pairs(self, kind: str) -> tuple[Array, Array, Array]:
        values = self.values_of(kind)
        rows = [rows_in(self.bitmaps[kind, value]) for value in values]
        numbers = np.repeat(np.arange(len(values), dtype=np.uint32), [len(part) for part in rows])
        return np.array(values), numbers, np.concatenate([np.zeros(0, np.uint32), *rows])

    def crossed(self, kind: str, other: str) -> dict[int, dict[int, int]]:
        """By value of a kind that a row has one of: how many rows with it have which values of another kind. It is not
        to be changed."""
        if (kind, other) not in self._crossed:
            self._crossed[kind, other] = self._cross(kind, other)
        return self._crossed[kind, other]

    def _cross(self, kind: str, other: str) -> dict[int, dict[int, int]]:
        values, numbers, rows = self._read_pairs(kind)
        others, other_numbers, other_rows = self._read_pairs(other)
        number_of = np.full(len(self.ids), UNKNOWN, np.int64)
        number_of[rows] = numbers
        numbers = number_of[other_rows]
        both = (numbers * len(others) + other_numbers)[numbers != UNKNOWN]
        counts = np.bincount(both.astype(np.int64), minlength=1)
        found: dict[int, dict[int, int]] = {}
        for at in np.flatnonzero(counts).tolist():
            first, second = divmod(at, len(others))
            found.setdefault(int(values[first]), {})[int(others[second])] = int(counts[at])
        return found

    @cached_property
    def _values(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for kind, value in self.bitmaps:
            found.setdefault(kind, []).append(value)
        return found

    def dump(self) -> bytes:
        """The index as bytes that `load` reads."""
        keys = list(self.bitmaps)
        parts = [self.bitmaps[key].serialize() for key in keys]
        arrays = {f"column {name}": column for name, column in self.columns.items()}
        for location, prices in self.fixed.items():
            arrays |= {f"rows {location}": prices.rows, f"amounts {location}": prices.amounts}
        file = BytesIO()
        arrays |= {
            "ids": self.ids,
            "everything": _bytes(self.everything.serialize()),
            "keys": _bytes(json.dumps(keys).encode()),
            "ends": np.cumsum([len(part) for part in parts], dtype=np.int64),
            "bitmaps": _bytes(b"".join(parts)),
        }
        np.savez_compressed(file, allow_pickle=False, **arrays)
        return file.getvalue()

    @classmethod
    def load(cls, dumped: bytes) -> "FacetIndex":
        """What `dump` wrote. Raises ValueError, KeyError, OSError or zipfile.BadZipFile for anything else."""
        with np.load(BytesIO(dumped), allow_pickle=False) as file:
            ends = file["ends"].tolist()
            whole = file["bitmaps"].tobytes()
            parts = [whole[start:end] for start, end in zip([0, *ends], ends, strict=False)]
            keys = json.loads(file["keys"].tobytes())
            locations = [int(name.split()[1]) for name in file.files if name.startswith("rows ")]
            return cls(
                ids=file["ids"],
                everything=BitMap.deserialize(file["everything"].tobytes()),
                bitmaps={
                    (kind, value): BitMap.deserialize(part) for (kind, value), part in zip(keys, parts, strict=True)
                },
                columns={name: file[f"column {name}"].astype(kind) for name, kind in COLUMNS.items()},
                fixed={one: FixedPrices(file[f"rows {one}"], file[f"amounts {one}"]) for one in locations},
            )


class _Numbers:
    """Product ids by row, and back. Rows are never renumbered, so a late small id stands at the end."""

    def __init__(self, ids: Array) -> None:
        self.ids = ids
        is_sorted = len(ids) < 2 or bool(np.all(ids[1:] > ids[:-1]))
        self._order = None if is_sorted else np.argsort(ids)
        self._sorted = ids if self._order is None else ids[self._order]

    def rows_of(self, product_ids: Array) -> Array:
        """The row of each product, or UNKNOWN."""
        if not len(self.ids):
            return np.full(len(product_ids), UNKNOWN)
        found = np.minimum(np.searchsorted(self._sorted, product_ids), len(self.ids) - 1)
        rows = found if self._order is None else self._order[found]
        return np.where(self._sorted[found] == product_ids, rows, UNKNOWN)


def _patched(column: Array, rows: Array, values: Array, fresh: int) -> Array:
    """The column with these values in these rows, `fresh` of which are new; itself where it has them already."""
    if not fresh and np.array_equal(column[rows], values):
        return column
    patched = np.concatenate([column, np.zeros(fresh, column.dtype)])
    patched[rows] = values
    return patched


def _is_same(bitmap: BitMap | None, other: BitMap | None) -> bool:
    return bitmap is other or bitmap == other


def bitmap_of(rows: Array) -> BitMap:
    return BitMap(array("I", rows.astype(np.uint32).tobytes()))


def rows_in(bitmap: BitMap) -> Array:
    """The rows of a bitmap, ascending."""
    return np.frombuffer(bitmap.to_array(), np.uint32)


def origin_number(code: str) -> int:
    """A country's two letters as a number below 65,536; 0 for anything else."""
    return ord(code[0]) * 256 + ord(code[1]) if len(code) == 2 and code.isascii() else 0


def origin_code(number: int) -> str:
    return chr(number // 256) + chr(number % 256) if number else ""


def _grouped(values: Array, rows: Array) -> Iterator[tuple[int, Array]]:
    """(value, its rows) for each value."""
    if not len(values):
        return
    order = np.argsort(values, kind="stable")
    values, rows = values[order], rows[order]
    starts = np.flatnonzero(np.diff(values, prepend=values[0] - 1))
    for start, end in zip(starts, [*starts[1:], len(values)], strict=True):
        yield int(values[start]), rows[start:end]


def _bytes(raw: bytes) -> Array:
    return np.frombuffer(raw, np.uint8)
