"""Money that the shop gives back by its own decision, with nothing coming back for it: of any amount that is left."""

from dataclasses import dataclass
from decimal import Decimal

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from shop.accounts.points import services as points
from shop.errors import Invalid, require_words
from shop.money import INR, PAISA, display, from_paise, spread, to_paise
from shop.orders.invoices.services import GOODWILL, SHIPPING, Credit, credit
from shop.orders.models import Order, OrderEvent
from shop.orders.notifications import queue_refund_notification
from shop.orders.returns.refundable import goods_kept, refundable
from shop.orders.returns.services import refused_on_their_way, without_points
from shop.orders.shipping.event_notes import PART_REFUNDED, SHIPPING_REFUNDED
from shop.orders.states import WrongState

from ..models import Payment, Refund
from ..providers.registry import provider_of
from .services import GOODWILL_KEY, TO_THE_PAYER, going_back, has_ended, refund_due_for_units

KEY_LENGTH = len(GOODWILL_KEY) + 24  # so that `retry_refund` finds room behind it
ENDED = gettext_noop("This order is closed, and everything paid has already been refunded.")
TOO_LITTLE = gettext_noop("The payment provider refunds ₹1.00 or more.")
MEANWHILE = gettext_noop("This order has just been refunded by someone else. Please check the amount left.")


@dataclass(frozen=True, slots=True)
class Left:
    """INR by row of the invoice that may still be refunded, and how many refunds led there."""

    rows: dict[str, Decimal]
    total: Decimal
    seen: int

    @property
    def shipping(self) -> Decimal:
        return min(self.rows.get(SHIPPING, Decimal(0)), self.total)


def left_of(order: Order) -> Left:
    """What of an order can be refunded now; nothing before money came, or once the order ended. Reads `order.lines`
    and `order.invoices`."""
    seen = Refund.objects.filter(payment__order=order).count()
    payment = _payment_of(order)
    if payment is None or Order.objects.filter(has_ended(), pk=order.pk).exists():
        return Left({}, Decimal(0), seen)
    paise = payment.captured_paise - going_back(payment, payment.capture_id) - refund_due_for_units(order)
    unpaid = refused_on_their_way(order) if order.method.is_collected_on_delivery else {}
    left = {row: inr - unpaid.get(row, Decimal(0)) for row, inr in refundable(order).items()}
    rows = {row: inr for row, inr in left.items() if inr > 0}
    return Left(rows, max(min(from_paise(paise), sum(rows.values(), Decimal(0))), Decimal(0)), seen)


@transaction.atomic
def refund_amount(
    order: Order, amount: Decimal, *, reason: str, actor: str, key: str, after: int, shipping_only: bool = False
) -> Refund | None:
    """Refund an amount of INR, goods first and then shipping, or of the shipping alone; the customer reads the reason.

    Shared out over the lines, it lowers what their return gives back later; a credit note takes it off the invoice,
    and points that the goods had earned go with it. The provider is asked by the worker, cash is transferred by hand.

    `key` names the form: sent twice it pays once (None then). `after` is how many refunds of the order its sender
    saw: WrongState where there are more by now. Locks the order, then its payment, then its customer, last the series
    of credit notes; writes new rows only. Raises Invalid naming the field.
    """
    reason = require_words(reason, gettext("Enter a reason. The customer sees it."), field="words")
    locked = Order.objects.select_for_update().get(pk=order.pk)
    payment = _payment_of(locked)
    name = f"{GOODWILL_KEY}{key}"[:KEY_LENGTH]
    if Refund.objects.filter(idempotency_key=name).exists():
        return None
    if payment is None:
        raise Invalid(
            gettext("Nothing was paid for this order yet."), fields={"amount": [gettext("Nothing was paid yet.")]}
        )
    Payment.objects.select_for_update().get(pk=payment.pk)
    if Order.objects.filter(has_ended(), pk=order.pk).exists():
        raise WrongState(gettext(ENDED))
    left = left_of(locked)
    if left.seen != after:
        raise WrongState(gettext(MEANWHILE))
    shares = _shares(left, amount, shipping_only=shipping_only)
    if provider_of(payment).can_refund and amount < settings.MINIMUM_INR_TOTAL:
        raise Invalid(gettext(TOO_LITTLE), fields={"amount": [gettext(TOO_LITTLE)]})
    before = goods_kept(locked, without_points(locked))
    refund = Refund.objects.create(
        payment=payment,
        razorpay_payment_id=payment.capture_id,
        idempotency_key=name,
        amount_paise=to_paise(amount),
        reason=reason[:200],
    )
    shown = display(amount, INR)
    note = (SHIPPING_REFUNDED if shipping_only else PART_REFUNDED) % {"amount": shown, "reason": reason}
    OrderEvent.objects.create(order=locked, actor=actor, note=note[:300])
    if provider_of(payment).can_refund:
        queue_refund_notification(locked, amount=amount, key=f"refunded:{name}", where=TO_THE_PAYER, reason=reason)
    if locked.delivered_at:
        goods = sum((inr for row, inr in shares.items() if row != SHIPPING), Decimal(0))
        lost = points.points_for(before) - points.points_for(before - goods)
        points.take_back(locked.customer, lost, reference=locked.number, occasion=name)
    credits = {row: Credit(0, inr) for row, inr in shares.items() if inr}
    credit(locked, credits, reference=f"{GOODWILL}{name}", reason=reason)
    return refund


def _payment_of(order: Order) -> Payment | None:
    captured = Payment.objects.that_count().filter(order=order.pk, status=Payment.Status.CAPTURED)
    return captured.first()


def _shares(left: Left, amount: Decimal, *, shipping_only: bool) -> dict[str, Decimal]:
    """INR by row of the invoice; raises Invalid for more than is left."""
    limit = left.shipping if shipping_only else left.total
    if not 0 < amount <= limit:
        of_order = gettext("You can refund at most {amount}.")
        of_shipping = gettext("You can refund at most {amount} of the shipping.")
        words = (of_shipping if shipping_only else of_order).format(amount=display(limit, INR))
        raise Invalid(words, fields={"amount": [words]})
    if shipping_only:
        return {SHIPPING: amount}
    goods = {row: inr for row, inr in left.rows.items() if row != SHIPPING}
    of_goods = min(amount, sum(goods.values(), Decimal(0)))
    shares = dict(zip(goods, spread(of_goods, list(goods.values()), PAISA), strict=True))
    return shares | {SHIPPING: amount - of_goods}
