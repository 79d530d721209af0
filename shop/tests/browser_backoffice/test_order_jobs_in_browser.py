"""What the order desk's jobs take: clicks and fields typed, each within its limit (confirmations are not counted)."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from shop.accounts.staff.roles import ORDER_DESK
from shop.care.enquiries.services import MEANWHILE
from shop.care.models import Enquiry
from shop.messaging.models import Message
from shop.orders.models import Order, ReturnRequest
from shop.orders.returns.services import request_return
from shop.orders.shipping.services import deliver_all, ship
from shop.payments.models import Refund
from shop.payments.refunds.services import issue_due_refunds

from .clicks import Job
from .test_order_desk_in_browser import BOARD, DESKTOP, _signs_in, orders  # noqa: F401 (fixture)

pytestmark = pytest.mark.browser


@pytest.fixture
def work(orders, open_phone):  # noqa: F811
    """(page of the staff, three orders: two paid, one delivered of which a unit is asked back)."""
    _asha, _meera, devi = orders
    ship(devi, actor="staff:1")
    deliver_all(devi, actor="staff:1")
    request_return(devi.lines.get(), customer=devi.customer, kind="refund", reason="wrong-item", quantity=1)
    Enquiry.objects.create(
        name="Nila Sen", email="nila@example.com", phone="9876543210", text="Is the jam sweet?", submission="1",
        created_at=timezone.now() - timedelta(hours=2),
    )  # fmt: skip
    page = open_phone(width=DESKTOP, refusals={422})
    _signs_in(page, ORDER_DESK, "/admin/")
    return page, orders


def test_the_jobs_of_the_order_desk_stay_within_their_clicks(work):
    page, (asha, meera, devi) = work
    jobs = [
        (_what_is_to_do,), (_prints_the_pick_list,), (_packs_and_ships, asha), (_ships_a_part, meera),
        (_return_to_refund, devi), (_refunds_any_amount, devi), (_answers_a_message,), (_finds_a_caller, asha),
    ]  # fmt: skip
    for job, *order in jobs:
        tab = page.context.new_page()  # presses are counted by tab
        job(tab, *order)
        tab.close()


def _what_is_to_do(page):
    page.goto("/admin/")
    with Job(page, "What is to do", most=4) as job:
        job.click(page.get_by_role("link", name="Order board"))
        expect(page.locator("#column-pack")).to_contain_text("2")
        job.click(page.get_by_role("link", name="Inbox").first)
        expect(page.locator("#inbox")).to_contain_text("Nila Sen")
        expect(page.locator("#inbox")).to_contain_text("Devi Rao")


def _prints_the_pick_list(page):
    page.goto(BOARD)
    with Job(page, "Pick list", most=1) as job:
        job.click(page.get_by_role("link", name="Packing list").first)
        expect(page.get_by_text("Neem Soap").first).to_be_visible()


def _packs_and_ships(page, order: Order):
    page.goto(BOARD)
    with Job(page, "Pack and ship", most=4) as job:
        job.click(page.get_by_role("button", name=f"Pack {order.number}"))
        card = page.locator("#column-ship").get_by_role("listitem").filter(has_text=order.number)
        job.click(card.locator("summary"))
        job.choose(card.get_by_label("Courier"), "Quick Post")
        job.fill(card.get_by_label("Tracking number"), "QP77")
        job.click(card.get_by_role("button", name="Ship everything left"))
        expect(page.get_by_text(f"{order.number} is on its way.")).to_be_visible()
    assert order.shipments.get().tracking_number == "QP77"


def _ships_a_part(page, order: Order):
    page.goto(f"/admin/orders/order/{order.pk}/change/")
    with Job(page, "Ship a part", most=4) as job:
        job.click(page.get_by_role("link", name="Ship", exact=True))
        job.fill(page.locator("input[name^=line_]"), "2")
        job.choose(page.get_by_label("Courier"), "Quick Post")
        job.fill(page.get_by_label("Tracking number"), "QP78")
        job.click(page.get_by_role("button", name="Ship", exact=True))
        expect(page.get_by_text("The parcel is on its way.")).to_be_visible()
    assert order.shipments.get().lines.get().quantity == 2


def _return_to_refund(page, order: Order):
    page.goto(f"/admin/orders/order/{order.pk}/change/#returns")
    with Job(page, "Return to refund", most=2) as job:
        job.click(page.get_by_role("button", name="Approve"))
        job.click(page.get_by_role("button", name="Received: back in stock"))
        job.fill(page.get_by_label("Reason"), "The seal is whole")
        job.confirm(page.get_by_role("button", name="Received: back in stock"))
        expect(page.locator("#returns")).to_contain_text("Received")
    assert ReturnRequest.objects.get().status == "received"
    # Now, and not by the clock while the form of the next job is open, which it would refuse.
    issue_due_refunds()


def _refunds_any_amount(page, order: Order):
    page.goto(f"/admin/orders/order/{order.pk}/change/")
    with Job(page, "Goodwill refund of any amount", most=4) as job:
        job.click(page.get_by_role("button", name="Refund an amount …"))
        job.fill(page.get_by_label("Amount in rupees"), "42.50")
        job.fill(page.get_by_label("Reason"), "Sorry for the dent")
        job.click(page.get_by_role("button", name="Refund an amount"))
        expect(page.get_by_text("₹42.50 will be refunded: 1 order.")).to_be_visible()
        job.confirm(page.get_by_role("button", name="Refund an amount"))
        expect(page.get_by_text(f"{order.number} has a new refund.")).to_be_visible()
    assert Refund.objects.get(idempotency_key__startswith="goodwill_").amount_paise == 4250


def _answers_a_message(page):
    page.goto("/admin/care/enquiry/inbox/")
    with Job(page, "Answer a message", most=2) as job:
        job.click(page.get_by_role("link", name="Nila Sen"))
        job.fill(page.get_by_label("Answer"), "Very sweet.")
        job.click(page.get_by_role("button", name="Send answer"))
        expect(page.get_by_role("status")).to_contain_text("Nila Sen: answered.")
    assert "Very sweet." in Message.objects.get(kind="enquiry_answer").text


def _finds_a_caller(page, order: Order):
    page.goto("/admin/")
    with Job(page, "Find a caller by phone", most=1) as job:
        job.press("Control+k")
        expect(page.locator("#search-input-command")).to_be_focused()  # a moment after it opens
        job.type("9876543210", into="search")
        job.click(page.get_by_role("link", name=order.number).first)
        expect(page.get_by_role("heading", name=order.number)).to_be_visible()


# --- Two people, a reload, a closed tab -----------------------------------------------------------


def test_two_people_on_one_message_and_a_page_of_before_lose_nothing(work):
    page, _ = work
    message = Enquiry.objects.get()
    page.goto(f"/admin/care/enquiry/inbox/message/{message.pk}/")
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_label("Answer").fill("Quite sweet.")
    other.get_by_role("button", name="Send answer").click()
    expect(other.get_by_role("status")).to_contain_text("answered")
    other.close()
    page.get_by_label("Answer").fill("Not sweet at all.")
    page.get_by_role("button", name="Send answer").click()
    expect(page.get_by_text(MEANWHILE)).to_be_visible()
    expect(page.get_by_label("Answer")).to_have_value("Not sweet at all.")
    assert Message.objects.filter(kind="enquiry_answer").count() == 1


def test_a_reload_of_what_was_sent_refunds_once(work):
    page, (asha, *_) = work
    page.goto(f"/admin/orders/order/{asha.pk}/change/")
    page.get_by_role("button", name="Refund an amount …").click()
    page.get_by_label("Amount in rupees").fill("10")
    page.get_by_label("Reason").fill("Late")
    page.get_by_role("button", name="Refund an amount").click()
    page.reload()  # asks again, and has what was typed
    expect(page.get_by_label("Reason")).to_have_value("Late")
    assert not Refund.objects.exists()
    page.get_by_role("button", name="Refund an amount").click()
    expect(page.get_by_text("has a new refund.")).to_be_visible()
    page.reload()
    assert Refund.objects.get(payment__order=asha).amount_paise == 1000
