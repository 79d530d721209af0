from decimal import Decimal

import pytest

from ..templatetags.money import money, money_short


@pytest.mark.parametrize(
    ("amount", "currency", "full", "short"),
    [
        ("1299.00", "INR", "₹1,299.00", "₹1,299"),
        ("123456.50", "INR", "₹1,23,456.50", "₹1,23,456.50"),
        ("12", "USD", "$12.00", "$12"),
        ("1200", "JPY", "¥1,200", "¥1,200"),
        ("3.250", "KWD", "KWD\xa03.250", "KWD\xa03.250"),
        ("3.000", "KWD", "KWD\xa03.000", "KWD\xa03"),
    ],
)
def test_amounts_are_written_in_full_and_short(amount, currency, full, short):
    assert money(Decimal(amount), currency) == full
    assert money_short(Decimal(amount), currency) == short
