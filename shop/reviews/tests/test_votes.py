"""Helpful votes: one a customer, taken back, counted right whoever votes at once; and the figures of a product."""

from functools import partial

import pytest
from django.urls import reverse

from shop.accounts.models import Customer
from shop.catalog.models import Product
from shop.errors import NotFound, TooMany
from shop.orders.tests.racing import together, without_write_lock

from .. import ratings, services
from ..models import HelpfulVote, Review
from ..moderation.services import publish
from ..services import vote_helpful
from .test_writing import write

pytestmark = pytest.mark.django_db


def people(count):
    first = Customer.objects.count()
    return [Customer.objects.create_user(f"reader{first + n}@example.com", name="Reader") for n in range(count)]


def test_a_vote_counts_once_and_can_be_taken_back(review):
    row, reader = review(), people(1)[0]
    assert [vote_helpful(row.pk, customer=reader, is_helpful=True) for _ in range(2)] == [1, 1]
    assert [vote_helpful(row.pk, customer=reader, is_helpful=False) for _ in range(2)] == [0, 0]
    assert Review.objects.get().helpful == 0


def test_nobody_votes_for_an_own_or_unpublished_review(review, buy, variant):
    row = review()
    with pytest.raises(NotFound):
        vote_helpful(row.pk, customer=row.author, is_helpful=True)
    with pytest.raises(NotFound):
        vote_helpful(write(buy(variant)).pk, customer=row.author, is_helpful=True)


def test_votes_are_limited(review, monkeypatch):
    row, reader = review(), people(1)[0]
    monkeypatch.setattr(services, "VOTES_A_CUSTOMER", 1)
    vote_helpful(row.pk, customer=reader, is_helpful=True)
    with pytest.raises(TooMany):
        vote_helpful(row.pk, customer=reader, is_helpful=False)


def test_reviews_are_limited(buy, variant, monkeypatch):
    monkeypatch.setattr(services, "TRIES_A_CUSTOMER", 1)
    line = buy(variant)
    write(line)
    with pytest.raises(TooMany):
        write(line, text="Again")


def test_the_button_works_with_and_without_scripts(review, visitor, signed_in):
    row, reader = review(), people(1)[0]
    page = reverse("review_helpful", args=[row.pk])
    assert "/signin/" in visitor.post(page, {"helpful": "1"})["Location"]
    browser = signed_in(reader)
    assert browser.post(page, {"helpful": "1"})["Location"] == page
    assert "You found this review helpful" in browser.get(page).text
    answer = browser.post(page, {"helpful": "0"}, headers={"hx-request": "true"}).text
    assert "<html" not in answer and 'value="1"' in answer and not HelpfulVote.objects.exists()


# --- At once --------------------------------------------------------------------------------------

RACERS = 12


def race_votes(row):
    together([partial(vote_helpful, row.pk, customer=reader, is_helpful=True) for reader in people(RACERS)])
    return Review.objects.get(pk=row.pk).helpful


def race_publishing(buy, variant):
    rows = [write(buy(variant), stars=stars) for stars in [5, 3] * (RACERS // 2)]
    together([partial(publish, row, actor="staff:1", seen=0) for row in rows])
    product = Product.objects.get(pk=variant.product_id)
    return product.rating, product.review_count


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_votes_at_once_are_all_counted(review):
    assert race_votes(review()) == RACERS


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_row_lock_votes_are_lost(review, monkeypatch, figure):
    row = review()
    without_write_lock(monkeypatch)
    counted = services.count_votes
    monkeypatch.setattr(services, "count_votes", _late(counted))
    assert race_votes(row) < RACERS


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_reviews_published_at_once_are_all_counted(buy, variant):
    assert race_publishing(buy, variant) == (400, RACERS)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_product_lock_figures_are_wrong(buy, variant, monkeypatch):
    from ..moderation import services as moderation

    without_write_lock(monkeypatch)
    monkeypatch.setattr(moderation, "count_product", _late(ratings.count_product))
    assert race_publishing(buy, variant) != (400, RACERS)


def _late(count):
    """Counting, and a moment later the end of the transaction: where nobody waits, others count in between."""
    import time

    def counted(*args):
        result = count(*args)
        time.sleep(0.05)
        return result

    return counted
