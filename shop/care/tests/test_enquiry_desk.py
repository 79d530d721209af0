"""The desk answers and closes messages; each answer is mailed once and kept."""

import pytest
from django.contrib.admin.models import LogEntry
from django.urls import reverse

from shop.accounts.staff.roles import CATALOGUE_MANAGER, CONTENT_EDITOR, OWNER
from shop.errors import Changed, Invalid
from shop.messaging.models import Message

from ..enquiries.services import answer_enquiry, close_enquiry
from ..models import Enquiry

LIST = "admin:care_enquiry_changelist"


@pytest.fixture
def enquiry(db):
    fields = {"name": "Asha Rao", "email": "asha@example.com", "phone": "9876543210", "text": "Is the jam sweet?"}
    return Enquiry.objects.create(submission="1", **fields)


@pytest.fixture
def page(enquiry):
    return reverse("admin:care_enquiry_change", args=[enquiry.pk])


def post(client, page, answer, after=0):
    empty = {"events-TOTAL_FORMS": "0", "events-INITIAL_FORMS": "0"}
    return client.post(page, {"answer": answer, "after": str(after), **empty})


def test_an_answer_is_mailed_and_stands_in_the_history(desk, enquiry, page):
    assert "Is the jam sweet?" in desk.get(page).text
    assert post(desk, page, "Very.").status_code == 302
    enquiry.refresh_from_db()
    assert enquiry.state == "answered"
    mail = Message.objects.get()
    assert (mail.to, mail.kind) == ("asha@example.com", "enquiry_answer")
    assert "Very." in mail.text and "Is the jam sweet?" in mail.text
    shown = desk.get(page).text
    assert "Very." in shown and "Staff 0" in shown


def test_the_same_answer_twice_is_one_mail(desk, enquiry, page):
    for _ in range(2):
        answer_enquiry(enquiry, "Very.", actor="staff:2", after=0)
    assert (Message.objects.count(), enquiry.events.count()) == (1, 1)


def test_two_who_answer_at_once_are_told(desk, enquiry, page):
    answer_enquiry(enquiry, "Very.", actor="staff:2", after=0)
    refused = post(desk, page, "Not at all.", after=0)
    assert refused.status_code == 200
    assert "Someone else has just replied to this person" in refused.text and "Not at all." in refused.text
    with pytest.raises(Changed):
        answer_enquiry(enquiry, "Not at all.", actor="staff:1", after=0)
    assert Message.objects.count() == 1


def test_an_answer_needs_words(desk, enquiry, page):
    with pytest.raises(Invalid):
        answer_enquiry(enquiry, "  ", actor="staff:2")
    assert post(desk, page, "  ").status_code == 200
    enquiry.refresh_from_db()
    assert (enquiry.state, Message.objects.count()) == ("new", 0)


def test_closing_is_noted_once_and_an_answer_opens_it_anew(desk, enquiry):
    for _ in range(2):
        desk.post(reverse(LIST), {"action": "close", "_selected_action": [enquiry.pk]})
    assert [event.state for event in enquiry.events.all()] == ["closed"]
    answer_enquiry(enquiry, "One more thing.", actor="staff:2", after=1)
    close_enquiry(enquiry, actor="staff:2")
    assert [event.state for event in enquiry.events.all()] == ["closed", "answered", "closed"]


def test_the_list_is_searched_and_filtered(desk, enquiry):
    Enquiry.objects.create(name="Ravi", email="r@example.com", phone="1", text="Salt", submission="2", state="closed")
    found = lambda **query: [row.name for row in desk.get(reverse(LIST), query).context["cl"].result_list]  # noqa: E731
    assert found(q="jam") == ["Asha Rao"]
    assert found(q="r@example.com") == ["Ravi"]
    assert found(state__exact="new") == ["Asha Rao"]


@pytest.mark.parametrize(("role", "status"), [(OWNER, 200), (CONTENT_EDITOR, 403), (CATALOGUE_MANAGER, 403)])
def test_the_owner_may_and_others_may_not(staff, page, role, status):
    assert staff(role).get(page).status_code == status


def test_what_somebody_wrote_is_inert_for_the_desk(desk, enquiry, page):
    Enquiry.objects.update(name="<b>A</b>", text="<script>alert(1)</script>", order_number="<i>")
    for address in (page, reverse(LIST)):
        assert "<script>alert(1)" not in desk.get(address).text


# --- Nothing is said to have happened that did not -------------------------------------------------


@pytest.mark.parametrize("typed", ["", "  ", "\n\t", "\u200b\u00ad\u2060", "—", "\u3164"])
def test_an_answer_without_words_is_refused_at_its_field_and_leaves_no_trace(desk, enquiry, page, typed):
    refused = post(desk, page, typed)
    assert refused.status_code == 200 and refused.context["adminform"].form.errors == {"answer": ["Enter an answer."]}
    assert "changed successfully" not in refused.text
    assert not (LogEntry.objects.exists() or Message.objects.exists() or enquiry.events.exists())


def test_an_answer_that_was_sent_already_is_not_said_to_be_sent_again(desk, enquiry, page):
    post(desk, page, "Very.")
    again = post(desk, page, "Very.")
    assert again.status_code == 200 and "This answer has already been sent." in again.text and "Very." in again.text
    assert (LogEntry.objects.count(), Message.objects.count()) == (1, 1)


def test_closing_what_is_closed_says_so(desk, enquiry):
    close_enquiry(enquiry, actor="staff:2")
    answer = desk.post(reverse(LIST), {"action": "close", "_selected_action": [enquiry.pk]}, follow=True)
    assert "Nothing was changed: already closed." in answer.text
