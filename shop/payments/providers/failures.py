"""Why a payment failed, in words that say what to do next. The reasons are the provider's."""

WORDS = {
    "payment_cancelled": "The payment was cancelled. We're holding your order, so you can try again.",
    "payment_timed_out": "The payment was not completed in time. Please try again.",
    "insufficient_funds": "There isn't enough money in this account or on this card. Please try another way to pay.",
    "incorrect_otp": "The OTP was incorrect. Please try again.",
    "incorrect_cvv": "The CVV was incorrect. Please check the back of your card and try again.",
    "card_declined": "Your bank declined this card. Please try another card or another way to pay.",
    "card_expired": "This card has expired. Please try another one.",
    "authentication_failed": "Your bank couldn't confirm it was you. Please try again.",
    "bank_technical_error": "We couldn't reach your bank. Please try again, or try another way to pay.",
    "gateway_technical_error": "The payment service had a problem. Please try again in a minute.",
    "payment_declined": "Your bank declined the payment. Please try another way to pay.",
    "invalid_vpa": "We couldn't find this UPI ID. Please check it and try again.",
    "payment_collect_request_expired": "The request in your UPI app has expired. Please try again.",
    "international_transaction_not_allowed": "This card is not enabled for international payments. Please try another.",
}
UNKNOWN = "The payment failed. If you were charged, we'll complete the order or refund you. Please try again."
