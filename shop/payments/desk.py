"""What the order desk sees of the money: a column of refunds that wait for it, and a part of an order's page."""

from typing import Any

from django.db.models import Exists, Min, OuterRef, Q, QuerySet, Subquery
from django.dispatch import receiver

from shop.accounts.models import Customer
from shop.orders.desk import Column
from shop.orders.models import Order
from shop.orders.signals import naming_columns, showing_order

from .models import Payment, Refund


def refunds_for_the_desk() -> QuerySet[Refund]:
    """Cash to be paid back by hand, and what the provider refused to give back; the rest goes by itself."""
    tried_again = Refund.objects.filter(
        payment=OuterRef("payment"),
        razorpay_payment_id=OuterRef("razorpay_payment_id"),
        reason=OuterRef("reason"),
        pk__gt=OuterRef("pk"),
    )
    cash = Q(payment__method=Payment.Method.CASH, status=Refund.Status.REQUESTED)
    return Refund.objects.filter(cash | Q(~Exists(tried_again), status=Refund.Status.FAILED))


def _waiting(orders: QuerySet[Order]) -> QuerySet[Order]:
    waiting = refunds_for_the_desk()
    of_order = waiting.filter(payment__order=OuterRef("pk")).order_by().values("payment__order")
    since = Subquery(of_order.annotate(since=Min("created_at")).values("since"))
    return orders.filter(pk__in=waiting.values("payment__order")).annotate(since=since)


@receiver(naming_columns)
def _name_columns(sender: type, **kwargs: Any) -> list[Column]:
    return [Column("refunds", "Refunds", _waiting, place="money", place_label="Pay back")]


@receiver(showing_order)
def _show_money(sender: type, order: Order, user: Customer, **kwargs: Any) -> dict[str, Any] | None:
    if not user.has_perm("payments.view_payment"):
        return None
    by_hand = set(refunds_for_the_desk().filter(payment__order=order).values_list("pk", flat=True))
    refunds = Refund.objects.filter(payment__order=order).select_related("payment").order_by("pk")
    return {
        "template": "payments/desk/_money.html",
        "payments": order.payments.order_by("pk"),
        "refunds": [(refund, refund.pk in by_hand) for refund in refunds],
        "may_refund": user.has_perm("payments.change_refund"),
    }
