"""One order that cannot be handled keeps no other waiting (promise 49)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from shop.cart.models import Coupon, CouponUse
from shop.catalog.models import Variant
from shop.jobs.models import FailedRow
from shop.orders.models import Order
from shop.orders.placing.services import cancel_order, confirm_order

from ...refunds.services import issue_due_refunds
from ..jobs import expire_holds

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def three(make_variant, new_buyer, order_of):
    return [order_of(new_buyer({make_variant(units=5): 1})) for _ in range(3)]


def test_a_hold_that_cannot_be_given_up_lets_the_next_ones_end(three):
    first = three[0].lines.get().variant
    Variant.objects.filter(pk=first.pk).update(held=0, on_hand=5)  # as lost updates left it
    Order.objects.update(hold_expires_at=timezone.now() - timedelta(minutes=1))
    assert expire_holds() == 2
    assert [Order.objects.get(pk=order.pk).status for order in three] == ["pending", "cancelled", "cancelled"]
    failed = FailedRow.objects.get()
    assert (failed.chore, failed.row_id) == ("expire_holds", str(three[0].pk))
    Variant.objects.filter(pk=first.pk).update(held=1, on_hand=4)
    assert expire_holds() == 1 and not FailedRow.objects.exists()


def test_an_order_is_cancelled_although_its_coupon_lost_count(three, make_coupon, caplog):
    order = three[0]
    confirm_order(order, actor="provider")
    coupon = make_coupon("SAVE10", percent=10)
    CouponUse.objects.create(coupon=coupon, customer=order.customer, reference=order.number)
    cancel_order(order, actor="staff:1")
    assert Coupon.objects.get().uses == 0 and not CouponUse.objects.exists()
    assert "counts no use" in caplog.text


def test_an_ended_order_that_cannot_be_credited_keeps_no_refund_waiting(three, monkeypatch):
    for order in three:
        Order.objects.filter(pk=order.pk).update(payment_method="cash")
        order.refresh_from_db()
        confirm_order(order, actor="provider")
        cancel_order(order, actor="staff:1")
    credited = []

    def credit(order, **kwargs):
        if order.pk == three[0].pk:
            raise KeyError("seller")
        credited.append(order.pk)

    monkeypatch.setattr("shop.payments.refunds.services.credit_rest", credit)
    issue_due_refunds()
    assert sorted(credited) == sorted(order.pk for order in three[1:])
    assert FailedRow.objects.get().chore == "credit_ended"
