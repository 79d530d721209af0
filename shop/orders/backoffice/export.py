"""Orders of a period as a table; shop/backoffice/spreadsheets.py guards its cells against formulas."""

from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from shop.rows import each_row

from ..models import Order

HEAD = (
    "number", "state", "ordered", "placed", "payment", "name", "email", "phone", "city", "region", "postcode",
    "country", "units", "articles", "currency", "subtotal", "shipping", "coupon", "coupon amount", "points",
    "points amount", "total", "total INR", "due INR",
)  # fmt: skip
CHUNK = 500


def orders_between(first: date, last: date, status: str = "") -> QuerySet[Order]:
    """Orders of these days (both are meant, in the shop's time zone), the oldest first; of any state without one."""
    begin, end = (timezone.make_aware(datetime.combine(day, at)) for day, at in ((first, time.min), (last, time.max)))
    orders = Order.objects.filter(created_at__range=(begin, end)).order_by("created_at", "pk")
    return orders.filter(status=status) if status else orders


def rows_of(orders: QuerySet[Order]) -> Iterator[tuple[Any, ...]]:
    """The head, then one row for each order, read piece by piece."""
    yield HEAD
    for order in each_row(orders.prefetch_related("lines"), CHUNK, by=("created_at", "pk")):
        address, lines = order.address, order.lines.all()
        yield (
            order.number, order.status, order.created_at, order.placed_at, order.payment_method,
            address["full_name"], order.email, f"{address['phone_code']} {address['phone_number']}", address["city"],
            address["state"], address["pincode"], address["country"], order.unit_count,
            ", ".join(f"{line.kept} × {line.sku}" for line in lines if line.kept), order.currency, order.sub_total_amt,
            order.shipping_amt, order.coupon_code, order.coupon_amt, order.points_used, order.points_amt,
            order.total_amount, order.total_inr, order.due_inr,
        )  # fmt: skip
