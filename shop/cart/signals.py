"""Signals by which the cart asks later apps."""

from dataclasses import dataclass, field
from typing import Any

from django.dispatch import Signal

from shop.accounts.models import Customer

from .models import Cart


@dataclass(frozen=True)
class OwnHold:
    """What an unpaid order has set aside that a new one of the same cart would have again."""

    units: dict[int, int] = field(default_factory=dict)  # by variant id
    points: int = 0


asking_for_hold = Signal()  # with `cart`, which has a buyer; receivers answer an OwnHold or None
asking_for_orders = Signal()  # with `customer`; receivers answer whether they ordered before


def own_hold(cart: Cart) -> OwnHold:
    answers = asking_for_hold.send(Cart, cart=cart) if cart.customer_id or cart.on_behalf_of_id else []
    holds: list[Any] = [hold for _, hold in answers if isinstance(hold, OwnHold)]
    return holds[0] if holds else OwnHold()


def has_ordered(customer: Customer | None) -> bool:
    """Whether a customer has an order that was placed and not cancelled; nobody knows it of a guest."""
    return customer is not None and any(found for _, found in asking_for_orders.send(Customer, customer=customer))
