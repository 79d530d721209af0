from datetime import timedelta

from django.db.models import Q
from ninja import Router, Status

from shop.calls import ERRORS
from shop.catalog.models import Brand, Category, HealthConcern
from shop.catalog.present import image_address, present_card
from shop.catalog.schemas import CardOut
from shop.limits.services import client_of, take
from shop.markets.detection import client_address
from shop.markets.requests import MarketRequest
from shop.markets.services import market_named

from .listing import Asked, Listing
from .query_log import count_search
from .schemas import BrandProducts, CategoryProducts, CategoryProductsOut, CountBody, SearchBody, SearchOut

router = Router(tags=["search"])
SHORTEST_LISTING_SEARCH = 3
SHORTEST_SEARCH = 2
THUMBNAIL_WIDTH = 320
MOST_COUNTS = 60  # of one client in ten minutes


@router.post(
    "/get-category-products/", response={200: CategoryProductsOut, **ERRORS}, operation_id="list_category_products"
)
def list_category_products(request: MarketRequest, body: CategoryProducts) -> dict:
    categories = _categories(body)
    brands = [body.brand] if isinstance(body.brand, str) else body.brand or []
    asked = Asked(
        categories=tuple(categories),
        concerns=tuple(HealthConcern.objects.filter(_named(body.concern))) if body.concern else (),
        brands=tuple(Brand.objects.filter(_named(brands))) if brands else (),
        words=_listing_words(body.query),
        sort=body.sort,
        page=body.page,
    )
    unknown = not categories or (body.concern and not asked.concerns) or (brands and not asked.brands)
    return _listing_answer(request, body, Asked(is_nothing=True) if unknown else asked)


@router.post("/get-brand-product/", response={200: list[CardOut], **ERRORS}, operation_id="list_brand_products")
def list_brand_products(request: MarketRequest, body: BrandProducts) -> list[dict]:
    brands = tuple(Brand.objects.filter(_named([body.brand])))
    asked = Asked(brands=brands, words=_listing_words(body.query), page=body.page, is_nothing=not brands)
    return _listing_answer(request, body, asked)["products"]


@router.post("/search/", response={200: SearchOut, **ERRORS}, operation_id="search")
def search(request: MarketRequest, body: SearchBody) -> dict:
    """Suggestions while typing: the first page of what matches."""
    words = body.query.strip()
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    listing = Listing(market, Asked(words=words, is_nothing=len(words) < SHORTEST_SEARCH))
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
def count(request: MarketRequest, body: CountBody) -> Status:
    """A shopper looks at the results of these words, or follows a suggestion for them."""
    client = client_of(client_address(request))
    take("count_search", client, limit=MOST_COUNTS, period=timedelta(minutes=10))
    count_search(body.query)
    return Status(204, None)


def _listing_answer(request: MarketRequest, body: CategoryProducts | BrandProducts, asked: Asked) -> dict:
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    listing = Listing(market, asked, page_alone=True, for_calls=True)
    return {"products": [present_card(card) for card in listing.cards], "total_products": listing.total}


def _categories(body: CategoryProducts) -> list[Category]:
    """The deepest categories named: children within subs within the category."""
    level = list(Category.objects.roots().filter(_named([body.category])))
    for names in (body.sub_category, body.child_category):
        if names:
            level = list(Category.objects.filter(_named(names), parent__in=level))
    return level


def _named(names: list[str]) -> Q:
    wanted = Q(slug__in=[name.lower() for name in names])
    for name in names:
        wanted |= Q(name__iexact=name)
    return wanted


def _listing_words(query: str) -> str:
    """Under three characters a listing's search is ignored."""
    words = query.strip()
    return words if len(words) >= SHORTEST_LISTING_SEARCH else ""
