from django.http import HttpRequest

from shop.markets.market import Market

from .models import Customer


class CustomerRequest(HttpRequest):
    """A request past login_required (or a call's sign-in check), with its market."""

    user: Customer
    market: Market
