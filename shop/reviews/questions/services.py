"""Questions on products, and their answers by buyers and staff."""

from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from shop.accounts.models import Customer
from shop.backoffice.actors import customer_actor, staff_actor
from shop.catalog.models import Product
from shop.errors import Invalid, NotFound, require_words
from shop.limits.services import consume
from shop.messaging.languages import ENGLISH

from ..models import Answer, Moderated, Question
from ..moderation.services import publish
from ..queries import is_buyer
from ..ratings import count_product, lock_product
from ..services import shortened

State = Moderated.State
MAX_QUESTION, MAX_ANSWER = 600, 2000
QUESTIONS_A_CUSTOMER, ANSWERS_A_CUSTOMER = 10, 20  # a day
DAY = timedelta(days=1)


def ask(product: Product, text: str, *, customer: Customer) -> Question:
    """Keep a question, to be looked at by staff; the same by the same customer again is the same question.

    Raises Invalid without words, TooMany. Locks the customer, so that a form sent twice asks once.
    """
    text = _words(text, gettext("Write your question."), MAX_QUESTION)
    consume("question", str(customer.pk), limit=QUESTIONS_A_CUSTOMER, period=DAY)
    with transaction.atomic():
        Customer.objects.select_for_update().only("pk").get(pk=customer.pk)
        own = Question.objects.filter(product=product, author=customer, text=text).exclude(state=State.WITHDRAWN)
        return own.first() or Question.objects.create(
            product=product, author=customer, author_name=shortened(customer.name), text=text
        )


def answer(question_id: int, text: str, *, customer: Customer) -> Answer:
    """Keep a buyer's answer to a published question, to be looked at by staff; the same again is the same answer.

    Raises NotFound for a question that nobody sees, Invalid without words or by who did not buy the product, TooMany.
    Locks the customer.
    """
    question = Question.objects.published().filter(pk=question_id).first()
    if question is None:
        raise NotFound()
    text = _words(text, gettext("Write your answer."), MAX_ANSWER)
    if not is_buyer(customer, question.product_id):
        raise Invalid(gettext("Only customers who bought this product can answer questions about it."), "not_a_buyer")
    consume("answer", str(customer.pk), limit=ANSWERS_A_CUSTOMER, period=DAY)
    with transaction.atomic():
        Customer.objects.select_for_update().only("pk").get(pk=customer.pk)
        own = question.answers.filter(author=customer, text=text).exclude(state=State.WITHDRAWN)
        return own.first() or Answer.objects.create(
            question=question, author=customer, author_name=shortened(customer.name), text=text
        )


@transaction.atomic
def answer_as_staff(question: Question, text: str, *, staff: Any, seen: int) -> bool:
    """Publish a question with the shop's answer; the same answer again changes nothing, and returns False.

    Raises Invalid without words, Changed for a question that is another by now. Locks product, then question.
    """
    text = _words(text, gettext("Enter an answer."), MAX_ANSWER)
    lock_product(question.product_id)
    publish(question, actor=staff_actor(staff), seen=seen)
    if question.answers.filter(is_staff=True, text=text, state=State.PUBLISHED).exists():
        return False
    now = timezone.now()
    Answer.objects.create(
        question=question, author=staff, is_staff=True, text=text, state=State.PUBLISHED, language=ENGLISH,
        published_at=now, decided_at=now, decided_by=staff_actor(staff),
    )  # fmt: skip
    count_product(question.product_id)
    return True


@transaction.atomic
def withdraw(model: type[Question] | type[Answer], pk: int, *, customer: Customer) -> bool:
    """Take an own question or answer back for good; again changes nothing. Raises NotFound.

    Locks product, then row; writes state and reason, and the product's figures.
    """
    own = model._default_manager.filter(pk=pk, author=customer)
    known = own.first()
    if known is None:
        raise NotFound()
    lock_product(known.product_id)
    changed = own.exclude(state=State.WITHDRAWN).update(
        state=State.WITHDRAWN, reason="", decided_at=timezone.now(), decided_by=customer_actor(customer.pk)
    )
    count_product(known.product_id)
    return bool(changed)


def _words(text: str, missing: str, length: int) -> str:
    """What was typed, within its length. Raises Invalid at the field `text`."""
    text = require_words(text, missing, field="text")
    if len(text) > length:
        words = gettext("Please use at most %(length)s characters.") % {"length": length}
        raise Invalid(words, fields={"text": [words]})
    return text
