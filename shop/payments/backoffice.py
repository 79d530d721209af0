"""What the order desk sees of the money: a column of refunds that wait for it, and a part of an order's page."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Concat, Left, StrIndex
from django.dispatch import receiver
from django.utils.translation import gettext, gettext_lazy

from shop.accounts.models import Customer
from shop.backoffice.confirmation import Effect
from shop.money import from_paise
from shop.orders.backoffice.board import Column
from shop.orders.backoffice.steps import STEPS, Step
from shop.orders.models import Order
from shop.orders.signals import asking_what_is_paid, naming_columns, showing_order

from .models import Payment, Refund
from .queries import methods_that
from .refunds.forms import SHIPPING, RefundForm
from .refunds.goodwill import refund_amount
from .refunds.services import AGAIN


def refunds_for_staff() -> QuerySet[Refund]:
    """What is to be paid back by hand (cash), and what a provider refused to give back; the rest goes by itself."""
    tried_again = Refund.objects.filter(
        payment=OuterRef("payment"),
        razorpay_payment_id=OuterRef("razorpay_payment_id"),
        pk__gt=OuterRef("pk"),
    )
    tried_again = tried_again.annotate(first=_base_key("idempotency_key"))
    tried_again = tried_again.filter(first=_base_key(OuterRef("idempotency_key")))
    by_hand = ~Q(payment__method__in=methods_that("can_refund")) & Q(status=Refund.Status.REQUESTED)
    return Refund.objects.filter(by_hand | Q(~Exists(tried_again), status=Refund.Status.FAILED))


def _base_key(key: str | OuterRef) -> Left:
    """As `base_key`, in the database."""
    return Left(key, StrIndex(Concat(key, Value(AGAIN)), Value(AGAIN)) - 1)


def _waiting(orders: QuerySet[Order]) -> QuerySet[Order]:
    waiting = refunds_for_staff()
    of_order = waiting.filter(payment__order=OuterRef("pk")).order_by().values("payment__order")
    since = Subquery(of_order.annotate(since=Min("created_at")).values("since"))
    return orders.filter(pk__in=waiting.values("payment__order")).annotate(since=since)


@receiver(asking_what_is_paid)
def _say_what_is_paid(sender: type, orders: list[Order], **kwargs: Any) -> dict[int, Decimal]:
    """Of what came in before the delivery: what is collected with it is written down later."""
    of_capture = Q(refunds__razorpay_payment_id=F("razorpay_payment_id"))
    first_tries = of_capture & ~Q(refunds__idempotency_key__contains=AGAIN)
    going_back = Sum("refunds__amount_paise", filter=first_tries, default=0)
    captured = Payment.objects.able("has_provider_orders").filter(order__in=orders, status=Payment.Status.CAPTURED)
    payments = captured.annotate(going_back=going_back)
    return {payment.order_id: from_paise(payment.captured_paise - payment.going_back) for payment in payments}


def _effects_of_refund(orders: Sequence[Order], data: dict[str, Any]) -> dict[int, Effect]:
    if not data.get("amount"):
        return {}
    how = "" if orders[0].method.can_refund else gettext("to be transferred by hand")
    return {orders[0].pk: Effect(data["amount"], how)}


def _refund(order: Order, data: dict[str, Any], actor: str) -> object:
    refund = refund_amount(
        order,
        data["amount"],
        reason=data["words"],
        actor=actor,
        key=data["key"],
        after=data["after"],
        shipping_only=data["part"] == SHIPPING,
    )
    return refund is not None


STEPS["refund"] = Step(
    gettext_lazy("Refund an amount"),
    gettext_lazy("{number} has a new refund."),
    _refund,
    RefundForm,
    _effects_of_refund,
    has_page=True,
    permission="payments.change_refund",
)


@receiver(naming_columns)
def _name_columns(sender: type, **kwargs: Any) -> list[Column]:
    return [Column("refunds", gettext("Refunds"), _waiting, place="money", place_label=gettext("Refund"))]


@receiver(showing_order)
def _show_money(sender: type, order: Order, user: Customer, **kwargs: Any) -> dict[str, Any] | None:
    if not user.has_perm("payments.view_payment"):
        return None
    by_hand = set(refunds_for_staff().filter(payment__order=order).values_list("pk", flat=True))
    refunds = Refund.objects.filter(payment__order=order).select_related("payment").order_by("pk")
    payments = list(order.payments.order_by("pk"))
    return {
        "template": "payments/backoffice/_money.html",
        "payments": payments,
        "has_money": any(payment.captured_paise > payment.refunded_paise for payment in payments),
        "refunds": [(refund, refund.pk in by_hand) for refund in refunds],
        "may_refund": user.has_perm("payments.change_refund"),
    }
