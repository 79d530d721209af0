"""The reports: each a table of a period and a market, shown on its page with a chart and sent as CSV.

How orders are counted: see figures.py. Goods stand at what was paid for them, after discounts and points.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import Count, DecimalField, F, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, ngettext

from shop.catalog.categories.tree import UNCATEGORIZED, category_tree
from shop.catalog.models import Product, Variant
from shop.markets.models import Location
from shop.messaging.languages import LazyText
from shop.money import INR, display
from shop.orders.models import Invoice, OrderLine
from shop.rows import each_row

from . import figures
from .models import VisitCount
from .periods import DAY, Period

Kind = VisitCount.Kind
NOTHING = Decimal(0)
PAISA = Decimal("0.01")
MANY = 500  # rows, of which a table is read whole rather than by their ids
AT_ONCE = 5000  # of such a table
COVER_DAYS = 30  # of sales, by which the cover of stock is reckoned
MONEY, NUMBER, PERCENT, WORDS, DAYS = "money", "number", "percent", "words", "days"


@dataclass(frozen=True, slots=True)
class Column:
    label: LazyText | str
    kind: str = WORDS

    @property
    def is_number(self) -> bool:
        return self.kind != WORDS

    def write(self, value: Any) -> str:
        """A cell as people read it; in a CSV file it stands as it is."""
        if value is None:
            return "–"
        if isinstance(value, date):
            return date_format(value, "j M Y")
        if self.kind == MONEY:
            return display(value, INR)
        if self.kind == PERCENT:
            return f"{value:.1f} %"
        if self.kind == NUMBER:
            return f"{value:,}"
        return (
            ngettext("{number} day", "{number} days", value).format(number=f"{value:,}")
            if self.kind == DAYS
            else str(value)
        )


class FirstRows(Sequence[tuple[Any, ...]]):
    """So many rows, of which `read(limit)` reads the first from the database: a page shows few of 100,000."""

    def __init__(self, count: int, read: Callable[[int | None], list[tuple[Any, ...]]]) -> None:
        self._count, self._read = count, read

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self._read(None))

    def __getitem__(self, which: Any) -> Any:
        return self._read(which.stop if isinstance(which, slice) else which + 1)[which]


Names = Callable[[Sequence[tuple[Any, ...]]], list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Table:
    """`bars` is the column that the chart draws, `total` the row below the others. `named` puts names in place of the
    ids that rows begin with, where reading the names of all rows would take longer than the page may."""

    columns: tuple[Column, ...]
    rows: Sequence[tuple[Any, ...]]
    bars: int = 1
    total: tuple[Any, ...] = ()
    named: Names = list

    def written(self, rows: Sequence[tuple[Any, ...]]) -> list[list[tuple[str, bool]]]:
        """Some of the rows as people read them: cell and whether it is a number."""
        return [self._written(row) for row in self.named(rows)]

    @property
    def written_total(self) -> list[tuple[str, bool]]:
        return self._written(self.total)

    def _written(self, row: Iterable[Any]) -> list[tuple[str, bool]]:
        return [(column.write(cell), column.is_number) for column, cell in zip(self.columns, row, strict=False)]

    @property
    def lines(self) -> Iterable[tuple[Any, ...]]:
        """For a spreadsheet."""
        yield tuple(str(column.label) + (" (INR)" if column.kind == MONEY else "") for column in self.columns)
        yield from self.named(list(self.rows))


def by_day(period: Period, location: Location | None) -> Table:
    sold = figures.sales_by_day(period, location)
    rows = [_sales_row(day, sold.get(day, figures.Sales(0, NOTHING))) for day in _days(period)]
    return Table(_sales_columns(gettext("Day")), rows, total=_sales_row(gettext("Total"), figures.add_up(sold, period)))


def by_market(period: Period, location: Location | None) -> Table:
    sold = figures.sold_orders(period, location)
    found = sold.values("location__name").annotate(orders=Count("pk"), inr=Sum("total_inr"))
    gone = figures.cancelled_by("order__location__name", sold)
    sales = {
        row["location__name"]: figures.Sales(row["orders"], row["inr"] - gone.get(row["location__name"], NOTHING))
        for row in found
    }
    rows = [_sales_row(name, sales[name]) for name in sorted(sales, key=lambda name: (-sales[name].inr, name))]
    return Table(
        _sales_columns(gettext("Market")), rows, total=_sales_row(gettext("Total"), figures.sales(period, location))
    )


def _sales_columns(first: str) -> tuple[Column, ...]:
    return (
        Column(first),
        Column(gettext("Sales"), MONEY),
        Column(gettext("Orders"), NUMBER),
        Column(gettext("Average order"), MONEY),
    )


def _sales_row(label: Any, sold: figures.Sales) -> tuple[Any, ...]:
    return (label, sold.inr, sold.orders, sold.average.quantize(PAISA) if sold.average is not None else None)


GOODS_COLUMNS = (
    Column(gettext_lazy("Sales"), MONEY),
    Column(gettext_lazy("Units"), NUMBER),
    Column(gettext_lazy("Discounts"), MONEY),
)


def by_product(period: Period, location: Location | None) -> Table:
    found = _goods_by("variant__product", period, location)
    rows = [(pk, *sold) for pk, sold in found.items()]
    return _goods_table(gettext("Product"), rows, named=_with_names_of_products)


def _with_names_of_products(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows that begin with the id of a product: its name in place of it."""
    products = Product.objects.all() if len(rows) > MANY else Product.objects.filter(pk__in=[row[0] for row in rows])
    names = dict(each_row(products.values_list("pk", "name"), AT_ONCE))
    return [(names[pk], *figures_of) for pk, *figures_of in rows]


