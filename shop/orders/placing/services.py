"""Orders: place, confirm, cancel, expire. Each function owns its transaction.

Locks are taken in one order everywhere: customer, draft, order, variants by ascending id. (A checkout
locks the orders that are held; what happens to others may lock their customer afterwards.)
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Q, prefetch_related_objects
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from shop.accounts.addresses.rules import refusal_of
from shop.accounts.models import Customer
from shop.accounts.points import services as points
from shop.backoffice.actors import SHOP
from shop.cart import coupons
from shop.cart.models import Cart, CartLine, Coupon
from shop.cart.signals import OwnHold, asking_for_hold, asking_for_orders
from shop.cart.totals import CartView, price_cart
from shop.catalog.models import Variant
from shop.catalog.stock import services as stock
from shop.errors import Changed, NotFound, OutOfStock, ShopError
from shop.markets.services import NotServed

from ..invoices.services import issue_invoice
from ..models import CheckoutKey, Order, OrderDraft, OrderEvent, OrderLine
from ..notifications import notify_staff, queue_cancellation_notification, queue_confirmation, queue_payment_lapsed
from ..queries import CHECKED_OUT_AGAIN, RAN_OUT
from ..shipping.event_notes import DRAFT_CHECKED_OUT
from ..signals import checking_prescription, prescription_ordered
from ..states import Status, move_order
from .snapshot import charged_inr, copy_address, copy_lines, new_order_number, reductions_inr
from .values import PlaceOrder, SubmittedTotals

A_MOMENT = timedelta(minutes=1)
SUBMITTED_LINE_FIELDS = ("quantity", "unit_amount", "line_inr")


class CheckoutChanged(Changed):
    """The cart is no longer what the customer saw; `view` is the cart at today's prices."""

    def __init__(self, message: str, view: CartView, code: str | None = None) -> None:
        super().__init__(message, code)
        self.view = view


class DraftClosed(NotFound):
    """The desk withdrew what it had prepared, or its link has ended."""

    code = "draft_closed"

    def __init__(self) -> None:
        super().__init__(gettext("This order is no longer open. Please ask us for a new link."))


class KeyReused(ShopError):
    code = "idempotency_key_reused"
    status = 422


def place_order(request: PlaceOrder) -> Order:
    """Turn the cart into an order that waits for its payment, with its stock held.

    A repeated checkout gets the order of the first one: by its idempotency key, or because nothing
    changed since. A different one replaces the customer's unpaid order. An order of total zero is
    placed at once, and so is one whose money is collected on delivery, where that is offered. Raises
    OutOfStock, CheckoutChanged (with the fresh cart), KeyReused, ShopError.

    A draft of the desk is placed once: whoever asks again gets that order. Its unpaid order is its own, beside the
    customer's. The draft's row is locked, so that neither contents nor address change meanwhile; one that was
    changed since `request` read it raises CheckoutChanged, one that was withdrawn DraftClosed.
    """
    try:
        return _place(request)
    except IntegrityError:
        # The unique constraints refused: another request of this customer was first, and its
        # rows can be seen now.
        return _place(request)


@transaction.atomic
def _place(request: PlaceOrder) -> Order:
    customer = Customer.objects.select_for_update(no_key=True).get(pk=request.customer.pk)
    if request.draft and (ordered := _ordered_before(request.draft)):
        return ordered
    if request.idempotency_key and (answered := _answered_before(request)):
        return answered
    live = customer.orders.select_for_update().held().filter(draft=request.draft).first()
    view = price_cart(request.cart, request.market, _hold_of(live))
    if request.draft:
        _require_same_draft(request.draft, view)
    if not view.lines and (placed := _placed_just_now(request)):
        return placed
    _require_orderable(view, request)
    _require_submitted_totals(view, request.submitted)
    if view.needs_prescription:
        checking_prescription.send(PlaceOrder, request=request, view=view)
    order = live if live and _is_unchanged(live, view, request) else _write_order(request, view, live)
    if order.payment_option != request.payment_option:  # the row is locked, or of this transaction
        order.payment_option = request.payment_option
        order.save(update_fields=["payment_option"])
    if view.needs_prescription:
        prescription_ordered.send(Order, order=order, request=request)
    if request.idempotency_key:
        key = request.idempotency_key
        CheckoutKey.objects.create(customer=customer, key=key, request_hash=request.hash, order=order)
    return order


def _ordered_before(draft: OrderDraft) -> Order | None:
    """The order that a draft became; its row is locked from here on."""
    locked = OrderDraft.objects.select_for_update().filter(pk=draft.pk).first()
    if locked is None:
        raise DraftClosed()
    ordered: Order | None = locked.order
    return ordered


