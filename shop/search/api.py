from datetime import timedelta
from typing import Any

from ninja import Router, Status
from ninja.decorators import decorate_view

from shop.catalog.cards import Card
from shop.catalog.present import image_address, present_card
from shop.catalog.schemas import CardOut
from shop.http.api import ERRORS
from shop.limits.services import client_of, consume
from shop.markets.caching.replica_reads import visitors_read
from shop.markets.geography.detection import client_address
from shop.markets.requests import MarketRequest
from shop.markets.services import market_named
from shop.money import display_short
from shop.translated import fallback_language

from .engines.services import suggest
from .facets.kinds.price import ChosenPrices, PriceFacet
from .facets.selection import FacetSelection, listing_words
from .listing.api_query import brands_named, query_of_api
from .listing.services import Listing, ListingQuery
from .query_log import count_change, count_search
from .schemas import BrandProducts, CategoryProducts, CategoryProductsOut, CountBody, PopularOut, SearchBody, SearchOut
from .suggestions import Place, Suggestions, popular_searches
from .text.query import split_prices

router = Router(tags=["search"])
MIN_SEARCH_LENGTH = 2
THUMBNAIL_WIDTH = 320
MAX_COUNTS = 60  # of one client in ten minutes


@router.post(
    "/get-category-products/", response={200: CategoryProductsOut, **ERRORS}, operation_id="list_category_products"
)
@decorate_view(visitors_read)
def list_category_products(request: MarketRequest, body: CategoryProducts) -> dict[str, Any]:
    listing = _listing(request, body, query_of_api(body))
    prices = listing.prices
    return {
        "products": [present_card(card) for card in listing.cards],
        "total_products": listing.total,
        "facets": listing.facets,
        "price": {"min": prices.bounds[0], "max": prices.bounds[1], "step": prices.step} if prices else None,
    }


@router.post("/get-brand-product/", response={200: list[CardOut], **ERRORS}, operation_id="list_brand_products")
@decorate_view(visitors_read)
def list_brand_products(request: MarketRequest, body: BrandProducts) -> list[dict[str, Any]]:
    brands = brands_named([body.brand] if body.brand else [])
    is_unknown = bool(body.brand) and not brands
    listing_query = ListingQuery(brands=brands, query=listing_words(body.query), page=body.page, is_nothing=is_unknown)
    return [present_card(card) for card in _listing(request, body, listing_query).cards]


@router.post("/search/", response={200: SearchOut, **ERRORS}, operation_id="search")
@decorate_view(visitors_read)
def search(request: MarketRequest, body: SearchBody) -> dict[str, Any]:
    """Suggestions while typing: places of that name, and the first page of what matches all that was typed."""
    prices = split_prices(body.query.strip())
    words = prices.rest
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    limits = FacetSelection({PriceFacet.name: ChosenPrices(prices.min, prices.max)} if prices else {})
    query = ListingQuery(words=words, filters=limits, is_nothing=len(words) < MIN_SEARCH_LENGTH)
    listing = Listing(market, query, find=suggest)
    suggestions = Suggestions(listing)
    return {
        "note": suggestions.note,
        "places": [_present_place(place) for place in suggestions.places],
        "products": [_present_suggestion(card) for card in suggestions.cards],
    }


def _present_place(place: Place) -> dict[str, Any]:
    return {"kind": place.kind, "name": place.name, "lang": fallback_language(place.name), "path": place.path}


def _present_suggestion(card: Card) -> dict[str, Any]:
    name = card.product.translated.name
    return {
        "id": card.product.pk,
        "slug": card.product.slug,
        "name": name,
        "lang": fallback_language(name),
        "first_image": image_address(card.product.first_picture, THUMBNAIL_WIDTH),
        "price": display_short(card.price.selling, card.price.currency),
        "pack": card.pack,
        "in_stock": card.in_stock,
    }


@router.get("/api/searches/popular/", response={200: PopularOut, **ERRORS}, operation_id="popular_searches")
@decorate_view(visitors_read)
def popular(request: MarketRequest, deliver_to: int | None = None, currency: str = "") -> dict[str, Any]:
    """What many in this country searched for lately."""
    market = market_named(deliver_to, currency, fallback=request.market)
    return {"searches": popular_searches(market)}


@router.post("/api/searches/", response={204: None, **ERRORS}, operation_id="count_search")
def count(request: MarketRequest, body: CountBody) -> Status[Any]:
    """Count a search, or what became of it."""
    client = client_of(client_address(request))
    consume("count_search", client, limit=MAX_COUNTS, period=timedelta(minutes=10))
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    count_search(body.query, market.country_code, is_search=body.is_search, is_click=body.is_click)
    if body.before:
        count_change(body.before, body.query)
    return Status(204, None)


def _listing(request: MarketRequest, body: CategoryProducts | BrandProducts, listing_query: ListingQuery) -> Listing:
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    return Listing(market, listing_query, page_alone=True, for_api=True)
