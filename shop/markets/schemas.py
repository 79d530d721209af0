from typing import Annotated

from ninja import Schema
from pydantic import Field

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


PinCodeText = Annotated[str, Field(pattern=r"^[1-9][0-9]{5}$")]


class PinCodeOut(Schema):
    """`states` are those that the PIN may lie in; `state` and `city` are empty where they are not known."""

    pincode: str
    is_known: bool
    states: list[str]
    state: str
    city: str
    warning: str
