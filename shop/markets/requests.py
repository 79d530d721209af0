from django.http import HttpRequest

from .market import Market


class MarketRequest(HttpRequest):
    """A request past the market middleware."""

    market: Market
