"""A product that was ever in stock or sold is not deleted but archived: orders, invoices and figures keep it."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from shop.backoffice.forms import lock_rows

from ..models import Product, StockMovement, Variant
from ..services import refresh_products


def has_history(products: Iterable[int]) -> set[int]:
    """Those of these products of which units ever came or went."""
    moved = Exists(StockMovement.objects.filter(variant=OuterRef("pk")))
    return set(Variant.objects.filter(moved, product__in=list(products)).values_list("product_id", flat=True))


@transaction.atomic
def remove_products(ids: Iterable[int]) -> tuple[list[int], int]:
    """Archive those with history, delete the others; the ids of the first, the number of the second.

    Locks the variants, then the products; writes `archived_at` and `is_published`."""
    chosen = set(ids)
    _lock(chosen)
    kept = has_history(chosen)
    Product.objects.filter(pk__in=kept, archived_at=None).update(archived_at=timezone.now(), is_published=False)
    refresh_products(kept)
    gone = Product.objects.filter(pk__in=chosen - kept)
    number = gone.count()
    gone.delete()
    return sorted(kept), number


@transaction.atomic
def restore_products(ids: Iterable[int]) -> int:
    """Bring archived products back as drafts. Writes `archived_at`."""
    return Product.objects.filter(pk__in=list(ids), archived_at__isnull=False).update(archived_at=None)


def _lock(products: set[int]) -> None:
    lock_rows(Variant.objects.filter(product__in=products))
    lock_rows(Product.objects.filter(pk__in=products))
