"""Who may write a review, what becomes of it, and what it counts for."""

from importlib import import_module
from io import BytesIO

import pytest
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError
from django.urls import reverse
from PIL import Image

from shop.catalog.models import Product
from shop.errors import Changed, Invalid, NotFound
from shop.messaging.models import Message
from shop.tests.buckets.server import KEPT_IN_BOTH

from ..links import review_path
from ..models import Review, ReviewPhoto
from ..moderation.services import publish, refuse
from ..questions.services import answer, ask
from ..services import MAX_THUMBNAIL_SIDE, ReviewClosed, withdraw_review, write_review

pytestmark = pytest.mark.django_db
WORDS = {"stars": 4, "title": "Good", "text": "It works for me."}


def photo(name="a.jpg", size=(800, 600)):
    target = BytesIO()
    Image.new("RGB", size, "green").save(target, "JPEG", exif=b"Exif\x00\x00secret place")
    return SimpleUploadedFile(name, target.getvalue(), "image/jpeg")


def write(line, **words):
    return write_review(line, customer=line.order.customer, **(WORDS | words))


def figures(variant):
    return Product.objects.values_list("rating", "review_count").get(pk=variant.product_id)


def test_a_delivered_line_is_reviewed_once_and_counts_when_it_is_published(buy, variant):
    line = buy(variant)
    first, again = write(line), write(line)
    assert first.pk == again.pk and again.revision == 0 and figures(variant) == (0, 0)
    publish(first, actor="staff:1", seen=0)
    assert figures(variant) == (400, 1)
    with pytest.raises(IntegrityError):
        Review.objects.create(line=line, product=variant.product, **WORDS)


def test_only_who_bought_it_and_has_it_may_review(buy, variant):
    line, other = buy(variant), buy(variant)
    with pytest.raises(NotFound):
        write_review(line, customer=other.order.customer, **WORDS)
    with pytest.raises(NotFound):
        write(buy(variant, delivered=False))


@pytest.mark.parametrize(
    ("words", "field"),
    [({"stars": 6}, "stars"), ({"stars": 0}, "stars"), ({"title": " "}, "title"), ({"text": "-"}, "text")],
)
def test_what_is_wrong_is_said_at_its_field(buy, variant, words, field):
    with pytest.raises(Invalid) as refusal:
        write(buy(variant), **words)
    assert list(refusal.value.fields) == [field] and not Review.objects.exists()


def test_photos_are_encoded_anew_and_at_most_three(buy, variant):
    line = buy(variant)
    with pytest.raises(Invalid):
        write(line, photos=[photo()] * 4)
    with pytest.raises(Invalid):
        write(line, photos=[SimpleUploadedFile("a.jpg", b"<svg/>")])
    row = write(line, photos=[photo()]).photos.get()
    assert b"secret place" not in row.file.read() and Image.open(row.thumbnail).width == MAX_THUMBNAIL_SIDE


@KEPT_IN_BOTH
def test_photos_are_private_until_the_review_is_published(kept_in, buy, variant, visitor, editor, signed_in):
    line = buy(variant)
    review = write(line, photos=[photo()])
    address = reverse("review_photo", args=[ReviewPhoto.objects.get().pk])
    assert visitor.get(address).status_code == 404
    assert editor.get(address).status_code == signed_in(line.order.customer).get(address).status_code == 200
    publish(review, actor="staff:1", seen=0)
    assert visitor.get(address)["Content-Type"] == "image/jpeg"
    withdraw_review(review.pk, customer=line.order.customer)
    assert visitor.get(address).status_code == 404


def test_staff_see_a_private_photo_once_they_have_shown_the_second_factor(buy, variant, editor, settings):
    write(buy(variant), photos=[photo()])
    address = reverse("review_photo", args=[ReviewPhoto.objects.get().pk])
    settings.STAFF_SECOND_FACTOR = True
    assert editor.get(address).status_code == 404
    factor = Authenticator.objects.create(user_id=editor.session["_auth_user_id"], type="totp", data={})
    session = editor.session
    session["second_factor"] = factor.pk
    session.save()
    assert editor.get(address).status_code == 200


