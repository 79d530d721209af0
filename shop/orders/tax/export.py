"""Exports from India under a letter of undertaking (LUT): zero-rated, section 16 of the IGST Act."""

from datetime import date

from shop.company.facts import CompanyFacts

from .gst import LAYOUTS, Supply
from .rule import Destination, Layout, TaxRule


class ZeroRatedExport(TaxRule):
    @property
    def supply(self) -> str:
        return Supply.EXPORT

    @property
    def layout(self) -> Layout:
        return LAYOUTS[Supply.EXPORT]

    @property
    def declaration(self) -> str:
        return f"Supply meant for export under LUT without payment of IGST. LUT number: {self.seller.lut}"


def export(seller: CompanyFacts, destination: Destination, day: date) -> TaxRule | None:
    return ZeroRatedExport(seller, destination, day) if destination.is_abroad and seller.lut else None
