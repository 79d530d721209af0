from collections.abc import Iterable
from typing import Any

from django import forms

from shop.accounts.models import Address, Customer
from shop.cart.models import Cart
from shop.markets.market import Market
from shop.orders.payment_methods import ONLINE, payment_method_choices
from shop.orders.placing.values import EXTRAS, PlaceOrder, SubmittedTotals

from .page import read_lines


class CheckoutForm(forms.Form):
    """The chosen address, how it is paid, and what the customer saw, which is only compared."""

    address_id = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    payment_method = forms.ChoiceField(choices=payment_method_choices, required=False)
    market = forms.CharField(max_length=10, required=False)
    shipping_amt = forms.DecimalField(max_digits=17, decimal_places=3, required=False)
    coupon_amt = forms.DecimalField(max_digits=17, decimal_places=3, required=False)
    total_amount = forms.DecimalField(max_digits=17, decimal_places=3)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, extra in EXTRAS.items():
            self.fields[name] = forms.CharField(label=extra.label, max_length=extra.max_length, required=False)

    def extras(self) -> list[forms.BoundField]:
        """What the customer may add; the other fields are written by the page itself."""
        return [self[name] for name in EXTRAS]

    def clean_payment_method(self) -> str:
        return self.cleaned_data["payment_method"] or ONLINE

    def place_order(
        self, *, customer: Customer, cart: Cart | None, address: Address, market: Market, lines: Iterable[str]
    ) -> PlaceOrder:
        """`lines` are those of the page, as its form repeats them (read_lines)."""
        names, seen = ("shipping_amt", "coupon_amt", "total_amount"), read_lines(lines)
        submitted = SubmittedTotals(
            amounts={name: self.cleaned_data[name] for name in names if self.cleaned_data[name] is not None},
            quantities={variant_id: quantity for variant_id, (quantity, _) in seen.items()} or None,
            unit_amounts={variant_id: price for variant_id, (_, price) in seen.items()},
            market=self.cleaned_data["market"],
        )
        extras = {name: self.cleaned_data[name] for name in EXTRAS}
        method = self.cleaned_data["payment_method"]
        return PlaceOrder(customer, cart, address, market, submitted, method, **extras)


class PaymentResultForm(forms.Form):
    """What the provider's window hands over."""

    razorpay_order_id = forms.CharField(max_length=40)
    razorpay_payment_id = forms.CharField(max_length=40)
    razorpay_signature = forms.CharField(max_length=128)
