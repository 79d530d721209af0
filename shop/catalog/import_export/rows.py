"""The one neutral shape that every format maps its records to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

from shop.errors import ShopError

if TYPE_CHECKING:
    from .files.reading import Record
    from .formats.cells import PriceReader

MAX_LEVELS = 3
MAX_POSITION = 32_767


class BadFile(ShopError):
    """The file as a whole cannot be imported."""

    code = "bad_file"
    status = 422


class BadRow(Exception):
    """This row is refused; the message is the reason in the report."""


@dataclass(frozen=True, slots=True)
class NamedPicture:
    """A picture by its address: of every variant of the product, or of the row's own variant alone."""

    address: str
    alt: str = ""
    position: int | None = None  # None: after those before it in the file
    is_own: bool = False


@dataclass(slots=True)
class Row:
    """What one record says about one product and one variant. What it does not state is left alone.

    `product` and `variant` hold stated model fields by name. `has_price` tells whether the record
    states prices at all; a stated price of None makes the variant a draft. A `kept_back` reason makes
    the whole product a draft. `name` is what a new product is called if the row leads to one; `if_new` holds fields
    that only a new one gets. `earlier_handle` is what imports until November 2026 made of the same row.
    """

    number: int
    handle: str
    name: str = ""
    earlier_handle: str = ""
    earlier_brand: str = ""
    sku: str = ""
    brand: str = ""
    category: tuple[str, ...] = ()
    concerns: tuple[str, ...] | None = None
    slug: str = ""  # of the product, if it is new; so are those of brand and concerns
    brand_slug: str = ""
    brand_position: int = 0
    category_path: str = ""  # of slugs; it counts before the names
    category_positions: tuple[int, ...] = ()  # one each level, or none at all; of the new ones
    concern_slugs: tuple[str, ...] = ()  # one each, or none at all
    concern_positions: tuple[int, ...] = ()  # likewise
    not_sold_in: frozenset[int] | None = None  # location ids
    options: tuple[tuple[str, str], ...] = ()
    product: dict[str, Any] = field(default_factory=dict)
    if_new: dict[str, Any] = field(default_factory=dict)
    variant: dict[str, Any] = field(default_factory=dict)
    has_price: bool = True
    selling: Decimal | None = None
    actual: Decimal | None = None
    published: bool | None = None
    active: bool | None = None
    stock: int | None = None
    hsn: str = ""
    gst_rates: tuple[tuple[date, Decimal], ...] = ()  # from when, percent; where the shop does not know the HSN code
    market_prices: dict[int, tuple[Decimal, Decimal]] = field(default_factory=dict)  # location id: selling, actual
    kept_back: str = ""
    lacks_variants: str = ""  # why the product has none in this file
    is_picture_only: bool = False
    is_product_only: bool = False
    pictures: list[NamedPicture] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def option_key(self) -> OptionKey:
        return self.handle, option_set(self.options)


Options = frozenset[tuple[str, str]]
OptionKey = tuple[str, Options]


def option_set(options: Iterable[tuple[str, str]]) -> Options:
    """Options to compare by: neither order nor case matters."""
    return frozenset((name.casefold(), value.casefold()) for name, value in options)


class Format:
    """Maps records to rows. `required` columns must all be there, or the file is refused whole."""

    required: tuple[str, ...] = ()
    description = ""
    taken: Container[str] = ()  # the columns that it reads; of these, where stock and pictures stand
    stock_columns: AbstractSet[str] = frozenset()
    picture_columns: AbstractSet[str] = frozenset()
    ignored_columns: AbstractSet[str] = frozenset()  # the columns that this import leaves alone

    def __init__(self, columns: list[str], prices: PriceReader, mapping: dict[str, str]) -> None:
        self.columns = columns
        self.prices = prices
        if mapping:
            raise BadFile("--map goes with --format table only.")
        if missing := [name for name in self.required if name not in columns]:
            raise BadFile(f"This is not a {self.description}: it has no column {' or '.join(map(repr, missing))}.")
        self._left: Counter[str] = Counter()

    def survey(self, records: Iterable[Record]) -> None:
        """A first look over the whole file, for formats whose rows refer to each other."""

    def read(self, record: Record) -> Row:
        """Raises BadRow."""
        raise NotImplementedError

    def note_left(self, record: Record) -> None:
        """Count the cells of columns that are not read."""
        for column in self._others:
            if record.cells.get(column):
                self._left[column] += 1

    def remarks(self) -> Iterable[str]:
        """What the report says of the file as a whole."""
        return (self._left_columns(),)

    def _left_columns(self) -> str:
        """The columns that hold data and were not taken over, each with its number of cells; empty where none does."""
        named = ", ".join(
            f"{column} ({number:,}{', not selected' if column in self.ignored_columns else ''})"
            for column in self._others
            if (number := self._left[column]) > 0
        )
        return f"columns that were not imported, with their cells: {named}" if named else ""

    @cached_property
    def _others(self) -> list[str]:
        return [column for column in self.columns if column not in self.taken or column in self.ignored_columns]