def by_category(period: Period, location: Location | None) -> Table:
    found = _goods_by("variant__product__category", period, location)
    return _goods_table(gettext("Category"), [(_category_name(pk), *sold) for pk, sold in found.items()])


def _goods_by(key: str, period: Period, location: Location | None) -> dict[Any, tuple[Decimal, int, Decimal]]:
    """By a column of the ordered line: what was paid, units and discounts; without units that were cancelled."""
    sold = figures.sold_orders(period, location)
    lines = OrderLine.objects.filter(order__in=sold).order_by()
    found = lines.values(key).annotate(
        paid=Sum(F("line_inr") - F("reduction_inr"), output_field=DecimalField()),
        units=Sum(F("quantity") - F("cancelled")),
        off=Sum("reduction_inr"),
    )
    goods = {row[key]: (_paise(row["paid"]), row["units"], _paise(row["off"])) for row in found}
    for gone in figures.cancelled_lines(key, sold):
        paid, units, off = goods[gone.key]
        goods[gone.key] = (paid - gone.inr, units, off - gone.reduction)
    return {of: sums for of, sums in goods.items() if sums[1]}


def _goods_table(first: str, rows: list[tuple[Any, ...]], named: Names = list) -> Table:
    rows.sort(key=lambda row: (-row[1], row[0]))
    total = (gettext("Total"), *(sum((row[at] for row in rows), NOTHING if at != 2 else 0) for at in (1, 2, 3)))
    return Table((Column(first), *GOODS_COLUMNS), rows, total=total, named=named)


def _category_name(category_id: int | None) -> str:
    names, tree = [], category_tree()
    while category_id in tree:
        names.append(tree[category_id].name)
        category_id = tree[category_id].parent_id
    return " › ".join(reversed(names)) or UNCATEGORIZED


def by_coupon(period: Period, location: Location | None) -> Table:
    sold = figures.sold_orders(period, location).exclude(coupon_code="")
    found = sold.values("coupon_code").annotate(orders=Count("pk"), inr=Sum("total_inr"), off=Sum("coupon_inr"))
    gone = figures.cancelled_by("order__coupon_code", sold)
    rows: list[tuple[Any, ...]] = [
        (row["coupon_code"], row["inr"] - gone.get(row["coupon_code"], NOTHING), row["orders"], row["off"])
        for row in found
    ]
    rows.sort(key=lambda row: (-row[1], row[0]))
    columns = (
        Column(gettext("Discount code")),
        Column(gettext("Sales"), MONEY),
        Column(gettext("Orders"), NUMBER),
        Column(gettext("Taken off"), MONEY),
    )
    total = (gettext("Total"), *(sum((row[at] for row in rows), NOTHING if at != 2 else 0) for at in (1, 2, 3)))
    return Table(columns, rows, total=total)


TAXES = ("taxable", "cgst", "sgst", "igst", "vat")


