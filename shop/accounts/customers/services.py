"""What staff keep about a customer: notes and tags.

Each function locks the customer's row first, as closing the account does: nothing is written about somebody who has
left. It writes rows of its own, and no field of the customer.
"""

from hashlib import sha256

from django.db import transaction
from django.utils.translation import gettext

from shop.errors import Invalid, ShopError, require_words
from shop.text import one_line

from ..models import Customer, CustomerNote, CustomerTag

MAX_NOTE = 2000
MAX_TAG = 40
MAX_TAGS = 20


class AccountDeleted(ShopError):
    code = "account_deleted"

    def __init__(self) -> None:
        super().__init__(gettext("This account has been deleted, so nothing more is kept about it."))


@transaction.atomic
def add_note(customer: Customer, text: str, *, author: str, key: str) -> CustomerNote:
    """Keep a note that only staff read; the same words of one form (`key`) count once. Raises Invalid,
    AccountDeleted."""
    text = require_words(text, gettext("Enter a note."), field="text")
    if len(text) > MAX_NOTE:
        raise Invalid(
            gettext("Use at most %(most)s characters. This has %(count)s.") % {"most": MAX_NOTE, "count": len(text)}
        )
    _lock(customer)
    own_key = sha256(f"{customer.pk}:{key}:{text}".encode()).hexdigest()
    facts = {"customer": customer, "text": text, "author": author}
    return CustomerNote.objects.get_or_create(key=own_key, defaults=facts)[0]


@transaction.atomic
def add_tag(customer: Customer, typed: str) -> str:
    """Put a tag on a customer, once; answers it as it is kept. Raises Invalid, AccountDeleted."""
    word = tag_of(typed)
    _lock(customer)
    if customer.tags.filter(word=word).exists():
        return word
    if customer.tags.count() >= MAX_TAGS:
        raise Invalid(gettext("A customer can have at most %(most)s tags. Remove one first.") % {"most": MAX_TAGS})
    customer.tags.create(word=word)
    return word


def remove_tag(customer: Customer, word: str) -> bool:
    """Take a tag off; False where it was gone before."""
    return bool(CustomerTag.objects.filter(customer=customer, word=word).delete()[0])


def tag_of(typed: str) -> str:
    """The one form of a tag: "VIP " and "vip" are one. Raises Invalid."""
    word = one_line(require_words(typed, gettext("Enter a tag."), field="word")).lower()
    if len(word) > MAX_TAG:
        raise Invalid(gettext("A tag can have at most %(most)s characters.") % {"most": MAX_TAG})
    return word


def _lock(customer: Customer) -> None:
    if _locked(customer).deleted_at is not None:
        raise AccountDeleted()


def _locked(customer: Customer) -> Customer:
    return Customer.objects.select_for_update(no_key=True).get(pk=customer.pk)
