from typing import Annotated

from ninja import Schema

from shop.calls import Body, Id, text


class MarketBody(Body):
    """Where to and in which money; `symbol` is accepted and ignored."""

    deliver_to: Id | None = None
    currency: Annotated[str, text(3)] | None = None
    symbol: Annotated[str, text(8)] | None = None


class LocationOut(Schema):
    id: int
    name: str
    timezone_shorthand: str
    currency_shorthand: str
    currency_symbol: str
