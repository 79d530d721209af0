"""No tax: a seller without a GSTIN may collect none (section 32 of the CGST Act)."""

from datetime import date

from shop.company.facts import CompanyFacts

from .rule import Destination, Layout, TaxRule


class NoTax(TaxRule):
    @property
    def supply(self) -> str:
        return "untaxed"

    @property
    def layout(self) -> Layout:
        return Layout("Invoice")


def no_tax(seller: CompanyFacts, destination: Destination, day: date) -> TaxRule:
    return NoTax(seller, destination, day)
