"""VAT of the United Kingdom on small consignments, charged at the point of sale.

Source: HMRC, "VAT and overseas goods sold directly to customers in the UK": of goods in consignments not exceeding
£135 the seller abroad charges UK supply VAT when it sells them, and registers for that; above £135 import VAT and
duty are collected at the border instead, and the seller charges none. The £135 are of the goods' intrinsic value:
without transport and insurance that are invoiced separately. VAT is due on the transport, too. HMRC leaves VAT out
of the value; here the price is compared as it is shown, which leaves what costs more than £135 to the border.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal

from django.utils.translation import gettext

from shop.money import PAISA

from ..models import OrderLine
from .rule import Layout, Taxes, TaxRule

PERCENT = 20
MAX_GOODS = Decimal(135)  # pounds
LABEL = f"UK VAT {PERCENT}%"


@dataclass(frozen=True)
class UnitedKingdomVat(TaxRule):
    """UK VAT contained in the price; what India asks of the export is taken from the rest."""

    at_home: TaxRule

    @property
    def supply(self) -> str:
        return self.at_home.supply

    @property
    def layout(self) -> Layout:
        layout = self.at_home.layout
        return replace(layout, taxes=(*layout.taxes, ("vat", LABEL)))

    @property
    def declaration(self) -> str:
        return self.at_home.declaration

    @property
    def registration(self) -> str:
        return f"UK VAT number {self.seller.uk_vat}"

    @property
    def duties_may_be_due(self) -> bool:
        return False

    @property
    def checkout_note(self) -> str:
        words = gettext("Prices include UK VAT %(percent)s%%. You won't pay import VAT on delivery.")
        return words % {"percent": PERCENT}

    def percents(self, lines: Iterable[OrderLine]) -> list[Decimal]:
        return self.at_home.percents(lines)

    def taxes_in(self, amount: Decimal, percent: Decimal) -> Taxes:
        vat = (amount * PERCENT / (100 + PERCENT)).quantize(PAISA, ROUND_HALF_UP)
        return replace(self.at_home.taxes_in(amount - vat, percent), vat=vat)


def uk_vat(at_home: TaxRule) -> TaxRule:
    """UK VAT beside the rule at home, where the shop is registered for it and the goods cost at most £135."""
    pounds = at_home.destination.goods_in("GBP")
    if not at_home.seller.uk_vat or pounds is None or pounds > MAX_GOODS:
        return at_home
    return UnitedKingdomVat(at_home.seller, at_home.destination, at_home.day, at_home)
