"""The newsletter: off by default, on after two steps, off with one."""

import csv
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from shop.accounts.privacy.personal_data import data_of
from shop.accounts.signals import account_deleted
from shop.accounts.staff.roles import CONTENT_EDITOR, ORDER_DESK
from shop.messaging.models import Message

from ..models import Subscription
from ..newsletter.services import CURRENT_TEXT, delete_unconfirmed

pytestmark = pytest.mark.django_db
PATH = "/en-in/newsletter/"


def ask(visitor, email="asha@example.com"):
    return visitor.post(PATH, {"email": email})


@pytest.fixture
def row(visitor):
    ask(visitor)
    return Subscription.objects.get()


def link(row, step):
    return f"/en-in/newsletter/{step}/{row.key}/"


def test_the_foot_of_every_page_asks_without_scripts(client):
    page = client.get("/en-in/brands/")
    foot = page.text[page.text.index("<footer") :]
    assert f'method="post" action="{PATH}"' in foot and 'type="email"' in foot
    assert "csrf" not in foot, "the page is kept for everyone"


def test_asking_sends_a_link_and_puts_nobody_on_the_list(visitor):
    answer = ask(visitor, " Asha@Example.com ")
    assert "email it a link" in answer.text
    row = Subscription.objects.get()
    assert (row.email, row.confirmed_at, row.text_version) == ("asha@example.com", None, CURRENT_TEXT)
    mail = Message.objects.get()
    assert f"/newsletter/confirm/{row.key}/" in mail.text


def test_asking_again_within_the_hour_is_one_mail_and_tells_nothing(visitor, row):
    first = ask(visitor).text
    visitor.post(link(row, "confirm"))
    assert ask(visitor).text == first
    assert list(Message.objects.order_by("id").values_list("kind", flat=True)) == [
        "newsletter_confirm", "newsletter_welcome",
    ]  # fmt: skip


def test_get_does_not_confirm_and_post_confirms_once(visitor, row):
    page = visitor.get(link(row, "confirm"))
    assert "Subscribe asha@example.com" in page.text and "at most one a week" in page.text
    row.refresh_from_db()
    assert row.confirmed_at is None
    for _ in range(2):
        assert "You're subscribed" in visitor.post(link(row, "confirm")).text
    row.refresh_from_db()
    assert row.confirmed_at is not None
    assert Message.objects.filter(kind="newsletter_welcome").count() == 1


def test_newsletter_has_list_unsubscribe_headers(visitor, row, mailoutbox, settings):
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    from shop.messaging.delivery import deliver

    visitor.post(link(row, "confirm"))
    deliver(Message.objects.get(kind="newsletter_welcome").pk)
    head = mailoutbox[-1].extra_headers
    assert head["List-Unsubscribe"] == f"<http://testserver/en-in/newsletter/leave/{row.key}/>"
    assert head["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_one_click_leaves_from_the_page_and_from_a_mail_program(visitor, row):
    visitor.post(link(row, "confirm"))
    assert "Unsubscribe asha@example.com" in visitor.get(link(row, "leave")).text
    row.refresh_from_db()
    assert row.left_at is None, "looking at the link changes nothing"
    program = Client(enforce_csrf_checks=True)  # no cookie, no origin
    answer = program.post(link(row, "leave"), {"List-Unsubscribe": "One-Click"})
    assert (answer.status_code, "You've unsubscribed" in answer.text) == (200, True)
    row.refresh_from_db()
    left_at = row.left_at
    assert left_at
    visitor.post(link(row, "leave"))
    row.refresh_from_db()
    assert row.left_at == left_at
    assert visitor.post(link(row, "confirm")).status_code == 400, "an old link does not bring anybody back"


def test_who_comes_back_consents_anew_and_the_former_consent_stays_on_record(visitor, row):
    visitor.post(link(row, "confirm"))
    visitor.post(link(row, "leave"))
    ask(visitor)
    assert Subscription.objects.filter(email=row.email).count() == 2
    assert Subscription.objects.get(left_at=None).confirmed_at is None


def test_a_link_that_is_unknown_or_too_old_says_so(visitor, row):
    Subscription.objects.update(asked_at=timezone.now() - timedelta(days=8))
    for path in (link(row, "confirm"), "/en-in/newsletter/confirm/x/", "/en-in/newsletter/leave/x/"):
        for answer in (visitor.get(path), visitor.post(path)):
            assert (answer.status_code, "no longer works" in answer.text) == (400, True)
    assert delete_unconfirmed() == 1


def test_wrong_addresses_and_too_many_are_refused_in_words(visitor):
    assert "Invalid Email Id" in ask(visitor, "asha").text
    assert "Email is mandatory" in ask(visitor, "").text
    statuses = [ask(visitor).status_code for _ in range(6)]
    assert statuses == [200] * 5 + [429]


def test_editors_export_readers_and_nobody_else(staff, visitor, row):
    for email in ("=cmd@example.com", "+plus@example.com", "left@example.com"):
        Subscription.objects.create(email=email, text_version=CURRENT_TEXT, confirmed_at=timezone.now())
    Subscription.objects.filter(email="left@example.com").update(left_at=timezone.now())
    answer = staff(CONTENT_EDITOR).get(reverse("admin:care_subscription_export"))
    lines = list(csv.DictReader(b"".join(answer.streaming_content).decode("utf-8-sig").splitlines()))
    assert [line["email"] for line in lines] == ["'=cmd@example.com", "'+plus@example.com"]
    assert "/newsletter/leave/" in lines[0]["unsubscribe"]
    assert staff(ORDER_DESK).get(reverse("admin:care_subscription_export")).status_code == 403


def test_a_customer_takes_consents_along_and_a_closed_account_gets_no_letters(visitor, customer, row):
    visitor.post(link(row, "confirm"))
    assert data_of(customer)["newsletter"][0]["confirmed_at"]
    with transaction.atomic():
        account_deleted.send(sender=type(customer), customer=customer)
    assert not Subscription.objects.exists()
