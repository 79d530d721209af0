"""Which markets there are. Locations, currencies and newest rates change rarely and are read on
every request, so each process remembers them."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from shop.changes.following import remembered
from shop.money import INR

from .market import Market
from .models import Currency, Location, Rate, Slab

DEFAULT_LOCATION_ID = 22
OLD_RATE = timedelta(days=7)


@dataclass(frozen=True)
class Atlas:
    """Every active location and every currency that has a rate."""

    locations: dict[int, Location]
    by_code: dict[str, Location]
    rates: dict[str, Decimal]
    symbols: dict[str, str]

    def market(self, location: Location, currency: str | None = None) -> Market:
        """The market of a location, in its own currency unless another known one is named."""
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
        )

    @property
    def default(self) -> Location:
        return self.locations.get(DEFAULT_LOCATION_ID) or next(iter(self.locations.values()))

    @property
    def currency_codes(self) -> list[str]:
        return sorted(self.rates)


@remembered("shop")
def atlas() -> Atlas:
    """The atlas of now."""
    newest = Rate.objects.filter(currency=OuterRef("pk")).order_by("-valid_from", "-id").values("inr")[:1]
    currencies = {c.pk: c for c in Currency.objects.annotate(inr=Subquery(newest)) if c.inr is not None}
    locations = {loc.pk: loc for loc in Location.objects.filter(is_active=True) if loc.currency_id in currencies}
    return Atlas(
        locations=locations,
        by_code={location.code: location for location in locations.values()},
        rates={code: currency.inr for code, currency in currencies.items()},
        symbols={code: currency.symbol for code, currency in currencies.items()},
    )


def stale_currencies() -> list[str]:
    """Codes of currencies, in use by a location, whose newest rate is older than OLD_RATE."""
    newest = Rate.objects.filter(currency=OuterRef("pk")).order_by("-valid_from", "-id").values("valid_from")[:1]
    used = Currency.objects.filter(locations__is_active=True).exclude(pk=INR).distinct()
    old = used.annotate(newest=Subquery(newest)).filter(newest__lt=timezone.now() - OLD_RATE)
    return list(old.order_by("pk").values_list("pk", flat=True))


def slabs_of(market: Market) -> list[tuple[Decimal, Decimal]]:
    """(tier amount, shipping cost) of the market's location, in the shown currency, lowest tier first."""
    rows = Slab.objects.filter(location_id=market.location_id).order_by("tier_amount")
    return [(market.from_home(row.tier_amount), market.from_home(row.shipping_cost)) for row in rows]
