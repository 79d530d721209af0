"""What must be true of what follows a purchase: returns, credit notes, coupons, points (see invariants.py)."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce, Concat
from django.utils import timezone

from shop.accounts.models import Customer, PointsEntry
from shop.accounts.points.services import lots_of
from shop.cart.models import Coupon, CouponUse
from shop.catalog.models import Batch, Variant
from shop.money import from_paise, to_paise
from shop.orders.batches.models import ShippedBatch
from shop.orders.batches.queries import unpacked_by_variant
from shop.orders.invoices.services import GOODWILL, MOVED
from shop.orders.models import Invoice, InvoiceSeries, Order, OrderLine, ReturnRequest
from shop.orders.payment_methods import names_of_collected
from shop.orders.returns.refundable import refundable
from shop.orders.shipping.services import CANCELLED_UNITS
from shop.rows import each_row

from ..models import Payment, Refund
from ..refunds.services import GOODWILL_KEY, base_key, has_ended, key_of

Rows = Iterator[str]
UNDONE = timedelta(minutes=15)


def returns_out_of_bounds() -> Rows:
    """Units asked back beyond what was bought; refunds of a line beyond what it cost; shipping given back twice."""
    requested = Sum("return_requests__quantity", filter=~Q(return_requests__status=ReturnRequest.Status.REJECTED))
    for line in OrderLine.objects.annotate(requested=requested).filter(requested__gt=0).select_related("order"):
        if line.requested > line.quantity:
            yield f"{line.order.number}, {line.sku}: {line.requested} of {line.quantity} units are asked back"
    cancelled = Coalesce(
        Sum("return_requests__quantity", filter=Q(return_requests__reason__slug=CANCELLED_UNITS)), Value(0)
    )
    differing = OrderLine.objects.annotate(asked=cancelled).exclude(asked=F("cancelled"))
    for number, sku, units, asked in differing.values_list("order__number", "sku", "cancelled", "asked"):
        yield f"{number}, {sku}: {units} units are cancelled, {asked} are owed"
    owed = ReturnRequest.objects.filter(refund_inr__isnull=False).select_related("line__order")
    shipping: dict[str, int] = {}
    for request in owed.order_by("pk"):
        number = request.line.order.number
        shipping[number] = shipping.get(number, 0) + request.with_shipping
    yield from (f"{number}: its shipping goes back {times} times" for number, times in shipping.items() if times > 1)
    lowered = Invoice.objects.filter(reference__startswith=GOODWILL).values("order")
    refunding = Order.objects.filter(Q(pk__in=owed.values("line__order")) | Q(pk__in=lowered))
    for order in each_row(refunding.prefetch_related("lines", "invoices"), 200):
        for row, left in refundable(order).items():
            if left < 0:
                yield f"{order.number}, {row}: {-left} INR go back beyond the cost"


def returns_without_their_money() -> Rows:
    """What was received back is refunded within minutes; a closed one has given what it owed."""
    late = timezone.now() - UNDONE
    given = _given_for_returns()
    owed = ReturnRequest.objects.filter(kind=ReturnRequest.Kind.REFUND, refund_inr__gt=0)
    # Cash is written down with the last parcel; until then there is nothing to give back of.
    has_money = Exists(Payment.objects.filter(order=OuterRef("line__order"), status=Payment.Status.CAPTURED))
    for request in owed.filter(Q(has_money, received_at__lt=late) | Q(status=ReturnRequest.Status.REFUNDED)):
        paise = given.get(key_of(request), 0)
        if paise != to_paise(request.refund_inr or Decimal(0)):
            yield f"return {request.pk}: {request.refund_inr} INR are owed, {paise} paise go back"
    cash = Payment.objects.able("is_collected_on_delivery").filter(order=OuterRef("pk"))
    collected = Q(payment_method__in=names_of_collected(), total_inr__gt=0)
    paid_at_door = Order.objects.filter(collected, delivered_at__lt=late)
    yield from (f"{number}: its cash is not written down" for number in _numbers(paid_at_door.filter(~Exists(cash))))


def _given_for_returns() -> dict[str, int]:
    """Paise by the key of the return; a try that failed gives nothing."""
    rows = Refund.objects.filter(idempotency_key__startswith="return_").exclude(status=Refund.Status.FAILED)
    return {base_key(key): paise for key, paise in rows.values_list("idempotency_key", "amount_paise")}


def invoices_that_do_not_fit() -> Rows:
    """Each placed order is invoiced over its total, once beside the invoices that were replaced as a whole; what
    ended or came back is credited, never more."""
    invoices, notes = (Invoice.objects.filter(kind=kind) for kind in (Invoice.Kind.INVOICE, Invoice.Kind.CREDIT))
    orders = Order.objects.annotate(
        times=Count("invoices", filter=Q(invoices__kind=Invoice.Kind.INVOICE))
        - Count("invoices", filter=Q(invoices__reference__startswith=MOVED)),
        billed=_sum_of(invoices),
        replaced=_sum_of(notes.filter(reference__startswith=MOVED)),
        credited=_sum_of(notes.exclude(reference__startswith=MOVED)),
    )
    for order in each_row(orders.filter(Q(placed_at__isnull=False) | Q(times__gt=0))):
        billed = order.billed - order.replaced
        if order.times != 1 or billed != order.total_inr or order.credited > billed:
            yield (
                f"{order.number}: total {order.total_inr}, {order.times} invoices over {billed}, "
                f"credited {order.credited}"
            )
    for refund in Refund.objects.filter(_without_note()).select_related("payment__order"):
        yield f"{refund.payment.order}: the refund {refund.idempotency_key} has no credit note"
    noted = set(notes.filter(reference__startswith="return:").values_list("reference", flat=True))
    for key in _given_for_returns():
        if f"return:{int(key.removeprefix('return_'))}" not in noted:
            yield f"the refund {key} has no credit note"


def goodwill_that_does_not_fit() -> Rows:
    """Each refund of an amount alone has a credit note over the same sum, and each such note its refund."""
    rows = Refund.objects.filter(idempotency_key__startswith=GOODWILL_KEY).order_by("pk")
    given = {base_key(key): from_paise(paise) for key, paise in rows.values_list("idempotency_key", "amount_paise")}
    notes = Invoice.objects.filter(reference__startswith=GOODWILL).values_list("reference", "total_inr")
    credited = {reference.removeprefix(GOODWILL): total for reference, total in notes}
    for key in sorted(given.keys() | credited.keys()):
        if given.get(key) != credited.get(key):
            yield f"{key}: {given.get(key)} INR go back, {credited.get(key)} INR are credited"


def _sum_of(invoices: QuerySet[Any]) -> Coalesce:
    summed = invoices.filter(order=OuterRef("pk")).order_by().values("order").annotate(sum=Sum("total_inr"))
    return Coalesce(Subquery(summed.values("sum")), Decimal(0))


def _without_note() -> Q:
    """Of refunds that belong to an ended order, and not to money that did not fit."""
    ended = Order.objects.filter(has_ended(), payments=OuterRef("payment"))
    whole = Invoice.objects.filter(reference=Concat(Value("end:"), OuterRef("payment__order__number")))
    own = Payment.objects.filter(
        pk=OuterRef("payment"), status=Payment.Status.CAPTURED, razorpay_payment_id=OuterRef("razorpay_payment_id")
    )
    return Q(Exists(own), Exists(ended), ~Exists(whole))


def numbers_with_gaps() -> Rows:
    """The last number of a series is how many there are, from one to it."""
    for series in InvoiceSeries.objects.all():
        begin = f"{series.kind}/{series.financial_year}/"
        numbers = Invoice.objects.filter(number__startswith=begin)
        count, last = numbers.count(), numbers.order_by("-number").values_list("number", flat=True).first()
        if count != series.last or last != f"{begin}{series.last:06}":
            yield f"{begin}: {count} numbers, the last is {last}, the series says {series.last}"


def coupons_miscounted() -> Rows:
    """A coupon's uses are the orders with its code that did not end before delivery."""
    uses = CouponUse.objects.filter(coupon=OuterRef("pk"))
    counted = Coalesce(Subquery(uses.order_by().values("coupon").annotate(n=Count("pk")).values("n")), 0)
    orders = Order.objects.filter(~has_ended(), coupon_code=OuterRef("code"))
    with_code = Coalesce(Subquery(orders.order_by().values("coupon_code").annotate(n=Count("pk")).values("n")), 0)
    for coupon in Coupon.objects.annotate(counted=counted, with_code=with_code):
        if not coupon.uses == coupon.counted == coupon.with_code:
            yield f"{coupon.code}: {coupon.uses} uses, {coupon.counted} rows, {coupon.with_code} orders"


