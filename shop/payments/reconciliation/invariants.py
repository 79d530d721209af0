"""What must be true of the rows at every commit. Each question returns the rows that break it.

`manage.py check_shop` asks all of them. The numbers are those of the shop's reliability goals.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils import timezone

from shop.accounts.models import Address, Code
from shop.cart.models import Cart, CartLine
from shop.catalog.models import Variant
from shop.messaging.models import Message
from shop.money import from_inr, round_money, to_inr
from shop.orders.models import CheckoutKey, Invoice, Order, OrderEvent, OrderLine, ReturnRequest
from shop.orders.payment_methods import names_of_collected
from shop.orders.states import TRANSITIONS
from shop.rows import each_row

from ..models import LostCapture, Payment, ProviderEvent, Refund, StrayCapture
from ..refunds.services import AGAIN, COUNTED, has_ended
from .invariants_after import (
    batches_that_do_not_fit,
    coupons_miscounted,
    goodwill_that_does_not_fit,
    invoices_that_do_not_fit,
    numbers_with_gaps,
    points_overspent,
    returns_out_of_bounds,
    returns_without_their_money,
)

Rows = Iterator[str]


@dataclass(frozen=True, slots=True)
class Invariant:
    name: str
    what: str
    broken: Callable[[], Rows]


def broken_invariants() -> Iterator[tuple[Invariant, list[str]]]:
    """Every invariant with the rows that break it, in order."""
    for invariant in INVARIANTS:
        yield invariant, list(invariant.broken())


# --- Stock ------------------------------------------------------------------------------------


def _units(rows: QuerySet[Any], variant: str = "variant") -> Coalesce:
    """Units of the outer variant over these rows."""
    summed = rows.filter(**{variant: OuterRef("pk")}).order_by().values(variant).annotate(units=Sum("quantity"))
    return Coalesce(Subquery(summed.values("units")), 0)


def stock_that_does_not_add_up() -> Rows:
    held = OrderLine.objects.filter(order__hold_expires_at__isnull=False)
    sold = OrderLine.objects.filter(order__placed_at__isnull=False)
    again = ReturnRequest.objects.filter(status=ReturnRequest.Status.REPLACED)  # sent a second time
    whole = Order.objects.filter(has_ended())  # all units of these came back, cancelled ones among them
    ended = sold.filter(order__in=whole)
    restocked = ReturnRequest.objects.filter(is_restocked=True).exclude(line__order__in=whole)
    variants = Variant.objects.annotate(
        owed_held=_units(held),
        owed_sold=_units(sold) + _units(again, "line__variant"),
        came_back=_units(ended) + _units(restocked, "line__variant"),
    ).exclude(received=F("on_hand") + F("held") + F("sold"), held=F("owed_held"), sold=F("owed_sold") - F("came_back"))
    for row in variants:
        yield (
            f"{row.sku}: received {row.received}, on hand {row.on_hand}, held {row.held} (orders say "
            f"{row.owed_held}), sold {row.sold} (orders say {row.owed_sold} less {row.came_back} returned)"
        )


def negative_stock() -> Rows:
    for row in Variant.objects.filter(Q(on_hand__lt=0) | Q(held__lt=0) | Q(sold__lt=0)):
        yield f"{row.sku}: on hand {row.on_hand}, held {row.held}, sold {row.sold}"


# --- Orders -----------------------------------------------------------------------------------


def orders_without_substance() -> Rows:
    lines = OrderLine.objects.filter(order=OuterRef("pk"))
    orders = Order.objects.filter(~Exists(lines) | Q(customer=None) | Q(address={}) | Q(address=None))
    yield from orders.values_list("number", flat=True)


def rows_without_an_order() -> Rows:
    for model in (OrderLine, OrderEvent, Payment, CheckoutKey):
        for pk in model.objects.exclude(order__in=Order.objects.values("pk")).values_list("pk", flat=True):
            yield f"{model.__name__} {pk}"
    numbers = Order.objects.values("number")
    messages = Message.objects.filter(kind="order_placed").exclude(key=None)
    known = {f"order_placed:{number}" for number in numbers.values_list("number", flat=True)}
    yield from (f"Message {key}" for key in messages.values_list("key", flat=True) if key not in known)


def money_that_does_not_match() -> Rows:
    """Placed orders must have captured exactly their total; cancelled ones may only be on their way back."""
    captured = Sum("payments__captured_paise", filter=Q(payments__status=Payment.Status.CAPTURED), default=0)
    refunded = Sum("payments__refunded_paise", filter=Q(payments__status=Payment.Status.CAPTURED), default=0)
    # What is collected on delivery is written down after it; until then there is none.
    waits = Q(payment_method__in=names_of_collected()) & ~Exists(Payment.objects.filter(order=OuterRef("pk")))
    placed = Order.objects.filter(placed_at__isnull=False).exclude(waits)
    paid = placed.annotate(captured=captured, refunded=refunded)
    for order in each_row(paid):
        if order.captured != int(order.total_inr * 100) or order.refunded > order.captured:
            yield f"{order.number}: total {order.total_inr}, captured {order.captured}, refunded {order.refunded} paise"
    for payment in Payment.objects.filter(status=Payment.Status.CAPTURED, order__placed_at=None):
        yield f"{payment}: captured for an order that was never placed"
    of_capture = Q(refunds__razorpay_payment_id=Coalesce(F("razorpay_payment_id"), F("receipt")))
    given = Sum("refunds__amount_paise", filter=of_capture & Q(refunds__status__in=COUNTED), default=0)
    # One that failed is tried again, or transferred by hand.
    first_tries = of_capture & ~Q(refunds__idempotency_key__contains=AGAIN)
    requested = Sum("refunds__amount_paise", filter=first_tries, default=0)
    payments = Payment.objects.annotate(given=given, requested=requested)
    for payment in payments.exclude(refunded_paise=F("given"), requested__lte=F("captured_paise")):
        yield (
            f"{payment}: captured {payment.captured_paise}, refunded {payment.refunded_paise}, its refunds say "
            f"{payment.given}, with those that wait {payment.requested} paise"
        )


def money_without_a_home() -> Rows:
    """Captured money older than 15 minutes with neither a paid order nor a refund."""
    late = timezone.now() - timedelta(minutes=15)
    refunds = Refund.objects.filter(razorpay_payment_id=OuterRef("razorpay_payment_id")).exclude(
        status__in=[Refund.Status.FAILED, Refund.Status.REQUESTED]
    )
    nobodys = Order.objects.filter(has_ended() | Q(status=Order.Status.PENDING), pk=OuterRef("order"))
    homeless = Q(status=Payment.Status.REFUSED) | Q(Exists(nobodys), status=Payment.Status.CAPTURED)
    ended_lately = Order.objects.filter(
        pk=OuterRef("order"),
        events__status_to__in=[Order.Status.CANCELLED, Order.Status.RETURNED],
        events__at__gt=late,
    )
    for payment in Payment.objects.filter(homeless, ~Exists(refunds), ~Exists(ended_lately), captured_at__lt=late):
        yield f"{payment}: {payment.captured_paise} paise"
    for stray in StrayCapture.objects.filter(~Exists(refunds), created_at__lt=late):
        yield f"{stray}: {stray.amount_paise} paise"
    homeless_lost = LostCapture.objects.filter(status__in=[Refund.Status.REQUESTED, Refund.Status.FAILED])
    for lost in homeless_lost.filter(created_at__lt=late):
        yield f"{lost}: {lost.amount_paise} paise of {lost.order_number}, which was lost"


def captures_counted_twice() -> Rows:
    """One capture pays one order: an id that is both a payment's and a stray's."""
    paid = Payment.objects.exclude(razorpay_payment_id=None).values("razorpay_payment_id")
    yield from StrayCapture.objects.filter(razorpay_payment_id__in=paid).values_list("razorpay_payment_id", flat=True)
    known = Payment.objects.filter(razorpay_payment_id__in=LostCapture.objects.values("razorpay_payment_id"))
    yield from (f"{payment}: refunded as lost" for payment in known)
    twice = Count("payments", filter=Q(payments__status=Payment.Status.CAPTURED))
    yield from Order.objects.annotate(twice=twice).filter(twice__gt=1).values_list("number", flat=True)


def ids_that_occur_twice() -> Rows:
    unique: list[tuple[type, list[str]]] = [
        (Payment, ["razorpay_order_id"]),
        (Payment, ["razorpay_payment_id"]),
        (Payment, ["receipt"]),
        (StrayCapture, ["razorpay_payment_id"]),
        (Refund, ["razorpay_refund_id"]),
        (Refund, ["idempotency_key"]),
        (ProviderEvent, ["event_id"]),
        (CheckoutKey, ["customer", "key"]),
        (Order, ["number"]),
        (Invoice, ["number"]),
        (Invoice, ["reference"]),
    ]
    for model, fields in unique:
        rows = model._default_manager.exclude(**{fields[-1]: None}).order_by().values(*fields)  # type: ignore[attr-defined]
        for row in rows.annotate(times=Count("pk")).filter(times__gt=1):
            yield f"{model.__name__} {row}"


def totals_that_do_not_add_up() -> Rows:
    for order in each_row(Order.objects.prefetch_related("lines", "payments")):
        lines = order.lines.all()
        reductions_inr = order.coupon_inr + order.points_inr
        in_inr = sum((line.line_inr for line in lines), order.shipping_inr - reductions_inr)
        fits = (
            all(line.unit_amount * line.quantity == line.line_amount for line in lines)
            and sum((line.line_amount for line in lines), Decimal(0)) == order.sub_total_amt
            and order.sub_total_amt + order.shipping_amt - order.coupon_amt - order.points_amt == order.total_amount
            and sum((line.reduction_amt for line in lines), Decimal(0)) == order.coupon_amt + order.points_amt
            and sum((line.reduction_inr for line in lines), Decimal(0)) == reductions_inr
            and sum(line.points_used for line in lines) == order.points_used
            and in_inr == order.total_inr
            and all(payment.amount_paise == order.total_inr * 100 for payment in order.payments.all())
        )
        if not fits:
            yield f"{order.number}: total {order.total_amount} {order.currency}, {order.total_inr} INR"


def prices_that_do_not_follow() -> Rows:
    """Unit prices follow from the stored INR price and rate, or from the fixed price."""
    for line in each_row(OrderLine.objects.select_related("order")):
        order = line.order
        if line.fixed_price is None:
            expected = from_inr(line.list_price_inr, order.rate, order.currency)
        elif line.home_rate == order.rate:
            expected = round_money(line.fixed_price, order.currency)
        else:
            expected = from_inr(line.fixed_price * line.home_rate, order.rate, order.currency)
        if (line.unit_amount, line.line_inr) != (expected, to_inr(line.line_amount, order.rate)):
            yield f"{order.number}, {line.sku}: {line.unit_amount} {order.currency}, expected {expected}"


def overdue_holds() -> Rows:
    late = timezone.now() - timedelta(minutes=1)
    yield from Order.objects.held().filter(hold_expires_at__lt=late).values_list("number", flat=True)


def customers_with_two_holds() -> Rows:
    held = Order.objects.held().order_by().values("customer", "draft").annotate(holds=Count("pk")).filter(holds__gt=1)
    yield from (f"customer {row['customer']}" for row in held)


# --- People, carts, messages ------------------------------------------------------------------


def addresses_astray() -> Rows:
    defaults = Address.objects.filter(is_default=True).order_by().values("customer").annotate(times=Count("pk"))
    yield from (f"customer {row['customer']}: {row['times']} defaults" for row in defaults.filter(times__gt=1))
    foreign = Address.objects.filter(pk=OuterRef("address_id_then")).exclude(customer=OuterRef("customer"))
    yield from Order.objects.filter(Exists(foreign)).values_list("number", flat=True)


def doubled_carts() -> Rows:
    carts = Cart.objects.exclude(customer=None).order_by().values("customer").annotate(times=Count("pk"))
    yield from (f"customer {row['customer']}: {row['times']} carts" for row in carts.filter(times__gt=1))
    lines = CartLine.objects.order_by().values("cart", "variant").annotate(times=Count("pk")).filter(times__gt=1)
    yield from (f"cart {row['cart']}: variant {row['variant']} on {row['times']} lines" for row in lines)


def codes_guessed_too_often() -> Rows:
    for code in Code.objects.filter(tries__gt=5):
        yield f"code {code.pk}: {code.tries} guesses"


def messages_left_lying() -> Rows:
    late = timezone.now() - timedelta(minutes=5)
    for message in Message.objects.pending().filter(created_at__lt=late):
        yield f"{message.kind} {message.pk}: {message.attempts} attempts, {message.last_error}"


def histories_that_move_backwards() -> Rows:
    """Every event follows from the one before by the written table, and the last one is the state."""
    for order in each_row(Order.objects.prefetch_related("events")):
        now = ""
        for event in order.events.all():
            if not event.status_to:
                continue
            is_first = not now and not event.status_from
            if not is_first and (event.status_from != now or event.status_to not in TRANSITIONS.get(now, ())):
                yield f"{order.number}: {now or 'nothing'} → {event.status_to}"
            now = event.status_to
        if now != order.status:
            yield f"{order.number}: is {order.status}, its history says {now or 'nothing'}"


INVARIANTS = [
    Invariant("Q1", "received = on hand + held + sold, as the orders say", stock_that_does_not_add_up),
    Invariant("Q2", "no stock below zero", negative_stock),
    Invariant("Q3", "every order has lines, an address and an owner", orders_without_substance),
    Invariant("Q4", "no line, payment or message without its order", rows_without_an_order),
    Invariant("Q5", "paid orders have their total captured", money_that_does_not_match),
    Invariant("Q6", "captured payments have a paid order or a refund", money_without_a_home),
    Invariant("Q7", "one capture pays one order", captures_counted_twice),
    Invariant("Q8", "ids and keys are unique", ids_that_occur_twice),
    Invariant("Q9", "orders add up to what the provider was asked for", totals_that_do_not_add_up),
    Invariant("Q10", "unit prices follow from their stored price and rate", prices_that_do_not_follow),
    Invariant("Q11", "no hold outlives its time by a minute", overdue_holds),
    Invariant("Q12", "one live hold per customer", customers_with_two_holds),
    Invariant("Q13", "one default address, and orders go to their owner's", addresses_astray),
    Invariant("Q14", "one cart per customer, one line per variant", doubled_carts),
    Invariant("Q15", "at most five guesses per code", codes_guessed_too_often),
    Invariant("Q16", "no message waits for five minutes", messages_left_lying),
    Invariant("Q17", "orders only move forward", histories_that_move_backwards),
    Invariant("Q18", "nothing is returned that was not bought", returns_out_of_bounds),
    Invariant("Q19", "returns are refunded, cash is recorded", returns_without_their_money),
    Invariant("Q20", "one invoice per placed order, credited for refunds", invoices_that_do_not_fit),
    Invariant("Q21", "invoice numbers have no gaps", numbers_with_gaps),
    Invariant("Q22", "coupons are counted as they were used", coupons_miscounted),
    Invariant("Q23", "no more points are redeemed than earned", points_overspent),
    Invariant("Q24", "refunds of an amount alone are credited, and the other way round", goodwill_that_does_not_fit),
    Invariant("Q25", "stock equals the units of its batches, and parcels hold what left them", batches_that_do_not_fit),
]
