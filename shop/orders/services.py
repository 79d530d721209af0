"""Orders: place, confirm, cancel, expire. Each function owns its transaction.

Locks are taken in one order everywhere: customer, order, variants by ascending id.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from hashlib import sha256

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from shop.accounts.models import Address, Customer
from shop.cart.models import Cart, CartLine
from shop.cart.totals import CartView, price_cart
from shop.catalog import stock
from shop.catalog.models import Variant
from shop.errors import Changed, OutOfStock, ShopError
from shop.markets.market import Market

from .mails import owe_confirmation
from .models import CheckoutKey, Order, OrderEvent, OrderLine
from .snapshot import copy_address, copy_lines, expected_delivery, new_order_number
from .states import Status, move_order

LINE_FIELDS_COMPARED = ("quantity", "unit_amount", "line_inr")


@dataclass(frozen=True)
class Compared:
    """What the client believes it buys. It is compared with the server's figures and never used.

    `amounts` may name sub_total_amt, shipping_amt, coupon_amt and total_amount; `quantities` and
    `unit_amounts` are by variant id.
    """

    amounts: Mapping[str, Decimal] = field(default_factory=dict)
    quantities: Mapping[int, int] | None = None
    unit_amounts: Mapping[int, Decimal] = field(default_factory=dict)


class CheckoutChanged(Changed):
    """The cart is no longer what the customer saw; `view` is the cart at today's prices."""

    def __init__(self, message: str, view: CartView, code: str | None = None) -> None:
        super().__init__(message, code)
        self.view = view


class KeyReused(ShopError):
    code = "idempotency_key_reused"
    status = 422


def price_checkout(customer: Customer, cart: Cart | None, market: Market) -> CartView:
    """The cart at today's prices, as this customer may order it: units that their own unpaid order
    holds are available to them."""
    return _price_with_hold(cart, market, customer.orders.held().first())


def place_order(
    *,
    customer: Customer,
    cart: Cart | None,
    address: Address,
    market: Market,
    compared: Compared | None = None,
    idempotency_key: str | None = None,
) -> Order:
    """Turn the cart into an order that waits for its payment, with its stock held.

    A repeated checkout gets the order of the first one: by its idempotency key, or because nothing
    changed since. A different one replaces the customer's unpaid order. An order of total zero is
    placed at once. Raises OutOfStock, CheckoutChanged (with the fresh cart), KeyReused, ShopError.
    """
    request = _Checkout(customer, cart, address, market, compared or Compared(), idempotency_key)
    try:
        return _place(request)
    except IntegrityError:
        # The unique constraints refused: another request of this customer was first, and its
        # rows can be seen now.
        return _place(request)


@dataclass(frozen=True)
class _Checkout:
    customer: Customer
    cart: Cart | None
    address: Address
    market: Market
    compared: Compared
    key: str | None

    @property
    def hash(self) -> str:
        said = self.compared
        parts = [self.address.pk, self.market.key, *(
            sorted((str(name), str(value)) for name, value in part.items())
            for part in (said.amounts, said.quantities or {}, said.unit_amounts)
        )]  # fmt: skip
        return sha256(json.dumps(parts).encode()).hexdigest()


@transaction.atomic
def _place(request: _Checkout) -> Order:
    customer = Customer.objects.select_for_update(no_key=True).get(pk=request.customer.pk)
    if request.key and (answered := _answered_before(request)):
        return answered
    live = customer.orders.select_for_update().held().first()
    view = _price_with_hold(request.cart, request.market, live)
    _require_orderable(view, request.address)
    _require_as_compared(view, request.compared)
    order = live if live and _is_unchanged(live, view, request.address) else _write_order(request, view, live)
    if request.key:
        CheckoutKey.objects.create(customer=customer, key=request.key, request_hash=request.hash, order=order)
    return order


def _answered_before(request: _Checkout) -> Order | None:
    known = CheckoutKey.objects.select_related("order").filter(customer=request.customer, key=request.key).first()
    if known is None:
        return None
    if known.request_hash != request.hash:
        raise KeyReused("This key was used for another checkout.")
    return known.order


def _price_with_hold(cart: Cart | None, market: Market, live: Order | None) -> CartView:
    view = price_cart(cart, market)
    held = quantities_of([live]) if live else {}
    for line in view.lines:
        line.variant.on_hand += held.get(line.variant.pk, 0)  # for this calculation, never saved
    return view


def _require_orderable(view: CartView, address: Address) -> None:
    if not view.lines:
        raise ShopError("Cart is Empty", "cart_empty")
    if address.country_id != view.market.location_id:
        raise CheckoutChanged(
            f"These prices are for {view.market.country_name}, the address is in {address.country.name}. "
            "Choose one country for both.",
            view,
            "country_changed",
        )
    for line in view.problems:
        words = f"{line.product.name}: {line.problem}"
        if line.quantity > line.variant.on_hand:
            raise OutOfStock(words, extra={"variant_id": line.variant.pk})
        raise CheckoutChanged(words, view)


def _require_as_compared(view: CartView, compared: Compared) -> None:
    fresh = {
        "sub_total_amt": view.sub_total,
        "shipping_amt": view.shipping,
        "coupon_amt": Decimal(0),
        "total_amount": view.total,
    }
    quantities = {line.variant.pk: line.quantity for line in view.lines}
    prices = {line.variant.pk: line.price.selling for line in view.lines}
    same = (
        all(fresh[name] == amount for name, amount in compared.amounts.items())
        and compared.quantities in (None, quantities)
        and all(prices.get(variant_id) == amount for variant_id, amount in compared.unit_amounts.items())
    )
    if not same:
        raise CheckoutChanged("Prices or the cart have changed. Please look at the new total.", view)


