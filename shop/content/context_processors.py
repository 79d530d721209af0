from typing import Any

from django.conf import settings
from django.utils.functional import SimpleLazyObject

from shop.catalog.categories.menu import menu
from shop.catalog.categories.tree import presence
from shop.company.facts import company_facts
from shop.markets.queries import languages_of, market_registry
from shop.markets.requests import MarketRequest


def shop(request: MarketRequest) -> dict[str, Any]:
    """What every page needs: the shop's name, the market, the menu, company facts."""
    return {
        "shop_name": settings.SHOP_NAME,
        "shop_email": settings.SHOP_EMAIL,
        "company": SimpleLazyObject(company_facts),
        "files_origin": settings.FILES_ORIGIN,
        "demo": settings.DEMO,
        "market": request.market,
        "menu": SimpleLazyObject(menu),
        "menu_key": lambda: presence().key,  # only where the header is made: many answers have none
        "locations": SimpleLazyObject(lambda: market_registry().listed()),
        "languages": SimpleLazyObject(
            lambda: languages_of(market_registry().locations[request.market.location_id]),
        ),
        "currency_codes": SimpleLazyObject(lambda: market_registry().currency_codes),
    }
