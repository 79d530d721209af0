"""Which markets there are. Locations, currencies and newest rates change rarely and are read on
every request, so each process remembers them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from django.conf import settings
from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext

from shop.invalidation.subscriptions import remembered
from shop.money import INR
from shop.text import sort_key

from .market import Market
from .models import Currency, Location, Rate, ServiceRule, Slab, bare_postcode

DEFAULT_LOCATION_ID = 22
ENGLISH = "en"  # every text has it
OLD_RATE = timedelta(days=7)


@dataclass(frozen=True)
class MarketRegistry:
    """Every active location and every currency that has a rate; the time zones of all locations, by id."""

    locations: dict[int, Location]
    by_code: dict[str, Location]
    rates: dict[str, Decimal]
    symbols: dict[str, str]
    time_zones: dict[int, str]

    def market(self, location: Location, currency: str | None = None, language: str = ENGLISH) -> Market:
        """The market of a location, in its own currency unless another known one is named, and in `language` if
        the location offers it."""
        home = location.currency_id
        shown = currency if currency in self.rates else home
        return Market(
            location_id=location.pk,
            country_code=location.code,
            country_name=location.name,
            currency=shown,
            symbol=self.symbols[shown],
            rate=self.rates[shown],
            home_currency=home,
            home_rate=self.rates[home],
            transit_days=location.transit_days,
            is_indexed=location.is_indexed,
            phone_code=location.phone_code,
            language=offered_language(location, language),
        )

    def listed(self) -> list[Location]:
        """Locations by their names in the active language."""
        return sorted(self.locations.values(), key=lambda location: sort_key(location.local_name))

    @property
    def default(self) -> Location:
        return self.locations.get(DEFAULT_LOCATION_ID) or next(iter(self.locations.values()))

    @property
    def currency_codes(self) -> list[str]:
        return sorted(self.rates)


@remembered("shop")
def market_registry() -> MarketRegistry:
    """The markets of now; locations in the order of their names."""
    newest = Rate.objects.filter(currency=OuterRef("pk")).order_by("-valid_from", "-id").values("inr")[:1]
    currencies = {c.pk: c for c in Currency.objects.annotate(inr=Subquery(newest)) if c.inr is not None}
    everywhere = sorted(Location.objects.all(), key=lambda location: sort_key(location.name))
    locations = {loc.pk: loc for loc in everywhere if loc.is_active and loc.currency_id in currencies}
    return MarketRegistry(
        locations=locations,
        by_code={location.code: location for location in locations.values()},
        rates={code: currency.inr for code, currency in currencies.items()},
        symbols={code: currency.symbol for code, currency in currencies.items()},
        time_zones={location.pk: location.time_zone for location in everywhere},
    )


def languages_of(location: Location) -> tuple[str, ...]:
    """Codes of the languages that a location offers, of those that the shop speaks; English where it offers none."""
    return tuple(code for code in settings.SHOP_LANGUAGES if code in location.languages) or (ENGLISH,)


def offered_language(location: Location, wanted: str) -> str:
    """`wanted` where the location offers it, else English, else the first that it offers."""
    offered = languages_of(location)
    return next((code for code in (wanted, ENGLISH) if code in offered), offered[0])


def default_market(language: str = ENGLISH) -> Market:
    """The market of whoever shops nowhere yet."""
    markets = market_registry()
    return markets.market(markets.default, language=language)


def stale_currencies() -> list[str]:
    """Codes of currencies, in use by a location, whose newest rate is older than OLD_RATE."""
    newest = Rate.objects.filter(currency=OuterRef("pk")).order_by("-valid_from", "-id").values("valid_from")[:1]
    used = Currency.objects.filter(locations__is_active=True).exclude(pk=INR).distinct()
    old = used.annotate(newest=Subquery(newest)).filter(newest__lt=timezone.now() - OLD_RATE)
    return list(old.order_by("pk").values_list("pk", flat=True))


def slabs_of(market: Market) -> list[tuple[Decimal, Decimal]]:
    """(tier amount, shipping cost) of the market's location, in the shown currency, lowest tier first."""
    return [(market.from_home(tier), market.from_home(cost)) for tier, cost in _home_slabs(market.location_id)]


def shipping_cost(sub_total: Decimal, slabs: list[tuple[Decimal, Decimal]]) -> Decimal:
    """The first slab whose tier exceeds the subtotal; above all tiers the last one; without slabs 0.

    `slabs` are (tier amount, cost) with the lowest tier first.
    """
    for tier, cost in slabs:
        if tier > sub_total:
            return cost
    return slabs[-1][1] if slabs else Decimal(0)


@remembered("shop")
def _home_slabs(location_id: int) -> list[tuple[Decimal, Decimal]]:
    rows = Slab.objects.filter(location_id=location_id).order_by("tier_amount")
    return list(rows.values_list("tier_amount", "shipping_cost"))


@dataclass(frozen=True)
class Service:
    """How the shop delivers to one postcode; `note` is for the shopper."""

    is_served: bool = True
    extra_days: int = 0
    cash_on_delivery: bool = True
    note: str = ""

    def refusal(self, postcode: str) -> str:
        """Why nothing can be sent there, in words; empty where it can."""
        if self.is_served:
            return ""
        words = (
            gettext("We don't deliver to %(postcode)s.") if postcode else gettext("We don't deliver to this address.")
        ) % {"postcode": postcode}
        return f"{words} {self.note}" if self.note else words


def service_for(location_id: int, postcode: str) -> Service:
    """How the shop delivers to a postcode of a location, as the staff's rules say; without a rule it does."""
    return services_for([(location_id, postcode)])[location_id, postcode]


def services_for(places: Iterable[tuple[int, str]]) -> dict[tuple[int, str], Service]:
    """How the shop delivers to each (location id, postcode), by the longest prefix; in one query."""
    prefixes = {place: _prefixes(place[1]) for place in places}
    rules = ServiceRule.objects.filter(
        location_id__in={location_id for location_id, _ in prefixes},
        prefix__in={prefix for longest_first in prefixes.values() for prefix in longest_first},
    )
    is_ruled = any(location_id in _ruled_locations() for location_id, _ in prefixes)
    by_prefix = {(rule.location_id, rule.prefix): rule for rule in rules} if is_ruled else {}
    found = {}
    for place, longest_first in prefixes.items():
        rule = next((by_prefix[place[0], prefix] for prefix in longest_first if (place[0], prefix) in by_prefix), None)
        found[place] = _service(rule)
    return found


@remembered("shop")
def _ruled_locations() -> frozenset[int]:
    return frozenset(ServiceRule.objects.values_list("location_id", flat=True).distinct())


def _prefixes(postcode: str) -> list[str]:
    bare = bare_postcode(postcode)[:12]
    return [bare[:length] for length in range(len(bare), -1, -1)]


def _service(rule: ServiceRule | None) -> Service:
    return Service(rule.is_served, rule.extra_days, rule.cash_on_delivery, rule.note) if rule else Service()