def test_a_published_review_cannot_be_changed_but_withdrawn_for_good(review, variant):
    row = review(2)
    with pytest.raises(ReviewClosed):
        write(row.line, stars=5)
    assert withdraw_review(row.pk, customer=row.author) and not withdraw_review(row.pk, customer=row.author)
    assert figures(variant) == (0, 0)
    with pytest.raises(ReviewClosed):
        write(row.line, stars=5)


def test_a_review_that_was_refused_first_is_first_published_when_it_is(buy, variant):
    row = write(buy(variant))
    refuse(row, "off_topic", actor="staff:1", seen=0)
    row.refresh_from_db()
    refused_at = row.decided_at
    publish(row, actor="staff:1", seen=0)
    row.refresh_from_db()
    assert row.published_at == row.decided_at > refused_at


def test_a_published_review_that_is_refused_can_only_be_withdrawn(review, variant, signed_in):
    row = review(1, title="Broken")
    first = row.published_at
    refuse(row, "off_topic", actor="staff:1", seen=0)
    with pytest.raises(ReviewClosed):
        write(row.line, stars=5, title="Wonderful")
    row.refresh_from_db()
    assert (row.state, row.stars, row.published_at, figures(variant)) == ("refused", 1, first, (0, 0))
    browser, page = signed_in(row.author), reverse("write_review", args=[row.line.order.number, row.line_id])
    own, order = browser.get(reverse("my_reviews")).text, reverse("order_detail", args=[row.line.order.number])
    assert "so you can only withdraw it" in own and page not in own and page not in browser.get(order).text
    said = browser.get(page).text
    assert "We took down your review: It isn&#x27;t about this product." in said and "<textarea" not in said
    mail = Message.objects.get(kind="review_refused")
    assert mail.subject.startswith("We took down your review") and "You can withdraw it in your account." in mail.text
    assert "send it again" not in mail.text + mail.html
    assert withdraw_review(row.pk, customer=row.author)
    with pytest.raises(ReviewClosed):
        write(row.line, stars=5)


def test_a_review_published_again_keeps_its_first_day(review, variant):
    row = review(2)
    first = row.published_at
    refuse(row, "abuse", actor="staff:1", seen=0)
    publish(row, actor="staff:1", seen=0)
    row.refresh_from_db()
    assert (row.published_at, figures(variant)) == (first, (200, 1))


def test_what_was_published_before_its_day_was_kept_is_closed_too(review, buy, variant):
    shown, voted, refused = review(2), review(1), write(buy(variant))
    for row in (voted, refused):
        refuse(row, "abuse", actor="staff:1", seen=0)
    Review.objects.update(published_at=None)
    Review.objects.filter(pk=voted.pk).update(helpful=1)
    import_module("shop.reviews.migrations.0002_first_publication").note_publication(apps, None)
    assert [Review.objects.get(pk=row.pk).published_at for row in (shown, voted, refused)] == [
        shown.decided_at,
        Review.objects.get(pk=voted.pk).decided_at,
        None,
    ]


def test_nobody_withdraws_what_somebody_else_wrote(review, buy, variant):
    row, other = review(2), buy(variant)
    with pytest.raises(NotFound):
        withdraw_review(row.pk, customer=other.order.customer)
    assert figures(variant) == (200, 1)


@pytest.fixture
def written(buy, variant):
    """written("answer"): one that waits, and the address that its author is written to."""

    def written(kind):
        line = buy(variant)
        author = line.order.customer
        if kind == "review":
            return write(line, stars=1), line.order.email
        asked = ask(variant.product, "Is it sweet?", customer=author)
        if kind == "question":
            return asked, author.email
        publish(asked, actor="staff:1", seen=0)
        return answer(asked.pk, "Ask Meera Nair.", customer=author), author.email

    return written


