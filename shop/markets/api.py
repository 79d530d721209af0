from django.http import HttpRequest
from ninja import Router
from ninja.decorators import decorate_view

from shop.markets.caching import public_call

from .queries import atlas
from .schemas import LocationOut

router = Router(tags=["markets"])


@router.get("/api/geo-locations/location-data/", response=list[LocationOut], operation_id="list_locations")
@decorate_view(public_call)
def list_locations(request: HttpRequest) -> list[dict]:
    markets = atlas()
    return [
        {
            "id": location.pk,
            "name": location.name,
            "timezone_shorthand": location.code,
            "currency_shorthand": location.currency_id,
            "currency_symbol": markets.symbols[location.currency_id],
        }
        for location in markets.locations.values()
    ]
