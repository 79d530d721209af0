from django import forms


class CheckoutForm(forms.Form):
    """The chosen address and the total the customer saw, which is only compared."""

    address = forms.IntegerField(min_value=1, max_value=2**63 - 1, error_messages={"required": "Add Address Details"})
    total_amount = forms.DecimalField(max_digits=17, decimal_places=3)


class PaymentResultForm(forms.Form):
    """What the provider's window hands over."""

    razorpay_order_id = forms.CharField(max_length=40)
    razorpay_payment_id = forms.CharField(max_length=40)
    razorpay_signature = forms.CharField(max_length=128)
