"""The shipping policy's "we write to you when": one message each at placing, each parcel, delivery; none at packing."""

import pytest

from shop.messaging.models import Message

from ..placing.services import confirm_order
from ..shipping.services import deliver_all, ship
from ..states import move_order

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("reach", ["mail", "sms"])
def test_the_messages_of_an_order_are_those_that_the_policy_names(make_variant, new_buyer, order_of, reach):
    buyer = new_buyer({make_variant(units=9): 2})
    if reach == "sms":
        type(buyer).objects.filter(pk=buyer.pk).update(email=None, phone="+919876500099")
        buyer.refresh_from_db()
    order = order_of(buyer)
    confirm_order(order, actor="provider")
    move_order(order, "processing", actor="staff")
    ship(order, {order.lines.get().pk: 1}, tracking_number="T1", actor="staff")
    ship(order, tracking_number="T2", actor="staff")
    deliver_all(order, actor="staff")
    sent = Message.objects.filter(to=buyer.email or buyer.phone).order_by("pk")
    assert [message.kind for message in sent] == ["order_placed", "order_shipped", "order_shipped", "order_delivered"]
    if reach == "mail":
        first, last = (message.text for message in sent[1:3])
        assert "The rest will follow" in first and "The rest will follow" not in last
