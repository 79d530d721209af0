"""Questions on products: asked, answered by buyers, searched."""

import pytest
from django.urls import reverse

from shop.accounts.models import Customer
from shop.catalog.models import Product
from shop.errors import Invalid, NotFound, TooMany
from shop.messaging.models import Message

from ..models import Answer, Question
from ..moderation.services import publish, refuse
from ..questions import services
from ..questions.services import answer, ask, withdraw

pytestmark = pytest.mark.django_db


@pytest.fixture
def asker(db):
    return Customer.objects.create_user("asker@example.com", name="Nila Sen")


@pytest.fixture
def question(variant, asker):
    row = ask(variant.product, "Is it sweet?", customer=asker)
    publish(row, actor="staff:1", seen=0)
    row.refresh_from_db()
    return row


def test_a_question_waits_and_is_then_shown_with_its_answers(variant, asker, buy, visitor):
    row = ask(variant.product, "Is it sweet?", customer=asker)
    assert ask(variant.product, "Is it sweet?", customer=asker) == row
    page = reverse("product_questions", args=[variant.product.slug])
    assert "Is it sweet?" not in visitor.get(page).text
    publish(row, actor="staff:1", seen=0)
    said = answer(row.pk, "A little.", customer=buy(variant).order.customer)
    assert "A little." not in visitor.get(page).text
    publish(said, actor="staff:1", seen=0)
    shown = visitor.get(page).text
    assert "Is it sweet?" in shown and "A little." in shown and "Nila S." in shown
    assert Product.objects.get(pk=variant.product_id).question_count == 1


def test_an_answer_of_staff_names_the_shop(question, variant, visitor, settings):
    row = Answer.objects.create(question=question, text="A little.", is_staff=True)
    publish(row, actor="staff:1", seen=0)
    page = visitor.get(reverse("product_questions", args=[variant.product.slug])).text
    assert f"Answer from {settings.SHOP_NAME}" in page


def test_a_published_question_that_is_refused_can_only_be_withdrawn(question, variant, asker, signed_in):
    refuse(question, "off_topic", actor="staff:1", seen=0)
    again = ask(variant.product, "Is it sweet?", customer=asker)
    assert again == question and again.state == "refused" and not Question.objects.waiting().exists()
    assert "so you can only withdraw it" in signed_in(asker).get(reverse("my_reviews")).text
    assert Message.objects.get(kind="review_refused").subject.startswith("We took down your question")


def test_only_buyers_answer(question, asker, variant, signed_in):
    with pytest.raises(Invalid):
        answer(question.pk, "A little.", customer=asker)
    page = reverse("answer_question", args=[variant.product.slug, question.pk])
    assert "Only customers who bought this product" in signed_in(asker).get(page).text


def test_nobody_answers_what_is_not_shown(variant, asker, buy):
    row = ask(variant.product, "Is it sweet?", customer=asker)
    with pytest.raises(NotFound):
        answer(row.pk, "A little.", customer=buy(variant).order.customer)
    assert not Answer.objects.exists()


def test_questions_are_searched_with_their_answers(question, variant, asker, buy, visitor):
    other = ask(variant.product, "How large is the jar?", customer=asker)
    publish(other, actor="staff:1", seen=0)
    said = answer(question.pk, "Like honey.", customer=buy(variant).order.customer)
    publish(said, actor="staff:1", seen=0)
    page = reverse("product_questions", args=[variant.product.slug])
    found = visitor.get(f"{page}?q=HONEY").text
    assert "Is it sweet?" in found and "How large" not in found and "1 question with" in found
    assert "0 questions with" in visitor.get(f"{page}?q=honey+jar").text


def test_the_form_keeps_what_was_typed_and_says_what_is_wrong(variant, asker, signed_in, visitor):
    page = reverse("ask_question", args=[variant.product.slug])
    assert "/signin/" in visitor.get(page)["Location"]
    browser = signed_in(asker)
    refused = browser.post(page, {"text": " "})
    assert refused.status_code == 422 and "Write your question." in refused.text
    assert browser.post(page, {"text": "Is it sweet?"}).status_code == 302
    assert Question.objects.get().state == "waiting"


def test_questions_are_limited(variant, asker, monkeypatch):
    monkeypatch.setattr(services, "QUESTIONS_A_CUSTOMER", 1)
    ask(variant.product, "One?", customer=asker)
    with pytest.raises(TooMany):
        ask(variant.product, "Two?", customer=asker)


def test_an_own_question_is_withdrawn(question, variant, asker, signed_in):
    signed_in(asker).post(reverse("withdraw_text", args=["question", question.pk]))
    assert Question.objects.get().state == "withdrawn"
    assert Product.objects.get(pk=variant.product_id).question_count == 0
    with pytest.raises(NotFound):
        withdraw(Question, question.pk, customer=Customer.objects.create_user("other@example.com"))
