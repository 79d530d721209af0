"""What buyers said in public: reviews with votes, questions with answers; a few wait for the editor."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Any

from shop.accounts.models import Customer
from shop.backoffice.actors import SHOP, staff_actor
from shop.catalog.models import Product
from shop.orders.models import OrderLine
from shop.reviews.models import Answer, HelpfulVote, Moderated, Question, Review
from shop.reviews.ratings import count_products
from shop.reviews.services import shortened

from .orders import Sale
from .review_texts import (
    BUYER_ANSWERS,
    GENERAL_DISLIKES,
    GENERAL_LIKES,
    HINDI,
    KINDS,
    OPEN_QUESTIONS,
    QUESTIONS,
    REFUSED,
    TITLES,
    kind_of,
)

BATCH = 500
REVIEW_SHARE, HINDI_SHARE, BUYER_ANSWER_SHARE = 0.2, 0.08, 0.3
STARS, STAR_WEIGHTS = (5, 4, 3, 2, 1), (50, 28, 12, 6, 4)
WAITING_REVIEWS, ASKED_ABOUT = 4, 60
State = Moderated.State


def add_reviews(random: Random, sales: list[Sale], editor: Customer, now: datetime) -> None:
    """Of delivered lines, and questions on what sells; the products' figures follow."""
    decided_by = staff_actor(editor)
    arrived = [(line, at) for sale in sales if (at := sale.story.steps.get("delivered")) for line in sale.lines]
    chosen = [(line, at) for line, at in arrived if at < now - timedelta(days=2) and random.random() < REVIEW_SHARE]
    chosen.sort(key=lambda pair: pair[1])
    texts = _Texts(random)
    reviews = [_review(random, texts, line, at, now, decided_by) for line, at in chosen]
    for review in reviews[-WAITING_REVIEWS:]:
        _undecided(review)
    for review, (reason, stars, title, text) in zip(reviews[-WAITING_REVIEWS - len(REFUSED) :], REFUSED, strict=False):
        review.state, review.reason, review.language = State.REFUSED, reason, "en"
        review.stars, review.title, review.text = stars, title, text
    Review.objects.bulk_create(reviews, batch_size=BATCH)
    _add_votes(
        random, [review for review in reviews if review.is_published], [line.order.customer for line, _ in arrived]
    )
    asked = _add_questions(random, [line for line, _ in arrived], decided_by, now)
    count_products({review.product_id for review in reviews} | asked)


class _Texts:
    """Sentences of each kind in turn, so that neighbours differ."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.turns: dict[tuple[str, ...], Iterator[int]] = {}

    def next_of(self, sentences: tuple[str, ...]) -> str:
        turn = self.turns.setdefault(sentences, count(self.random.randrange(len(sentences))))
        return sentences[next(turn) % len(sentences)]

    def of(self, kind: str, stars: int) -> tuple[str, str]:
        """Title and text."""
        texts = KINDS[kind]
        if stars > 3:
            parts = [texts.likes, texts.dislikes if stars == 4 and self.random.random() < 0.4 else GENERAL_LIKES]
        else:
            parts = [texts.likes if stars == 3 else GENERAL_DISLIKES, texts.dislikes]
        words = " ".join(filter(None, map(self.next_of, parts)))
        return self.next_of(TITLES[stars]), words


def _review(
    random: Random, texts: _Texts, line: OrderLine, delivered: datetime, now: datetime, decided_by: str
) -> Review:
    stars = random.choices(STARS, STAR_WEIGHTS)[0]
    title, text = texts.of(kind_of(line.variant.product.category.path), stars)
    language = "en"
    if line.order.currency == "INR" and random.random() < HINDI_SHARE:
        language, (stars, title, text) = "hi", random.choice(HINDI)
    at = delivered + min((now - delivered) * 0.8, timedelta(days=random.uniform(1, 24)))
    return Review(
        product=line.variant.product, line=line, author=line.order.customer,
        author_name=shortened(line.order.customer.name), stars=stars, title=title, text=text, language=language,
        **_decided(at, min(at + timedelta(hours=random.uniform(1, 40)), now), decided_by),
    )  # fmt: skip


def _decided(at: datetime, decided_at: datetime, decided_by: str) -> dict[str, Any]:
    return {
        "state": State.PUBLISHED, "created_at": at, "submitted_at": at, "published_at": decided_at,
        "decided_at": decided_at, "decided_by": decided_by,
    }  # fmt: skip


def _undecided(row: Moderated) -> None:
    row.state, row.published_at, row.decided_at, row.decided_by = State.WAITING, None, None, SHOP


def _add_votes(random: Random, reviews: list[Review], customers: list[Customer]) -> None:
    """Older reviews have more."""
    votes = []
    for review in reviews:
        asked = random.sample(customers, min(len(customers), int(random.expovariate(0.5))))
        voters = {voter.pk: voter for voter in asked if voter.pk != review.author_id}
        review.helpful = len(voters)
        votes += [
            HelpfulVote(review=review, customer=voter, at=review.decided_at or review.created_at)
            for voter in voters.values()
        ]
    HelpfulVote.objects.bulk_create(votes, batch_size=BATCH)
    Review.objects.bulk_update(reviews, ["helpful"], batch_size=BATCH)


def _add_questions(random: Random, lines: list[OrderLine], decided_by: str, now: datetime) -> set[int]:
    """On the products that sold most, each answered by staff and some by a buyer; the newest wait. Returns products."""
    buyers: dict[Product, list[Customer]] = {}
    for line in lines:
        buyers.setdefault(line.variant.product, []).append(line.order.customer)
    popular = sorted(buyers, key=lambda product: (-len(buyers[product]), product.pk))[:ASKED_ABOUT]
    questions, answers = [], []
    for number, product in enumerate(popular):
        at = now - timedelta(days=random.uniform(3, 200))
        kind = kind_of(product.category.path)
        words, reply = QUESTIONS[kind][number % len(QUESTIONS[kind])]
        question = _question(random, product, lines, words, _decided(at, at + timedelta(hours=5), decided_by))
        questions.append(question)
        said = {"question": question, **_decided(at + timedelta(hours=6), at + timedelta(hours=7), decided_by)}
        answers.append(Answer(text=reply, is_staff=True, **said))
        if random.random() < BUYER_ANSWER_SHARE:
            buyer = random.choice(buyers[product])
            answers.append(
                Answer(text=random.choice(BUYER_ANSWERS), author=buyer, author_name=shortened(buyer.name), **said)
            )
    for hours, (product, words) in enumerate(zip(popular, OPEN_QUESTIONS, strict=False), start=2):
        at = now - timedelta(hours=hours * 4)
        question = _question(random, product, lines, words, _decided(at, at, SHOP))
        _undecided(question)
        questions.append(question)
    Question.objects.bulk_create(questions)
    Answer.objects.bulk_create(answers)
    return {product.pk for product in popular}


def _question(
    random: Random, product: Product, lines: list[OrderLine], words: str, decided: dict[str, Any]
) -> Question:
    author = random.choice(lines).order.customer
    return Question(product=product, author=author, author_name=shortened(author.name), text=words, **decided)
