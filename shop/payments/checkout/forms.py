from decimal import Decimal

from django import forms

from shop.orders.models import Order

from .page import Seen, read_lines


class CheckoutForm(forms.Form):
    """The chosen address, how it is paid, and what the customer saw, which is only compared."""

    address_id = forms.IntegerField(min_value=1, max_value=2**63 - 1)
    payment_method = forms.ChoiceField(choices=Order.PaymentMethod.choices, required=False)
    market = forms.CharField(max_length=10, required=False)
    shipping_amt = forms.DecimalField(max_digits=17, decimal_places=3, required=False)
    coupon_amt = forms.DecimalField(max_digits=17, decimal_places=3, required=False)
    total_amount = forms.DecimalField(max_digits=17, decimal_places=3)

    def clean_payment_method(self) -> str:
        return self.cleaned_data["payment_method"] or Order.PaymentMethod.ONLINE

    def amounts(self) -> dict[str, Decimal]:
        """Those that the page named."""
        names = ("shipping_amt", "coupon_amt", "total_amount")
        return {name: self.cleaned_data[name] for name in names if self.cleaned_data[name] is not None}

    def seen(self, lines: list[str]) -> Seen:
        return Seen(self.cleaned_data["market"], read_lines(lines), self.amounts())


class PaymentResultForm(forms.Form):
    """What the provider's window hands over."""

    razorpay_order_id = forms.CharField(max_length=40)
    razorpay_payment_id = forms.CharField(max_length=40)
    razorpay_signature = forms.CharField(max_length=128)
