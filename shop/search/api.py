from datetime import timedelta
from typing import Any

from ninja import Router, Status

from shop.catalog.present import image_address, present_card
from shop.catalog.schemas import CardOut
from shop.http.api import ERRORS
from shop.limits.services import client_of, consume
from shop.markets.geography.detection import client_address
from shop.markets.requests import MarketRequest
from shop.markets.services import market_named

from .facets.selection import listing_words
from .listing.api_query import brands_named, query_of_api
from .listing.services import Listing, ListingQuery
from .query_log import count_search
from .schemas import BrandProducts, CategoryProducts, CategoryProductsOut, CountBody, SearchBody, SearchOut

router = Router(tags=["search"])
MIN_SEARCH_LENGTH = 2
THUMBNAIL_WIDTH = 320
MAX_COUNTS = 60  # of one client in ten minutes


@router.post(
    "/get-category-products/", response={200: CategoryProductsOut, **ERRORS}, operation_id="list_category_products"
)
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
def list_brand_products(request: MarketRequest, body: BrandProducts) -> list[dict[str, Any]]:
    brands = brands_named([body.brand] if body.brand else [])
    is_unknown = bool(body.brand) and not brands
    listing_query = ListingQuery(brands=brands, query=listing_words(body.query), page=body.page, is_nothing=is_unknown)
    return [present_card(card) for card in _listing(request, body, listing_query).cards]


@router.post("/search/", response={200: SearchOut, **ERRORS}, operation_id="search")
def search(request: MarketRequest, body: SearchBody) -> dict[str, Any]:
    """Suggestions while typing: the first page of what matches."""
    words = body.query.strip()
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    listing = Listing(market, ListingQuery(words=words, is_nothing=len(words) < MIN_SEARCH_LENGTH))
    return {
        "products": [
            {
                "id": card.product.pk,
                "slug": card.product.slug,
                "name": card.product.name,
                "first_image": image_address(card.product.first_picture, THUMBNAIL_WIDTH),
            }
            for card in listing.cards
        ]
    }


@router.post("/api/searches/", response={204: None, **ERRORS}, operation_id="count_search")
def count(request: MarketRequest, body: CountBody) -> Status[Any]:
    """A shopper looks at the results of these words, or follows a suggestion for them."""
    client = client_of(client_address(request))
    consume("count_search", client, limit=MAX_COUNTS, period=timedelta(minutes=10))
    count_search(body.query)
    return Status(204, None)


def _listing(request: MarketRequest, body: CategoryProducts | BrandProducts, listing_query: ListingQuery) -> Listing:
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    return Listing(market, listing_query, page_alone=True, for_api=True)