def _require_same_draft(draft: OrderDraft, view: CartView) -> None:
    """The locked row is what the caller read before."""
    now = OrderDraft.objects.get(pk=draft.pk)
    if now.withdrawn_at:
        raise DraftClosed()
    if now.revision != draft.revision:
        raise CheckoutChanged(gettext("This order has just been changed. Please check it again."), view)


def _answered_before(request: PlaceOrder) -> Order | None:
    known = CheckoutKey.objects.filter(customer=request.customer, key=request.idempotency_key).first()
    if known is None:
        return None
    if known.request_hash != request.hash:
        raise KeyReused(gettext("This key was used for another checkout."))
    return known.order


def _placed_just_now(request: PlaceOrder) -> Order | None:
    """The order that this very checkout placed a moment ago: what is free, collected on delivery, or was paid in
    another window empties its cart at once, and a second click finds nothing there."""
    order = request.customer.orders.filter(placed_at__gt=timezone.now() - A_MOMENT, status=Status.PLACED).first()
    said = request.submitted
    is_same = (
        order is not None
        and order.payment_method == request.payment_method
        and order.address_id_then == request.address_id
        and _has_extras(order, request)
        and (order.location_id, order.currency) == (request.market.location_id, request.market.currency)
        and said.amounts.get("total_amount") == order.total_amount
        and said.quantities in (None, quantities_of([order]))
    )
    return order if is_same else None


def _require_orderable(view: CartView, request: PlaceOrder) -> None:
    address = request.address
    if not view.lines:
        raise ShopError(gettext("Cart is Empty"), "cart_empty")
    if address.country_id != view.market.location_id:
        words = gettext(
            "These prices are for %(country)s, but the address is in %(other)s. Choose the same country for both."
        ) % {"country": view.market.country, "other": address.country.local_name}
        raise CheckoutChanged(words, view, "country_changed")
    if refusal := refusal_of(address, request.service):
        raise NotServed(refusal)
    for line in view.problems:
        words = line.problem_by_name
        if line.quantity > line.available:
            raise OutOfStock(words, extra={"variant_id": line.variant.pk})
        raise CheckoutChanged(words, view)


def _require_submitted_totals(view: CartView, submitted: SubmittedTotals) -> None:
    fresh = {
        "sub_total_amt": view.sub_total,
        "shipping_amt": view.shipping,
        "coupon_amt": view.coupon_amt,
        "total_amount": view.total,
        "charged_inr": charged_inr(view),
    }
    quantities = {line.variant.pk: line.quantity for line in view.lines}
    prices = {line.variant.pk: line.price.selling for line in view.lines}
    same = (
        all(fresh[name] == amount for name, amount in submitted.amounts.items())
        and submitted.quantities in (None, quantities)
        and submitted.coupon_code in (None, view.coupon_code, view.code_taken, *([""] if view.automatic else []))
        and all(prices.get(variant_id) == amount for variant_id, amount in submitted.unit_amounts.items())
    )
    if not same:
        raise CheckoutChanged(
            view.coupon_problem or gettext("Prices or your cart have changed. Please check the new total."), view
        )


def _is_unchanged(order: Order, view: CartView, request: PlaceOrder) -> bool:
    """Whether checking out this cart again would only repeat the live order."""
    lines = {line.variant_id: line for line in order.lines.all()}
    draft = {line.variant_id: line for line in copy_lines(view)}
    return (
        order.is_held()
        and order.address == copy_address(request.address)
        and order.payment_method == request.payment_method
        and _has_extras(order, request)
        and (order.location_id, order.currency, order.rate)
        == (view.market.location_id, view.currency, view.market.rate)
        and (order.shipping_amt, order.total_amount) == (view.shipping, view.total)
        and (order.coupon_code, order.points_used) == (view.code_taken, view.points_used)
        and lines.keys() == draft.keys()
        and all(getattr(lines[pk], name) == getattr(draft[pk], name) for pk in lines for name in SUBMITTED_LINE_FIELDS)
    )


def _has_extras(order: Order, request: PlaceOrder) -> bool:
    return all(getattr(order, name) == text for name, text in request.extras.items())


