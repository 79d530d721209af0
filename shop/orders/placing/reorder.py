"""Buying an order again: its lines go into the cart at today's prices."""

from collections.abc import Iterable
from dataclasses import dataclass

from shop.cart.models import Cart
from shop.cart.services import AlreadyInCart, add_to_cart
from shop.errors import Invalid, OutOfStock, ShopError
from shop.markets.market import Market

from ..models import Order, OrderLine


@dataclass(frozen=True, slots=True)
class Reordered:
    """A line of the order, how many units went into the cart, and why not all of them."""

    line: OrderLine
    added: int
    reason: str


def reorder(order: Order, cart: Cart, market: Market) -> list[Reordered]:
    """Add every line that can be had to the cart, as many units as can be had. A second time adds nothing."""
    return [_add_again(line, cart, market) for line in order.lines.select_related("variant")]


def _add_again(line: OrderLine, cart: Cart, market: Market) -> Reordered:
    reason = ""
    for quantity in _quantities(line):
        try:
            add_to_cart(cart, variant_id=line.variant_id, quantity=quantity, market=market)
            return Reordered(line, quantity, reason)
        except AlreadyInCart as refusal:
            return Reordered(line, 0, f"It's already in your cart ({refusal.quantity}).")
        except (OutOfStock, Invalid) as refusal:
            reason = reason or refusal.message
        except ShopError as refusal:
            return Reordered(line, 0, refusal.message)
    return Reordered(line, 0, reason)


def _quantities(line: OrderLine) -> Iterable[int]:
    """As many as were bought; failing that, as many as one cart may hold and the shelf has."""
    yield line.quantity
    line.variant.refresh_from_db(fields=["on_hand", "max_purchase_qty"])
    fewer = min(line.quantity, line.variant.max_purchase_qty, line.variant.on_hand)
    if 0 < fewer < line.quantity:
        yield fewer


def refusals_of(lines: Iterable[Reordered]) -> list[str]:
    """What could not be added, in words, one sentence a line."""
    return [_words(again) for again in lines if again.reason]


def _words(again: Reordered) -> str:
    name = again.line.product_name
    if again.added:
        return f"{name}: {again.added} of {again.line.quantity} added. {again.reason}"
    return f"{name}: not added. {again.reason}"
