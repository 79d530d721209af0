"""The inbox: one list of what waits, the shortest clock first; answers, templates and who takes care of what."""

from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, CONTENT_EDITOR, ORDER_DESK
from shop.errors import Changed, Invalid
from shop.messaging.models import Message
from shop.orders.placing.services import confirm_order
from shop.orders.returns.services import request_return
from shop.orders.shipping.services import deliver_all, ship
from shop.orders.tests.racing import of_kind, together

from ..complaints.services import file_complaint
from ..inbox.queries import PER_PAGE, inbox_page
from ..inbox.registry import SOURCES, InboxSource, Shown
from ..inbox.services import assign, fill_reply
from ..models import Assignment, Complaint, Enquiry, ReplyTemplate

pytestmark = pytest.mark.django_db
INBOX = reverse("admin:care_inbox")


def write(name="Asha Rao", text="Is the jam sweet?", age=timedelta(0), **more):
    fields = {"name": name, "email": "asha@example.com", "phone": "9876543210", "text": text}
    number = Enquiry.objects.count()
    return Enquiry.objects.create(submission=f"{number}", created_at=timezone.now() - age, **(fields | more))


def complain():
    facts = {"name": "Devi", "phone": "9876543210", "email": "devi@example.com", "text": "It leaks"}
    return file_complaint(**facts, once="1", client="10.0.0.1")


@pytest.fixture
def returned(make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant("200", units=9): 1}))
    confirm_order(order, actor="provider")
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    line = order.lines.get()
    return request_return(line, customer=order.customer, kind="refund", reason="wrong-item", quantity=1, note="Red")


def item_of(row, key="message"):
    return reverse("admin:care_inbox_item", args=[key, row.pk])


def staff_member():
    return Customer.objects.get(is_staff=True)


def test_all_kinds_stand_in_one_list_the_shortest_clock_first(desk, returned):
    late = write("Late Lata", age=timedelta(days=3))
    new, complaint = write("New Nila"), complain()
    page = desk.get(INBOX).text
    assert 'hx-trigger="every 30s" hx-swap="outerMorph"' in page  # what has focus keeps it
    places = [page.index(words) for words in ("Late Lata", "New Nila", complaint.number, returned.line.product_name)]
    assert places[0] < places[1] < min(places[2:])
    assert "2\xa0days late" in page and item_of(late) in page and item_of(new) in page
    kind = desk.get(f"{INBOX}?kind=complaint").text
    assert complaint.number in kind and "New Nila" not in kind


def test_what_was_dealt_with_is_gone(desk):
    message, complaint = write(), complain()
    desk.post(item_of(message), {"words": "Very.", "after": "0", "do": "answer"})
    desk.post(item_of(complaint, "complaint"), {"words": "Sorry", "do": "acknowledge"})
    assert Complaint.objects.get().state == "acknowledged" and "Resolve GRV" in desk.get(INBOX).text
    desk.post(item_of(complaint, "complaint"), {"words": "We sent another one", "do": "resolve"})
    assert "All caught up" in desk.get(INBOX).text
    assert sorted(Message.objects.values_list("kind", flat=True)) == [
        "complaint_acknowledged", "complaint_received", "complaint_resolved", "desk_complaint", "enquiry_answer",
    ]  # fmt: skip


def test_an_answer_is_sent_once_and_what_is_refused_stays_typed(desk):
    message = write()
    empty = desk.post(item_of(message), {"words": " ", "after": "0"})
    assert empty.status_code == 422 and "Enter an answer." in empty.text
    for _ in range(2):
        desk.post(item_of(message), {"words": "Very.", "after": "0"})
    assert Message.objects.filter(kind="enquiry_answer").count() == 1
    other = desk.post(item_of(message), {"words": "Not at all.", "after": "0"})  # from a page of before
    assert other.status_code == 422 and "Someone else has just replied" in other.text and "Not at all." in other.text
    assert Message.objects.filter(kind="enquiry_answer").count() == 1


def test_a_complaint_is_not_resolved_without_words(desk):
    complaint = complain()
    refused = desk.post(item_of(complaint, "complaint"), {"words": "", "do": "resolve"})
    assert refused.status_code == 422 and "Enter the resolution." in refused.text


def test_a_message_is_closed_without_an_answer(desk):
    message = write()
    assert desk.post(item_of(message), {"do": "close"}).status_code == 302
    message.refresh_from_db()
    assert message.state == "closed" and not Message.objects.filter(kind="enquiry_answer").exists()


def test_a_return_is_decided_from_its_page(desk, returned):
    page = desk.get(item_of(returned, "return")).text
    assert "“Red”" in page and reverse("admin:orders_returnrequest_step", args=[returned.pk, "approve"]) in page


def test_the_list_takes_the_same_queries_however_much_waits(desk, returned, django_assert_max_num_queries):
    def ask():
        desk.get(INBOX)
        with django_assert_max_num_queries(30) as queries:
            assert desk.get(INBOX).status_code == 200
        return len(queries)

    complain()
    write()
    few = ask()
    for number in range(PER_PAGE + 3):
        message = write(f"Person {number}")
        Assignment.objects.create(source="message", object_id=message.pk, assignee=staff_member())
    assert ask() <= few + 1  # the people that things are assigned to
    assert "Page 1 of 2" in desk.get(INBOX).text
    with django_assert_max_num_queries(30):
        desk.get(item_of(message))


