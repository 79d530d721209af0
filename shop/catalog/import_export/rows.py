"""The one neutral shape that every format maps its records to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_noop

from shop.errors import ShopError

MAX_LEVELS = 3
MAX_POSITION = 32_767
# Why a file cannot be imported: said at once in the language of the page; kept in English by the worker.
UNREADABLE = gettext_noop("%(file)s cannot be read: %(reason)s.")
DAMAGED = gettext_noop("%(file)s is damaged: %(reason)s.")
BROKEN_HEADER = gettext_noop("Line %(line)s, the header, contains bytes that are not UTF-8.")
TOO_MANY_ROWS = gettext_noop("The workbook has more than %(rows)s rows or %(columns)s columns.")
BAD_QUOTE = gettext_noop(
    "Line %(line)s: a quote is opened and never closed, or a quote inside a cell is not doubled. Fix it and import the "
    "file again."
)
ROWS_BETWEEN_QUOTES = gettext_noop(
    "Lines %(line)s to %(last)s are between two quotes but look like rows. Is the quote opened in line %(opened)s "
    "never closed? Fix it and import the file again."
)
NOT_THIS_FORMAT = gettext_noop("This is not a %(labels)s: it has no column %(columns)s.")
NO_NAME_COLUMN = gettext_noop("No column looks like a product name. Columns: %(columns)s. Use --map name=…")
UNKNOWN_KIND = gettext_noop("--map %(kind)s=…: choose one of %(kinds)s.")
NO_SUCH_COLUMN = gettext_noop("--map %(kind)s=%(column)s: there is no such column. Columns: %(columns)s.")
REPLACEMENT_GONE = gettext_noop("What %(name)s was to be replaced with no longer exists. Check the file again.")
NO_RATE = gettext_noop("The shop has no rate for %(currency)s. Set one first.")
FILE_PROBLEMS = (
    UNREADABLE, DAMAGED, BROKEN_HEADER, TOO_MANY_ROWS, BAD_QUOTE, ROWS_BETWEEN_QUOTES, NOT_THIS_FORMAT, NO_NAME_COLUMN,
    UNKNOWN_KIND, NO_SUCH_COLUMN, REPLACEMENT_GONE, NO_RATE,
)  # fmt: skip


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
    is_composition_sure: bool = False  # the file shows all active ingredients
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


def kept_options(row: Row) -> tuple[tuple[str, str], ...]:
    """As long as an attribute's name and value may be."""
    return tuple((name[:60].strip(), value[:80].strip()) for name, value in row.options)


def option_set(options: Iterable[tuple[str, str]]) -> Options:
    """Options to compare by: neither order nor case matters."""
    return frozenset((name.casefold(), value.casefold()) for name, value in options)
