"""What every format declares, and the registry of them: each module of this package that registers one is found."""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils.text import get_text_list
from django.utils.translation import gettext

from shop.messaging.languages import LazyText

from ...models import Product
from ..files.reading import Record, Source
from ..rows import NOT_THIS_FORMAT, BadFile, Row
from .cells import PriceReader


class Format:
    """Maps records to rows. `required` columns must all be there, or the file is refused whole."""

    name: ClassVar[str]
    label: ClassVar[LazyText | str]
    is_last: ClassVar[bool] = False  # tried, and listed, after the others
    new_are_drafts: ClassVar[bool] = False  # new products should be looked at before shoppers see them
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
            raise BadFile(gettext("--map goes with --format table only."))
        if missing := [name for name in self.required if name not in columns]:
            names = get_text_list([repr(name) for name in missing], gettext("or"))
            raise BadFile(gettext(NOT_THIS_FORMAT) % {"labels": gettext(self.description), "columns": names})
        self._left: Counter[str] = Counter()

    @classmethod
    def recognises(cls, columns: AbstractSet[str]) -> bool:
        """Whether a file with these columns is in this format."""
        return columns >= set(cls.required)

    @classmethod
    def write(cls, products: QuerySet[Product]) -> Iterator[list[Any]]:
        """The header, then the rows of these products; only the shop's own format has it."""
        raise NotImplementedError

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


_registered: dict[str, type[Format]] = {}


def register(name: str, label: LazyText | str) -> Callable[[type[Format]], type[Format]]:
    """Make a format known by its name, under a label that staff choose it by."""

    def keep(kind: type[Format]) -> type[Format]:
        kind.name, kind.label = name, label
        _registered[name] = kind
        return kind

    return keep


@cache
def formats() -> dict[str, type[Format]]:
    """Every format by name, in the order in which they are tried."""
    for module in iter_modules([str(Path(__file__).parent)]):
        import_module(f"{__package__}.{module.name}")
    return dict(sorted(_registered.items(), key=lambda item: (item[1].is_last, item[0])))


def detect_format(path: Path) -> str:
    """The format whose columns the file has. Raises BadFile when the file cannot be read."""
    columns = set(Source(path).columns)
    return next(name for name, kind in formats().items() if kind.recognises(columns))
