"""Complaints: a number at once, two clocks, reminders, and the page that tells how one stands."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from shop.accounts.privacy.personal_data import data_of
from shop.errors import Changed, Invalid
from shop.messaging.models import Message

from ..complaints import services as complaints
from ..complaints.services import acknowledge_complaint, month_after, remind_of_complaints, resolve_complaint
from ..models import Complaint

pytestmark = pytest.mark.django_db
PATH, STATE = "/en-in/complaint/", "/en-in/complaint/state/"
GIVEN = {
    "username": "Asha Rao", "mobile": "9876543210", "email": "asha@example.com", "quote": "The jar was broken.",
    "order_number": "", "once": "form-1",
}  # fmt: skip
KOLKATA = ZoneInfo("Asia/Kolkata")


@pytest.fixture
def complaint(db):
    return filed("1")


def filed(once, **fields):
    words = {"name": "Asha Rao", "phone": "9876543210", "email": "asha@example.com", "text": "The jar was broken."}
    return complaints.file_complaint(**words | fields, once=once, client="203.0.113.7")


def ask(visitor, number, email="asha@example.com", **more):
    return visitor.post(STATE, {"number": number, "email": email}, **more)


def mails(kind):
    return Message.objects.filter(kind=kind)


# --- Filing -----------------------------------------------------------------------------------------


def test_a_complaint_gets_a_number_and_a_mail_at_once(visitor):
    answer = visitor.post(PATH, GIVEN)
    assert answer.status_code == 200
    found = Complaint.objects.get()
    assert re.fullmatch(r"GRV-[A-Z0-9]{9}", found.number) and found.number in answer.text
    received, desk = mails("complaint_received").get(), mails("desk_complaint").get()
    assert (received.to, desk.to) == ("asha@example.com", settings.ORDER_DESK_EMAIL)
    assert found.number in received.text and "The jar was broken." in desk.text
    assert [word for word in ("jar", "Asha", "98765") if word in received.text + received.html] == []


def test_its_clocks_are_48_hours_and_one_month(complaint):
    assert complaint.acknowledge_by - complaint.created_at == timedelta(hours=48)
    assert complaint.resolve_by == month_after(complaint.created_at)


@pytest.mark.parametrize(
    ("came", "ends"),
    [((2026, 1, 31), (2026, 2, 28)), ((2028, 1, 31), (2028, 2, 29)), ((2026, 12, 15), (2027, 1, 15))],
)
def test_a_month_ends_on_the_same_day_or_the_last(came, ends):
    assert month_after(datetime(*came, 12, tzinfo=KOLKATA)) == datetime(*ends, 12, tzinfo=KOLKATA)


def test_the_same_form_sent_again_is_one_complaint(visitor):
    numbers = {visitor.post(PATH, GIVEN).context["filed"].number for _ in range(3)}
    assert len(numbers) == Complaint.objects.count() == mails("complaint_received").count() == 1


def test_what_is_missing_is_said_at_its_field_and_too_many_are_refused(visitor):
    refused = visitor.post(PATH, {"username": "Asha"})
    assert refused.status_code == 422
    assert set(refused.context["form"].errors) == {"mobile", "email", "quote"}
    for number in range(5):
        assert visitor.post(PATH, GIVEN | {"once": str(number)}).status_code == 200
    assert visitor.post(PATH, GIVEN | {"once": "more"}).status_code == 429


def test_contact_page_and_order_lead_to_it(browser_client, customer, order_of, new_buyer, make_variant):
    assert f'href="{PATH}"' in browser_client.get("/en-in/contactus/").text
    order = order_of(new_buyer({make_variant(): 1}))
    browser_client.force_login(order.customer)
    page = browser_client.get(f"/en-in/order-detail/{order.number}/").text
    assert f'href="{PATH}?order={order.number}"' in page
    assert f'value="{order.number}"' in browser_client.get(f"{PATH}?order={order.number}").text


# --- How it stands ----------------------------------------------------------------------------------


def test_number_and_email_tell_how_it_stands_and_nothing_of_the_person(visitor, complaint):
    page = ask(visitor, complaint.number.lower().replace("-", " "), " ASHA@example.com ")
    main = page.text[page.text.index("<main") : page.text.index("</main>")]
    assert complaint.number in main and "Received" in main
    assert [word for word in ("Asha", "98765", "jar") if word in main] == []
    resolve_complaint(complaint, "A new jar is on its way.", actor="staff:2")
    assert "A new jar is on its way." in ask(visitor, complaint.number).text


def test_a_wrong_number_and_a_wrong_email_get_the_same_words(visitor, complaint):
    for number, email in ((complaint.number, "b@example.com"), ("GRV-AAAAAAAAA", "asha@example.com"), ("²", "a@b.in")):
        answer = ask(visitor, number, email)
        assert (answer.status_code, escape(complaints.NOT_FOUND) in answer.text) == (404, True)


def test_walking_addresses_and_numbers_ends(visitor, complaint):
    for number in range(10):
        assert ask(visitor, complaint.number, f"a{number}@example.com").status_code == 404
    assert ask(visitor, complaint.number).status_code == 429
    assert ask(visitor, complaint.number, REMOTE_ADDR="203.0.113.9").status_code == 200
    answers = [ask(visitor, f"GRV-{number:09}").status_code for number in range(195)]
    assert set(answers[:180]) == {404} and answers[-1] == 429


@pytest.mark.parametrize("typed", ["\x00", "x" * 5000, ""])
def test_odd_input_is_refused_in_words(visitor, complaint, typed):
    assert ask(visitor, typed).status_code == 422
    assert ask(visitor, complaint.number, typed).status_code == 422


# --- The desk ---------------------------------------------------------------------------------------


def test_acknowledging_is_said_once(complaint):
    for _ in range(2):
        acknowledge_complaint(complaint, actor="staff:2", words="I called the courier.")
    complaint.refresh_from_db()
    assert complaint.state == "acknowledged" and complaint.acknowledged_at
    assert "I called the courier." in mails("complaint_acknowledged").get().text
    assert [event.actor for event in complaint.events.all()] == ["staff:2"]


def test_a_resolution_is_mailed_and_kept_once_and_stays(complaint):
    for _ in range(2):
        resolve_complaint(complaint, "A new jar.", actor="staff:2")
    complaint.refresh_from_db()
    assert (complaint.state, complaint.resolution) == ("resolved", "A new jar.")
    assert complaint.resolved_at and complaint.acknowledged_at
    mail = mails("complaint_resolved").get()
    assert "A new jar." in mail.text and "The jar was broken." in mail.text
    with pytest.raises(Changed):
        resolve_complaint(complaint, "No jar.", actor="staff:1")
    with pytest.raises(Invalid):
        resolve_complaint(filed("2"), " ", actor="staff:1")
    acknowledge_complaint(complaint, actor="staff:1")
    assert mails("complaint_acknowledged").count() == 0


def test_the_desk_resolves_in_the_admin(desk, complaint):
    page = reverse("admin:care_complaint_change", args=[complaint.pk])
    assert "The jar was broken." in desk.get(page).text
    empty = {"events-TOTAL_FORMS": "0", "events-INITIAL_FORMS": "0"}
    assert desk.post(page, {"step": "resolve", "words": "A new jar.", **empty}).status_code == 302
    complaint.refresh_from_db()
    assert complaint.state == "resolved"
    shown = desk.get(page).text
    assert "A new jar." in shown and "Staff 0" in shown
    assert "already resolved" in desk.post(page, {"step": "resolve", "words": "No.", **empty}).text


EMPTY_ROWS = {"events-TOTAL_FORMS": "0", "events-INITIAL_FORMS": "0"}


@pytest.mark.parametrize("words", ["", "   ", "\n", "\u200b\u200e", "…"])
def test_resolving_without_words_is_refused_at_the_field_and_leaves_no_trace(desk, complaint, words):
    page, before = reverse("admin:care_complaint_change", args=[complaint.pk]), Message.objects.count()
    refused = desk.post(page, {"step": "resolve", "words": words, **EMPTY_ROWS})
    form = refused.context["adminform"].form
    assert refused.status_code == 200 and form.errors == {"words": ["Enter the resolution."]}
    assert form["step"].value() == "resolve" and "changed successfully" not in refused.text
    assert not LogEntry.objects.exists() and not complaint.events.exists() and Message.objects.count() == before


def test_acknowledging_without_words_acknowledges_once(desk, complaint):
    page = reverse("admin:care_complaint_change", args=[complaint.pk])
    assert desk.post(page, {"step": "acknowledge", "words": "", **EMPTY_ROWS}).status_code == 302
    again = desk.post(page, {"step": "acknowledge", "words": "Once more.", **EMPTY_ROWS})
    assert "step" in again.context["adminform"].form.errors and "Once more." in again.text
    assert [event.state for event in complaint.events.all()] == ["acknowledged"]
    assert (LogEntry.objects.count(), mails("complaint_acknowledged").count()) == (1, 1)


def test_two_who_resolve_at_once_are_told_and_the_second_loses_no_word(desk, complaint):
    page = reverse("admin:care_complaint_change", args=[complaint.pk])
    for words in ("A new jar.", "Money back."):
        resolve_complaint(complaint, "A new jar.", actor="staff:2")
        refused = desk.post(page, {"step": "resolve", "words": words, **EMPTY_ROWS})
        assert "This complaint is already resolved." in refused.text and words in refused.text
    assert (complaint.events.count(), mails("complaint_resolved").count(), LogEntry.objects.count()) == (1, 1, 0)


def test_the_list_says_how_many_were_acknowledged(desk, complaint):
    send = {"action": "acknowledge", "_selected_action": [complaint.pk]}
    page = reverse("admin:care_complaint_changelist")
    assert "1 acknowledged" in desk.post(page, send, follow=True).text
    assert "Nothing was changed." in desk.post(page, send, follow=True).text


def test_what_is_overdue_comes_first_in_words_and_colour(desk, complaint):
    now = timezone.now()
    late, later = filed("2", name="Late"), filed("3", name="Later")
    Complaint.objects.filter(pk=late.pk).update(acknowledge_by=now - timedelta(hours=3))
    Complaint.objects.filter(pk=later.pk).update(state="acknowledged", resolve_by=now + timedelta(hours=5))
    done = filed("4", name="Done")
    resolve_complaint(done, "Done.", actor="staff:2")
    answer = desk.get(reverse("admin:care_complaint_changelist"))
    assert [row.pk for row in answer.context["cl"].result_list] == [late.pk, later.pk, complaint.pk, done.pk]
    for words in ("Overdue by 3\xa0hours: acknowledge", "hours to resolve", "day to acknowledge"):
        assert words in answer.text, words
    overdue = desk.get(reverse("admin:care_complaint_changelist"), {"clock": "overdue"})
    assert [row.pk for row in overdue.context["cl"].result_list] == [late.pk]


def test_the_desk_is_reminded_once_before_each_clock_runs_out(complaint):
    assert remind_of_complaints() == 0
    Complaint.objects.update(acknowledge_by=timezone.now() + timedelta(hours=11))
    assert [remind_of_complaints(), remind_of_complaints()] == [1, 0]
    acknowledge_complaint(complaint, actor="staff:2")
    assert remind_of_complaints() == 0
    Complaint.objects.update(resolve_by=timezone.now() + timedelta(days=4))
    assert [remind_of_complaints(), remind_of_complaints()] == [1, 0]
    subjects = mails("desk_complaint").order_by("id").values_list("subject", flat=True)
    assert [subject.split(":")[0] for subject in subjects] == [
        f"Complaint {complaint.number}", complaint.number, complaint.number,
    ]  # fmt: skip
    resolve_complaint(complaint, "Done.", actor="staff:2")
    Complaint.objects.update(resolve_by=timezone.now())
    assert remind_of_complaints() == 0


def test_a_customer_takes_complaints_along(customer, complaint):
    acknowledge_complaint(complaint, actor="staff:2", words="I look into it.")
    told = data_of(customer)["complaints"][0]
    assert (told["number"], told["answers"][0]["text"]) == (complaint.number, "I look into it.")


def test_the_reminder_is_a_scheduled_job():
    assert "shop.care.complaints.services.remind_of_complaints" in settings.SCHEDULED_JOBS