def _write_order(request: PlaceOrder, view: CartView, live: Order | None) -> Order:
    lines = copy_lines(view)
    quantities = {line.variant_id: line.quantity for line in lines}
    if live:
        # Releasing and holding are two ascending walks; locking what both touch first makes them one.
        ids = sorted(quantities.keys() | quantities_of([live]).keys())
        list(Variant.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values("pk"))
        coupons.lock({live.coupon_code, view.code_taken} - {""})
        _cancel(live, actor=request.placed_by, note=CHECKED_OUT_AGAIN)
    order = _new_order(request, view, lines)
    order.is_new = True
    OrderLine.objects.bulk_create(_attached(lines, order))
    stock.hold(quantities, reference=order.number, only_active=True)
    _take_reductions(order)
    note = DRAFT_CHECKED_OUT % {"draft": request.draft} if request.draft else gettext_noop("Checked out.")
    OrderEvent.objects.create(order=order, status_to=order.status, actor=request.placed_by, note=note)
    if order.total_inr == 0:
        confirm_order(order, actor=SHOP, note=gettext_noop("Nothing to pay."))
    elif order.method.is_collected_on_delivery:
        confirm_order(order, actor=request.placed_by, note=order.method.placing_note)
    return order


def _take_reductions(order: Order) -> None:
    """Count the coupon's use and redeem the points of an order; raises ShopError where they are gone."""
    if order.coupon_code:
        coupon = Coupon.objects.filter(code=order.coupon_code).first()
        if coupon is None:
            raise coupons.CouponRefused(gettext("This coupon is not valid."))
        coupons.take(coupon, order.customer, reference=order.number)
    if order.points_used:
        points.redeem(order.customer, order.points_used, reference=order.number)


def return_reductions(order: Order, *, occasion: str) -> None:
    """An order ended as a whole: its coupon and points can be used again."""
    coupons.release_use(reference=order.number)
    left = order.points_used - sum(line.cancelled_points for line in order.lines.all())
    points.restore_points(order.customer, left, reference=order.number, occasion=f"{order.number}:{occasion}")


def _new_order(request: PlaceOrder, view: CartView, lines: list[OrderLine]) -> Order:
    market = view.market
    shipping_inr = market.to_inr(view.shipping)
    coupon_inr, points_inr = reductions_inr(view)
    total_inr = sum((line.line_inr for line in lines), shipping_inr - coupon_inr - points_inr)
    if 0 < total_inr < settings.MINIMUM_INR_TOTAL:
        raise ShopError(gettext("The total is below the smallest amount you can pay (₹1.00)."), "below_minimum")
    request.method.require(market, total_inr, request.service)
    return Order.objects.create(
        number=new_order_number(),
        customer=request.customer,
        hold_expires_at=timezone.now() + timedelta(minutes=request.method.hold_minutes),
        location_id=market.location_id,
        language=request.market.language,
        currency=market.currency,
        rate=market.rate,
        payment_method=request.payment_method,
        payment_option=request.payment_option,
        **request.extras,
        sub_total_amt=view.sub_total,
        shipping_amt=view.shipping,
        coupon_amt=view.coupon_amt,
        points_amt=view.points_amt,
        total_amount=view.total,
        coupon_code=view.code_taken,
        discount_name=view.automatic_terms[:200],
        points_used=view.points_used,
        shipping_inr=shipping_inr,
        coupon_inr=coupon_inr,
        points_inr=points_inr,
        total_inr=total_inr,
        address_id_then=request.address_id,
        address=copy_address(request.address),
        email=request.email,
        draft=request.draft,
        expected_delivery=view.arrives(request.service.extra_days),
    )


def _attached(lines: Iterable[OrderLine], order: Order) -> list[OrderLine]:
    attached = []
    for line in lines:
        line.order = order
        attached.append(line)
    return attached


@transaction.atomic(savepoint=False)
def confirm_order(order: Order, *, actor: str, note: str = "") -> None:
    """The order is paid (or costs nothing, or is paid on delivery): its stock is sold, its lines leave
    the cart, an email is queued, the invoice is issued (last: its series is locked from there on).

    `order` is locked by the caller. Late money finds no hold any more and takes stock, coupon and
    points again; raises OutOfStock or ShopError where those are gone, WrongState for an order that
    was placed already.
    """
    prefetch_related_objects([order], "lines")  # for stock, mail and invoice
    quantities = {line.variant_id: line.quantity for line in order.lines.all()}
    if order.hold_expires_at is None:
        Customer.objects.select_for_update(no_key=True).get(pk=order.customer_id)  # before any variant
        stock.hold(quantities, reference=order.number)
        _take_reductions(order)
        _promise_anew(order)
    move_order(order, Status.PLACED, actor=actor, note=note)
    stock.sell(quantities, reference=order.number)
    if order.coupon_code:
        coupons.confirm_use(reference=order.number)
    if order.draft_id is None:  # the customer's own cart has nothing to do with a draft
        _take_out_of_cart(order, quantities)
    queue_confirmation(order)
    notify_staff(order)
    issue_invoice(order)


