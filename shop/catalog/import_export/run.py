"""One import from file to report."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice
from pathlib import Path

from django.utils.translation import gettext

from shop.markets.queries import market_registry

from .files.reading import Source
from .formats.base import Format, formats
from .formats.cells import PriceReader
from .lookups import Choices, NewName
from .named_pictures import NamedPictures
from .report import Report
from .rows import NO_RATE, BadFile, BadRow, Row
from .writing import Writer

BATCH = 500


@dataclass(frozen=True, slots=True)
class Request:
    """What to import and how; `currency` is what the file's prices are in."""

    path: Path
    format: str
    mapping: dict[str, str]
    currency: str = "INR"
    dry_run: bool = False
    take_stock: bool = False
    take_pictures: bool = False
    named_by: int | None = None  # the ProductImport that it is: what became of the pictures, and what can be undone
    as_drafts: bool = False  # new products are not published
    choices: Choices = field(default_factory=dict)  # what stands for a new category, brand or concern


def import_products(
    request: Request, report: Report, progress: Callable[[int, int], None] = lambda done, total: None
) -> list[NewName]:
    """Bring the catalogue to what the file says, in batches that each commit or not as a whole.

    `progress` is called with bytes read and bytes in all. Raises BadFile before anything is written when
    the file has no products in it, or where it breaks off. Every record of the file is counted once in the report.
    Answers the categories, brands and concerns that it made, or in a dry run would make.
    """
    source = Source(request.path)
    total = sum(1 for _ in source.records())
    prices = PriceReader(request.currency, _rate(request.currency))
    reader = formats()[request.format](source.columns, prices, request.mapping)
    reader.survey(source.records())
    reader.ignored_columns = (frozenset() if request.take_stock else reader.stock_columns) | (
        frozenset() if request.take_pictures else reader.picture_columns
    )
    pictures = NamedPictures(report, dry_run=request.dry_run, named_by=request.named_by)
    writer = Writer(
        report,
        dry_run=request.dry_run,
        take_stock=request.take_stock,
        pictures=pictures if request.take_pictures else None,
        source=request.path.name,
        as_drafts=request.as_drafts,
        choices=request.choices,
        import_id=request.named_by,
    )
    rows = _rows(source, reader, report)
    while batch := list(islice(rows, BATCH)):
        writer.take(batch)
        progress(source.position, source.size)
    progress(source.size, source.size)
    for remark in filter(None, (source.remark, *reader.remarks())):
        report.remark_on_file(remark)
    if report.rows != total:
        raise RuntimeError(f"{total} records were read and {report.rows} counted.")
    return writer.new_names


def read_mapping(words: Iterable[str]) -> dict[str, str]:
    """`name=product_name` as a mapping. Raises BadFile."""
    pairs = [word.partition("=") for word in words]
    if wrong := [name for name, equals, _ in pairs if not equals]:
        raise BadFile(gettext("%(word)s: use name=column.") % {"word": wrong[0]})
    return {name: column for name, _, column in pairs}


def _rows(source: Source, reader: Format, report: Report) -> Iterator[Row]:
    for record in source.records():
        if record.problem:
            report.refuse(record.number, record.problem)
            continue
        reader.note_left(record)
        try:
            yield reader.read(record)
        except BadRow as reason:
            report.refuse(record.number, str(reason))


def _rate(currency: str) -> Decimal:
    rates = market_registry().rates
    if currency not in rates:
        raise BadFile(gettext(NO_RATE) % {"currency": currency})
    return rates[currency]
