"""When a product leaves and arrives in a market: the one home of that rule for cards, pages, cart and orders."""

from dataclasses import dataclass
from datetime import date, timedelta

from shop.markets.geography.local_time import delivery_starts, today_in
from shop.markets.market import Market

from ..models import Product


@dataclass(frozen=True)
class Delivery:
    order_on: date
    dispatch_by: date
    deliver_by: date


def days_to_deliver(product: Product, market: Market) -> int:
    """dispatch_max_day, then the larger of buffer_delivery_day and the market's transit days."""
    return product.dispatch_max_day + max(product.buffer_delivery_day, market.transit_days)


def delivery_for(product: Product, market: Market, today: date | None = None) -> Delivery:
    start = today or delivery_starts(market)
    dispatch = start + timedelta(days=product.dispatch_max_day)
    arrives = start + timedelta(days=days_to_deliver(product, market))
    return Delivery(today or today_in(market), dispatch, arrives)
