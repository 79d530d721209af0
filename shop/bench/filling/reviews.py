"""Reviews of delivered lines for what orders.py made, in the database of the environment, and the stars of their
products: `python -m shop.bench.filling.reviews 50000`. Nothing where there are reviews already."""

import os
import random
import sys
from itertools import islice

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
django.setup()

from shop.catalog.models import Product
from shop.invalidation.services import invalidate
from shop.orders.models import OrderLine
from shop.reviews.models import Moderated, Review
from shop.reviews.ratings import count_products

BATCH = 5000


def fill(size: int) -> None:
    """As many as there are placed lines for them; each five-hundredth waits to be approved."""
    if Review.objects.exists():
        return
    chance = random.Random(size)
    lines = OrderLine.objects.filter(order__placed_at__isnull=False).select_related("variant", "order").order_by("pk")
    numbered = enumerate(lines[:size].iterator(chunk_size=BATCH))
    products: set[int] = set()
    while some := list(islice(numbered, BATCH)):
        rows = [
            Review(
                product_id=line.variant.product_id, line=line, author_id=line.order.customer_id,
                stars=chance.choice((5, 5, 5, 4, 4, 3, 2, 1)), title="As described", text="It came in time. " * 6,
                author_name="Buyer B.",
                state=Moderated.State.PUBLISHED if number % 500 else Moderated.State.WAITING,
                helpful=number % 7,
            )
            for number, line in some
        ]  # fmt: skip
        Review.objects.bulk_create(rows)
        products |= {row.product_id for row in rows}
    ids = sorted(products)
    for start in range(0, len(ids), 500):
        count_products(ids[start : start + 500])
    Product.objects.filter(review_count=0).update(rating=430, review_count=12)  # every card shows stars
    invalidate("shop")


if __name__ == "__main__":
    fill(int(sys.argv[1]))
