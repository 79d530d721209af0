"""The figures of a period, each read from an index.

How they are counted: an order counts on the day it was placed (paid, free, or to be paid in cash), at
its INR total with shipping and taxes. One that was cancelled, or refused at the door, counts for
nothing from then on, for it brought no money; nor do units that were cancelled before packing. What is
given back for returned goods stands beside the sales, on the day the goods were received, and changes no
earlier day. A checkout is an order that was written, whether or not it was paid: conversion is the part
of a period's checkouts that were placed.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Count, DateField, DecimalField, ExpressionWrapper, F, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone

from shop.catalog.models import Product, Variant
from shop.markets.models import Location
from shop.money import PAISA, share_of_units
from shop.orders.models import Order, OrderLine, ReturnRequest
from shop.orders.shipping.services import CANCELLED_UNITS
from shop.payments.refunds.services import has_ended
from shop.search.models import SearchCount

from .periods import Period

ROWS = 8  # of each list
NOTHING = Decimal(0)


@dataclass(frozen=True, slots=True)
class Sales:
    orders: int
    inr: Decimal

    @property
    def average(self) -> Decimal | None:
        return self.inr / self.orders if self.orders else None


@dataclass(frozen=True, slots=True)
class Checkouts:
    started: int
    placed: int

    @property
    def conversion(self) -> Decimal | None:
        """Percent."""
        return Decimal(100 * self.placed) / self.started if self.started else None


@dataclass(frozen=True, slots=True)
class TopProduct:
    product: Product
    units: int
    inr: Decimal


class LocalDay(TruncDate):
    """The day in the shop's zone. SQLite knows no zones, and a Python function called for each row costs
    more than reading it: its own function adds today's offset, for Asia/Kolkata has one all the year."""

    def as_sqlite(self, compiler: Any, connection: Any, **extra_context: Any) -> tuple[str, tuple[Any, ...]]:
        column, params = compiler.compile(self.lhs)
        offset = timezone.localtime().utcoffset() or timedelta()
        return f"date({column}, %s)", (*params, f"{offset // timedelta(minutes=1):+} minutes")


def sold_orders(period: Period, location: Location | None) -> QuerySet[Order]:
    orders = Order.objects.filter(placed_at__gte=period.begin, placed_at__lt=period.end).exclude(has_ended())
    return (orders.filter(location=location) if location else orders).order_by()


def sales(period: Period, location: Location | None) -> Sales:
    sold = sold_orders(period, location)
    found = sold.aggregate(orders=Count("pk"), inr=Sum("total_inr", default=NOTHING))
    return Sales(found["orders"], found["inr"] - sum(cancelled_by("order__currency", sold).values(), NOTHING))


def sales_by_day(period: Period, location: Location | None) -> dict[date, Sales]:
    """Of the days on which something was sold."""
    sold = sold_orders(period, location)
    rows = sold.annotate(day=LocalDay("placed_at", output_field=DateField())).values("day")
    gone = cancelled_by(LocalDay("order__placed_at", output_field=DateField()), sold)
    return {
        row["day"]: Sales(row["orders"], row["inr"] - gone.get(row["day"], NOTHING))
        for row in rows.annotate(orders=Count("pk"), inr=Sum("total_inr"))
    }


@dataclass(frozen=True, slots=True)
class CancelledLine:
    """What the units of a line cost, and were reduced by, that were cancelled before packing."""

    key: Any
    inr: Decimal
    reduction: Decimal


def cancelled_lines(key: Any, orders: QuerySet[Order]) -> list[CancelledLine]:
    """Of these orders, each with a `key`: the name of a column, or an expression. Found by the requests that a
    cancellation writes, for they are few among the lines."""
    requests = ReturnRequest.objects.filter(reason__slug=CANCELLED_UNITS).order_by()
    lines = OrderLine.objects.filter(pk__in=requests.values("line"), order__in=orders, cancelled__gt=0).order_by()
    key = F(key) if isinstance(key, str) else key
    rows = lines.annotate(of=key).values_list("line_inr", "reduction_inr", "quantity", "cancelled", "of")
    return [
        CancelledLine(
            of,
            share_of_units(inr - reduction, quantity, first=0, count=cancelled),
            share_of_units(reduction, quantity, first=0, count=cancelled),
        )
        for inr, reduction, quantity, cancelled, of in rows
    ]


