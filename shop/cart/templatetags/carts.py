"""The visitor's cart on pages of apps it builds on: {% own_cart as cart_view %}; when a line of it arrives."""

from django import template
from django.template.context import RequestContext

from shop.catalog.models import Product
from shop.markets.geography.remembered_pin import remembered_pin
from shop.markets.market import Market

from ..coupons import ProductOffer, offers_for
from ..holder import current_cart
from ..totals import CartView, PricedLine, price_cart

register = template.Library()


@register.simple_tag(takes_context=True)
def own_cart(context: RequestContext) -> CartView:
    request = context["request"]
    return price_cart(current_cart(request), request.market, pincode=remembered_pin(request))


@register.simple_tag
def product_offers(product: Product, market: Market) -> list[ProductOffer]:
    """The discounts for a product that everybody may know of."""
    return offers_for(product.pk, product.brand_id, product.category_id, market)


@register.filter
def arrival_of(view: CartView, line: PricedLine) -> str:
    """In words; empty where all lines arrive together."""
    return view.arrival_texts.get(str(line.variant.pk), "")
