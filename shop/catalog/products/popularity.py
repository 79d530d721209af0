"""What sells: the order of "popular" lists."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Case, F, IntegerField, Sum, Value, When
from django.utils import timezone

from shop.invalidation.models import Change
from shop.invalidation.services import invalidate

from ..models import Product, StockMovement

COUNTED = timedelta(days=90)
BATCH = 500
Kind = StockMovement.Kind


def count_popularity() -> None:
    """Daily job: Product.popularity becomes the units sold in the last 90 days less those that came back.

    Two reads, and two writes for each 500 products whose number changed.
    """
    sold = units_sold()
    counted = dict(Product.objects.filter(popularity__gt=0).values_list("pk", "popularity"))
    stale = {pk: sold.get(pk, 0) for pk in sold.keys() | counted.keys() if sold.get(pk, 0) != counted.get(pk, 0)}
    changed = sorted(stale)
    for start in range(0, len(changed), BATCH):
        ids = changed[start : start + BATCH]
        with transaction.atomic():
            numbers = [When(pk=pk, then=Value(stale[pk])) for pk in ids]
            Product.objects.filter(pk__in=ids).update(popularity=Case(*numbers, output_field=IntegerField()))
            invalidate(Change.Kind.PRODUCT, ids)


def units_sold() -> dict[int, int]:
    """Product id to units, for what sold at all in the time that counts."""
    units = Case(When(kind=Kind.RETURNED, then=-F("quantity")), default=F("quantity"))
    rows = (
        StockMovement.objects.filter(kind__in=(Kind.SOLD, Kind.RETURNED, Kind.EARLIER), at__gt=timezone.now() - COUNTED)
        .order_by()
        .values_list("variant__product")
        .annotate(units=Sum(units))
    )
    return {product_id: max(0, units) for product_id, units in rows}
