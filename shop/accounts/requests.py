from shop.markets.requests import MarketRequest

from .models import Customer


class CustomerRequest(MarketRequest):
    """A request past login_required (or a call's sign-in check), with its market."""

    user: Customer
