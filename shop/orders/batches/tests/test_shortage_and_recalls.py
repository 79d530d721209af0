"""What a batch's end or recall does to orders: the short ones are refunded, the buyers are found and notified."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from shop.accounts.models import Customer
from shop.accounts.staff.roles import CATALOGUE_MANAGER, ORDER_DESK, PHARMACIST
from shop.catalog.batches.services import end_sales
from shop.catalog.models import Batch, Variant
from shop.errors import Invalid
from shop.messaging.models import Message
from shop.payments.reconciliation.invariants_after import batches_that_do_not_fit, returns_out_of_bounds

from ...models import Order
from ...returns.services import approve, receive, request_return, send_replacement
from ...shipping.services import deliver, refuse, ship
from ...states import WrongState
from ..models import Recall
from ..recalls import buyers_of, recall_batch, send_recall_notices
from ..shortage import refund_short_orders
from .conftest import come_in, in_days

pytestmark = pytest.mark.django_db


def owner():
    return Customer.objects.create_user("owner@example.com", "pw", name="Owner", is_staff=True, is_superuser=True)


def adds_up():
    return not [*batches_that_do_not_fit(), *returns_out_of_bounds()]


def kept(order):
    order = Order.objects.get(pk=order.pk)
    return order.status, order.unit_count


def too_old(*numbers):
    Batch.objects.filter(number__in=numbers).update(sold_until=in_days(-1))
    end_sales()


def test_an_order_left_short_is_cancelled_in_part_reported_and_its_money_owed(two_batches, placed):
    variant, _, _ = two_batches
    first, second = placed({variant: 3}), placed({variant: 4})
    assert refund_short_orders() == 0
    too_old("EARLY")
    assert Variant.objects.get(pk=variant.pk).unmet == 2 and adds_up()
    assert refund_short_orders() == 1
    assert kept(first) == ("placed", 3) and kept(second) == ("placed", 2)  # the earlier order is served first
    assert Variant.objects.get(pk=variant.pk).unmet == 0 and adds_up()
    request = second.lines.get().return_requests.get()
    assert (request.status, request.quantity, request.refund_inr) == ("received", 2, 200)
    [mail] = Message.objects.filter(kind="desk_short")
    assert second.number in mail.subject and "2 x" in mail.text
    message = Message.objects.get(kind="order_items_cancelled")
    assert "expires too soon" in message.text and "As you asked" not in message.text
    assert refund_short_orders() == 0
    ship(first, actor="staff:1"), ship(second, actor="staff:1")
    assert adds_up()


def test_an_order_of_which_nothing_is_left_is_cancelled_as_a_whole(two_batches, placed):
    variant, _, _ = two_batches
    order = placed({variant: 2})
    too_old("EARLY", "LATE")
    assert refund_short_orders() == 1
    assert kept(order)[0] == "cancelled" and adds_up()
    assert Variant.objects.get(pk=variant.pk).on_hand == 0
    assert "keeps long enough" in Message.objects.get(kind="order_cancelled").text


def test_the_rest_of_an_order_whose_parcel_has_arrived_is_refunded_and_the_order_delivered(two_batches, placed):
    variant, _, _ = two_batches
    order = placed({variant: 6})
    deliver(ship(order, {order.lines.get().pk: 4}, actor="staff:1"), actor="staff:1")
    assert kept(order)[0] == "shipped"
    order.shipments.update(shipped_at=timezone.now() - timedelta(days=5))
    too_old("LATE")
    assert refund_short_orders() == 1
    assert kept(order) == ("delivered", 4) and adds_up()


def test_what_comes_in_meanwhile_covers_the_order(two_batches, placed):
    variant, _, _ = two_batches
    order = placed({variant: 8})
    too_old("EARLY")
    come_in(variant, "NEW", 3)
    assert refund_short_orders() == 0 and kept(order) == ("placed", 8) and adds_up()


def test_a_recall_stops_parcels_lists_buyers_and_tells_each_once(two_batches, placed, make_variant):
    variant, early, _ = two_batches
    other = make_variant(units=5)
    bought, waiting, refused, without = (
        placed({variant: 1, other: 1}), placed({variant: 2}), placed({variant: 1}), placed({other: 1}),
    )  # fmt: skip
    for order in (bought, refused, without):
        ship(order, actor="staff:1")
    refuse(refused.shipments.get(), actor="staff:1")
    recall = recall_batch(early, reason="Wrong label", advice="Send it back", actor="staff:1")
    with pytest.raises(WrongState):
        recall_batch(early, reason="Again", actor="staff:1")
    found = {buyer.customer.pk: (buyer.sent, buyer.kept) for buyer in buyers_of(early)}
    assert found == {bought.customer_id: (1, 1), refused.customer_id: (1, 0)}
    assert send_recall_notices() == 1 and send_recall_notices() == 0
    [mail] = Message.objects.filter(kind="recall")
    assert mail.to == bought.email and "EARLY" in mail.subject
    for words in ("Wrong label", "Send it back", bought.number, bought.lines.get(variant=variant).product_name):
        assert words in mail.text
    assert bought.lines.get(variant=other).product_name not in mail.text
    recall.refresh_from_db()
    assert recall.notified_at
    parcel = ship(waiting, actor="staff:1")
    assert [copy["number"] for copy in parcel.lines.get().batches] == ["LATE"] and adds_up()


def test_a_notice_goes_by_sms_where_there_is_no_email_in_the_language_of_the_order(two_batches, placed, settings):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")
    variant, early, _ = two_batches
    order = placed({variant: 1})
    ship(order, actor="staff:1")
    Order.objects.filter(pk=order.pk).update(email="", language="hi")
    order.customer.phone = "+919876543210"
    order.customer.save(update_fields=["phone"])
    recall_batch(early, reason="Wrong label", actor="staff:1")
    send_recall_notices()
    sms = Message.objects.get(kind="recall")
    assert sms.to == "+919876543210" and "EARLY" in sms.text and "Please stop using" not in sms.text


@pytest.mark.parametrize("reason", ["", " – "])
def test_a_recall_needs_a_reason_and_a_batch_with_a_number(two_batches, make_variant, reason):
    _, early, _ = two_batches
    with pytest.raises(Invalid):
        recall_batch(early, reason=reason, actor="staff:1")
    opening = Batch.objects.create(variant=make_variant(), number="")
    with pytest.raises(Invalid):
        recall_batch(opening, reason="Wrong label", actor="staff:1")
    assert not Recall.objects.exists() and not Batch.objects.filter(recalled_at__isnull=False).exists()


def test_units_of_a_recalled_batch_that_come_back_are_written_off(two_batches, placed):
    variant, early, _ = two_batches
    order = placed({variant: 2})
    deliver(ship(order, actor="staff:1"), actor="staff:1")
    recall_batch(early, reason="Wrong label", actor="staff:1")
    line = order.lines.get()
    request = request_return(line, customer=order.customer, kind="replacement", reason="wrong-item", quantity=1)
    approve(request, actor="staff:1")
    receive(request, actor="staff:1", is_restocked=True)
    early.refresh_from_db()
    assert (early.units, early.packed, early.discarded) == (1, 1, 1) and adds_up()
    send_replacement(request, actor="staff:1")
    [buyer] = buyers_of(early)
    assert (buyer.sent, buyer.kept) == (2, 1) and adds_up()


def test_staff_recall_a_batch_and_export_its_buyers(two_batches, placed, browser_client):
    variant, early, _ = two_batches
    order = placed({variant: 1})
    ship(order, actor="staff:1")
    browser_client.force_login(owner())
    form = {"batch": early.pk, "reason": "", "advice": ""}
    assert browser_client.post("/admin/orders/recall/add/", form).status_code == 200
    sent = browser_client.post("/admin/orders/recall/add/", form | {"reason": "Wrong label"})
    assert sent.status_code == 302
    recall = Recall.objects.get()
    page = browser_client.get(f"/admin/orders/recall/{recall.pk}/change/").content.decode()
    assert order.number in page and "Wrong label" in page and "Owner (staff " in page
    again = browser_client.post("/admin/orders/recall/add/", form | {"reason": "Wrong label"})
    assert again.status_code == 200
    table = browser_client.get(f"/admin/orders/recall/{recall.pk}/export/")
    rows = b"".join(table.streaming_content) if table.streaming else table.content
    assert order.number in rows.decode() and recall.at <= timezone.now()


def test_pharmacist_and_owner_recall_and_the_desk_looks_on(two_batches, placed):
    variant, early, late = two_batches
    order = placed({variant: 1})
    ship(order, actor="staff:1")
    statuses = {}
    for role, batch in ((CATALOGUE_MANAGER, late), (ORDER_DESK, late), (PHARMACIST, early)):
        person = Customer.objects.create_user(f"{role[:5]}@example.com", "lime and ginger", is_staff=True)
        person.groups.add(Group.objects.get(name=role))
        browser = Client(headers={"sec-fetch-site": "same-origin"})
        browser.force_login(person)
        made = browser.post("/admin/orders/recall/add/", {"batch": batch.pk, "reason": "Wrong label", "advice": ""})
        statuses[role] = made.status_code
    assert statuses == {CATALOGUE_MANAGER: 403, ORDER_DESK: 403, PHARMACIST: 302}
    page = browser.get(f"/admin/orders/recall/{Recall.objects.get().pk}/change/").content.decode()
    opened = f"/admin/orders/order/{order.pk}/change/"
    assert order.number in page and opened not in page, "the pharmacist reads the number and opens no order"
    assert browser.get(opened).status_code == 403
