"""Address and phone of a placed order change until it is packed: by its customer or the desk, with the right tax."""

import threading
from datetime import timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.db import connection
from django.urls import reverse

from shop.accounts.staff.roles import CATALOGUE_MANAGER, ORDER_DESK
from shop.errors import Changed, Invalid
from shop.markets.models import ServiceRule
from shop.messaging.models import Message
from shop.payments.reconciliation.invariants import INVARIANTS

from ...backoffice.tests.test_order_admin import staff
from ...invoices.tests.test_invoices import assert_adds_up, company, taxed  # noqa: F401 (fixtures)
from ...models import Invoice, Order
from ...states import WrongState, move_order
from ...tests.racing import of_kind, together, without_write_lock
from .. import address_change
from ..address_change import MEANWHILE, TOO_LATE, address_key, change_address
from ..services import cancel_order, confirm_order

pytestmark = pytest.mark.django_db
PAPERS = ("Q13", "Q20", "Q21")
PUNE = {"city": "Pune", "state": "Maharashtra", "pincode": "411001", "address": "1 Fort Road"}
MYSURU = {"city": "Mysuru", "state": "Karnataka", "pincode": "570001"}


@pytest.fixture
def placed(company, taxed, make_variant, new_buyer, order_of):  # noqa: F811
    """placed(): an order to Bengaluru of a shop in Karnataka, with 12 % GST."""
    product = taxed("12")

    def make():
        order = order_of(new_buyer({make_variant("112", units=9, product=product): 2}))
        confirm_order(order, actor="provider")
        return Order.objects.get(pk=order.pk)

    return make


def broken():
    return {invariant.name: rows for invariant in INVARIANTS if invariant.name in PAPERS
            and (rows := list(invariant.broken()))}  # fmt: skip


def told():
    return list(Message.objects.filter(kind="order_address").order_by("pk"))


def taxes(invoice):
    return [Decimal(invoice.content["totals"][tax]) for tax in ("cgst", "sgst", "igst")]


def fresh(order):
    return Order.objects.get(pk=order.pk)


def page_of(order):
    return reverse("order_address", args=[order.number])


def form_of(order, **typed):
    return order.address | {"seen": address_key(order)} | typed


@pytest.fixture
def shopper(browser_client):
    def sign_in(order):
        browser_client.force_login(order.customer)
        return browser_client

    return sign_in


# --- What changes ---------------------------------------------------------------------------------


@pytest.mark.database
def test_another_state_gets_a_credit_note_and_an_invoice_with_the_right_tax(placed):
    order = placed()
    paid = order.total_inr
    assert change_address(order, PUNE, actor="staff")
    first, note, second = order.invoices.order_by("pk")
    assert [paper.kind for paper in (first, note, second)] == ["invoice", "credit", "invoice"]
    assert first.total_inr == note.total_inr == second.total_inr == paid == fresh(order).total_inr
    assert taxes(first) == taxes(note) and taxes(first)[0] == taxes(first)[1] > 0 == taxes(first)[2]
    assert taxes(second)[:2] == [0, 0] and taxes(second)[2] > 0
    assert second.content["place_of_supply"] == "Maharashtra (27)" and "Pune" in second.content["buyer"]["address"]
    assert note.content["original"]["number"] == first.number
    assert [paper.number[-6:] for paper in (first, note, second)] == ["000001", "000001", "000002"]
    for paper in (first, note, second):
        assert_adds_up(paper, paid)
    assert broken() == {}


@pytest.mark.database
def test_there_and_back_and_then_cancelled_adds_up_without_gaps(placed):
    order, other = placed(), placed()
    for place in (PUNE, MYSURU, PUNE):
        assert change_address(order, place, actor="staff")
    assert order.invoices.filter(kind="invoice").count() == 4
    from shop.payments.refunds.services import issue_due_refunds

    cancel_order(order, actor="staff")
    cancel_order(other, actor="staff")
    for _ in range(2):
        issue_due_refunds()
    notes = order.invoices.filter(kind="credit")
    assert (notes.count(), notes.last().reference) == (4, f"end:{order.number}")
    assert notes.last().content["original"]["number"] == order.invoices.filter(kind="invoice").last().number
    assert sorted(Invoice.objects.filter(kind="credit").values_list("number", flat=True))[-1].endswith("000005")
    assert broken() == {}


def test_the_same_state_keeps_the_invoice(placed):
    order = placed()
    assert change_address(order, MYSURU, actor="staff")
    assert order.invoices.count() == 1 and fresh(order).address["city"] == "Mysuru"
    assert broken() == {}


