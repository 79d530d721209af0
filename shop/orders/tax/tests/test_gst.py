"""What the tax asks of an invoice: years, states, taxes inside a price."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shop.accounts.addresses.rules import address_rules
from shop.money import PAISA

from ..gst import STATES, Supply, financial_year, state_code, supply_to, taxes_in

AMOUNTS = st.decimals(0, 1_000_000, places=2)
PERCENTS = st.sampled_from([Decimal(p) for p in ("0", "0.25", "5", "12", "18", "28", "40")])


@pytest.mark.parametrize(
    ("day", "year"),
    [
        (date(2026, 3, 31), "25-26"),
        (date(2026, 4, 1), "26-27"),
        (date(2027, 3, 31), "26-27"),
        (date(2099, 12, 1), "99-00"),
    ],
)
def test_a_financial_year_runs_from_april_to_march(day, year):
    assert financial_year(day) == year


def test_every_state_that_an_address_may_name_has_its_code():
    codes = {state_code(state) for state in address_rules("IN").states}
    assert "" not in codes and codes == set(STATES)


@pytest.mark.parametrize(
    ("spelling", "code"), [("jammu & kashmir", "01"), ("Andaman & Nicobar", "35"), ("TAMIL NADU", "33"), ("Texas", "")]
)
def test_a_state_is_known_in_its_usual_spellings(spelling, code):
    assert state_code(spelling) == code


@pytest.mark.parametrize(
    ("country", "state", "lut", "supply"),
    [
        ("IN", "Karnataka", "", Supply.WITHIN),
        ("IN", "Delhi", "", Supply.BETWEEN),
        ("IN", "", "", Supply.BETWEEN),
        ("US", "Karnataka", "AD07", Supply.EXPORT),
        ("US", "Texas", "", Supply.TAXED_EXPORT),
    ],
)
def test_the_place_decides_between_the_taxes(country, state, lut, supply):
    assert supply_to(country_code=country, state=state, seller_code="29", lut=lut) == supply


def test_a_seller_of_unknown_state_sells_within_none():
    assert supply_to(country_code="IN", state="", seller_code="", lut="") == Supply.BETWEEN


def test_taxes_are_taken_out_of_the_price():
    within = taxes_in(Decimal("112.00"), Decimal(12), Supply.WITHIN)
    assert (within.taxable, within.cgst, within.sgst, within.igst) == (100, 6, 6, 0)
    between = taxes_in(Decimal("112.00"), Decimal(12), Supply.BETWEEN)
    assert (between.taxable, between.igst, between.cgst) == (100, 12, 0)
    assert taxes_in(Decimal("112.00"), Decimal(12), Supply.EXPORT).taxable == 112


@given(amount=AMOUNTS, percent=PERCENTS, supply=st.sampled_from(Supply))
def test_the_parts_add_up_and_follow_the_rate_to_the_paisa(amount, percent, supply):
    taxes = taxes_in(amount, percent, supply)
    tax = taxes.cgst + taxes.sgst + taxes.igst
    assert taxes.taxable + tax == amount
    assert taxes.cgst == taxes.sgst
    assert min(taxes.taxable, tax) >= 0
    expected = Decimal(0) if supply == Supply.EXPORT else amount * percent / (100 + percent)
    assert abs(tax - expected) <= PAISA
