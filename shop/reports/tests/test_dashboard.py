"""The first page of the staff: what each role sees of it, over which days, and in how many queries."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, CONTENT_EDITOR, ORDER_DESK, OWNER, PHARMACIST
from shop.care.models import Complaint, Enquiry
from shop.orders.conftest import new_buyer, order_of  # noqa: F401 (fixtures)
from shop.orders.models import Shipment, ShipmentLine
from shop.payments.models import Payment, Refund
from shop.pharmacy.tests.conftest import pharmacy, prescribed, tablets  # noqa: F401 (fixtures)
from shop.reviews.models import Answer, Question
from shop.search.models import SearchCount

from .. import figures
from ..navigation import groups
from ..periods import Period
from .conftest import add_line

pytestmark = [pytest.mark.django_db, pytest.mark.database]
PARTS = ("waiting", "sales", "top", "searches", "low")
URL = reverse("admin:index")


@pytest.fixture
def staff():
    """staff(role) -> a client signed in as a member of staff with that role."""

    def staff(role):
        member = Customer.objects.create_user(f"{role[:3]}@example.com", "pw", name="Meera", is_staff=True)
        member.groups.add(Group.objects.get(name=role))
        client = Client()
        client.force_login(member)
        return client

    return staff


@pytest.mark.parametrize(
    ("role", "seen"),
    [
        (CONTENT_EDITOR, []),
        (CATALOGUE_MANAGER, ["top", "searches", "low"]),
        (ORDER_DESK, ["waiting"]),
        (OWNER, [*PARTS]),
    ],
)
def test_each_role_sees_its_own_part(staff, customer, make_order, make_variant, role, seen):
    add_line(make_order(customer, "4321"), make_variant(units=2), inr="4321")
    answer = staff(role).get(URL)
    assert [part for part in PARTS if answer.context.get(part)] == [part for part in seen if part != "searches"]
    assert ("searches" in answer.context) == ("searches" in seen)
    page = answer.content.decode()
    assert ("₹4,321" in page) == (role == OWNER)
    assert ('<form class="dash-period"' in page) == ("top" in seen)
    assert ('<a class="dash-tile" href="/admin/content/banner/">' in page) == (role == CONTENT_EDITOR)


def test_the_figures_stand_beside_those_of_the_days_before(staff, customer, make_order):
    now = timezone.now()
    for total, ago in (("300", 0), ("100", 0), ("200", 7)):
        make_order(customer, total, placed_at=now - timedelta(days=ago), created_at=now - timedelta(days=ago))
    answer = staff(OWNER).get(URL, {"period": "7"})
    told = {
        tile.label: (tile.value, tile.change and (tile.change.percent, tile.change.was))
        for tile in answer.context["sales"]["tiles"]
    }
    assert told == {
        "Sales": ("₹400", (100, "₹200")),
        "Orders": ("2", (100, "1")),
        "Average order": ("₹200", (0, "₹200")),
        "Conversion": ("100.0%", (0, "100.0%")),
    }
    assert "100% more" in answer.content.decode()
    assert len(answer.context["sales"]["chart"].bars) == 7


@pytest.mark.parametrize(
    ("asked", "days"), [({}, 30), ({"period": "today"}, 1), ({"period": "90"}, 90), ({"period": "12m"}, 365)]
)
def test_the_days_are_chosen(staff, asked, days):
    period = staff(OWNER).get(URL, asked).context["period"]
    assert (period.last, period.days) == (timezone.localdate(), days)


def test_days_and_market_are_chosen_by_hand(staff, customer, make_order, usa):
    make_order(customer, "840", location_id=usa.location_id)
    make_order(customer, "77")
    today = timezone.localdate()
    asked = {"period": "custom", "first": today - timedelta(days=3), "last": today, "market": usa.location_id}
    answer = staff(OWNER).get(URL, asked)
    assert answer.context["period"].days == 4
    assert answer.context["sales"]["tiles"][0].value == "₹840"


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ("2026-05-02", "2026-05-01", "The end date is before the start date."),
        ("2020-01-01", "2026-01-01", "Choose two years or less."),
        ("2026-05-02", "", "Choose a date."),
        ("soon", "2026-05-02", "Enter a valid date."),
    ],
)
def test_wrong_days_are_told_at_their_field_and_kept(staff, first, last, words):
    answer = staff(OWNER).get(URL, {"period": "custom", "first": first, "last": last})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert words in page
    assert f'value="{first}"' in page
    assert answer.context["period"].days == 30


def test_what_waits_leads_to_its_list(staff, customer, make_order):
    make_order(customer)
    unpaid = make_order(customer, "250", status="pending", placed_at=None)
    payment = Payment.objects.create(order=unpaid, receipt="r", amount_paise=25000, captured_paise=25000)
    Refund.objects.create(payment=payment, idempotency_key="k" * 10, amount_paise=1234, status="failed", reason="x")
    client = staff(ORDER_DESK)
    tiles = {tile.label: tile for tile in client.get(URL).context["waiting"]}
    assert {label: tile.value for label, tile in tiles.items()} == {
        "To pack": "1", "To ship": "0", "Partly shipped": "0", "Awaiting payment": "1", "Pending refunds": "1",
        "Returns to decide": "0", "Returns to settle": "0", "Complaints to acknowledge": "0",
        "Complaints to resolve": "0", "New messages": "0",
    }  # fmt: skip
    assert (tiles["Awaiting payment"].note, tiles["Pending refunds"].note) == ("₹250.00", "₹12.34")
    for tile in tiles.values():
        answer = client.get(tile.url)
        assert answer.context["cl"].result_count == int(tile.value), tile.label
    assert tiles["To pack"].is_urgent
    assert not tiles["Awaiting payment"].is_urgent


@pytest.fixture
def letters(db):
    """Two new messages, one that was answered; a complaint for each clock, and one that is resolved."""
    now = timezone.now()
    who = {"name": "Asha", "email": "asha@example.com", "phone": "9876543210", "text": "Where is it?"}
    for number, state in enumerate(("new", "new", "answered")):
        when = now - timedelta(hours=3 * (number + 1))
        Enquiry.objects.create(submission=f"e{number}", state=state, created_at=when, **who)
    clocks = {"acknowledge_by": now + timedelta(hours=20, minutes=30), "resolve_by": now - timedelta(hours=2)}
    for state in ("received", "acknowledged", "resolved"):
        Complaint.objects.create(submission=state, number=f"GRV-{state}"[:13], state=state, **clocks, **who)


def test_letters_wait_with_what_is_left_of_their_clocks(staff, letters):
    client = staff(ORDER_DESK)
    answer = client.get(URL)
    tiles = {tile.label: tile for tile in answer.context["waiting"]}
    shown = {label: (tiles[label].value, tiles[label].note.replace("\xa0", " ")) for label in tiles}
    assert shown["New messages"] == ("2", "Oldest: 6 hours")
    assert shown["Complaints to acknowledge"][0] == "1"
    assert shown["Complaints to acknowledge"][1] in ("20 hours, 29 minutes left", "20 hours, 30 minutes left")
    assert shown["Complaints to resolve"] == ("1", "Overdue by 2 hours")
    for label in ("New messages", "Complaints to acknowledge", "Complaints to resolve"):
        assert tiles[label].is_urgent
        assert client.get(tiles[label].url).context["cl"].result_count == int(tiles[label].value), label
    customers = next(group for group in groups(answer.wsgi_request) if group.get("title") == "Customers")
    badges = {item["title"]: item.get("badge") for item in customers["items"]}
    assert (badges["Messages"], badges["Complaints"]) == (2, 2)


def _waits(client):
    """Label to number of the tiles, each of which opens as many rows; title to number beside the navigation."""
    cache.clear()
    answer = client.get(URL)
    tiles = {tile.label: tile.value for tile in answer.context["waiting"]}
    for tile in answer.context["waiting"]:
        assert client.get(tile.url).context["cl"].result_count == int(tile.value), tile.label
    entries = (entry for group in groups(answer.wsgi_request) for entry in group["items"])
    return tiles, {entry["title"]: entry["badge"] for entry in entries if "badge" in entry}


def test_a_prescription_waits_for_the_pharmacist(staff, prescribed, tablets):  # noqa: F811
    client = staff(PHARMACIST)
    assert _waits(client) == ({}, {})
    _, row = prescribed({tablets: 1})
    assert _waits(client) == ({"Prescriptions to check": "1"}, {"Inbox": 1, "Prescriptions to check": 1})
    row.decided_at = timezone.now()
    row.save()
    assert _waits(client) == ({}, {})


def test_questions_and_answers_wait_for_an_editor(staff, customer, make_product):
    client = staff(CONTENT_EDITOR)
    said = {"author": customer, "author_name": "Asha R."}
    question = Question.objects.create(product=make_product("Neem Soap"), text="Does it smell?", **said)
    Answer.objects.create(question=question, text="A little.", **said)
    tiles, badges = _waits(client)
    assert tiles == {"Questions to approve": "1", "Answers to approve": "1"}
    assert badges == {"Inbox": 2, "Questions": 1, "Answers": 1}


def test_a_partly_shipped_order_waits(staff, customer, make_order, make_variant):
    order = make_order(customer, status="shipped")
    line = add_line(order, make_variant(units=5), quantity=2)
    client = staff(ORDER_DESK)

    def tile():
        cache.clear()
        return next(tile for tile in client.get(URL).context["waiting"] if tile.label == "Partly shipped")

    parcel = Shipment.objects.create(order=order)
    sent = ShipmentLine.objects.create(shipment=parcel, order_line=line, quantity=1)
    assert (tile().value, client.get(tile().url).context["cl"].result_count) == ("1", 1)
    badges = {item["title"]: item.get("badge") for item in groups(client.get(URL).wsgi_request)[1]["items"]}
    assert badges["Orders"] == 1
    sent.quantity = 2
    sent.save()
    assert tile().value == "0"


def test_the_page_takes_the_same_queries_whatever_was_sold(
    staff, customer, make_order, make_variant, django_assert_max_num_queries
):
    client = staff(OWNER)

    def count():
        client.get(URL)  # hears what changed
        cache.clear()
        with django_assert_max_num_queries(30) as queries:
            assert client.get(URL).status_code == 200
        return len(queries)

    add_line(make_order(customer), make_variant(units=1))
    few = count()
    for number in range(5):
        add_line(make_order(customer), make_variant(units=1))
        SearchCount.objects.create(day=timezone.localdate(), words=f"w{number}", searches=1, results=0)
    make_order(customer, status="pending", placed_at=None)
    assert count() == few


def test_amounts_are_added_without_losing_a_paisa(staff, customer, make_order):
    for total in ("0.10", "0.20", "99999999.99"):
        make_order(customer, total)
    assert figures.sales(Period.of_days(1, timezone.localdate()), None).inr == Decimal("100000000.29")
