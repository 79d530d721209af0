from django.http import HttpResponse
from ninja import Router, Schema

from shop.http.api import ERRORS, Id
from shop.markets.requests import MarketRequest
from shop.markets.schemas import MarketBody
from shop.markets.services import market_named

from .holder import add_to_current_wishlist, current_wishlist
from .services import remove_from_wishlist, wished_products

router = Router(tags=["wishlist"])


class WishlistChange(MarketBody):
    product: Id
    wanted: bool = True


class WishlistOut(Schema):
    """Product ids, newest first."""

    products: list[int]


@router.post("/api/wishlist/", response={200: WishlistOut, **ERRORS}, operation_id="change_wishlist")
def change_wishlist(request: MarketRequest, response: HttpResponse, body: WishlistChange) -> dict[str, list[int]]:
    """Put a product on the caller's wishlist, or take it off."""
    market = market_named(body.deliver_to, body.currency, fallback=request.market)
    own = current_wishlist(request)
    if body.wanted:
        _, own = add_to_current_wishlist(request, response, product_id=body.product, market=market)
    elif own:
        remove_from_wishlist(own, product_id=body.product)
    return {"products": wished_products(own)}
