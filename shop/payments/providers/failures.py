"""Why a payment failed, in words that say what to do next. The reasons are the provider's."""

WORDS = {
    "payment_cancelled": "The payment was cancelled. Your order is kept; you can try again.",
    "payment_timed_out": "The payment was not finished in time. Please try again.",
    "insufficient_funds": "There was not enough money on this card or account. Please try another way to pay.",
    "incorrect_otp": "The OTP was not correct. Please try again.",
    "incorrect_cvv": "The CVV was not correct. Please check the back of your card and try again.",
    "card_declined": "Your bank declined this card. Please try another card or another way to pay.",
    "card_expired": "This card has expired. Please try another one.",
    "authentication_failed": "Your bank could not confirm that it was you. Please try again.",
    "bank_technical_error": "Your bank could not be reached. Please try again, or another way to pay.",
    "gateway_technical_error": "The payment service had a problem. Please try again in a minute.",
    "payment_declined": "Your bank declined the payment. Please try another way to pay.",
    "invalid_vpa": "This UPI ID is not known. Please check it and try again.",
    "payment_collect_request_expired": "The request in your UPI app has expired. Please try again.",
    "international_transaction_not_allowed": "This card is not open for payments abroad. Please try another one.",
}
UNKNOWN = "The payment did not go through. If money was taken, it comes back to you. Please try again."


def explain_failure(reason: str) -> str:
    return WORDS.get(reason, UNKNOWN)
