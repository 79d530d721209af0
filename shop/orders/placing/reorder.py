"""Buying an order again: its lines go into the cart at today's prices."""

from collections.abc import Iterable
from dataclasses import dataclass

from shop.cart.models import Cart
from shop.cart.services import Added, add_available
from shop.markets.market import Market

from ..models import Order, OrderLine


@dataclass(frozen=True, slots=True)
class Reordered:
    """A line of the order, and what of it went into the cart."""

    line: OrderLine
    into_cart: Added

    @property
    def added(self) -> int:
        return self.into_cart.units

    @property
    def reason(self) -> str:
        return self.into_cart.reason

    @property
    def is_there(self) -> bool:
        """Whether the cart has as many units as the order kept."""
        return self.into_cart.is_there


def reorder(order: Order, cart: Cart, market: Market) -> list[Reordered]:
    """Add every line that can be had to the cart, as many units as can be had; units that were cancelled are not
    bought again. A second time adds nothing."""
    return [
        Reordered(line, add_available(cart, variant=line.variant, quantity=line.kept, market=market))
        for line in order.lines.select_related("variant")
        if line.kept
    ]


def refusals_of(lines: Iterable[Reordered]) -> list[str]:
    """What could not be added, in words, one sentence a line."""
    return [again.into_cart.words(again.line.translated.product_name) for again in lines if again.reason]
