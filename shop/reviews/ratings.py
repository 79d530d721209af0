"""What a product shows of its reviews and questions without reading them: columns of its row."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import Avg, Count

from shop.catalog.models import Product
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate

from .models import Question, Review

BATCH = 500


def lock_product(product_id: int) -> None:
    """Whoever changes which reviews are published locks the product's row first, then the review's: figures that are
    counted afterwards know of all changes before."""
    Product.objects.select_for_update().only("pk").get(pk=product_id)


def count_product(product_id: int) -> None:
    """Write rating, review_count and question_count of a product whose row the caller has locked, and announce it."""
    figures = Review.objects.filter(product=product_id).published().aggregate(average=Avg("stars"), count=Count("pk"))
    Product.objects.filter(pk=product_id).update(
        rating=hundredths(figures["average"]),
        review_count=figures["count"],
        question_count=Question.objects.filter(product=product_id).published().count(),
    )
    invalidate(Change.Kind.PRODUCT, [product_id])


def hundredths(average: float | None) -> int:
    """Of a star; 0 without any."""
    return round((average or 0) * 100)


def count_products(product_ids: Iterable[int]) -> None:
    """The same for many, after reviews came in bulk; each transaction locks its products in the order of their ids."""
    ids = sorted(set(product_ids))
    for start in range(0, len(ids), BATCH):
        part = ids[start : start + BATCH]
        with transaction.atomic():
            products = list(Product.objects.select_for_update().filter(pk__in=part).order_by("pk").only("pk"))
            reviews = Review.objects.filter(product__in=part).published().order_by().values_list("product")
            ratings = {pk: (average, count) for pk, average, count in reviews.annotate(Avg("stars"), Count("pk"))}
            questions = Question.objects.filter(product__in=part).published().order_by().values_list("product")
            asked = dict(questions.annotate(Count("pk")))
            for product in products:
                average, product.review_count = ratings.get(product.pk, (None, 0))
                product.rating, product.question_count = hundredths(average), asked.get(product.pk, 0)
            Product.objects.bulk_update(products, ["rating", "review_count", "question_count"])
            invalidate(Change.Kind.PRODUCT, part)
