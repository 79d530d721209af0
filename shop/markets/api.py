from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Router
from ninja.decorators import decorate_view

from shop.http.api import ERRORS, text

from .caching.headers import public_api
from .geography.aliases import ALIASES
from .geography.pincodes import look_up_one
from .queries import market_registry
from .schemas import LocationOut, PinCodeOut, PinCodeText

router = Router(tags=["markets"])


@router.get("/api/geo-locations/location-data/", response=list[LocationOut], operation_id="list_locations")
@decorate_view(public_api)
def list_locations(request: HttpRequest) -> list[dict[str, Any]]:
    markets = market_registry()
    return [
        {
            "id": location.pk,
            "name": location.local_name,
            "timezone_shorthand": location.code,
            "currency_shorthand": location.currency_id,
            "currency_symbol": markets.symbols[location.currency_id],
            "aliases": [*ALIASES.get(location.code, ()), *({location.name} - {location.local_name})],
            "is_likely": location.is_indexed,
        }
        for location in markets.listed()
    ]


@router.get("/api/pincode/{pincode}/", response={200: PinCodeOut, **ERRORS}, operation_id="look_up_pincode")
@decorate_view(public_api)
def look_up_pincode(
    request: HttpRequest, pincode: PinCodeText, state: Annotated[str, text(100)] = ""
) -> dict[str, object]:
    """Where a PIN code of India lies. `warning` says in words what to look at again: a PIN code that is
    not known, or one that does not belong to `state`."""
    facts = look_up_one(pincode)
    return {
        "pincode": facts.pin,
        "is_known": facts.is_known,
        "states": list(facts.states),
        "state": facts.state,
        "city": facts.city,
        "warning": facts.warning(state),
    }