def test_abroad_keeps_the_invoice(placed):
    order = placed()
    usa = {"country": "United States", "country_code": "US", "state": "Texas", "pincode": "73301", "city": "Austin"}
    Order.objects.filter(pk=order.pk).update(address=order.address | usa)
    Invoice.objects.all().delete()
    from ...invoices.services import issue_invoice

    issue_invoice(fresh(order))
    assert change_address(fresh(order), {"state": "California", "pincode": "94105", "city": "Oakland"}, actor="staff")
    assert order.invoices.count() == 1 and fresh(order).address["country_code"] == "US"


def test_the_event_and_the_message_say_so_once(placed):
    order = placed()
    for _ in range(3):
        change_address(order, PUNE | {"phone_number": "9000012345"}, actor="customer", seen=address_key(order))
    note = "Delivery address changed: Bengaluru, Karnataka, 560001 → Pune, Maharashtra, 411001."
    assert order.events.filter(note=note, actor="customer").count() == 1
    [mail] = told()
    assert mail.to == order.email and "1 Fort Road, Pune 411001, Maharashtra" in mail.text and "9000012345" in mail.text
    assert "If this wasn't you" in mail.text and "As you asked" not in mail.text


def test_the_phone_alone_changes_and_tracking_follows_it(placed, client):
    order = placed()
    assert change_address(order, {"phone_number": "9000012345"}, actor="customer")
    assert order.invoices.count() == 1 and order.events.filter(note="Delivery address or phone changed.").exists()
    answer = client.post("/trackorders/", {"number": order.number, "phone": "9000012345"})
    assert answer.status_code == 200


def test_money_country_and_owner_stay_whatever_is_sent(placed):
    order = placed()
    sent = {"country": "Nepal", "country_code": "NP", "total_inr": "1", "customer": 1, "status": "shipped"}
    change_address(order, PUNE | sent, actor="customer")
    now = fresh(order)
    assert (now.total_inr, now.status, now.customer_id) == (order.total_inr, "placed", order.customer_id)
    assert set(now.address) == set(order.address) and now.address["country_code"] == "IN"


def test_the_expected_day_follows_the_place(placed):
    order = placed()
    ServiceRule.objects.create(location_id=1, prefix="411", extra_days=3)
    change_address(order, PUNE, actor="customer")
    assert fresh(order).expected_delivery == order.expected_delivery + timedelta(days=3)


@pytest.mark.parametrize(
    ("rule", "method", "field"),
    [({"is_served": False}, "online", "pincode"), ({"cash_on_delivery": False}, "cash", "pincode")],
)
def test_a_place_that_is_not_served_is_refused_at_the_pincode(placed, rule, method, field):
    order = placed()
    Order.objects.filter(pk=order.pk).update(payment_method=method)
    ServiceRule.objects.create(location_id=1, prefix="411", **rule)
    with pytest.raises(address_change.NotServed) as refused:
        change_address(order, PUNE, actor="customer")
    assert field in refused.value.fields and fresh(order).address == order.address and told() == []


def test_an_address_that_is_none_is_refused(placed):
    order = placed()
    for wrong in ({"pincode": "12"}, {"phone_number": "1"}, {"state": "Atlantis"}, {"full_name": " "}):
        with pytest.raises(Invalid):
            change_address(order, wrong, actor="customer")
    assert fresh(order).address == order.address


@pytest.mark.parametrize("status", ["pending", "processing", "shipped", "delivered", "cancelled"])
def test_only_a_placed_order_changes(placed, status):
    order = placed()
    Order.objects.filter(pk=order.pk).update(status=status)
    with pytest.raises(WrongState):
        change_address(order, PUNE, actor="customer")
    assert fresh(order).address == order.address and order.invoices.count() == 1


# --- The pages ------------------------------------------------------------------------------------


def test_the_customer_changes_it_on_the_orders_page(placed, shopper):
    order = placed()
    client = shopper(order)
    assert page_of(order) in client.get(reverse("order_detail", args=[order.number])).content.decode()
    assert 'value="560001"' in client.get(page_of(order)).content.decode()
    answer = client.post(page_of(order), form_of(order, **PUNE))
    assert (answer.status_code, answer["Location"]) == (302, f"/en-in/order-detail/{order.number}/") or (
        answer["Location"].endswith(f"/order-detail/{order.number}/")
    )
    assert fresh(order).address["city"] == "Pune"
    assert order.customer.addresses.get().city == "Bengaluru"
    assert order.events.filter(actor=f"customer:{order.customer_id}", note__startswith="Delivery address").exists()


def test_what_is_wrong_is_said_at_its_field_and_nothing_typed_is_lost(placed, shopper):
    order = placed()
    answer = shopper(order).post(page_of(order), form_of(order, **PUNE | {"pincode": "12", "landmark": "By the well"}))
    page = answer.content.decode()
    assert answer.status_code == 422 and "Enter a valid PIN code" in page and 'value="By the well"' in page


