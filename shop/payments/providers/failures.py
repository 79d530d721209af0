"""Why a payment failed, in words that say what to do next. The reasons are the provider's; gettext translates."""

from django.utils.translation import gettext_noop

WORDS = {
    "payment_cancelled": gettext_noop(
        "The payment was cancelled. Your items are still reserved, so you can try again."
    ),
    "payment_timed_out": gettext_noop("The payment wasn't completed in time. Please try again."),
    "insufficient_funds": gettext_noop(
        "The account or card doesn't have enough money. Please try another payment method."
    ),
    "incorrect_otp": gettext_noop("The OTP was incorrect. Please try again."),
    "incorrect_cvv": gettext_noop("The CVV was incorrect. Please check the back of your card and try again."),
    "card_declined": gettext_noop("Your bank declined this card. Please try another card or payment method."),
    "card_expired": gettext_noop("This card has expired. Please try another one."),
    "authentication_failed": gettext_noop("Your bank couldn't confirm it was you. Please try again."),
    "bank_technical_error": gettext_noop(
        "We couldn't reach your bank. Please try again, or use another payment method."
    ),
    "gateway_technical_error": gettext_noop("The payment service had a problem. Please try again in a minute."),
    "payment_declined": gettext_noop("Your bank declined the payment. Please try another payment method."),
    "invalid_vpa": gettext_noop("We couldn't find this UPI ID. Please check it and try again."),
    "payment_collect_request_expired": gettext_noop("The request in your UPI app has expired. Please try again."),
    "international_transaction_not_allowed": gettext_noop(
        "This card isn't enabled for international payments. Please try another."
    ),
}
UNKNOWN = gettext_noop(
    "The payment failed. If you were charged, we'll complete the order or refund you. Please try again."
)
# By the keys that static/js/pay.js reads: any other reason, a window that did not load, one that was closed.
OF_THE_WINDOW = {
    "": UNKNOWN,
    "window": gettext_noop("The payment window could not be loaded. Please check your connection and try again."),
    "closed": gettext_noop("The payment was not completed. Your items are still reserved, so you can try again."),
}
