"""Which market a call names."""

from shop.errors import Invalid

from .market import Market
from .queries import atlas


def market_named(deliver_to: int | None, currency: str | None, *, fallback: Market) -> Market:
    """The market of a call's `deliver_to` (location id) and `currency` (code).

    Without deliver_to it is `fallback`; without currency the location's own. Raises Invalid (422)
    for a location the shop does not deliver to or a currency it does not show.
    """
    markets = atlas()
    location = markets.locations.get(deliver_to or fallback.location_id)
    if location is None:
        raise Invalid("We do not deliver there.", fields={"deliver_to": ["Unknown location."]})
    if currency and currency not in markets.rates:
        raise Invalid("We do not show prices in that currency.", fields={"currency": ["Unknown currency."]})
    if not currency and location.pk == fallback.location_id:
        currency = fallback.currency
    return markets.market(location, currency)
