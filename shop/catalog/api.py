from typing import Any

from ninja import Router
from ninja.decorators import decorate_view

from shop.errors import NotFound
from shop.http.api import ERRORS
from shop.markets.caching.headers import public_api
from shop.markets.caching.replica_reads import visitors_read
from shop.markets.requests import MarketRequest
from shop.markets.services import market_named

from .cards import cards_by_id
from .categories.menu import MenuNode, menu
from .present import image_address, present_alternative, present_card, present_category, present_variant_detail
from .products.page import ProductPage, read_product
from .products.related import related_products
from .schemas import MenuCategoryOut, ProductBody, ProductOut

router = Router(tags=["catalogue"])


@router.get("/get-menu-list/", response=list[MenuCategoryOut], operation_id="menu")
@decorate_view(public_api)
def get_menu_list(request: MarketRequest) -> list[dict[str, Any]]:
    return [_present_root(root) for root in menu()]


@router.post("/get-product/", response={200: ProductOut, **ERRORS}, operation_id="get_product")
@decorate_view(visitors_read)
def get_product(request: MarketRequest, body: ProductBody) -> dict[str, Any]:
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    product = read_product(body.product.lower(), market)
    if product is None:
        raise NotFound()
    page = ProductPage(product, market)
    related = related_products(product, market)
    cards = {card.product.pk: card for card in cards_by_id([*related.ids], market, for_api=True)}
    return {
        "id": product.pk,
        "name": product.translated.name,
        "title": product.shown_title,
        "slug": product.slug,
        "brand": {
            "name": product.brand.translated.name,
            "slug": product.brand.slug,
            "brand_image": image_address(product.brand.brand_image),
        },
        "main_parent_category": present_category(page.categories[0] if page.categories else None),
        "variants": [present_variant_detail(choice.variant, market) for choice in page.choices],
        "attributes": page.attributes,
        "health_concerns": [
            {"id": row.pk, "name": row.translated.name, "slug": row.slug, "img_icon": image_address(row.img_icon)}
            for row in product.health_concerns.all()
        ],
        "related_products": [
            present_card(cards[pk]) | {"relation": relation, "unit_price": cards[pk].unit_price}
            for relation, ids in (("similar", related.similar), ("goes_well_with", related.goes_well_with))
            for pk in ids
            if pk in cards
        ],
        "active_ingredients": [{"name": row.shown_name, "strength": row.strength} for row in page.components],
        "dosage_form": page.dosage_form,
        "same_composition": list(map(present_alternative, page.same_composition)),
        "delivery_details": {
            "dispatch_max_day": product.dispatch_max_day,
            "buffer_delivery_day": product.buffer_delivery_day,
        },
        "highlight": product.translated.highlight,
        "suited_for": product.translated.suited_for,
        "dosage": product.translated.dosage,
        "cautions": product.translated.cautions,
        "storage": product.translated.storage,
        "lab_certificate": product.lab_certificate.url if product.lab_certificate else "",
        "is_prescription": product.is_prescription,
        "country_of_origin": product.country_of_origin,
    }


def _present_root(root: MenuNode) -> dict[str, Any]:
    return _present_node(root) | {
        "img_icon": image_address(root.icon),
        "img_bg": image_address(root.picture),
        "img_bg_m": image_address(root.picture_mobile),
        "color": root.color,
        "health_concerns": [{"name": link.name, "slug": link.slug} for link in [*root.concerns, *root.rare_concerns]],
        "brands": [
            {"name": link.name, "slug": link.slug, "brand_image": image_address(link.picture)} for link in root.brands
        ],
    }


def _present_node(node: MenuNode) -> dict[str, Any]:
    return {
        "name": node.name,
        "slug": node.slug,
        "child_categories": [_present_node(child) for child in node.children],
    }
