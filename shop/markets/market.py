"""The market value: where the shopper is delivered to, in which money prices are shown, in which language texts."""

from dataclasses import dataclass, replace
from decimal import Decimal

from django.utils.translation import get_language

from shop import money
from shop.translated import ENGLISH, Fallback

from .geography.names import country_names


def prefix_of(language: str, country_code: str) -> str:
    """What addresses of a market begin with: /en-in/."""
    return f"/{language}-{country_code.lower()}/"


def local_country_name(code: str, english: str) -> str:
    """In the active language; `english` is how staff call the country, and stands where CLDR has no name for it."""
    language = get_language()
    if not language or language == ENGLISH:
        return english
    return country_names(language).get(code) or Fallback(english)


@dataclass(frozen=True, slots=True)
class Market:
    """A delivery location and a currency, with the rates that prices follow from.

    `rate` is INR for one unit of `currency`; `home_rate` is the same for the location's own
    currency, in which fixed prices and shipping slabs are written. `language` is one that the location offers; a
    call alone may ask for another language of the shop.
    """

    location_id: int
    country_code: str
    country_name: str
    currency: str
    symbol: str
    rate: Decimal
    home_currency: str
    home_rate: Decimal
    transit_days: int = 2
    is_indexed: bool = False
    phone_code: str = ""
    language: str = "en"

    @property
    def prefix(self) -> str:
        return prefix_of(self.language, self.country_code)

    @property
    def country(self) -> str:
        """Its name in the active language; `country_name` is what staff call it in English."""
        return local_country_name(self.country_code, self.country_name)

    @property
    def key(self) -> str:
        """Names this market where prices alone matter: without its language."""
        return f"{self.country_code}-{self.currency}"

    @property
    def in_home_currency(self) -> bool:
        return self.currency == self.home_currency

    def in_language(self, language: str) -> "Market":
        return replace(self, language=language)

    def from_inr(self, amount_inr: Decimal) -> Decimal:
        return money.from_inr(amount_inr, self.rate, self.currency)

    def from_home(self, amount: Decimal) -> Decimal:
        """An amount of the location's own currency, as shown in this market."""
        if self.in_home_currency:
            return money.round_money(amount, self.currency)
        return money.from_inr(amount * self.home_rate, self.rate, self.currency)

    def to_inr(self, amount: Decimal) -> Decimal:
        return money.to_inr(amount, self.rate)

    def display(self, amount: Decimal) -> str:
        return money.display(amount, self.currency)