def points_overspent() -> Rows:
    """Nobody redeemed more points than they had; an order's points are those that its customer redeemed for it."""
    spenders = Customer.objects.filter(points_entries__kind=PointsEntry.Kind.REDEEMED).distinct()
    for customer in each_row(spenders.prefetch_related("points_entries"), 200):
        entries = list(customer.points_entries.all())
        for at, entry in enumerate(entries):
            had = sum(lot.left for lot in lots_of(entries[:at], now=entry.at))
            if entry.kind == PointsEntry.Kind.REDEEMED and had < -entry.points:
                yield f"customer {customer.pk}: redeemed {-entry.points} of {had} points ({entry.reference})"
    redeemed = PointsEntry.objects.filter(
        kind__in=[PointsEntry.Kind.REDEEMED, PointsEntry.Kind.GIVEN_BACK], reference=OuterRef("number")
    )
    spent = Coalesce(Subquery(redeemed.order_by().values("reference").annotate(n=Sum("points")).values("n")), 0)
    for order in Order.objects.filter(~has_ended(), ~_has_returns(), points_used__gt=0).annotate(spent=spent):
        if order.spent != -order.points_used:
            yield f"{order.number}: {order.points_used} points used, its customer spent {-order.spent}"


def batches_that_do_not_fit() -> Rows:
    """Units on hand, reserved, and sold but not packed are those of batches that are not recalled and those still
    unmet; what a batch has sent is in parcels; nothing was packed after its last day."""
    units = Batch.objects.filter(variant=OuterRef("pk"), recalled_at=None).order_by().values("variant")
    in_batches = Coalesce(Subquery(units.annotate(total=Sum("units")).values("total")), 0)
    unpacked = unpacked_by_variant()
    for row in Variant.objects.filter(Q(is_batched=True) | Q(unmet__gt=0)).annotate(in_batches=in_batches):
        waiting = unpacked.get(row.pk, 0)
        if not row.is_batched or row.on_hand + row.held + waiting != row.in_batches + row.unmet:
            yield (
                f"{row.sku}: on hand {row.on_hand}, held {row.held}, not packed {waiting}; "
                f"in batches {row.in_batches}, unmet {row.unmet}"
            )
    out = ShippedBatch.objects.filter(batch=OuterRef("pk")).order_by().values("batch")
    sent = Coalesce(Subquery(out.annotate(total=Sum(F("quantity") - F("came_back"))).values("total")), 0)
    for batch in Batch.objects.annotate(sent=sent).exclude(packed=F("sent")):
        yield f"batch {batch.pk}: sent {batch.packed}, parcels say {batch.sent}"
    late = ShippedBatch.objects.filter(shipment_line__shipment__shipped_at__date__gt=F("batch__sold_until"))
    for row in late.select_related("shipment_line__shipment__order"):
        yield f"{row.shipment_line.shipment.order}: packed of batch {row.batch_id} after its last day"


def _has_returns() -> Exists:
    gave_back = Q(status=ReturnRequest.Status.REFUNDED) | Q(reason__slug=CANCELLED_UNITS)
    return Exists(ReturnRequest.objects.filter(gave_back, line__order=OuterRef("pk")))


def _numbers(orders: QuerySet[Any]) -> Rows:
    yield from orders.values_list("number", flat=True)
