"""Signals of payments to later apps."""

from django.dispatch import Signal

# Sent with `request`, `customer` and `view` (CartView) for the checkout, and with `draft` for the page behind a draft's
# link (else None), whose reader may be somebody else than the customer. A receiver returns what its app asks for there:
# {"template": …, and what that template reads}, or None. Its fields and buttons belong to the form "checkout".
showing_checkout = Signal()

# Sent with `request`, `customer` and `draft` when that form comes in with such parts, before anything else of it is
# read. A receiver keeps what its part of the form brought, or raises ShopError; it returns whether one of its own
# buttons was pressed, so that the page is shown again in place of an order.
checkout_submitted = Signal()
