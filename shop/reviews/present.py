"""What pages and calls show of a product's reviews and questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Prefetch, Q
from django.utils.translation import gettext_noop

from shop.catalog.models import Product
from shop.invalidation.subscriptions import ProductMemory

from .models import MAX_STARS, Answer, Question, Review

ON_PRODUCT_PAGE = 4
QUESTIONS_ON_PRODUCT_PAGE = 3
PAGE_SIZE = 10
MAX_PAGE = 1000
MAX_WORDS = 100  # characters of a search in questions
SORTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "helpful": (gettext_noop("Most helpful"), ("-helpful", "-created_at", "-pk")),
    "newest": (gettext_noop("Newest"), ("-created_at", "-pk")),
    "highest": (gettext_noop("Highest rating"), ("-stars", "-helpful", "-created_at", "-pk")),
    "lowest": (gettext_noop("Lowest rating"), ("stars", "-helpful", "-created_at", "-pk")),
}
DEFAULT_SORT = "helpful"


@dataclass(frozen=True, slots=True)
class StarRow:
    """How many of a product's reviews have so many stars; `percent` is rounded."""

    stars: int
    count: int
    percent: int


@dataclass(frozen=True, slots=True)
class ProductReviews:
    """What a product page shows: the most helpful reviews, the newest questions."""

    spread: Sequence[StarRow]
    reviews: Sequence[Review]
    questions: Sequence[Question]


@dataclass(frozen=True, slots=True)
class Page:
    """`rows` of page `number`; `total` of what was chosen."""

    rows: Sequence[Any]
    number: int
    total: int

    @property
    def next_number(self) -> int:
        """0 on the last page."""
        return self.number + 1 if self.number * PAGE_SIZE < self.total and self.number < MAX_PAGE else 0


_kept: ProductMemory[ProductReviews] = ProductMemory(2000)


def product_reviews(product: Product) -> ProductReviews:
    """Remembered until the product or its reviews change. One query for its reviews, one for their photos and one for
    their spread, two for its questions; none where it has none."""
    version = _kept.version
    found = _kept.get(product.pk)
    if found is None:
        has_reviews, has_questions = bool(product.review_count), bool(product.question_count)
        found = ProductReviews(
            spread=star_rows(product.pk) if has_reviews else (),
            reviews=tuple(published_reviews(product.pk)[:ON_PRODUCT_PAGE]) if has_reviews else (),
            questions=tuple(published_questions(product.pk)[:QUESTIONS_ON_PRODUCT_PAGE]) if has_questions else (),
        )
        _kept.keep(product.pk, found, shows=[product.pk], version=version)
    return found


def star_rows(product_id: int) -> tuple[StarRow, ...]:
    """From five stars to one."""
    rows = Review.objects.filter(product=product_id).published().order_by().values_list("stars")
    counts = dict(rows.annotate(Count("pk")))
    total = sum(counts.values()) or 1
    return tuple(
        StarRow(stars, counts.get(stars, 0), round(counts.get(stars, 0) * 100 / total))
        for stars in range(MAX_STARS, 0, -1)
    )


def published_reviews(product_id: int, *, stars: int = 0, sort: str = DEFAULT_SORT) -> Any:
    """With their photos. `stars` 0: all."""
    reviews = Review.objects.filter(product=product_id).published()
    if stars:
        reviews = reviews.filter(stars=stars)
    return reviews.order_by(*SORTS[sort][1]).prefetch_related("photos")


def published_questions(product_id: int, words: str = "") -> Any:
    """Newest first, with their published answers; `words` are looked for in both, each of them."""
    questions = Question.objects.filter(product=product_id).published()
    for word in words.split():
        answered = Answer.objects.published().filter(question__product=product_id, text__icontains=word)
        questions = questions.filter(Q(text__icontains=word) | Q(pk__in=answered.values("question")))
    return questions.prefetch_related(Prefetch("answers", Answer.objects.published(), to_attr="shown_answers"))


def page_of(rows: Any, number: int) -> Page:
    """One page of a QuerySet: two queries."""
    number = min(max(number, 1), MAX_PAGE)
    total = rows.count()
    return Page(list(rows[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]), number, total)