# --- Templates ------------------------------------------------------------------------------------


def test_a_template_is_filled_in_below_what_was_typed(desk):
    message = write(order_number="ORD-ABCDEFGH1")
    text = "Hello {{ name }},\n{% if order %}about {{ order }}: {% endif %}Yours, {{ agent }} of {{ shop_name }}"
    template = ReplyTemplate.objects.create(name="Greeting", text=text)
    page = desk.get(item_of(message), {"template": template.pk, "words": "By the way"}).text
    assert "By the way\n\nHello Asha Rao,\nabout ORD-ABCDEFGH1: Yours, Staff 0 of" in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Hello {{ password }}", "There is no variable “password”"),
        ("Hello {{ name.delete }}", "There is no variable “name.delete”"),
        ("Hello {% if name %}", "This text has a mistake"),
        ("{% include 'base.html' %}", "“include” can&#x27;t be used here"),
        ("{% load money %}{{ name }}", "“load” can&#x27;t be used here"),
        ("{{ name|safe }}", "“|safe” can&#x27;t be used here"),
        ("{% if name == password %}x{% endif %}", "There is no variable “password”"),
        ("{% for x in name %}{{ x }}{% endfor %}", "There is no variable “x”"),
    ],
)
def test_a_template_with_a_mistake_is_refused_at_its_field(desk, text, said):
    answer = desk.post(reverse("admin:care_replytemplate_add"), {"name": "A", "text": text, "is_active": "on"})
    assert answer.status_code == 200 and said in answer.text
    assert not ReplyTemplate.objects.exists()


def test_a_good_template_is_kept(desk):
    sent = {"name": "A", "text": "Hello {{ name|capfirst }}", "is_active": "on"}
    assert desk.post(reverse("admin:care_replytemplate_add"), sent).status_code == 302
    assert ReplyTemplate.objects.get().text == "Hello {{ name|capfirst }}"


# --- Who takes care of it -------------------------------------------------------------------------


def test_a_thing_is_assigned_and_found_under_mine(desk, staff):
    message, other = write("Asha Rao"), write("Nila Sen")
    page = reverse("admin:care_inbox_assign", args=["message", message.pk])
    desk.post(page, {"me": "1", "seen": ""})
    assert Assignment.objects.get().assignee == staff_member()
    mine = desk.get(f"{INBOX}?mine=1").text
    assert item_of(message) in mine and item_of(other) not in mine
    staff(ORDER_DESK).post(page, {"me": "1", "seen": ""})  # from a page of before
    assert Assignment.objects.get().assignee.name == "Staff 0"
    desk.post(page, {"assignee": "", "seen": str(Assignment.objects.get().assignee_id)})
    assert not Assignment.objects.exists()


def test_nobody_is_given_what_they_may_not_see(desk, staff):
    message = write()
    staff(CONTENT_EDITOR)
    editor = Customer.objects.get(name="Staff 1")
    with pytest.raises(Invalid):
        assign(SOURCES["message"], message.pk, editor, seen=None)
    assert staff(CATALOGUE_MANAGER).get(INBOX).status_code == 403
    page = staff(CONTENT_EDITOR).get(INBOX).text  # who decides on reviews
    assert "Reviews" in page and "Messages" not in page
    assert staff(CONTENT_EDITOR).get(item_of(message)).status_code == 403


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_it_at_once_one_has_it(staff):
    staff(ORDER_DESK), staff(ORDER_DESK)
    message, people = write(), list(Customer.objects.filter(is_staff=True))
    results = together([partial(assign, SOURCES["message"], message.pk, one, seen=None) for one in people])
    assert sorted(map(repr, of_kind(results, bool))) == ["True"] and len(of_kind(results, Changed)) == 1


def test_a_later_app_registers_its_own_kind(desk, monkeypatch):
    monkeypatch.setitem(
        SOURCES,
        "test",
        InboxSource(
            "test", "Review", "Reviews", "care.enquiry", SOURCES["message"].waiting, Enquiry.objects.all,
            lambda row: Shown("A buyer", "Five stars", "/admin/"), "care/inbox/_return.html",
        ),
    )  # fmt: skip
    write()
    page = inbox_page(staff_member())
    assert [item.source.key for item in page.items] == ["message", "test"]
    assert "Five stars" in desk.get(INBOX).text


def test_a_template_that_cannot_be_filled_in_is_shown_as_it_was_written():
    template = ReplyTemplate.objects.create(name="Odd", text="{{ name|moment }}")
    assert fill_reply(template, name="Asha", order="", agent="Ravi") == "{{ name|moment }}"


def test_a_template_takes_no_loops():
    loops = "{% for order in name %}{% for order in name %}a{% endfor %}{% endfor %}"
    template = ReplyTemplate(name="Long", text=loops)
    with pytest.raises(ValidationError, match="can't loop over “name”"):
        template.full_clean()
