"""Which rule a consignment follows, and what UK VAT takes out of a price."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from shop.company.facts import CompanyFacts

from ..base import rule_for
from ..export import ZeroRatedExport
from ..gst import GoodsAndServicesTax, Supply
from ..no_tax import NoTax
from ..rule import ABROAD, Destination
from ..uk_vat import UnitedKingdomVat

DAY = date(2026, 11, 23)
RATE = Decimal("117.00")
SELLER = CompanyFacts(
    legal_name="Leaf Ltd", address="", cin="", gstin="29AAAPL2356Q1Z8", lut="AD290123", grievance_officer="", phone="",
    licences=[], social_links={}, uk_vat="",
)  # fmt: skip
REGISTERED = replace(SELLER, uk_vat="GB980780684")


def to(code, pounds="100.00", **more):
    facts = {"country": code, "state": "", "state_code": ABROAD, "rates": {"GBP": RATE}}
    return Destination(country_code=code, goods_inr=Decimal(pounds) * RATE, **facts | more)


KARNATAKA = to("IN", state="Karnataka", state_code="29")


@pytest.mark.parametrize(
    ("seller", "destination", "kind", "supply"),
    [
        (SELLER, KARNATAKA, GoodsAndServicesTax, Supply.WITHIN),
        (SELLER, to("IN", state="Delhi", state_code="07"), GoodsAndServicesTax, Supply.BETWEEN),
        (SELLER, to("US"), ZeroRatedExport, Supply.EXPORT),
        (replace(SELLER, lut=""), to("US"), GoodsAndServicesTax, Supply.TAXED_EXPORT),
        (replace(SELLER, gstin=""), KARNATAKA, NoTax, "untaxed"),
        (SELLER, to("GB"), ZeroRatedExport, Supply.EXPORT),
        (REGISTERED, to("GB"), UnitedKingdomVat, Supply.EXPORT),
        (REGISTERED, to("US"), ZeroRatedExport, Supply.EXPORT),
        (REGISTERED, KARNATAKA, GoodsAndServicesTax, Supply.WITHIN),
    ],
)
def test_seller_and_destination_decide_on_the_rule(seller, destination, kind, supply):
    rule = rule_for(seller, destination, DAY)
    assert (type(rule), rule.supply) == (kind, supply)


@pytest.mark.parametrize(
    ("pounds", "kind"),
    [("0", UnitedKingdomVat), ("135.00", UnitedKingdomVat), ("135.01", ZeroRatedExport), ("500", ZeroRatedExport)],
)
def test_uk_vat_is_collected_on_goods_up_to_135_pounds(pounds, kind):
    assert type(rule_for(REGISTERED, to("GB", pounds), DAY)) is kind


def test_the_limit_follows_the_rate_that_the_order_fixed():
    dearer = to("GB", "135.01", rates={"GBP": RATE + 1, "USD": Decimal(1)})
    assert type(rule_for(REGISTERED, dearer, DAY)) is UnitedKingdomVat
    assert type(rule_for(REGISTERED, to("GB", rates={"USD": Decimal(1)}), DAY)) is ZeroRatedExport


def test_uk_vat_is_contained_in_the_price():
    rule = rule_for(REGISTERED, to("GB"), DAY)
    taxes = rule.taxes_in(Decimal("120.00"), Decimal(0))
    assert (taxes.taxable, taxes.vat, taxes.igst) == (100, 20, 0)
    assert rule.layout.taxes == (("vat", "UK VAT 20%"),) and rule.layout.title == "Export invoice"
    assert rule.registration == "UK VAT number GB980780684" and "AD290123" in rule.declaration


def test_an_export_that_india_taxes_pays_igst_on_what_uk_vat_leaves():
    rule = rule_for(replace(REGISTERED, lut=""), to("GB"), DAY)
    taxes = rule.taxes_in(Decimal("134.40"), Decimal(12))
    assert (taxes.taxable, taxes.igst, taxes.vat) == (100, 12, Decimal("22.40"))
    assert [part for part, _ in rule.layout.taxes] == ["igst", "vat"]


def test_no_tax_takes_nothing_and_shows_nothing():
    rule = rule_for(replace(SELLER, gstin=""), KARNATAKA, DAY)
    assert rule.taxes_in(Decimal(118), Decimal(18)).taxable == 118
    assert (rule.layout.taxes, rule.layout.percent, rule.checkout_note) == ((), "", "")


def test_a_shopper_abroad_reads_what_is_due_on_delivery():
    abroad = rule_for(SELLER, to("GB", country="United Kingdom"), DAY)
    assert abroad.checkout_note == "You may have to pay customs duties and taxes in United Kingdom on delivery."
    with translation.override("hi"):
        assert "यूनाइटेड किंगडम" in abroad.checkout_note
    assert rule_for(REGISTERED, to("GB"), DAY).checkout_note.startswith("Prices include UK VAT 20%.")


@given(
    amount=st.decimals(0, 20_000, places=2),
    percent=st.sampled_from([Decimal(p) for p in ("0", "5", "12", "18")]),
    lut=st.sampled_from(["", "AD290123"]),
)
def test_the_parts_of_uk_vat_add_up_to_the_paisa(amount, percent, lut):
    taxes = rule_for(replace(REGISTERED, lut=lut), to("GB"), DAY).taxes_in(amount, percent)
    assert taxes.taxable + taxes.cgst + taxes.sgst + taxes.igst + taxes.vat == amount
    assert abs(taxes.vat - amount / 6) <= Decimal("0.005") and taxes.taxable >= 0
