"""A customer's page in the back office: the timeline of all kinds, notes and tags. They go with the account."""

import threading
from datetime import timedelta
from functools import partial

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from shop.care.complaints.services import file_complaint
from shop.care.models import Enquiry
from shop.errors import Invalid
from shop.orders.backoffice.correspondence import write_to_customer
from shop.orders.conftest import new_buyer, order_of  # noqa: F401 (fixtures)
from shop.orders.drafts.services import open_draft
from shop.orders.placing.services import confirm_order
from shop.orders.returns.services import request_return
from shop.orders.shipping.services import deliver, deliver_all, ship
from shop.orders.tests.racing import of_kind, together
from shop.payments.models import Payment, Refund

from ...conftest import PASSWORD
from ...models import Customer, CustomerNote, CustomerTag, PointsEntry
from ...privacy.account_deletion import delete_account
from ...privacy.personal_data import data_of
from ...staff.roles import CATALOGUE_MANAGER, CONTENT_EDITOR, ORDER_DESK
from .. import services
from ..queries import PER_PAGE, timeline_of
from ..registry import SOURCES, Shown, TimelineSource
from ..services import MAX_TAGS, AccountDeleted, add_note, add_tag, remove_tag

pytestmark = pytest.mark.django_db
LIST = reverse("admin:accounts_customer_changelist")


def page_of(customer):
    return reverse("admin:accounts_customer_change", args=[customer.pk])


def url_of(customer, what):
    return reverse(f"admin:accounts_customer_{what}", args=[customer.pk])


@pytest.fixture
def staff(db):
    """staff(role): a client signed in as a member of staff with that role; the newest one is `staff.newest`."""

    def sign_in(role):
        number = Customer.objects.count()
        member = Customer.objects.create_user(f"staff{number}@example.com", "pw", name=f"Staff {number}", is_staff=True)
        member.groups.add(Group.objects.get(name=role))
        client = Client(headers={"sec-fetch-site": "same-origin"})
        client.force_login(member)
        sign_in.newest = member
        return client

    return sign_in


@pytest.fixture
def desk(staff):
    return staff(ORDER_DESK)


def write(number=0, **more):
    facts = {"name": "A. Rao", "email": "asha@example.com", "phone": "080 2222 2222", "text": "Is the jam sweet?"}
    return Enquiry.objects.create(submission=f"message {number}", **(facts | more))


@pytest.fixture
def known(make_variant, new_buyer, order_of):  # noqa: F811
    """A customer with one entry of each kind."""
    customer = new_buyer({make_variant("200", units=9): 2})
    order = order_of(customer)
    confirm_order(order, actor="provider")
    ship(order, actor="staff:1")
    deliver_all(order, actor="staff:1")
    request_return(order.lines.get(), customer=customer, kind="refund", reason="wrong-item", quantity=1, note="Red")
    write_to_customer(order, "Left with the guard.", author="staff:1", key="1")
    payment = Payment.objects.create(
        order=order, receipt="r1", amount_paise=40000, captured_paise=40000, captured_at=timezone.now(),
        status=Payment.Status.CAPTURED,
    )  # fmt: skip
    Refund.objects.create(payment=payment, idempotency_key="refund-1234", amount_paise=100, reason="A scratch")
    write(email=customer.email)
    facts = {"name": "Devi", "phone": "9876543210", "email": customer.email, "text": "It leaks"}
    file_complaint(**facts, once="1", client="10.0.0.1")
    add_note(customer, "Prefers calls in the evening", author="staff:1", key="1")
    open_draft(customer, author="staff:1")
    return customer


# --- The timeline ---------------------------------------------------------------------------------


def test_all_kinds_stand_on_the_page_the_newest_first(desk, known):
    page = desk.get(page_of(known)).text
    order = known.orders.get()
    for words in (
        f"{order.number}: 2 units, ₹", "points earned", "Left with the guard.", "A scratch", "Is the jam sweet?",
        "It leaks", "Prefers calls in the evening", "refund: 1 ×", ": 0 units",
    ):  # fmt: skip
        assert words.lower() in page.lower(), words
    timeline = timeline_of(known, Customer.objects.get(is_staff=True))
    assert {entry.source.key for entry in timeline.entries} == set(SOURCES)
    moments = [entry.at for entry in timeline.entries]
    assert moments == sorted(moments, reverse=True) and not timeline.has_more


