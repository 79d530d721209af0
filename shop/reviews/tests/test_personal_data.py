"""What a customer takes along, and what a deleted account leaves."""

import pytest
from django.urls import reverse

from shop.accounts.models import Customer
from shop.accounts.privacy.personal_data import data_of
from shop.accounts.signals import account_deleted
from shop.catalog.models import Product

from ..models import HelpfulVote, Review, ReviewPhoto
from ..questions.services import ask
from ..services import vote_helpful, write_review
from .test_writing import WORDS, photo, write

pytestmark = pytest.mark.django_db


def test_a_customer_takes_texts_and_votes_along(review, variant):
    row, other = review(4, title="Mine"), review(5)
    ask(variant.product, "Sweet?", customer=row.author)
    vote_helpful(other.pk, customer=row.author, is_helpful=True)
    data = data_of(row.author)
    assert data["reviews"][0]["title"] == "Mine" and data["questions"][0]["text"] == "Sweet?"
    assert data["reviews_found_helpful"][0]["review"] == other.pk and data["review_invitations"]


def test_a_deleted_account_leaves_what_was_published_without_name_and_photos(review, buy, variant, visitor):
    line = buy(variant)
    write_review(line, customer=line.order.customer, photos=[photo()], **WORDS)
    row = review(4, line=line)
    customer, other = row.author, review(2)
    vote_helpful(other.pk, customer=customer, is_helpful=True)
    ask(variant.product, "Still waiting?", customer=customer)
    account_deleted.send(sender=Customer, customer=customer)
    row.refresh_from_db()
    assert (row.state, row.author, row.author_name) == ("published", None, "") and not ReviewPhoto.objects.exists()
    assert not HelpfulVote.objects.exists() and Review.objects.get(pk=other.pk).helpful == 0
    assert customer.questions.count() == 0 and Product.objects.get(pk=variant.product_id).review_count == 2
    assert "Former customer" in visitor.get(reverse("product_reviews", args=[variant.product.slug])).text


def test_what_nobody_has_read_goes_with_the_account(buy, variant):
    row = write(buy(variant))
    account_deleted.send(sender=Customer, customer=row.author)
    assert not Review.objects.exists()
