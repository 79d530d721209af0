"""What the checkout shows: the addresses to choose from, what the order costs there and when it comes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import cached_property

from django.utils import timezone
from django.utils.translation import gettext

from shop.accounts.addresses.address_book import Entry, address_book, entries
from shop.accounts.models import Address, Customer
from shop.cart.totals import CartView, PricedLine
from shop.http.api import MAX_AMOUNT
from shop.markets.queries import Service, market_registry, service_for
from shop.money import INR, display
from shop.orders.drafts.queries import address_of, priced
from shop.orders.models import Order, OrderDraft
from shop.orders.payment_methods import PaymentWay, offered_methods, ways_to_pay
from shop.orders.placing.snapshot import charged_inr
from shop.orders.placing.values import SubmittedTotals
from shop.orders.tax.base import rule_of_cart
from shop.orders.tax.rule import TaxRule

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
    customer: Customer | None = None
    requested_way: str = ""
    pincode: str = ""  # of an address that is being typed, where there is none to choose

    @cached_property
    def chosen(self) -> Choice | None:
        possible = [choice for choice in self.choices if choice.may_be_chosen]
        requested = (choice for choice in possible if choice.address.pk == self.requested_id)
        return next(requested, possible[0] if possible else None)

    @property
    def may_be_paid(self) -> bool:
        """With the chosen address, or with the first one, which PAY keeps as it was typed."""
        return not self.view.problems and (self.chosen is not None or not self.choices) and not self.refusal

    @cached_property
    def service(self) -> Service:
        """How it is delivered to the chosen address, else to the PIN code that was typed."""
        if self.chosen:
            return self.chosen.entry.service
        return service_for(self.view.market.location_id, self.pincode)

    @property
    def refusal(self) -> str:
        """Why nothing can be sent to the PIN code that was typed."""
        return "" if self.choices else self.service.refusal(self.pincode)

    @property
    def arrives(self) -> date | None:
        if self.chosen:
            return self.chosen.arrives
        can_be_known = self.view.lines and not self.choices and not self.refusal
        return self.view.arrives(self.service.extra_days) if can_be_known else None

    @property
    def goes_to(self) -> str:
        return self.chosen.address.city if self.chosen else self.pincode

    @property
    def dated_lines(self) -> list[tuple[PricedLine, date | None]]:
        """Each line with the day it arrives, where not all arrive on one day."""
        days = self.view.differing_arrivals(self.service.extra_days) if self.arrives else {}
        return [(line, days.get(line.variant.pk)) for line in self.view.lines]

    @cached_property
    def charged_inr(self) -> Decimal:
        return charged_inr(self.view)

    @cached_property
    def tax_rule(self) -> TaxRule:
        return rule_of_cart(self.view, timezone.localdate())

    @property
    def is_converted(self) -> bool:
        return self.view.currency != INR

    @property
    def buttons(self) -> list[tuple[PaymentWay, str]]:
        """Every way to pay with what the button says while it is chosen."""
        currency = INR if self.is_converted else self.view.currency
        amount = display(self.charged_inr if self.is_converted else self.view.total, currency)
        return [(way, way.button(amount)) for way in self.ways]

    @cached_property
    def ways(self) -> list[PaymentWay]:
        """How this order can be paid where it goes; the way of the customer's last order comes first."""
        ways = ways_to_pay(self.view.market, offered_methods(self.view.market, self.charged_inr, self.service))
        return sorted(ways, key=lambda way: way.name != self.last_way)

    @cached_property
    def last_way(self) -> str:
        orders = self.customer.orders.order_by("-id") if self.customer else Order.objects.none()
        last = orders.values_list("payment_option", "payment_method").first()
        return (last[0] or last[1]) if last else ""

    @property
    def cash_limit(self) -> Decimal | None:
        return market_registry().locations[self.view.market.location_id].cash_on_delivery_max

    @property
    def chosen_way(self) -> str:
        """What was chosen before, else the first."""
        return self.requested_way if self.is_way_offered else next((way.name for way in self.ways), "")

    @property
    def is_way_offered(self) -> bool:
        """Whether what was chosen before can be chosen here."""
        return self.requested_way in [way.name for way in self.ways]