def test_a_partly_delivered_order_says_so(desk, make_variant, new_buyer, order_of):  # noqa: F811
    customer = new_buyer({make_variant("200", units=9): 3})
    order = order_of(customer)
    confirm_order(order, actor="provider")
    parcel = ship(order, {order.lines.get().pk: 1}, actor="staff:1")
    assert "Partly delivered" not in desk.get(page_of(customer)).text
    deliver(parcel, actor="staff:1")
    assert "Partly delivered: 1 of 3 units" in desk.get(page_of(customer)).text
    parcels = reverse("admin:orders_order_parcels", args=[order.pk])
    assert "Partly delivered: 1 of 3 units" in desk.get(parcels).text


def test_one_kind_is_shown_alone_and_pages_lead_to_all_of_it(desk, customer):
    start = timezone.now()
    for number in range(PER_PAGE + 3):
        facts = {"kind": "earned", "points": number + 1, "reference": f"ORD-{number}", "key": f"{number}"}
        PointsEntry.objects.create(customer=customer, at=start - timedelta(minutes=number), **facts)
    write()
    first = desk.get(page_of(customer), {"kind": "points"})
    second = desk.get(page_of(customer), {"kind": "points", "page": "2"})
    assert "Is the jam sweet?" not in first.text and ">Older<" in first.text and ">Newer<" not in first.text
    shown = [entry.shown.words for page in (first, second) for entry in page.context["timeline"].entries]
    assert shown == [f"+{number + 1} points earned, ORD-{number}" for number in range(PER_PAGE + 3)]
    assert ">Older<" not in second.text and ">Newer<" in second.text
    for odd in ({"page": "x"}, {"page": "0"}, {"page": "9" * 18}, {"kind": "nothing"}, {"kind": "<b>"}):
        assert desk.get(page_of(customer), odd).status_code == 200


def test_messages_are_found_by_email_and_by_mobile_and_those_of_others_are_not(desk, customer):
    Customer.objects.filter(pk=customer.pk).update(phone="+919876543210")
    write(1, email="other@example.com", phone="09876543210", text="By number")
    write(2, email="other@example.com", phone="9876543211", text="Of somebody else")
    page = desk.get(page_of(customer)).text
    assert "By number" in page and "Of somebody else" not in page


def test_a_role_sees_the_kinds_it_may_see(staff, known):
    staff(CATALOGUE_MANAGER)
    assert timeline_of(known, staff.newest).entries == []


def test_the_page_takes_the_same_queries_however_much_there_is(desk, known, django_assert_max_num_queries):
    def ask():
        desk.get(page_of(known))
        with django_assert_max_num_queries(30) as queries:
            assert desk.get(page_of(known)).status_code == 200
        return len(queries)

    few = ask()
    for number in range(3):
        write(f"more {number}", email=known.email)
        add_note(known, f"Note {number}", author="staff:1", key="1")
        add_tag(known, f"tag {number}")
        PointsEntry.objects.create(customer=known, kind="earned", points=5, reference="ORD-1", key=f"more {number}")
    assert ask() == few


def test_a_later_app_registers_its_own_kind(desk, customer, monkeypatch):
    source = TimelineSource(
        "review", "Review", "Reviews", "accounts.view_customer", lambda one: one.points_entries.all(),
        lambda row: Shown("Five stars", state="Hidden", tone="warn"), "at",
    )  # fmt: skip
    monkeypatch.setitem(SOURCES, "review", source)
    PointsEntry.objects.create(customer=customer, kind="earned", points=5, reference="ORD-1", key="k")
    page = desk.get(page_of(customer)).text
    assert "Five stars" in page and ">Reviews<" in page


# --- Notes and tags -------------------------------------------------------------------------------


def test_a_note_says_who_wrote_it_and_counts_once(desk, staff, customer):
    sent = {"text": " Prefers calls in the evening ", "key": "one form"}
    for _ in range(2):
        assert desk.post(url_of(customer, "note"), sent).status_code == 302
    note = CustomerNote.objects.get()
    assert (note.text, note.author) == ("Prefers calls in the evening", f"staff:{staff.newest.pk}")
    page = desk.get(page_of(customer)).text
    assert "Prefers calls in the evening" in page and f"{staff.newest.name} (staff" in page
    desk.post(url_of(customer, "note"), sent | {"key": "another form"})
    assert CustomerNote.objects.count() == 2


@pytest.mark.parametrize("text", ["", "  ", "—", "x" * 2001])
def test_a_note_without_words_or_too_long_is_refused(desk, customer, text):
    answer = desk.post(url_of(customer, "note"), {"text": text, "key": "1"}, follow=True)
    assert "Enter a note." in answer.text or "at most 2000" in answer.text
    assert not CustomerNote.objects.exists()


