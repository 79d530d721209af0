"""Buying an order again: its lines go into the cart at today's prices."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext

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
    in_cart: int = 0  # units that were there before

    @property
    def is_there(self) -> bool:
        """Whether the cart has as many units as the order kept."""
        return self.added + self.in_cart >= self.line.kept


def reorder(order: Order, cart: Cart, market: Market) -> list[Reordered]:
    """Add every line that can be had to the cart, as many units as can be had; units that were cancelled are not
    bought again. A second time adds nothing."""
    return [_add_again(line, cart, market) for line in order.lines.select_related("variant") if line.kept]


def _add_again(line: OrderLine, cart: Cart, market: Market) -> Reordered:
    reason = ""
    for quantity in _quantities(line):
        try:
            add_to_cart(cart, variant_id=line.variant_id, quantity=quantity, market=market)
            return Reordered(line, quantity, reason)
        except AlreadyInCart as refusal:
            words = gettext("It's already in your cart (%(quantity)s).") % {"quantity": refusal.quantity}
            return Reordered(line, 0, words, refusal.quantity)
        except (OutOfStock, Invalid) as refusal:
            reason = reason or refusal.message
        except ShopError as refusal:
            return Reordered(line, 0, refusal.message)
    return Reordered(line, 0, reason)


def _quantities(line: OrderLine) -> Iterable[int]:
    """As many as were kept; failing that, as many as one cart may hold and the shelf has."""
    yield line.kept
    line.variant.refresh_from_db(fields=["on_hand", "max_purchase_qty"])
    fewer = min(line.kept, line.variant.max_purchase_qty, line.variant.on_hand)
    if 0 < fewer < line.kept:
        yield fewer


def refusals_of(lines: Iterable[Reordered]) -> list[str]:
    """What could not be added, in words, one sentence a line."""
    return [_words(again) for again in lines if again.reason]


def _words(again: Reordered) -> str:
    words = (
        gettext("%(name)s: %(added)s of %(quantity)s added. %(reason)s")
        if again.added
        else gettext("%(name)s: not added. %(reason)s")
    )
    line = again.line
    return words % {
        "name": line.translated.product_name, "added": again.added, "quantity": line.kept, "reason": again.reason,
    }  # fmt: skip