def checkout_page(
    customer: Customer,
    view: CartView,
    *,
    requested_id: int | None = None,
    requested_way: str = "",
    pincode: str = "",
) -> CheckoutPage:
    choices = [_choice(entry, view) for entry in address_book(customer)]
    return CheckoutPage(view, choices, requested_id, customer, requested_way, "" if choices else pincode)


def draft_page(draft: OrderDraft, *, requested_way: str = "") -> CheckoutPage:
    """What the desk prepared, to the one address that it goes to; without one nothing can be paid."""
    view, address = priced(draft), address_of(draft)
    choices = [_choice(entry, view) for entry in entries([address] if address else [])]
    return CheckoutPage(view, choices, requested_way=requested_way)


def _choice(entry: Entry, view: CartView) -> Choice:
    is_elsewhere = entry.address.country_id != view.market.location_id
    comes = view.lines and not is_elsewhere and not entry.refusal
    return Choice(entry, is_elsewhere, view.arrives(entry.service.extra_days) if comes else None)


# --- What changed since the customer saw it -----------------------------------


def changes(submitted: SubmittedTotals, view: CartView) -> list[str]:
    """What is not as the page showed it, in words with the old and the new figures."""
    show = view.market.display
    if submitted.market and submitted.market != view.market.key:
        moved = gettext("You're now ordering to %(country)s, with prices in %(currency)s: the total is %(total)s.")
        named = {"country": view.market.country, "currency": view.currency, "total": show(view.total)}
        return [moved % named]
    words = [*_line_changes(submitted, view), *_amount_changes(submitted.amounts, view)]
    if submitted.amounts["total_amount"] != view.total:
        total = gettext("The total changed from %(before)s to %(now)s.")
        words.append(total % {"before": show(submitted.amounts["total_amount"]), "now": show(view.total)})
    elif (before := submitted.amounts.get("charged_inr")) not in (None, now := charged_inr(view)):
        charged = gettext("The exchange rate has changed: you'd be charged %(now)s instead of %(before)s.")
        words.append(charged % {"before": display(before, INR), "now": display(now, INR)})
    return words


def _line_changes(submitted: SubmittedTotals, view: CartView) -> Iterable[str]:
    quantities = submitted.quantities
    if quantities is None:
        return
    show, now = view.market.display, {line.variant.pk for line in view.lines}
    if quantities.keys() - now:
        yield gettext("An item you saw here is no longer in your cart.")
    for line in view.lines:
        name, quantity = line.product.translated.name, quantities.get(line.variant.pk, 0)
        price = submitted.unit_amounts.get(line.variant.pk, line.price.selling)
        if not quantity:
            yield gettext("%(name)s was added to your cart.") % {"name": name}
        elif line.quantity != quantity:
            words = gettext("%(name)s: the quantity changed from %(before)s to %(now)s.")
            yield words % {"name": name, "before": quantity, "now": line.quantity}
        if line.price.selling != price:
            words = gettext("Price of %(name)s changed from %(before)s to %(now)s.")
            yield words % {"name": name, "before": show(price), "now": show(line.price.selling)}
        if line.problem:
            yield line.problem_by_name


def _amount_changes(amounts: Mapping[str, Decimal], view: CartView) -> Iterable[str]:
    show = view.market.display
    if amounts.get("shipping_amt", view.shipping) != view.shipping:
        words = gettext("Shipping changed from %(before)s to %(now)s.")
        yield words % {"before": show(amounts["shipping_amt"]), "now": show(view.shipping)}
    if amounts.get("coupon_amt", view.coupon_amt) != view.coupon_amt:
        words = gettext("Your discount changed from %(before)s to %(now)s.")
        yield words % {"before": show(amounts["coupon_amt"]), "now": show(view.coupon_amt)}
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
