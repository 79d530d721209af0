"""A customer who takes the own data along, or leaves for good.

PRODUCT 9 says what a deleted account takes with it: sign-in, addresses and consents. What was published stays, since
others decided by it (IS 19000 lets nothing published be changed), without name, account and photos. What nobody has
read goes; so do votes, invitations and their refusal.
"""

from typing import Any

from django.db.models import QuerySet
from django.dispatch import receiver

from shop.accounts.models import Customer
from shop.accounts.signals import account_deleted, collecting_data

from .models import Answer, HelpfulVote, InvitationRefusal, Moderated, Question, Review
from .services import count_votes, remove_photos

State = Moderated.State


@receiver(collecting_data)
def disclose_texts(sender: type, customer: Customer, **kwargs: Any) -> dict[str, Any]:
    reviews = customer.reviews.select_related("product").prefetch_related("photos")
    return {
        "reviews": [
            _present(row) | {"stars": row.stars, "title": row.title, "photos": row.photos.count()} for row in reviews
        ],
        "questions": [_present(row) for row in customer.questions.select_related("product")],
        "answers": [_present(row) for row in customer.answers.select_related("question__product")],
        "reviews_found_helpful": list(
            HelpfulVote.objects.filter(customer=customer).order_by("pk").values("review", "at")
        ),
        "review_invitations": not InvitationRefusal.objects.filter(customer=customer).exists(),
    }


@receiver(account_deleted)
def anonymise_author(sender: type, customer: Customer, **kwargs: Any) -> None:
    """The customer is locked; locks the reviews whose votes or photos go. No product's figures change."""
    for review in _locked(Review.objects.filter(votes__customer=customer)):
        HelpfulVote.objects.filter(review=review, customer=customer).delete()
        count_votes(review)
    for review in _locked(customer.reviews.all()):
        remove_photos(review)
    nameless = {"author": None, "author_name": ""}
    for model in (Answer, Question, Review):
        own = model._default_manager.filter(author=customer)
        own.exclude(state=State.PUBLISHED).delete()
        own.update(**nameless)
    InvitationRefusal.objects.filter(customer=customer).delete()


def _locked(reviews: QuerySet[Review]) -> list[Review]:
    return list(Review.objects.select_for_update().filter(pk__in=reviews.values("pk")).order_by("pk"))


def _present(row: Review | Question | Answer) -> dict[str, Any]:
    return {
        "product": row.product.name,
        "created_at": row.created_at,
        "name": row.author_name,
        "text": row.text,
        "state": row.state,
        "reason": row.reason,
    }
