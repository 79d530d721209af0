"""{% product_reviews product as shown %}: what its page shows of its reviews and questions.
{% review_states order as states %}: what its customer may do with each line, or has done."""

from dataclasses import dataclass

from django import template

from shop.catalog.models import Product
from shop.orders.models import Order, OrderLine

from ..models import Review
from ..present import ProductReviews
from ..present import product_reviews as read_product_reviews
from ..queries import delivered_lines

register = template.Library()


@dataclass(frozen=True, slots=True)
class LineReview:
    line: OrderLine
    review: Review | None


@register.simple_tag
def product_reviews(product: Product) -> ProductReviews:
    return read_product_reviews(product)


@register.simple_tag
def review_states(order: Order) -> list[LineReview]:
    """Its delivered lines, each with the review that there is; none, and no query, before something was sent."""
    if order.status not in ("shipped", "delivered", "completed", "replaced", "returned"):
        return []
    lines = list(delivered_lines().filter(order=order).order_by("pk"))
    reviews = {review.line_id: review for review in Review.objects.filter(line__in=lines)} if lines else {}
    return [LineReview(line, reviews.get(line.pk)) for line in lines]
