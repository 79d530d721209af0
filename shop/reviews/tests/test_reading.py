"""What shoppers see of reviews: the product's page, cards, listings, the page of all reviews, structured data."""

import json
import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from shop.catalog.cards import cards_by_id
from shop.invalidation import subscriptions
from shop.markets.queries import market_registry
from shop.search.facets.selection import FacetSelection
from shop.search.listing.services import Listing, ListingQuery

from ..models import Review
from ..present import ON_PRODUCT_PAGE
from ..services import withdraw_review

pytestmark = pytest.mark.django_db


def product_page(visitor, variant):
    return visitor.get(reverse("product", args=[variant.product.slug])).text


def described(page):
    blocks = re.findall(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    return next(block for block in map(json.loads, blocks) if block.get("@type") == "Product")


def test_the_page_shows_average_count_and_spread(review, variant, visitor):
    for stars in (5, 4, 4):
        review(stars, title=f"Gave {stars}")
    Review.objects.update(created_at=datetime(2026, 3, 5, 12, tzinfo=UTC))
    page = product_page(visitor, variant)
    assert len(re.findall('<time datetime="2026-03-05T[^"]+">5 March 2026</time>', page)) == 3
    assert "4.3 out of 5 stars" in page and "3 reviews by customers who bought it" in page
    assert page.count('<meter class="spread__bar"') == 5 and 'value="67"' in page and "Verified purchase" in page


def test_the_page_of_a_product_without_reviews_says_so(variant, visitor):
    page = product_page(visitor, variant)
    assert "No reviews yet." in page and "aggregateRating" not in page


def test_structured_data_matches_what_is_shown(review, variant, visitor):
    rows = [review(stars, title=f"Gave {stars}") for stars in (5, 2)]
    page = product_page(visitor, variant)
    about = described(page)
    assert about["aggregateRating"]["ratingValue"] == "3.5" and about["aggregateRating"]["reviewCount"] == 2
    assert "3.5 out of 5 stars" in page
    assert (
        all(one["name"] in page and one["reviewBody"] in page for one in about["review"]) and len(about["review"]) == 2
    )
    for row in rows:
        withdraw_review(row.pk, customer=row.author)
    subscriptions.check_at_once()
    assert "aggregateRating" not in described(product_page(visitor, variant))


@pytest.mark.parametrize("name", ["product", "product_reviews"])
def test_the_most_helpful_come_first(review, variant, visitor, name):
    useful = review(3, title="Useful one")
    for number in range(ON_PRODUCT_PAGE):
        review(5, title=f"Quiet {number}")
    Review.objects.filter(pk=useful.pk).update(helpful=3)
    page = visitor.get(reverse(name, args=[variant.product.slug])).text
    assert re.findall('class="review__title"[^>]*>([^<]+)<', page)[:2] == ["Useful one", f"Quiet {number}"]


def test_reviews_are_filtered_by_stars_and_sorted(review, variant, visitor):
    for stars in (5, 3, 1):
        review(stars, title=f"Gave {stars}")
    address = reverse("product_reviews", args=[variant.product.slug])
    only = visitor.get(f"{address}?stars=3").text
    assert "Gave 3" in only and "Gave 5" not in only
    page = visitor.get(f"{address}?sort=lowest").text
    assert page.index("Gave 1") < page.index("Gave 3") < page.index("Gave 5")
    assert visitor.get(f"{address}?stars=x&sort=no&page=-1").status_code == 200


def test_more_reviews_come_without_scripts_and_by_htmx(review, variant, visitor, monkeypatch):
    monkeypatch.setattr("shop.reviews.present.PAGE_SIZE", 2)
    for number in range(3):
        review(5, title=f"Number {number}")
    address = reverse("product_reviews", args=[variant.product.slug])
    first = visitor.get(address).text
    assert "page=2" in first and "Number 0" not in first
    second = visitor.get(f"{address}?page=2&sort=helpful", headers={"hx-request": "true"}).text
    assert "Number 0" in second and "<html" not in second and "<h1" in visitor.get(f"{address}?page=2").text


def test_what_waits_is_read_by_nobody(buy, variant, visitor):
    from .test_writing import write

    write(buy(variant), title="Still secret")
    assert "Still secret" not in product_page(visitor, variant)
    assert "Still secret" not in visitor.get(reverse("product_reviews", args=[variant.product.slug])).text


def test_a_card_shows_stars_without_another_query(review, variant, india, visitor):
    def queries():
        cards_by_id([variant.product_id], india)  # what is remembered is read
        with CaptureQueriesContext(connection) as asked:
            card = cards_by_id([variant.product_id], india)[0]
        return len(asked), card.product.rating

    before, _ = queries()
    review(4)
    assert queries() == (before, 400)
    page = visitor.get(reverse("brand", args=[variant.product.brand.slug])).text
    assert "4 out of 5 stars" in page and "1 review" in page


def test_a_listing_is_narrowed_and_sorted_by_rating(review, make_variant, buy, india):
    good, fair, _ = (make_variant(price, units=90) for price in ("100", "200", "300"))
    for variant, stars in ((good, 5), (fair, 3)):
        review(stars, line=buy(variant))
    subscriptions.check_at_once()

    def ids(**query):
        return Listing(india, ListingQuery(**query)).ids

    assert ids(sort="rating")[:2] == [good.product_id, fair.product_id]
    assert ids(filters=FacetSelection({"rating": ("4",)})) == [good.product_id]
    assert set(ids(filters=FacetSelection({"rating": ("3",)}))) == {good.product_id, fair.product_id}
    group = next(facet for facet in Listing(india, ListingQuery()).facets if facet.name == "rating")
    assert [(option.label, option.count) for option in group.options] == [
        ("4 stars or more", 1), ("3 stars or more", 2), ("2 stars or more", 2), ("1 star or more", 2),
    ]  # fmt: skip


def test_sql_sorts_and_narrows_by_rating_alike(review, make_variant, buy, india, monkeypatch):
    good, fair = (make_variant(price, units=90) for price in ("100", "200"))
    for variant, stars in ((fair, 3), (good, 5)):
        review(stars, line=buy(variant))
    monkeypatch.setattr("shop.search.listing.services.current_index", lambda: None)
    assert Listing(india, ListingQuery(sort="rating")).ids[:2] == [good.product_id, fair.product_id]
    assert Listing(india, ListingQuery(filters=FacetSelection({"rating": ("4",)}))).ids == [good.product_id]


def test_the_page_takes_no_query_more_once_it_was_read(review, variant, visitor, django_assert_num_queries):
    assert market_registry()
    product_page(visitor, variant)
    with django_assert_num_queries(0):
        from ..present import product_reviews

        product_reviews(variant.product)  # without reviews
    review(5)
    variant.product.refresh_from_db()
    subscriptions.check_at_once()
    product_page(visitor, variant)
    with django_assert_num_queries(0):
        product_reviews(variant.product)
