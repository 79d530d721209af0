"""One import from file to report."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from pathlib import Path

from shop.markets.queries import atlas

from .cells import PriceReader
from .reading import Source
from .report import Report
from .rows import BadFile, BadRow, Format, Row
from .shop_export import ShopFormat
from .shopify import ShopifyFormat
from .table import TableFormat
from .woocommerce import WooCommerceFormat
from .writing import Writer

BATCH = 500
FORMATS: dict[str, type[Format]] = {
    "shop": ShopFormat,
    "shopify": ShopifyFormat,
    "woocommerce": WooCommerceFormat,
    "table": TableFormat,
}


@dataclass(frozen=True, slots=True)
class Request:
    """What to import and how; `currency` is what the file's prices are in."""

    path: Path
    format: str
    mapping: dict[str, str]
    currency: str = "INR"
    dry_run: bool = False
    take_stock: bool = False


def import_products(request: Request, report: Report, progress: Callable[[int, int], None]) -> None:
    """Bring the catalogue to what the file says, in batches that each commit or not as a whole.

    `progress` hears of bytes read and bytes in all. Raises BadFile before anything is written when
    the file has no products in it, or where it breaks off: the batches before that stay, and a
    second run goes on from there.
    """
    source = Source(request.path)
    prices = PriceReader(request.currency, _rate(request.currency))
    reader = FORMATS[request.format](source.columns, prices, request.mapping)
    reader.survey(source.records())
    writer = Writer(report, dry_run=request.dry_run, take_stock=request.take_stock, source=request.path.name)
    rows = _rows(source, reader, report)
    while batch := list(islice(rows, BATCH)):
        writer.take(batch)
        progress(source.position, source.size)
    progress(source.size, source.size)


def _rows(source: Source, reader: Format, report: Report) -> Iterator[Row]:
    for record in source.records():
        if record.problem:
            report.refuse(record.number, record.problem)
            continue
        try:
            yield reader.read(record)
        except BadRow as reason:
            report.refuse(record.number, str(reason))


def _rate(currency: str) -> Decimal:
    rates = atlas().rates
    if currency not in rates:
        raise BadFile(f"The shop has no rate for {currency}: set one first.")
    return rates[currency]
