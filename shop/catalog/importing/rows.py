"""The one neutral shape that every format maps its records to."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shop.errors import ShopError

if TYPE_CHECKING:
    from .cells import PriceReader
    from .reading import Record

MAX_LEVELS = 3


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
    the whole product a draft. `name` is what a new product is called if the row leads to one.
    """

    number: int
    handle: str
    name: str = ""
    sku: str = ""
    brand: str = ""
    category: tuple[str, ...] = ()
    concerns: tuple[str, ...] | None = None
    options: tuple[tuple[str, str], ...] = ()
    product: dict[str, Any] = field(default_factory=dict)
    variant: dict[str, Any] = field(default_factory=dict)
    has_price: bool = True
    selling: Decimal | None = None
    actual: Decimal | None = None
    published: bool | None = None
    active: bool | None = None
    stock: int | None = None
    hsn: str = ""
    market_prices: dict[int, tuple[Decimal, Decimal]] = field(default_factory=dict)  # location id: selling, actual
    kept_back: str = ""
    is_picture_only: bool = False
    is_product_only: bool = False
    pictures: list[NamedPicture] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def option_key(self) -> "OptionKey":
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

    def __init__(self, columns: list[str], prices: "PriceReader", mapping: dict[str, str]) -> None:
        self.columns = columns
        self.prices = prices
        if mapping:
            raise BadFile("--map goes with --format table only.")
        if missing := [name for name in self.required if name not in columns]:
            raise BadFile(f"This is no {self.description}: it has no column {' or '.join(map(repr, missing))}.")

    def survey(self, records: "Iterable[Record]") -> None:
        """A first look over the whole file, for formats whose rows refer to each other."""

    def read(self, record: "Record") -> Row:
        """Raises BadRow."""
        raise NotImplementedError
