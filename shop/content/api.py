from typing import Any

from ninja import Router, Schema
from ninja.decorators import decorate_view

from shop.catalog.cards import cards_by_id
from shop.catalog.models import Brand, HealthConcern
from shop.catalog.present import image_address, present_card
from shop.catalog.schemas import BrandOut, CardOut
from shop.http.api import ERRORS
from shop.markets.caching.headers import public_api
from shop.markets.caching.replica_reads import visitors_read
from shop.markets.market import Market
from shop.markets.requests import MarketRequest
from shop.markets.schemas import ListingBody
from shop.markets.services import market_named

from .home.services import banners_everywhere, choose

router = Router(tags=["home"])


class BannerOut(Schema):
    title: str
    link: str
    image: str
    mobile_image: str


class HomeConcernOut(Schema):
    name: str
    slug: str
    image: str


class FeaturedCategory(Schema):
    name: str
    slug: str


class FeaturedOut(Schema):
    category: FeaturedCategory
    products: list[CardOut]


@router.get("/get-home-sliders", response=list[BannerOut], operation_id="home_sliders")
@decorate_view(public_api)
def home_sliders(request: MarketRequest) -> list[dict[str, Any]]:
    return [
        {
            "title": banner.translated.title,
            "link": banner.link,
            "image": image_address(banner.image),
            "mobile_image": image_address(banner.mobile_image),
        }
        for banner in banners_everywhere()
    ]


@router.get("/get-home-brands/", response=list[BrandOut], operation_id="home_brands")
@decorate_view(public_api)
def home_brands(request: MarketRequest) -> list[dict[str, Any]]:
    return [
        {"name": brand.translated.name, "slug": brand.slug, "brand_image": image_address(brand.brand_image)}
        for brand in Brand.objects.select_related("brand_image")
    ]


@router.get("/get-home-concerns/", response=list[HomeConcernOut], operation_id="home_concerns")
@decorate_view(public_api)
def home_concerns(request: MarketRequest) -> list[dict[str, Any]]:
    return [
        {"name": concern.translated.name, "slug": concern.slug, "image": image_address(concern.image)}
        for concern in HealthConcern.objects.select_related("image")
    ]


@router.post("/get-home-hot-sellers/", response={200: list[CardOut], **ERRORS}, operation_id="hot_sellers")
@decorate_view(visitors_read)
def hot_sellers(request: MarketRequest, body: ListingBody) -> list[dict[str, Any]]:
    market = _market(request, body)
    return [present_card(card) for card in cards_by_id(choose(market).hot_selling, market, for_api=True)]


@router.post("/get-home-brand-product/", response={200: list[CardOut], **ERRORS}, operation_id="home_brand_products")
@decorate_view(visitors_read)
def home_brand_products(request: MarketRequest, body: ListingBody) -> list[dict[str, Any]]:
    market = _market(request, body)
    return [present_card(card) for card in cards_by_id(choose(market).spotlight, market, for_api=True)]


@router.post(
    "/get-home-category-featured-products/",
    response={200: list[FeaturedOut], **ERRORS},
    operation_id="featured_category_products",
)
@decorate_view(visitors_read)
def featured_category_products(request: MarketRequest, body: ListingBody) -> list[dict[str, Any]]:
    market = _market(request, body)
    featured = choose(market).featured
    ids = [pk for _, chosen in featured for pk in chosen]
    cards = {card.product.pk: present_card(card) for card in cards_by_id(ids, market, for_api=True)}
    return [
        {
            "category": {"name": category.translated.name, "slug": category.slug},
            "products": [cards[pk] for pk in chosen if pk in cards],
        }
        for category, chosen in featured
    ]


def _market(request: MarketRequest, body: ListingBody) -> Market:
    return market_named(body.deliver_to, body.currency, fallback=request.market)