def _is_unchanged(order: Order, view: CartView, address: Address) -> bool:
    """Whether checking out this cart again would only repeat the live order."""
    lines = {line.variant_id: line for line in order.lines.all()}
    draft = {line.variant_id: line for line in copy_lines(view)}
    return (
        order.is_held()
        and order.address == copy_address(address)
        and (order.location_id, order.currency, order.rate)
        == (view.market.location_id, view.currency, view.market.rate)
        and (order.shipping_amt, order.total_amount) == (view.shipping, view.total)
        and lines.keys() == draft.keys()
        and all(getattr(lines[pk], name) == getattr(draft[pk], name) for pk in lines for name in LINE_FIELDS_COMPARED)
    )


def _write_order(request: _Checkout, view: CartView, live: Order | None) -> Order:
    lines = copy_lines(view)
    quantities = {line.variant_id: line.quantity for line in lines}
    if live:
        # Releasing and holding are two ascending walks; locking what both touch first makes them one.
        ids = sorted(quantities.keys() | quantities_of([live]).keys())
        list(Variant.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk").values("pk"))
        _cancel(live, actor="customer", note="Replaced by a newer checkout.")
    order = _new_order(request, view, lines)
    OrderLine.objects.bulk_create(_attached(lines, order))
    stock.hold(quantities, reference=order.number)
    OrderEvent.objects.create(order=order, status_to=order.status, actor="customer", note="Checked out.")
    if order.total_inr == 0:
        confirm_order(order, actor="shop", note="Nothing to pay.")
    return order


def _new_order(request: _Checkout, view: CartView, lines: list[OrderLine]) -> Order:
    market = view.market
    shipping_inr = market.to_inr(view.shipping)
    total_inr = sum((line.line_inr for line in lines), shipping_inr)
    if 0 < total_inr < settings.MINIMUM_INR_TOTAL:
        raise ShopError("The total is below the smallest amount that can be paid (₹1.00).", "below_minimum")
    return Order.objects.create(
        number=new_order_number(),
        customer=request.customer,
        hold_expires_at=timezone.now() + timedelta(minutes=settings.HOLD_MINUTES),
        location_id=market.location_id,
        currency=market.currency,
        rate=market.rate,
        sub_total_amt=view.sub_total,
        shipping_amt=view.shipping,
        total_amount=view.total,
        shipping_inr=shipping_inr,
        total_inr=total_inr,
        address_id_then=request.address.pk,
        address=copy_address(request.address),
        email=request.customer.email or "",
        expected_delivery=expected_delivery(view),
    )


def _attached(lines: Iterable[OrderLine], order: Order) -> list[OrderLine]:
    attached = []
    for line in lines:
        line.order = order
        attached.append(line)
    return attached


@transaction.atomic
def confirm_order(order: Order, *, actor: str, note: str = "") -> None:
    """The order is paid (or costs nothing): its stock is sold, its lines leave the cart, a mail is owed.

    `order` is locked by the caller. Late money finds no hold any more and takes the stock again;
    raises OutOfStock where that is gone, WrongState for an order that was placed already.
    """
    quantities = quantities_of([order])
    if order.hold_expires_at is None:
        stock.hold(quantities, reference=order.number)
    move_order(order, Status.PLACED, actor=actor, note=note)
    stock.sell(quantities, reference=order.number)
    _take_out_of_cart(order.customer_id, quantities)
    owe_confirmation(order)


def cancel_order(order: Order, *, actor: str, note: str = "") -> Order:
    """Cancel until shipping, once; raises WrongState otherwise. The stock goes back on sale. Money
    that was paid is owed from then on (payments reads it from the rows)."""
    with transaction.atomic():
        locked = Order.objects.select_for_update().get(pk=order.pk)
        _cancel(locked, actor=actor, note=note)
    return locked


def expire_order(order: Order) -> bool:
    """Give up the hold of an unpaid order whose time is over; says whether that was so."""
    with transaction.atomic():
        locked = Order.objects.select_for_update().get(pk=order.pk)
        if locked.hold_expires_at is None or locked.is_held():
            return False
        _cancel(locked, actor="shop", note="Not paid in time.")
    return True


def _cancel(order: Order, *, actor: str, note: str) -> None:
    was_held = order.hold_expires_at is not None
    move_order(order, Status.CANCELLED, actor=actor, note=note)
    give_back = stock.release if was_held else stock.take_back
    give_back(quantities_of([order]), reference=order.number)


def may_be_revived(order: Order) -> bool:
    """Whether late money may still place this cancelled order: it was never paid, ran out of time
    rather than being given up by the customer, and no later order took its place."""
    return (
        order.status == Status.CANCELLED
        and not order.is_paid
        and not order.events.filter(status_to=Status.CANCELLED, actor="customer").exists()
        and not Order.objects.filter(customer_id=order.customer_id, pk__gt=order.pk)
        .exclude(status=Status.CANCELLED)
        .exists()
    )


def quantities_of(orders: Iterable[Order]) -> dict[int, int]:
    """Units per variant over the lines of these orders."""
    quantities: dict[int, int] = {}
    for variant_id, quantity in OrderLine.objects.filter(order__in=list(orders)).values_list("variant_id", "quantity"):
        quantities[variant_id] = quantities.get(variant_id, 0) + quantity
    return quantities


def _take_out_of_cart(customer_id: int, quantities: Mapping[int, int]) -> None:
    """What was bought leaves the cart; what was added since stays."""
    for variant_id, quantity in quantities.items():
        lines = CartLine.objects.filter(cart__customer_id=customer_id, variant_id=variant_id)
        lines.filter(quantity__lte=quantity).delete()
        lines.filter(quantity__gt=quantity).update(quantity=F("quantity") - quantity)