def cancelled_by(key: Any, orders: QuerySet[Order]) -> dict[Any, Decimal]:
    """`cancelled_lines`, added up by their key."""
    summed: dict[Any, Decimal] = {}
    for line in cancelled_lines(key, orders):
        summed[line.key] = summed.get(line.key, NOTHING) + line.inr
    return summed


def add_up(days: dict[date, Sales], period: Period) -> Sales:
    within = [sold for day, sold in days.items() if period.first <= day <= period.last]
    return Sales(sum(sold.orders for sold in within), sum((sold.inr for sold in within), NOTHING))


def checkouts(period: Period, location: Location | None) -> Checkouts:
    orders = Order.objects.filter(created_at__gte=period.begin, created_at__lt=period.end)
    orders = (orders.filter(location=location) if location else orders).order_by()
    return Checkouts(**orders.aggregate(started=Count("pk"), placed=Count("placed_at")))


def given_back(period: Period, location: Location | None) -> Decimal:
    """For returned goods, in INR; not for units that were cancelled, whose sale is not counted."""
    back = ReturnRequest.objects.filter(received_at__gte=period.begin, received_at__lt=period.end)
    back = back.exclude(line__order__status=Order.Status.CANCELLED).exclude(reason__slug=CANCELLED_UNITS)
    back = back.filter(line__order__location=location) if location else back
    inr: Decimal = back.order_by().aggregate(inr=Sum("refund_inr", default=NOTHING))["inr"]
    return inr


def top_products(period: Period, location: Location | None, by: str) -> list[TopProduct]:
    """Those that brought most `inr` (before reductions), or sold most `units`.

    The sums are made by variant, inside the index, before a product is looked up for any of them.
    """
    lines = OrderLine.objects.filter(order__in=sold_orders(period, location)).order_by()
    share = F("line_inr") * F("cancelled") / F("quantity")  # slow to divide, and few are cancelled
    gone = Sum(share, filter=Q(cancelled__gt=0), default=NOTHING, output_field=DecimalField())
    sums = lines.values(article=F("variant_id")).annotate(
        units=Sum(F("quantity") - F("cancelled")), inr=ExpressionWrapper(Sum("line_inr") - gone, DecimalField())
    )
    inner, params = sums.query.sql_with_params()
    order = {"inr": "3 DESC, 2 DESC, 1", "units": "2 DESC, 3 DESC, 1"}[by]
    statement = (
        "SELECT variant.product_id, SUM(sold.units), SUM(sold.inr) "  # nosec B608 (fixed words around a QuerySet)
        f"FROM ({inner}) AS sold JOIN catalog_variant AS variant ON variant.id = sold.article "
        f"GROUP BY variant.product_id ORDER BY {order} LIMIT {ROWS}"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, params)
        rows = cursor.fetchall()
    products = Product.objects.in_bulk([pk for pk, _, _ in rows])
    return [TopProduct(products[pk], int(units), Decimal(str(inr)).quantize(PAISA)) for pk, units, inr in rows]


def searches_in_vain(period: Period) -> list[tuple[str, int]]:
    """Words that found nothing, with how often they were searched for; most first."""
    rows = SearchCount.objects.filter(results=0, day__gte=period.first, day__lte=period.last)
    summed = rows.order_by().values("words").annotate(times=Sum("searches")).order_by("-times", "words")
    return list(summed.values_list("words", "times")[:ROWS])


def low_stock() -> tuple[int, list[Variant]]:
    """How many variants on sale are down to settings.LOW_STOCK, and the most wanted of them."""
    low = Variant.objects.filter(is_active=True, on_hand__lte=settings.LOW_STOCK, product__is_published=True)
    ids = low.order_by("-product__popularity", "on_hand", "pk").values_list("pk", flat=True)[:ROWS]
    rows = Variant.objects.select_related("product").in_bulk(list(ids))  # wide rows are not to be sorted
    return low.order_by().count(), [rows[pk] for pk in ids]
