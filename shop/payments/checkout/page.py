"""What the checkout shows: the addresses to choose from, what the order costs there and when it comes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cached_property

from django.utils import timezone

from shop.accounts.addresses.address_book import Entry, address_book
from shop.accounts.models import Address, Customer
from shop.cart.totals import CartView
from shop.http.api import MAX_AMOUNT
from shop.markets.queries import Service, market_registry
from shop.money import INR
from shop.orders.payment_methods import PaymentMethod, offered_methods
from shop.orders.placing.snapshot import charged_inr, expected_delivery
from shop.orders.placing.values import SubmittedTotals
from shop.orders.tax.base import rule_of_cart

MAX_LINES = 100
MAX_LINE_LENGTH = 60


@dataclass(frozen=True)
class Choice:
    """One address of the list; `arrives` is the day that the cart would be there."""

    entry: Entry
    is_elsewhere: bool
    arrives: date | None

    @property
    def address(self) -> Address:
        return self.entry.address

    @property
    def may_be_chosen(self) -> bool:
        return not self.is_elsewhere and not self.entry.refusal

    @property
    def may_be_switched_to(self) -> bool:
        """Whether the shop delivers to its country, with other prices."""
        return self.is_elsewhere and self.address.country_id in market_registry().locations


@dataclass(frozen=True)
class CheckoutPage:
    """The checkout of one cart. The chosen address is the one asked for, else the first that can be."""

    view: CartView
    choices: list[Choice]
    requested_id: int | None = None

    @cached_property
    def chosen(self) -> Choice | None:
        possible = [choice for choice in self.choices if choice.may_be_chosen]
        requested = (choice for choice in possible if choice.address.pk == self.requested_id)
        return next(requested, possible[0] if possible else None)

    @property
    def may_be_paid(self) -> bool:
        return self.chosen is not None and not self.view.problems

    @property
    def arrives(self) -> date | None:
        return self.chosen.arrives if self.chosen else None

    @cached_property
    def charged_inr(self) -> Decimal:
        return charged_inr(self.view)

    @property
    def tax_note(self) -> str:
        return rule_of_cart(self.view, timezone.localdate()).checkout_note

    @property
    def is_converted(self) -> bool:
        return self.view.currency != INR

    @property
    def payment_methods(self) -> list[PaymentMethod]:
        """Those that this order can be paid with where it goes."""
        service = self.chosen.entry.service if self.chosen else Service()
        return offered_methods(self.view.market, self.charged_inr, service)


def checkout_page(customer: Customer, view: CartView, *, requested_id: int | None = None) -> CheckoutPage:
    choices = [_choice(entry, view) for entry in address_book(customer)]
    return CheckoutPage(view, choices, requested_id)


def _choice(entry: Entry, view: CartView) -> Choice:
    is_elsewhere = entry.address.country_id != view.market.location_id
    comes = view.lines and not is_elsewhere and not entry.refusal
    return Choice(entry, is_elsewhere, expected_delivery(view, entry.service.extra_days) if comes else None)


# --- What changed since the customer saw it -----------------------------------


def changes(submitted: SubmittedTotals, view: CartView) -> list[str]:
    """What is not as the page showed it, in words with the old and the new figures."""
    show = view.market.display
    if submitted.market and submitted.market != view.market.key:
        return [
            f"You're now ordering to {view.market.country_name}, with prices in {view.currency}: "
            f"the total is {show(view.total)}."
        ]
    words = [*_line_changes(submitted, view), *_amount_changes(submitted.amounts, view)]
    if submitted.amounts["total_amount"] != view.total:
        words.append(f"The total changed from {show(submitted.amounts['total_amount'])} to {show(view.total)}.")
    return words


def _line_changes(submitted: SubmittedTotals, view: CartView) -> Iterable[str]:
    quantities = submitted.quantities
    if quantities is None:
        return
    show, now = view.market.display, {line.variant.pk for line in view.lines}
    if quantities.keys() - now:
        yield "An item you saw here is no longer in your cart."
    for line in view.lines:
        name, quantity = line.product.name, quantities.get(line.variant.pk, 0)
        price = submitted.unit_amounts.get(line.variant.pk, line.price.selling)
        if not quantity:
            yield f"{name} was added to your cart."
        elif line.quantity != quantity:
            yield f"{name}: the quantity changed from {quantity} to {line.quantity}."
        if line.price.selling != price:
            yield f"Price of {name} changed from {show(price)} to {show(line.price.selling)}."
        if line.problem:
            yield f"{name}: {line.problem}"


def _amount_changes(amounts: Mapping[str, Decimal], view: CartView) -> Iterable[str]:
    show = view.market.display
    if amounts.get("shipping_amt", view.shipping) != view.shipping:
        yield f"Shipping changed from {show(amounts['shipping_amt'])} to {show(view.shipping)}."
    if amounts.get("coupon_amt", view.coupon_amt) != view.coupon_amt:
        yield f"Your coupon discount changed from {show(amounts['coupon_amt'])} to {show(view.coupon_amt)}."
        if view.coupon and view.coupon.refusal:
            yield view.coupon.refusal


def read_lines(listed: Iterable[str]) -> dict[int, tuple[int, Decimal]]:
    """Lines as the form writes them, variant:quantity:price; what is no line was not seen."""
    lines = {}
    for text in list(listed)[:MAX_LINES]:
        variant, _, rest = text.partition(":")
        quantity, _, price = rest.partition(":")
        if variant.isdecimal() and quantity.isdecimal() and len(text) < MAX_LINE_LENGTH:
            try:
                amount = Decimal(price)
            except InvalidOperation:
                continue
            if amount.is_finite() and abs(amount) <= MAX_AMOUNT:
                lines[int(variant)] = (int(quantity), amount)
    return lines
