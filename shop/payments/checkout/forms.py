from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext

from shop.accounts.models import Address, Customer
from shop.cart.models import Cart
from shop.errors import Invalid
from shop.markets.market import Market
from shop.orders.payment_methods import ONLINE, way_named
from shop.orders.placing.values import EXTRAS, PlaceOrder, SubmittedTotals

from .page import read_lines


class CheckoutForm(forms.Form):
    """The chosen address, how it is paid, and what the customer saw, which is only compared."""

    address_id = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    payment_method = forms.CharField(max_length=12, required=False)
    market = forms.CharField(max_length=10, required=False)
    shipping_amt = forms.DecimalField(max_digits=17, decimal_places=3, required=False)
    coupon_amt = forms.DecimalField(max_digits=17, decimal_places=3, required=False)
    total_amount = forms.DecimalField(max_digits=17, decimal_places=3)
    charged_inr = forms.DecimalField(max_digits=17, decimal_places=3, required=False)

    payment_option = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, extra in EXTRAS.items():
            self.fields[name] = forms.CharField(label=gettext(extra.label), max_length=extra.max_length, required=False)

    def extras(self, country_code: str) -> list[forms.BoundField]:
        """What the customer may add there; the other fields are written by the page itself."""
        return [self[name] for name, extra in EXTRAS.items() if extra.country_code in ("", country_code)]

    def clean(self) -> dict[str, Any]:
        for name, extra in EXTRAS.items():
            try:
                self.cleaned_data[name] = extra.clean(self.cleaned_data.get(name, ""))
            except Invalid as refusal:
                self.add_error(name, refusal.message)
        return self.cleaned_data

    def clean_payment_method(self) -> str:
        """The method; what was chosen of its options is kept beside it."""
        try:
            method, self.payment_option = way_named(self.cleaned_data["payment_method"] or ONLINE)
        except KeyError as error:
            raise forms.ValidationError(gettext("Choose how to pay.")) from error
        return method

    def place_order(
        self, *, customer: Customer, cart: Cart | None, address: Address, market: Market, lines: Iterable[str]
    ) -> PlaceOrder:
        """`lines` are those of the page, as its form repeats them (read_lines)."""
        submitted = self.submitted_totals(lines)
        extras = {name: self.cleaned_data[name] for name in EXTRAS}
        method = self.cleaned_data["payment_method"]
        return PlaceOrder(customer, cart, address, market, submitted, method, self.payment_option, **extras)

    def submitted_totals(self, lines: Iterable[str]) -> SubmittedTotals:
        """What the customer saw; see place_order."""
        names, seen = ("shipping_amt", "coupon_amt", "total_amount", "charged_inr"), read_lines(lines)
        return SubmittedTotals(
            amounts={name: self.cleaned_data[name] for name in names if self.cleaned_data[name] is not None},
            quantities={variant_id: quantity for variant_id, (quantity, _) in seen.items()} or None,
            unit_amounts={variant_id: price for variant_id, (_, price) in seen.items()},
            market=self.cleaned_data["market"],
        )


class PaymentResultForm(forms.Form):
    """What the provider's window hands over."""

    razorpay_order_id = forms.CharField(max_length=40)
    razorpay_payment_id = forms.CharField(max_length=40)
    razorpay_signature = forms.CharField(max_length=128)
