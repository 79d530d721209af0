"""What staff decide in the inbox."""

import pytest
from django.urls import reverse

from shop.accounts.staff.roles import CATALOGUE_MANAGER, ORDER_DESK, OWNER
from shop.care.tests.conftest import sign_in_staff
from shop.catalog.models import Product

from ..models import Answer, Question, Review
from .test_writing import write

pytestmark = pytest.mark.django_db
INBOX = reverse("admin:care_inbox")


def item(row):
    return reverse("admin:care_inbox_item", args=[row._meta.model_name, row.pk])


def decide(row):
    return reverse(f"admin:reviews_{row._meta.model_name}_decide", args=[row.pk])


def test_a_review_waits_in_the_inbox_until_it_is_published(buy, variant, editor):
    row = write(buy(variant), title="Fresh smell")
    assert item(row) in editor.get(INBOX).text and "Fresh smell" in editor.get(item(row)).text
    assert editor.post(decide(row), {"do": "publish", "seen": "0"}).status_code == 302
    assert Review.objects.get().state == "published" and item(row) not in editor.get(INBOX).text
    again = editor.post(decide(row), {"do": "publish", "seen": "0"}, follow=True)
    assert "already been done" in again.text


def test_a_review_is_found_by_its_words_its_product_and_its_order(buy, make_product, make_variant, editor):
    soap, tea = (make_variant("200", product=make_product(name), units=9) for name in ("Neem Soap", "Tulsi Tea"))
    line = buy(soap)
    write(line, title="Fresh smell", text="It works for me.")
    write(buy(tea), title="Mild", text="Every morning.")
    searched = reverse("admin:reviews_review_changelist")
    for words in ("fresh", "works for", "soap neem", line.order.number.lower()):
        page = editor.get(searched, {"q": words}).text
        assert "Fresh smell" in page and "Mild" not in page, words
    assert "Fresh smell" not in editor.get(searched, {"q": "nothing"}).text


def test_a_review_is_refused_for_a_reason_alone(buy, variant, editor):
    row = write(buy(variant), stars=1)
    without = editor.post(decide(row), {"do": "refuse", "seen": "0"}, follow=True)
    assert "Choose a reason." in without.text and Review.objects.get().state == "waiting"
    editor.post(decide(row), {"do": "refuse", "reason": "claim", "seen": "0"})
    assert (Review.objects.get().state, Review.objects.get().reason) == ("refused", "claim")


def test_staff_decide_on_the_text_that_they_read(buy, variant, editor):
    line = buy(variant)
    row = write(line)
    write(line, text="Something else.")
    said = editor.post(decide(row), {"do": "publish", "seen": "0"}, follow=True)
    assert "has just changed or withdrawn this" in said.text and Review.objects.get().state == "waiting"


def test_editor_and_owner_decide_and_nobody_else(buy, variant, editor):
    row = write(buy(variant))
    for role in (ORDER_DESK, CATALOGUE_MANAGER):
        assert sign_in_staff(role).post(decide(row), {"do": "publish", "seen": "0"}).status_code == 403
    assert sign_in_staff(OWNER).post(decide(row), {"do": "publish", "seen": "0"}).status_code == 302
    assert Review.objects.get().state == "published"


def test_an_answer_by_staff_publishes_the_question(buy, variant, editor):
    row = Question.objects.create(product=variant.product, text="Is it sweet?", author_name="Asha R.")
    editor.post(decide(row), {"do": "answer", "words": " ", "seen": "0"})
    assert Question.objects.get().state == "waiting"
    for _ in range(2):
        editor.post(decide(row), {"do": "answer", "words": "A little.", "seen": "0"})
    assert Question.objects.get().state == "published" and Answer.objects.get().is_staff
    assert Product.objects.get(pk=variant.product_id).question_count == 1