def test_tags_are_one_word_in_any_case_and_filter_the_list(desk, customer):
    other = Customer.objects.create_user("eve@example.com", name="Eve")
    for typed in ("Wholesale", " wholesale "):
        assert desk.post(url_of(customer, "tag"), {"word": typed}).status_code == 302
    assert list(CustomerTag.objects.values_list("word", flat=True)) == ["wholesale"]
    assert "?tag=wholesale" in desk.get(page_of(customer)).text
    found = desk.get(LIST, {"tag": "wholesale"}).context["cl"].result_list
    assert [row.pk for row in found] == [customer.pk] and other not in found
    assert list(desk.get(LIST, {"tag": "-"}).context["cl"].result_list) == []
    for _ in range(2):
        desk.post(url_of(customer, "untag"), {"word": "wholesale"})
    assert not CustomerTag.objects.exists()


def test_a_customer_has_a_few_tags(customer):
    for number in range(MAX_TAGS):
        add_tag(customer, f"tag {number}")
    assert add_tag(customer, "TAG 1") == "tag 1"
    with pytest.raises(Invalid, match="at most 20 tags"):
        add_tag(customer, "one more")
    with pytest.raises(Invalid):
        add_tag(customer, "x" * 41)
    assert remove_tag(customer, "tag 1") and not remove_tag(customer, "tag 1")


def test_who_may_not_see_customers_writes_nothing(staff, customer):
    editor = staff(CONTENT_EDITOR)
    for what in ("note", "tag", "untag"):
        assert editor.post(url_of(customer, what), {"text": "x", "key": "1", "word": "x"}).status_code == 403
    assert not CustomerNote.objects.exists() and not CustomerTag.objects.exists()


def test_markup_in_notes_and_tags_stays_text(desk, customer):
    desk.post(url_of(customer, "note"), {"text": "<script>alert(1)</script>", "key": "1"})
    desk.post(url_of(customer, "tag"), {"word": "<b>vip"})
    assert "<script>alert" not in (page := desk.get(page_of(customer)).text) and "<b>vip" not in page


# --- The customer's own data ----------------------------------------------------------------------


def test_notes_and_tags_are_taken_along_and_go_with_the_account(desk, customer):
    add_note(customer, "Prefers calls", author="staff:1", key="1")
    add_tag(customer, "Wholesale")
    data = data_of(customer)
    assert [note["text"] for note in data["notes"]] == ["Prefers calls"] and data["tags"] == ["wholesale"]
    delete_account(customer, client_address="10.0.0.1", password=PASSWORD)
    assert not CustomerNote.objects.exists() and not CustomerTag.objects.exists()
    for write_more in (partial(add_note, text="x", author="staff:1", key="2"), partial(add_tag, typed="x")):
        with pytest.raises(AccountDeleted):
            write_more(customer)
    answer = desk.post(url_of(customer, "note"), {"text": "x", "key": "3"}, follow=True)
    assert "This account has been deleted" in answer.text and "New note" not in answer.text


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_note_and_one_tag_are_kept(customer):
    jobs = [partial(add_note, customer, "Prefers calls", author="staff:1", key="1")] * 6
    results = together(jobs + [partial(add_tag, customer, "vip")] * 6)
    assert of_kind(results, Exception) == []
    assert (CustomerNote.objects.count(), CustomerTag.objects.count()) == (1, 1)


@pytest.fixture
def note_while_closing(customer, monkeypatch):
    """Writes a note about a customer who closes the account between the look at the account and the writing."""

    def run():
        looked, closed = threading.Event(), threading.Event()
        hash_of = services.sha256

        def paused(text):
            looked.set()
            closed.wait(timeout=1.5)  # whoever waits for the lock cannot close it in this time
            return hash_of(text)

        monkeypatch.setattr(services, "sha256", paused)

        def close():
            looked.wait(timeout=10)
            delete_account(customer, client_address="10.0.0.1", password=PASSWORD)
            closed.set()

        return together([partial(add_note, customer, "Prefers calls", author="staff:1", key="1"), close])

    return run


@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_no_note_outlives_an_account_that_is_closed_meanwhile(note_while_closing):
    assert of_kind(note_while_closing(), Exception) == []
    assert Customer.objects.get().deleted_at and not CustomerNote.objects.exists()


@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_a_note_outlives_the_account(note_while_closing, monkeypatch):
    """Negative control: it shows that the race above can be lost."""
    monkeypatch.setattr(services, "_locked", lambda customer: Customer.objects.get(pk=customer.pk))
    assert not of_kind(note_while_closing(), AccountDeleted)
    assert Customer.objects.get().deleted_at and CustomerNote.objects.exists()