def by_tax(period: Period, location: Location | None) -> Table:
    """Of the invoices and credit notes issued in the period, by country and rate; credit notes count against."""
    issued = Invoice.objects.filter(issued_at__gte=period.begin, issued_at__lt=period.end).order_by()
    issued = issued.filter(order__location=location) if location else issued
    summed: dict[tuple[str, Decimal], list[Decimal]] = {}
    for country, percent, sign, parts in _tax_rows(issued):
        amounts = summed.setdefault((country, percent), [NOTHING] * len(TAXES))
        for at, part in enumerate(parts):
            amounts[at] += sign * part
    rows: list[tuple[Any, ...]] = [
        (country, percent, *amounts, sum(amounts[1:], NOTHING))
        for (country, percent), amounts in sorted(summed.items())
    ]
    labels = (gettext("Taxable value"), "CGST", "SGST", "IGST", "VAT", gettext("Total tax"))
    columns = (
        Column(gettext("Country")),
        Column(gettext("Rate"), PERCENT),
        *(Column(label, MONEY) for label in labels),
    )
    total = (gettext("Total"), None, *(sum(parts, NOTHING) for parts in list(zip(*rows, strict=True))[2:]))
    return Table(columns, rows, bars=len(columns) - 1, total=total if rows else ())


def _tax_rows(issued: QuerySet[Invoice]) -> Iterable[tuple[str, Decimal, int, list[Decimal]]]:
    """Country, percent, 1 or -1, and the sums of TAXES: added by the database, which need not send the rows."""
    inner, params = issued.values("kind", "content", place=F("order__location__name")).query.sql_with_params()
    is_postgres = connection.vendor == "postgresql"
    part = "(line.value->>'{}')::numeric" if is_postgres else "CAST(line.value->>'{}' AS NUMERIC)"
    rows_of = "jsonb_array_elements(doc.content->'rows')" if is_postgres else "json_each(doc.content, '$.rows')"
    sums = ", ".join(f"SUM({part.format(name)})" for name in TAXES)
    statement = (
        f"SELECT doc.place, {part.format('percent')}, doc.kind, {sums} FROM ({inner}) AS doc, "  # nosec B608
        f"{rows_of} AS line{'(value)' if is_postgres else ''} GROUP BY 1, 2, 3"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        for place, percent, kind, *parts in cursor.fetchall():
            sign = -1 if kind == Invoice.Kind.CREDIT else 1
            yield place, _paise(percent), sign, [_paise(amount) for amount in parts]


def _paise(amount: Any) -> Decimal:
    """To the paisa: the embedded database adds decimals as binary fractions."""
    return Decimal(str(amount or 0)).quantize(PAISA)


def by_visit(period: Period, location: Location | None) -> Table:
    """Visits and orders of each day: how many of the visits became an order."""
    counts = VisitCount.objects.filter(day__gte=period.first, day__lte=period.last).order_by()
    counts = counts.filter(country=location.code) if location else counts
    kinds = (Kind.VISIT, Kind.PRODUCT, Kind.CART, Kind.CHECKOUT)
    sums = {kind.value: Sum("times", filter=Q(kind=kind), default=0) for kind in kinds}
    seen = {day: times for day, *times in counts.values("day").annotate(**sums).values_list("day", *sums)}
    sold = figures.sales_by_day(period, location)
    rows: list[tuple[Any, ...]] = []
    for day in _days(period):
        times = seen.get(day, [0] * len(kinds))
        orders = sold[day].orders if day in sold else 0
        rows.append((day, *times, orders, _part(orders, times[0])))
    labels = (gettext("Visits"), gettext("Product pages"), gettext("Carts"), gettext("Checkouts"), gettext("Orders"))
    columns = (
        Column(gettext("Day")),
        *(Column(label, NUMBER) for label in labels),
        Column(gettext("Conversion"), PERCENT),
    )
    sums_of = [sum(row[at] for row in rows) for at in range(1, 6)]
    return Table(columns, rows, total=(gettext("Total"), *sums_of, _part(sums_of[-1], sums_of[0])))


def _part(some: int, all_: int) -> Decimal | None:
    """Percent, with the decimal that people read: a file has no more of them than the page."""
    return (Decimal(100 * some) / all_).quantize(Decimal("0.1")) if all_ else None


def stock(period: Period, location: Location | None) -> Table:
    """What is on hand, what it would sell for, and how long it lasts at the sales of the last 30 days."""
    recent = Period.of_days(COVER_DAYS, timezone.localdate())
    sold = {pk: units for pk, (_, units, _) in _goods_by("variant", recent, None).items()}
    lines = OrderLine.objects.filter(order__in=figures.sold_orders(recent, None)).order_by().values("variant")
    recently_sold = lines.annotate(units=Sum(F("quantity") - F("cancelled"))).filter(units__gt=0).values("variant")
    value = F("on_hand") * F("selling_price")
    found = Variant.objects.filter(is_active=True, on_hand__gt=0).order_by()
    facts = ("pk", "on_hand", "selling_price")
    moving = [
        (pk, units * price, units, sold[pk], units * COVER_DAYS // sold[pk])
        for pk, units, price in each_row(found.filter(pk__in=recently_sold).values_list(*facts), AT_ONCE)
    ]
    moving.sort(key=lambda row: (row[4], -row[1]))
    others = found.exclude(pk__in=recently_sold).order_by(value.desc(), "pk").values_list(*facts)

    def read(limit: int | None) -> list[tuple[Any, ...]]:
        # Three numbers a row, of which the table holds all that are read: they come as a whole.
        left = others if limit is None else others[: max(0, limit - len(moving))]
        return moving + [(pk, units * price, units, 0, None) for pk, units, price in left]

    sums = found.aggregate(count=Count("pk"), value=Sum(value, output_field=DecimalField()), units=Sum("on_hand"))
    total = (gettext("Total"), _paise(sums["value"]), sums["units"] or 0, sum(row[3] for row in moving))
    columns = (
        Column(gettext("Product")),
        Column(gettext("Value at selling prices"), MONEY),
        Column(gettext("On hand"), NUMBER),
        Column(gettext("Sold in {days} days").format(days=COVER_DAYS), NUMBER),
        Column(gettext("Lasts"), DAYS),
        Column("SKU"),
    )
    return Table(columns, FirstRows(sums["count"], read), total=total, named=_with_names_of_variants)


def _with_names_of_variants(rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows that begin with the id of a variant: its name in place of it, and its SKU at the end."""
    variants = Variant.objects.all() if len(rows) > MANY else Variant.objects.filter(pk__in=[row[0] for row in rows])
    found = variants.values_list("pk", "product__name", "sku")
    names = {pk: (name, sku) for pk, name, sku in each_row(found, AT_ONCE)}
    return [(names[pk][0], *figures_of, names[pk][1]) for pk, *figures_of in rows]


def _days(period: Period) -> Iterable[date]:
    return (period.first + at * DAY for at in range(period.days))


@dataclass(frozen=True, slots=True)
class Report:
    title: LazyText
    make: Callable[[Period, Location | None], Table]
    help: LazyText
    is_by_day: bool = False
    has_period: bool = True


COUNTED = gettext_lazy(
    "Orders count on the day they were placed. Cancelled orders, cancelled items and orders refused on delivery aren't "
    "counted."
)
GOODS = format_lazy(
    "{} {}",
    COUNTED,
    gettext_lazy("Goods are counted at the amounts paid for them, after discounts and points, without shipping."),
)
WITH_TAXES = format_lazy("{} {}", COUNTED, gettext_lazy("With shipping and taxes."))
REPORTS = {
    "day": Report(gettext_lazy("Sales by day"), by_day, WITH_TAXES, is_by_day=True),
    "market": Report(gettext_lazy("Sales by market"), by_market, WITH_TAXES),
    "category": Report(gettext_lazy("Sales by category"), by_category, GOODS),
    "product": Report(gettext_lazy("Sales by product"), by_product, GOODS),
    "coupon": Report(
        gettext_lazy("Discounts used"),
        by_coupon,
        format_lazy("{} {}", COUNTED, gettext_lazy("Sales with shipping and taxes.")),
    ),
    "tax": Report(
        gettext_lazy("Taxes"),
        by_tax,
        gettext_lazy("From invoices by date of issue, including shipping. Credit notes are subtracted."),
    ),
    "visits": Report(
        gettext_lazy("Visits and conversion"),
        by_visit,
        gettext_lazy(
            "Counted without cookies and without identifying anyone: a visit is a page opened from outside the shop, "
            "so one person may be several. Pages served from a proxy or browser cache aren't counted. Conversion "
            "is the day's orders divided by its visits."
        ),
        is_by_day=True,
    ),
    "stock": Report(
        gettext_lazy("Stock value and cover"),
        stock,
        gettext_lazy("Current stock, soonest to sell out first. Cover is estimated from the last 30 days' sales."),
        has_period=False,
    ),
}
