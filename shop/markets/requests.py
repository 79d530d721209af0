from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from .market import Market


class MarketRequest(HttpRequest):
    """A request past the market middleware.

    `market_source` is prefix, cookie, detection or default; `market_is_public` tells whether the
    answer is the same for everybody at this address.
    """

    market: Market
    market_source: str
    market_is_public: bool
    htmx: HtmxDetails