def test_a_packed_order_says_why_not(placed, shopper):
    order = placed()
    move_order(order, "processing", actor="staff")
    client = shopper(order)
    for ask in (partial(client.get, page_of(order)), partial(client.post, page_of(order), form_of(order, **PUNE))):
        assert TOO_LATE in client.get(ask()["Location"]).content.decode()
    assert page_of(order) not in client.get(reverse("order_detail", args=[order.number])).content.decode()
    assert fresh(order).address == order.address


def test_nobody_elses_order_is_found(placed, shopper, customer):
    order = placed()
    client = shopper(order)
    client.force_login(customer)
    assert client.get(page_of(order)).status_code == 404
    assert client.post(page_of(order), form_of(order, **PUNE)).status_code == 404


def test_the_desk_changes_it_on_behalf_of_the_customer(placed):
    order, desk = placed(), staff(ORDER_DESK)
    url = reverse("admin:orders_order_address", args=[order.pk])
    assert url in desk.get(reverse("admin:orders_order_change", args=[order.pk])).content.decode()
    assert desk.get(url).status_code == 200
    assert desk.post(url, form_of(order, **PUNE)).status_code == 302
    assert fresh(order).address["city"] == "Pune" and "As you asked" in told()[0].text
    assert order.events.filter(actor__startswith="staff:", note__startswith="Delivery address").exists()
    stale = desk.post(url, form_of(order, **MYSURU))
    assert stale.status_code == 422 and MEANWHILE in stale.content.decode() and "Mysuru" in stale.content.decode()
    move_order(fresh(order), "processing", actor="staff")
    assert desk.post(url, form_of(fresh(order), **MYSURU)).status_code == 302
    assert fresh(order).address["city"] == "Pune"
    assert staff(CATALOGUE_MANAGER).get(url).status_code == 403


# --- At one moment --------------------------------------------------------------------------------


def change_while_packing(order, monkeypatch):
    """The desk packs between the change's look at the order and its write; the events in their order."""
    looked, go_on = threading.Event(), threading.Event()
    expected = address_change._expected_at

    def wait(*args):
        looked.set()
        go_on.wait(2)
        return expected(*args)

    monkeypatch.setattr(address_change, "_expected_at", wait)

    def pack():
        looked.wait(10)
        try:
            move_order(Order.objects.get(pk=order.pk), "processing", actor="staff")
        finally:
            go_on.set()

    results = together([partial(change_address, order, PUNE, actor="customer"), pack])
    events = [event.status_to or "address" for event in order.events.all()][2:]
    return results[0], events, fresh(order).address["city"]


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_an_address_changes_before_packing_or_not_at_all(transactional_db, placed, monkeypatch):
    result, events, city = change_while_packing(placed(), monkeypatch)
    assert (result, events, city) == (True, ["address", "processing"], "Pune")
    assert broken() == {}


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_packing_comes_first_and_the_condition_refuses(transactional_db, placed, monkeypatch):
    """The second line: the write names the state in which it may happen."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite lets one writer in at a time, whatever is locked")
    without_write_lock(monkeypatch)
    order = placed()
    result, events, city = change_while_packing(order, monkeypatch)
    assert isinstance(result, WrongState) and (events, city) == (["processing"], "Bengaluru")
    assert order.invoices.count() == 1


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_lock_and_condition_a_packed_order_gets_another_address(transactional_db, placed, monkeypatch):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite lets one writer in at a time, whatever is locked")
    without_write_lock(monkeypatch)
    monkeypatch.setattr(address_change, "UNPACKED", {})
    result, events, city = change_while_packing(placed(), monkeypatch)
    assert (result, events, city) == (True, ["processing", "address"], "Pune")


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rounds", [pytest.param(3, id="short"), pytest.param(20, id="full", marks=pytest.mark.full)])
def test_of_two_who_change_it_at_once_one_is_first_and_the_papers_add_up(transactional_db, placed, rounds):
    for _ in range(rounds):
        order = placed()
        seen = address_key(order)
        places = (PUNE, MYSURU, PUNE | {"city": "Nashik", "pincode": "422001"})
        jobs = [partial(change_address, order, place, actor="customer", seen=seen) for place in places]
        results = together(jobs)
        assert results.count(True) == 1 and len(of_kind(results, Changed)) == 2
        assert order.events.filter(note__startswith="Delivery address changed").count() == 1
    assert broken() == {}


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_several_are_first_or_writers_break_down(transactional_db, placed, monkeypatch):
    without_write_lock(monkeypatch)
    for _ in range(10):
        order = placed()
        seen = address_key(order)
        jobs = [
            partial(change_address, order, PUNE | {"address": f"{n} Fort Road"}, actor="customer", seen=seen)
            for n in range(2, 8)
        ]
        results = together(jobs)
        if results.count(True) != 1 or len(of_kind(results, Changed)) != 5:
            return
    pytest.fail("nothing went wrong")
