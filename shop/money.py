"""Rounding, conversion, paise and display of money: here and nowhere else.

Amounts are Decimals beside their currency. A rate is INR for one unit of a currency
(PRODUCT.md 2). Every rounding is half-up to the currency's own number of decimals.
"""

from collections.abc import Sequence
from decimal import ROUND_FLOOR, ROUND_HALF_UP, Decimal
from functools import lru_cache

from babel import Locale
from babel.numbers import format_currency, get_currency_precision, get_currency_symbol

PAISA = Decimal("0.01")
INR = "INR"


@lru_cache
def quantum(currency: str) -> Decimal:
    """The smallest unit of a currency: 0.01 for INR, 1 for JPY, 0.001 for KWD."""
    return Decimal(1).scaleb(-get_currency_precision(currency))


def round_money(amount: Decimal, currency: str) -> Decimal:
    return amount.quantize(quantum(currency), ROUND_HALF_UP)


def from_inr(amount_inr: Decimal, rate: Decimal, currency: str) -> Decimal:
    """An INR amount in `currency`, at `rate` INR for one unit."""
    return round_money(amount_inr / rate, currency)


def to_inr(amount: Decimal, rate: Decimal) -> Decimal:
    """An amount shown in a currency, as INR to the paisa."""
    return (amount * rate).quantize(PAISA, ROUND_HALF_UP)


def to_paise(amount_inr: Decimal) -> int:
    """INR as a whole number of paise; an amount with a fraction of a paisa is a bug."""
    paise = amount_inr * 100
    if paise != paise.to_integral_value():
        raise ValueError(f"{amount_inr} INR is not a whole number of paise")
    return int(paise)


def from_paise(paise: int) -> Decimal:
    return (Decimal(paise) / 100).quantize(PAISA)


def spread(total: Decimal, weights: Sequence[Decimal], unit: Decimal) -> list[Decimal]:
    """Share `total` out in proportion to the weights, in whole units (a currency's quantum).

    The shares add up to the total exactly: what rounding down leaves goes, unit by unit, to the
    largest remainders. Without any weight everything goes to the first.
    """
    whole = sum(weights, Decimal(0))
    exact = [total * weight / whole if whole else total * (not at) for at, weight in enumerate(weights)]
    shares = [(share / unit).to_integral_value(ROUND_FLOOR) * unit for share in exact]
    left = int((total - sum(shares, Decimal(0))) / unit)
    by_remainder = sorted(range(len(exact)), key=lambda at: shares[at] - exact[at])
    for at in by_remainder[:left]:
        shares[at] += unit
    return shares


def share_of_units(amount: Decimal, units: int, *, first: int, count: int, unit: Decimal = PAISA) -> Decimal:
    """What `count` of a line's units, after the `first` ones, have of an amount; all of them have all of it."""
    shares = spread(amount, [Decimal(1)] * units, unit)
    return sum(shares[first : first + count], Decimal(0))


def discount_percent(selling: Decimal, actual: Decimal) -> int:
    """Whole percent off, rounded down; 0 when nothing is off."""
    if actual <= 0 or selling >= actual:
        return 0
    return int(((actual - selling) * 100 / actual).to_integral_value(ROUND_FLOOR))


@lru_cache(maxsize=20_000)
def display(amount: Decimal, currency: str) -> str:
    """As CLDR writes it: ₹1,23,456.00, $12.00, ¥1,200, KWD 3.250 (with a no-break space)."""
    return format_currency(amount, currency, _pattern(currency), locale=_locale(currency))


@lru_cache(maxsize=20_000)
def display_short(amount: Decimal, currency: str) -> str:
    """For cards: a whole amount without its zeros, ₹1,299 and $12, every other one in full."""
    if amount != amount.to_integral_value():
        return display(amount, currency)
    pattern = _pattern(currency).replace(".00", "")
    return format_currency(amount, currency, pattern, locale=_locale(currency), currency_digits=False)


def _locale(currency: str) -> Locale:
    return Locale("en", "IN") if currency == INR else Locale("en")


def _pattern(currency: str) -> str:
    """CLDR sets a symbol that ends in a letter apart from the digits; babel does not do it by itself."""
    locale = _locale(currency)
    pattern = locale.currency_formats["standard"].pattern
    return pattern.replace("¤", "¤\xa0") if get_currency_symbol(currency, locale)[-1].isalpha() else pattern