@pytest.mark.parametrize("kind", ["review", "question", "answer"])
def test_a_refusal_needs_a_listed_reason_which_the_author_reads(written, signed_in, kind):
    row, address = written(kind)
    for unlisted in ("too low", ""):
        with pytest.raises(Invalid):
            refuse(row, unlisted, actor="staff:1", seen=0)
    assert refuse(row, "personal", actor="staff:1", seen=0) and not refuse(row, "personal", actor="staff:1", seen=0)
    assert "personal data" in signed_in(row.author).get(reverse("my_reviews")).text
    mail = Message.objects.get(kind="review_refused")
    assert mail.to == address and "personal data" in mail.text and f"your {kind}" in mail.subject


def test_an_honest_low_rating_is_no_reason_and_stays(buy, variant, visitor):
    row = write(buy(variant), stars=1, title="Broke at once")
    with pytest.raises(Invalid):
        refuse(row, "too low", actor="staff:1", seen=0)
    assert Review.objects.get().state == "waiting" and not Message.objects.filter(kind="review_refused").exists()
    publish(row, actor="staff:1", seen=0)
    page = visitor.get(reverse("product", args=[variant.product.slug])).text
    assert "Broke at once" in page and "1 out of 5 stars" in page and figures(variant) == (100, 1)


def test_a_refused_review_may_be_mended_and_waits_anew(buy, variant):
    line = buy(variant)
    row = write(line)
    refuse(row, "abuse", actor="staff:1", seen=0)
    changed = write(line, text="Politely now.")
    assert (changed.state, changed.reason, changed.revision) == ("waiting", "", 1)
    with pytest.raises(Changed):
        publish(row, actor="staff:1", seen=0)  # from a page of before
    publish(row, actor="staff:1", seen=1)
    assert figures(variant) == (400, 1)


def test_the_average_is_of_what_is_published(review, variant, buy):
    for stars in (5, 4, 4):
        review(stars)
    write(buy(variant), stars=1)
    assert figures(variant) == (433, 3)


# --- The form -------------------------------------------------------------------------------------


def test_the_form_of_an_order_keeps_what_was_typed(buy, variant, signed_in):
    line = buy(variant)
    browser = signed_in(line.order.customer)
    assert (
        reverse("write_review", args=[line.order.number, line.pk])
        in browser.get(reverse("order_detail", args=[line.order.number])).text
    )
    page = reverse("write_review", args=[line.order.number, line.pk])
    refused = browser.post(page, {"title": "Good smell", "text": ""})
    assert refused.status_code == 422 and "Good smell" in refused.text and "Choose one to five stars." in refused.text
    sent = browser.post(page, {"stars": "5", "title": "Good smell", "text": "Fresh.", "photos": [photo()]})
    assert sent.status_code == 302 and Review.objects.get().photos.count() == 1
    assert "Good smell" in browser.get(page).text


def test_the_link_of_a_mail_opens_the_form_of_its_line_alone(buy, variant, visitor):
    line, other = buy(variant), buy(variant)
    page = review_path(line.pk)
    text = visitor.get(page).text
    assert line.order.customer.name not in text and line.order.number not in text
    assert visitor.post(page, {"stars": "3", "title": "All right", "text": "Fine."}).status_code == 302
    assert Review.objects.get().line == line and "All right" in visitor.get(page).text
    key = page.strip("/").partition(".")[2]
    assert visitor.get(f"/review/{other.pk}.{key}/").status_code == 400


def test_the_review_is_not_saved_with_a_wrong_number_of_stars(buy, variant):
    with pytest.raises(IntegrityError):
        Review.objects.create(line=buy(variant), product=variant.product, stars=9, title="x", text="x")


def test_the_form_takes_no_number_beyond_five(buy, variant, signed_in):
    line = buy(variant)
    page = reverse("write_review", args=[line.order.number, line.pk])
    answer = signed_in(line.order.customer).post(page, {"stars": "9", "title": "x", "text": "y"})
    assert answer.status_code == 422 and not Review.objects.exists()
