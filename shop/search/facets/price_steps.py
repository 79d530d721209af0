"""Prices as shoppers filter by them: bounds, steps, and what a limit in shown money means in the index.

The specification's multiples of 50 and steps of 10 hold for INR; elsewhere the nearest 1-2-5 step to
the value of ₹50, and a fifth of it (PRODUCT.md 2).
"""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache

from shop.markets.market import Market
from shop.money import INR, quantum

STEP_INR = Decimal(50)
UNLIMITED = 2**62


@dataclass(frozen=True)
class Steps:
    """`bound`: bounds are multiples of it; `slider`: of this the chosen prices; `unit`: prices are
    rounded to it before they are compared with the lowest one chosen (1 in INR)."""

    bound: Decimal
    slider: Decimal
    unit: Decimal


@dataclass(frozen=True)
class Limits:
    """Lowest and highest price that pass, both included: in paise where prices follow the rate, in
    thousandths of the location's own currency where they are fixed."""

    paise: tuple[int, int]
    fixed: tuple[int, int]


def steps_of(market: Market) -> Steps:
    return _steps(market.currency, market.rate)


@lru_cache
def _steps(currency: str, rate: Decimal) -> Steps:
    if currency == INR:
        return Steps(STEP_INR, Decimal(10), Decimal(1))
    smallest = quantum(currency)
    value = STEP_INR / rate
    power = Decimal(1).scaleb(value.adjusted())
    bound = max(min((power * step for step in (1, 2, 5, 10)), key=lambda step: abs(step - value)), smallest)
    slider = max(bound / 5, smallest)
    return Steps(bound, slider, max(Decimal(1).scaleb(slider.adjusted() - 1), smallest))


def rounded_bounds(lowest: Decimal, highest: Decimal, market: Market) -> tuple[Decimal, Decimal]:
    """The ends of the price slider around the lowest and highest shown price."""
    step = steps_of(market).bound
    return _multiple(lowest, step, ROUND_FLOOR), _multiple(highest, step, ROUND_CEILING)


def limits_of(market: Market, price_min: Decimal | None, price_max: Decimal | None) -> Limits:
    """A product passes when its rounded selling price is at least the minimum and its selling price
    at most the maximum, as shown in the market."""
    home = market.rate / market.home_rate if not market.in_home_currency else Decimal(1)
    scales = (market.rate * 100, home * 1000)
    half = quantum(market.currency) / 2
    lows, highs = [0, 0], [UNLIMITED, UNLIMITED]
    if price_min is not None:
        unit = steps_of(market).unit
        passes = _multiple(price_min, unit, ROUND_CEILING) - unit / 2
        shown = _multiple(passes, quantum(market.currency), ROUND_CEILING)
        lows = [_whole((shown - half) * scale) for scale in scales]
    if price_max is not None:
        shown = _multiple(price_max, quantum(market.currency), ROUND_FLOOR)
        highs = [_whole((shown + half) * scale) - 1 for scale in scales]
    return Limits((lows[0], highs[0]), (lows[1], highs[1]))


def _multiple(amount: Decimal, step: Decimal, rounding: str) -> Decimal:
    return (amount / step).to_integral_value(rounding) * step


def _whole(amount: Decimal) -> int:
    return int(amount.to_integral_value(ROUND_CEILING))
