"""The desk's page of one order: everything about it, every step with it, and what is typed there is not lost."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse

from shop.accounts.staff.roles import ORDER_DESK
from shop.messaging.models import Message
from shop.money import display
from shop.payments.reconciliation.invariants import stock_that_does_not_add_up
from shop.payments.reconciliation.invariants_after import returns_out_of_bounds
from shop.tests.support.staff import confirm

from ...models import Invoice, Order, OrderNote, ReturnRequest
from ...placing.services import confirm_order
from ...returns.services import receive, request_return
from ...shipping.services import deliver_all, ship
from .test_order_admin import staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(db):
    return staff(ORDER_DESK)


@pytest.fixture
def placed(make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant("200", units=9): 3, make_variant("90", units=9): 1}))
    confirm_order(order, actor="provider")
    return order


@pytest.fixture
def delivered(placed):
    ship(placed, actor="staff:1")
    return deliver_all(placed, actor="staff:1")


def page_of(order):
    return reverse("admin:orders_order_change", args=[order.pk])


def step_of(order, name):
    return reverse("admin:orders_order_step", args=[order.pk, name])


def key_on(client, order, step):
    """The hidden key of one form, as a browser would send it."""
    return re.search(rf'value="([0-9a-f]+)" id="{step}-key"', client.get(page_of(order)).content.decode())[1]


def give_back(order, **more):
    after = ReturnRequest.objects.filter(line__order=order).count()
    line = order.lines.first().pk
    return {"line": line, "quantity": "1", "reason": "by-the-shop", "words": "Sorry", "after": after} | more


def test_one_page_shows_everything_about_an_order(desk, delivered, order_of, india, make_variant):
    from ...conftest import fill

    fill(delivered.customer, {make_variant(units=9): 1}, india)
    other = order_of(delivered.customer)
    request_return(
        delivered.lines.first(), customer=delivered.customer, kind="refund", reason="wrong-item", quantity=1, note="Red"
    )
    page = desk.get(page_of(delivered)).content.decode()
    shown = [
        delivered.number, delivered.address["address"], "tel:+919876543210", f"mailto:{delivered.email}", other.number,
        Invoice.objects.get().number, "“Red”", "Payments and refunds", delivered.lines.first().sku, "Deliver",
        reverse("admin:orders_order_packing"),
    ]  # fmt: skip
    assert [words for words in shown if words not in page] == []


def test_the_page_takes_the_same_queries_however_many_lines(
    desk, make_variant, new_buyer, order_of, django_assert_max_num_queries
):
    def ask(lines):
        order = order_of(new_buyer({make_variant(units=9): 1 for _ in range(lines)}))
        confirm_order(order, actor="provider")
        ship(order, actor="staff:1")
        deliver_all(order, actor="staff:1")
        desk.get(page_of(order))
        with django_assert_max_num_queries(45) as queries:
            assert desk.get(page_of(order)).status_code == 200
        return len(queries)

    assert ask(1) == ask(4)


def test_a_missing_order_is_not_found(desk):
    assert desk.get(reverse("admin:orders_order_change", args=[10**12])).status_code == 404


def test_an_order_is_cancelled_with_a_reason_only(desk, placed):
    asked = desk.post(step_of(placed, "cancel"))
    assert asked.status_code == 200 and "Enter a reason" not in asked.content.decode()
    for nothing in (" ", "\u200b", "—"):
        refused = confirm(desk, asked, words=nothing)
        assert refused.status_code == 422 and "Enter a reason. The customer sees it." in refused.content.decode()
        placed.refresh_from_db()
        assert placed.status == "placed"
    assert confirm(desk, asked, words="The customer called").status_code == 302
    placed.refresh_from_db()
    assert (placed.status, placed.events.last().note) == ("cancelled", "The customer called")
    mail = Message.objects.get(kind="order_cancelled")
    assert "Reason: The customer called" in mail.text and "Reason: The customer called" in mail.html
    again = confirm(desk, asked, words="The customer called")
    assert "This order is already cancelled. Staff" in again.content.decode()
    assert Message.objects.filter(kind="order_cancelled").count() == 1


def test_a_note_is_kept_with_its_author_and_no_customer_reads_it(desk, placed, browser_client):
    form = {"text": "Gate code is 4711", "key": key_on(desk, placed, "note")}
    for _ in range(2):
        assert desk.post(step_of(placed, "note"), form).status_code == 302
    note = OrderNote.objects.get()
    assert (note.text, note.kind, note.author[:6]) == ("Gate code is 4711", "internal", "staff:")
    assert "Gate code is 4711" in desk.get(page_of(placed)).content.decode()
    browser_client.force_login(placed.customer)
    own = browser_client.get(f"/order-detail/{placed.number}/")
    assert own.status_code == 200 and "Gate code" not in own.content.decode()
    assert not Message.objects.filter(text__contains="4711").exists()


def test_a_message_reaches_the_customer_once_and_stays_with_the_order(desk, placed):
    form = {"text": "Your tea is <b>out</b> of stock until Monday.", "key": key_on(desk, placed, "letter")}
    for _ in range(2):
        desk.post(step_of(placed, "letter"), form)
    mail = Message.objects.get(kind="order_letter")
    assert (mail.to, mail.subject) == (placed.email, f"About your order {placed.number}")
    assert form["text"] in mail.text and "&lt;b&gt;out" in mail.html and "<b>out" not in mail.html
    assert OrderNote.objects.get().kind == "message"
    desk.post(step_of(placed, "letter"), {"text": "And another one.", "key": form["key"]})
    assert Message.objects.filter(kind="order_letter").count() == 2


def test_a_customer_without_address_is_told_of_in_words_and_nothing_typed_is_lost(desk, placed):
    Order.objects.filter(pk=placed.pk).update(email="")
    answer = desk.post(step_of(placed, "letter"), {"text": "A long message", "key": "1"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "This customer has no email address or mobile number." in page and "A long message" in page
    assert not OrderNote.objects.exists()


def test_an_sms_goes_where_there_is_no_mail(desk, placed):
    Order.objects.filter(pk=placed.pk).update(email="")
    type(placed.customer).objects.filter(pk=placed.customer_id).update(phone="+919876500099")
    desk.post(step_of(placed, "letter"), {"text": "Call us", "key": "1"})
    sms = Message.objects.get(kind="order_letter")
    assert (sms.channel, sms.to) == ("sms", "+919876500099") and "Call us" in sms.text


@pytest.mark.parametrize(("step", "kind"), [("confirm_again", "order_placed_again"), ("send_invoice", "order_invoice")])
def test_a_mail_is_sent_again_once_a_form(desk, placed, step, kind):
    key = key_on(desk, placed, step)
    for _ in range(2):
        assert desk.post(step_of(placed, step), {"key": key}).status_code == 302
    mail = Message.objects.get(kind=kind)
    assert placed.number in mail.text and mail.to == placed.email
    assert key_on(desk, placed, step) != key
    if kind == "order_invoice":
        assert Invoice.objects.get().number in mail.text


# --- Money back -----------------------------------------------------------------------------------


@pytest.mark.database
def test_the_desk_gives_back_a_delivered_unit_at_once(desk, delivered):
    asked = desk.post(step_of(delivered, "give_back"), give_back(delivered))
    assert "₹200.00 will be refunded: 1 order." in asked.content.decode() and not ReturnRequest.objects.exists()
    assert confirm(desk, asked).status_code == 302
    request = ReturnRequest.objects.get()
    assert (request.status, request.refund_inr, request.with_shipping) == ("received", Decimal(200), False)
    assert (request.decision, request.kind) == ("Sorry", "refund")
    assert [*stock_that_does_not_add_up(), *returns_out_of_bounds()] == []


@pytest.mark.database
def test_the_same_form_gives_back_once(desk, delivered):
    asked = desk.post(step_of(delivered, "give_back"), give_back(delivered))
    confirm(desk, asked)
    again = confirm(desk, asked)
    assert (
        again.status_code == 422 and "The returns or refunds on this order have just changed." in again.content.decode()
    )
    assert ReturnRequest.objects.count() == 1


def test_our_fault_gives_the_shipping_back_once_and_is_picked_up_first(desk, delivered):
    assert delivered.shipping_inr > 0
    for _ in range(2):
        asked = desk.post(step_of(delivered, "give_back"), give_back(delivered, reason="wrong-item"))
        assert "will be refunded once the items are received" in asked.content.decode()
        confirm(desk, asked)
    requests = list(ReturnRequest.objects.order_by("pk"))
    assert [row.status for row in requests] == ["approved", "approved"]
    owed = [receive(row, actor="staff:1", is_restocked=False) for row in requests]
    assert [row.refund_inr for row in owed] == [200 + delivered.shipping_inr, 200]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"quantity": "4"}, "At most 3 can be refunded"),
        ({"quantity": "0"}, "greater than or equal to 1"),
        ({"reason": "because"}, "Select a valid choice"),
        ({"line": "999999"}, "Select a valid choice"),
    ],
)
def test_more_than_was_delivered_is_not_given_back(desk, delivered, more, words):
    answer = desk.post(step_of(delivered, "give_back"), give_back(delivered, **more))
    assert answer.status_code == 422 and words in answer.content.decode() and "Sorry" in answer.content.decode()
    assert not ReturnRequest.objects.exists()


def test_what_was_not_delivered_is_not_given_back(desk, placed):
    assert desk.post(step_of(placed, "give_back"), give_back(placed)).status_code == 422
    assert not ReturnRequest.objects.exists()


def test_a_return_is_decided_on_the_orders_page(desk, delivered):
    request = request_return(
        delivered.lines.first(), customer=delivered.customer, kind="refund", reason="wrong-item", quantity=1
    )

    def take(name, *, typed="", **data):
        answer = desk.post(reverse("admin:orders_returnrequest_step", args=[request.pk, name]), data)
        if typed:
            total = display(200 + delivered.shipping_inr, "INR")  # the fault is ours
            assert f"{total} will be refunded: 1 return request." in answer.content.decode()
            answer = confirm(desk, answer, words=typed)
        assert (answer.status_code, answer["Location"]) == (302, f"{page_of(delivered)}#returns")
        request.refresh_from_db()
        return request.status

    assert take("reject", words="") == "requested"
    assert "Enter a reason. The customer sees it." in desk.get(page_of(delivered)).content.decode()
    assert take("approve", words="We pick it up") == "approved"
    assert take("receive_written_off", typed="The seal is broken") == "received"
    assert delivered.events.filter(note__endswith="The seal is broken").count() == 1
    assert take("approve") == "received"
    url = reverse("admin:orders_returnrequest_step", args=[request.pk, "dance"])
    assert desk.post(url).status_code == 404
    assert desk.get(url).status_code == 405


# --- Single items, and parcels that are on their way ----------------------------------------------


def cancel_items(order, **units):
    seen = sum(line.cancelled for line in order.lines.all())
    first, second = order.lines.order_by("pk")
    wanted = {f"line_{first.pk}": units.get("first", 0), f"line_{second.pk}": units.get("second", 0)}
    return wanted | {"seen": seen}


def test_single_items_are_cancelled_for_the_customer_after_the_amount_was_shown(desk, placed):
    asked = desk.post(step_of(placed, "cancel_units"), cancel_items(placed, first=2))
    page = asked.content.decode()
    assert asked.status_code == 200 and "Cancel items" in page
    assert placed.lines.order_by("pk").first().cancelled == 0
    for _ in range(2):
        assert confirm(desk, asked).status_code == 302
    assert [line.cancelled for line in placed.lines.order_by("pk")] == [2, 0]
    request = ReturnRequest.objects.get()
    assert (request.quantity, request.refund_inr) == (2, 400)
    assert placed.events.filter(note__startswith="Cancelled: 2", actor__startswith="staff:").count() == 1
    mail = Message.objects.get(kind="order_items_cancelled")
    assert "2 x" in mail.text or "2 ×" in mail.text


def test_nothing_is_cancelled_without_a_choice(desk, placed):
    refused = desk.post(step_of(placed, "cancel_units"), cancel_items(placed))
    assert refused.status_code == 422 and "Choose what to cancel." in refused.content.decode()


def test_what_turns_out_to_be_broken_is_cancelled_while_the_order_is_packed(desk, placed):
    desk.post(step_of(placed, "process"))
    asked = desk.post(step_of(placed, "cancel_units"), cancel_items(placed, first=1))
    assert confirm(desk, asked).status_code == 302
    assert [line.cancelled for line in placed.lines.order_by("pk")] == [1, 0]
    assert Order.objects.get(pk=placed.pk).status == "processing"


def test_what_cannot_be_sent_any_more_is_cancelled_and_the_rest_is_delivered(desk, placed):
    first, second = placed.lines.order_by("pk")
    ship(placed, {first.pk: 2}, actor="staff:1")
    deliver_all(placed, actor="staff:1")
    offered = desk.get(page_of(placed)).context["forms"]["cancel_units"]
    assert [len(offered.fields[f"line_{line.pk}"].choices) for line in (first, second)] == [2, 2]  # none or one
    seen = {"seen": 0, f"line_{first.pk}": 1, f"line_{second.pk}": 1}
    asked = desk.post(step_of(placed, "cancel_units"), seen)
    assert confirm(desk, asked).status_code == 302
    assert Order.objects.get(pk=placed.pk).status == "delivered"
    assert [line.cancelled for line in placed.lines.order_by("pk")] == [1, 1]
    assert all(request.refund_inr > 0 for request in ReturnRequest.objects.all())
    mail = Message.objects.get(kind="order_items_cancelled").text
    assert "we can't send these items" in mail and "rest of your order" not in mail


def test_what_was_sent_meanwhile_is_not_cancelled(desk, placed):
    asked = desk.post(step_of(placed, "cancel_units"), cancel_items(placed, first=1))
    ship(placed, actor="staff:1")
    assert confirm(desk, asked).status_code in (302, 409, 422)
    assert not ReturnRequest.objects.exists()
    assert "Cancel items" not in desk.get(page_of(placed)).content.decode()


def buttons_of(client, order):
    page = client.get(page_of(order)).content.decode()
    return [
        name
        for name in ("deliver", "refuse")
        if f'action="{step_of(order, name)}"' in page.partition("parcels-head")[0]
    ]


def test_delivered_and_refused_are_offered_only_while_a_parcel_is_on_its_way(desk, placed):
    first = placed.lines.order_by("pk").first()
    assert buttons_of(desk, placed) == []
    ship(placed, {first.pk: 2}, actor="staff:1")
    assert buttons_of(desk, placed) == ["deliver", "refuse"]
    assert "Partly delivered" not in desk.get(page_of(placed)).content.decode()
    deliver_all(placed, actor="staff:1")
    page = desk.get(page_of(placed)).content.decode()
    assert buttons_of(desk, placed) == [] and "Partly delivered: 2 of 4 units" in page
    assert "2 delivered" in desk.get(reverse("admin:orders_order_board")).content.decode()
    ship(placed, actor="staff:1")
    assert buttons_of(desk, placed) == ["deliver", "refuse"]
    deliver_all(placed, actor="staff:1")
    assert buttons_of(desk, placed) == [] and "Partly delivered" not in desk.get(page_of(placed)).content.decode()


def test_the_timeline_tells_events_notes_and_papers(desk, placed):
    desk.post(step_of(placed, "note"), {"text": "Gate code 4711", "key": key_on(desk, placed, "note")})
    timeline = desk.get(page_of(placed)).content.decode().partition("Timeline")[2]
    invoice = placed.invoices.get().number
    assert 0 < timeline.index("Gate code 4711") < timeline.index(f"Invoice {invoice}")
