"""Signals by which the cart asks later apps."""

from dataclasses import dataclass, field
from typing import Any

from django.dispatch import Signal

from shop.accounts.models import Customer


@dataclass(frozen=True)
class OwnHold:
    """What an unpaid order of the customer has set aside, and a new one would have again."""

    units: dict[int, int] = field(default_factory=dict)  # by variant id
    points: int = 0


asking_for_hold = Signal()  # with `customer`; receivers answer an OwnHold or None


def own_hold(customer: Customer | None) -> OwnHold:
    answers = asking_for_hold.send(Customer, customer=customer) if customer else []
    holds: list[Any] = [hold for _, hold in answers if isinstance(hold, OwnHold)]
    return holds[0] if holds else OwnHold()