def _promise_anew(order: Order) -> None:
    """Late money: delivery takes as long as was promised, counted from now."""
    if order.expected_delivery:
        order.expected_delivery += timezone.localdate() - timezone.localdate(order.created_at)
        order.save(update_fields=["expected_delivery"])


def cancel_order(order: Order, *, actor: str, note: str = "", reason: str = "") -> Order:
    """Cancel until shipping, once; raises WrongState otherwise. The stock goes back on sale. Money
    that was paid is owed from then on (payments reads it from the rows). `reason` is a note that the
    customer reads as well."""
    with transaction.atomic():
        locked: Order = Order.objects.select_for_update().get(pk=order.pk)
        _cancel(locked, actor=actor, note=reason or note)
        queue_cancellation_notification(locked, reason)
    return locked


def expire_order(order: Order) -> bool:
    """Give up the hold of an unpaid order whose time is over; says whether that was so."""
    with transaction.atomic():
        locked = Order.objects.select_for_update().get(pk=order.pk)
        if locked.hold_expires_at is None or locked.is_held():
            return False
        _cancel(locked, actor=SHOP, note=RAN_OUT)
        queue_payment_lapsed(locked)
    return True


def _cancel(order: Order, *, actor: str, note: str) -> None:
    was_held = order.hold_expires_at is not None
    move_order(order, Status.CANCELLED, actor=actor, note=note)
    restock = stock.release if was_held else stock.take_back
    restock(quantities_of([order]), reference=order.number)
    return_reductions(order, occasion="cancelled")


def may_be_revived(order: Order) -> bool:
    """Whether late money may still place this cancelled order: it was never paid, ran out of time
    rather than being given up by the customer or the desk, and no later order took its place. Of a draft only orders
    of the same draft do; one that was withdrawn is given up."""
    if order.draft is not None and order.draft.withdrawn_at:
        return False
    return (
        order.status == Status.CANCELLED
        and not order.is_paid
        and not order.events.filter(status_to=Status.CANCELLED).exclude(actor=SHOP).exists()
        and not Order.objects.filter(customer_id=order.customer_id, draft=order.draft_id, pk__gt=order.pk)
        .exclude(status=Status.CANCELLED)
        .exists()
    )


def quantities_of(orders: Iterable[Order]) -> dict[int, int]:
    """Units per variant over the lines of these orders, without those that were cancelled."""
    quantities: dict[int, int] = {}
    lines = OrderLine.objects.filter(order__in=list(orders), quantity__gt=F("cancelled"))
    for variant_id, quantity in lines.values_list("variant_id", F("quantity") - F("cancelled")):
        quantities[variant_id] = quantities.get(variant_id, 0) + quantity
    return quantities


def _take_out_of_cart(order: Order, quantities: Mapping[int, int]) -> None:
    """What was bought leaves the cart, and so do its coupon and points; what was added since stays, and so does a
    coupon that the order did not use: typed since, or outdone by an automatic discount."""
    lines = CartLine.objects.filter(cart__customer_id=order.customer_id, is_saved=False)
    all_bought = [Q(variant_id=variant_id, quantity__lte=quantity) for variant_id, quantity in quantities.items()]
    gone, _ = lines.filter(reduce(or_, all_bought)).delete()
    if gone < len(quantities):
        for variant_id, quantity in quantities.items():
            more = lines.filter(variant_id=variant_id, quantity__gt=quantity)
            more.update(quantity=F("quantity") - quantity)
    carts = Cart.objects.filter(customer_id=order.customer_id)
    if order.coupon_code:
        carts.filter(coupon__code=order.coupon_code).update(coupon=None)
    if order.points_used:
        carts.update(use_points=False)


@receiver(asking_for_hold)
def what_is_held(sender: type, cart: Cart, **kwargs: Any) -> OwnHold:
    """What the customer's unpaid order has set aside is theirs to order again, and so is that of a draft."""
    of_draft = {"draft__cart": cart} if cart.on_behalf_of_id else {"draft": None, "customer": cart.customer_id}
    return _hold_of(Order.objects.held().filter(**of_draft).first())


@receiver(asking_for_orders)
def has_ordered(sender: type, customer: Customer, **kwargs: Any) -> bool:
    """Whether an order of the customer was placed and not cancelled."""
    return customer.orders.filter(placed_at__isnull=False).exclude(status=Status.CANCELLED).exists()


def _hold_of(live: Order | None) -> OwnHold:
    return OwnHold(quantities_of([live]), live.points_used) if live else OwnHold()
