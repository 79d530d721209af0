"""What a tax rule answers, and what it is asked about."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext

from shop.company.facts import CompanyFacts
from shop.markets.market import local_country_name
from shop.money import from_inr

from ..models import OrderLine

HOME = "IN"  # the shop sells from India
ABROAD = "96"  # stands for the code of a state on Indian invoices


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a consignment goes, and the price of its goods after reductions, without shipping."""

    country_code: str
    country: str
    state: str
    state_code: str  # of an Indian state, empty where it is unknown; ABROAD elsewhere
    goods_inr: Decimal
    rates: Mapping[str, Decimal]  # INR for one unit of a currency, as the order fixed them

    @property
    def is_abroad(self) -> bool:
        return self.country_code != HOME

    @property
    def words(self) -> str:
        """The place of supply as an Indian invoice names it."""
        if self.is_abroad:
            return f"{self.country} ({ABROAD}, outside India)"
        return f"{self.state} ({self.state_code})" if self.state_code else self.state

    def goods_in(self, currency: str) -> Decimal | None:
        """The price of the goods in a currency; None where the order fixed no rate of it."""
        rate = self.rates.get(currency)
        return from_inr(self.goods_inr, rate, currency) if rate else None


@dataclass(frozen=True, slots=True)
class Taxes:
    """An amount that includes its taxes, taken apart; the parts add up to it. `vat` is the tax of a country abroad."""

    taxable: Decimal
    cgst: Decimal = Decimal(0)
    sgst: Decimal = Decimal(0)
    igst: Decimal = Decimal(0)
    vat: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Layout:
    """How an invoice shows a rule: its title, the heading of the percent column (none without one), and the parts of
    Taxes that have a column, each with its label."""

    title: str
    percent: str = ""
    taxes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class TaxRule(ABC):
    """The tax contained in the prices of one consignment. Invoices keep a copy of what it says."""

    seller: CompanyFacts
    destination: Destination
    day: date  # whose rates count

    @property
    @abstractmethod
    def supply(self) -> str:
        """The kind of supply, as the content of an invoice names it."""

    @property
    @abstractmethod
    def layout(self) -> Layout: ...

    @property
    def declaration(self) -> str:
        """What the law wants an invoice to declare."""
        return ""

    @property
    def registration(self) -> str:
        """The seller's registration abroad, as an invoice names it."""
        return ""

    @property
    def duties_may_be_due(self) -> bool:
        """Whether the buyer may have to pay more on delivery."""
        return self.destination.is_abroad

    @property
    def checkout_note(self) -> str:
        """What a shopper should know about tax before paying."""
        if not self.duties_may_be_due:
            return ""
        words = gettext("You may have to pay customs duties and taxes in %(country)s on delivery.")
        to = self.destination
        return words % {"country": local_country_name(to.country_code, to.country)}

    def percents(self, lines: Iterable[OrderLine]) -> list[Decimal]:
        """The percent of each line."""
        return [Decimal(0) for _ in lines]

    def taxes_in(self, amount: Decimal, percent: Decimal) -> Taxes:
        """The taxes inside an amount to the paisa."""
        return Taxes(amount)
