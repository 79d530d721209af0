"""What customers do with reviews: write, withdraw, find helpful."""

from collections.abc import Sequence
from datetime import timedelta
from typing import NoReturn

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext

from shop.accounts.models import Customer
from shop.backoffice.actors import customer_actor
from shop.catalog.pictures.services import Upload, check_upload
from shop.errors import Changed, Invalid, NotFound, require_words
from shop.invalidation.models import Change
from shop.invalidation.services import invalidate
from shop.jobs.files import remove_after_commit
from shop.limits.services import consume
from shop.messaging.languages import language_now
from shop.orders.models import Order, OrderLine
from shop.orders.returns.photos import read_photo, rows_with_files

from .models import MAX_PHOTOS, MAX_STARS, MIN_STARS, HelpfulVote, Moderated, Review, ReviewPhoto
from .queries import delivered_lines
from .ratings import count_product, lock_product

State = Moderated.State
MAX_SIDE, MAX_THUMBNAIL_SIDE = 1200, 320  # pixels
TRIES_A_CUSTOMER, VOTES_A_CUSTOMER = 20, 60  # an hour


class ReviewClosed(Changed):
    code = "review_closed"


# --- Writing --------------------------------------------------------------------------------------


def write_review(
    line: OrderLine,
    *,
    customer: Customer,
    stars: int,
    title: str,
    text: str,
    photos: Sequence[Upload] = (),
) -> Review:
    """Keep the review of a delivered line, to be looked at by staff; one that waits or was refused before anybody
    could read it is replaced, with its photos where there are new ones. The same again changes nothing.

    Raises NotFound for a line of somebody else or one that was not delivered, ReviewClosed once it was published or
    withdrawn, Invalid by field, TooMany, Busy while other photos are decoded. Locks the order; writes the review's own
    row, which counts for nothing before it is published.
    """
    title = require_words(title, gettext("Give your review a title."), field="title")[:120]
    text = require_words(text, gettext("Write a few words about the product."), field="text")[:4000]
    if not MIN_STARS <= stars <= MAX_STARS:
        _refuse("stars", gettext("Choose one to five stars."))
    if len(photos) > MAX_PHOTOS:
        _refuse("photos", gettext("You can add up to %(most)s photos.") % {"most": MAX_PHOTOS})
    for photo in photos:
        check_upload(photo)
    reviewable_line(line.pk, customer=customer)
    consume("review", str(customer.pk), limit=TRIES_A_CUSTOMER, period=timedelta(hours=1))
    files = [read_photo(photo, MAX_SIDE) for photo in photos]
    contents = [{"file": file, "thumbnail": read_photo(file.open().read(), MAX_THUMBNAIL_SIDE)} for file in files]
    with rows_with_files(ReviewPhoto, contents) as rows:
        Order.objects.select_for_update().only("pk").get(pk=line.order_id)
        own = reviewable_line(line.pk, customer=customer)
        review = _written(own, customer, stars=stars, title=title, text=text, has_photos=bool(files))
        if files:
            remove_photos(review)
        for row in rows:
            row.review = review
            row.save(force_insert=True)
    return review


def reviewable_line(pk: int, *, customer: Customer) -> OrderLine:
    """A delivered line of this customer's own orders; raises NotFound."""
    line: OrderLine | None = delivered_lines().filter(pk=pk, order__customer=customer).first()
    if line is None:
        raise NotFound()
    return line


def _written(line: OrderLine, customer: Customer, *, stars: int, title: str, text: str, has_photos: bool) -> Review:
    """The row of a line's review with these words; the order is locked, so nobody else writes it now."""
    words = {"stars": stars, "title": title, "text": text}
    review: Review | None = Review.objects.select_for_update().filter(line=line).first()
    if review is None:
        created: Review = Review.objects.create(
            line=line, product=line.variant.product, author=customer, author_name=short_name(line.order), **words
        )
        return created
    if not review.is_open:
        raise ReviewClosed(gettext("This review can no longer be changed. You can withdraw it."))
    is_same = all(getattr(review, name) == value for name, value in words.items())
    if is_same and not has_photos and review.state == State.WAITING:
        return review
    Review.objects.filter(pk=review.pk).update(
        **words, state=State.WAITING, reason="", submitted_at=timezone.now(), language=language_now(),
        revision=F("revision") + 1,
    )  # fmt: skip
    review.refresh_from_db()
    return review


def short_name(order: Order) -> str:
    """Asha R.: what shoppers read of who bought it."""
    return shortened(order.customer.name or str(order.address.get("full_name", "")))


def shortened(name: str) -> str:
    """The first name, and the first letter of the last."""
    first, *more = name.split() or [""]
    return f"{first[:40]} {more[-1][0]}." if more else first[:40]


def remove_photos(review: Review) -> None:
    """Rows at once, their files once that is committed."""
    photos = list(review.photos.all())
    review.photos.all().delete()
    remove_after_commit(file for photo in photos for file in (photo.file, photo.thumbnail))


def _refuse(field: str, words: str) -> NoReturn:
    raise Invalid(words, fields={field: [words]})


# --- Withdrawing ----------------------------------------------------------------------------------


@transaction.atomic
def withdraw_review(pk: int, *, customer: Customer) -> bool:
    """Take an own review back for good; again changes nothing, and returns False. Raises NotFound.

    Locks product, then review; writes state and reason, and the product's figures.
    """
    own = Review.objects.filter(pk=pk, author=customer)
    known = own.first()
    if known is None:
        raise NotFound()
    lock_product(known.product_id)
    changed = own.exclude(state=State.WITHDRAWN).update(
        state=State.WITHDRAWN, reason="", decided_at=timezone.now(), decided_by=customer_actor(customer.pk)
    )
    remove_photos(known)
    count_product(known.product_id)
    return bool(changed)


# --- Helpful --------------------------------------------------------------------------------------


def vote_helpful(pk: int, *, customer: Customer, is_helpful: bool) -> int:
    """Count a customer's vote once, or take it back; returns the review's votes. Again changes nothing.

    Raises NotFound for a review that nobody sees or the customer's own, TooMany. Locks the review; writes `helpful`,
    counted from the votes.
    """
    consume("helpful", str(customer.pk), limit=VOTES_A_CUSTOMER, period=timedelta(hours=1))
    with transaction.atomic():
        review = Review.objects.published().select_for_update().filter(pk=pk).first()
        if review is None or review.author_id == customer.pk:
            raise NotFound()
        if is_helpful:
            HelpfulVote.objects.bulk_create([HelpfulVote(review=review, customer=customer)], ignore_conflicts=True)
        else:
            HelpfulVote.objects.filter(review=review, customer=customer).delete()
        return count_votes(review)


def count_votes(review: Review) -> int:
    """Write how many found a review helpful; the caller has locked it."""
    votes = HelpfulVote.objects.filter(review=review).count()
    if votes != review.helpful:
        Review.objects.filter(pk=review.pk).update(helpful=votes)
        invalidate(Change.Kind.PRODUCT, [review.product_id])
    return votes
