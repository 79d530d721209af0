import re

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from shop.http.middleware import preferred_encoding
from shop.markets.caching.headers import public_page
from shop.markets.caching.page_cache import show_only
from shop.markets.caching.replica_reads import visitors_read
from shop.markets.canonical import moved
from shop.markets.geography.remembered_pin import remember_pin
from shop.markets.requests import MarketRequest

from ..categories.tree import trail_of, visible_categories
from ..models import Brand, OldSlug, Product
from ..stylesheet import style_sheet
from .delivery_estimate import delivery_to_pin
from .page import product_page, viewed_cards
from .props import buy_box_props
from .related import related_products

PRODUCT_ID = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)


@public_page
def product(request: MarketRequest, slug: str) -> HttpResponse:
    """A product in the shopper's market; `?variant=sku` chooses a variant."""
    page = product_page(slug, request.market, sku=request.GET.get("variant", ""))
    if page is None:
        return _moved_or_gone(request, slug)
    context = {"page": page, "product": page.product, "buy_box": buy_box_props(page)}
    response = render(request, "catalog/products/product.html", context)
    show_only(response, page.shows)
    return response


def _moved_or_gone(request: MarketRequest, slug: str) -> HttpResponse:
    """A changed slug leads to the product for ever; what is withdrawn says so, with what is like it."""
    former = OldSlug.objects.filter(slug=slug).select_related("product__category").first()
    known = Product.objects.filter(slug=slug).select_related("category").first() or (former.product if former else None)
    if known is None:
        raise Http404
    if former and known.slug != slug and Product.objects.published().filter(pk=known.pk).exists():
        return moved(request, "product", known.slug)
    seen = [row for row in trail_of(known.category_id) if row.pk in visible_categories()]
    context = {"category": seen[-1] if seen else None, "cards": related_products(known, request.market).similar}
    return render(request, "catalog/products/withdrawn.html", context, status=410)


@require_safe
@visitors_read
def product_delivery(request: MarketRequest, slug: str) -> HttpResponse:
    """When the product would arrive at `?pincode=`; the product's page, kept for everyone, takes it in."""
    page = product_page(slug, request.market)
    if page is None:
        raise Http404
    answer = delivery_to_pin(page.product, request.market, request.GET.get("pincode", ""))
    response = render(request, "catalog/products/pin_delivery.html", {"page": page, "answer": answer})
    response["X-Robots-Tag"] = "noindex"
    if answer.arrives:
        remember_pin(response, answer.pincode)
    return response


@require_safe
@visitors_read
def product_options(request: MarketRequest, slug: str) -> HttpResponse:
    """The packs of a product with their prices: the sheet that a card opens takes them in."""
    page = product_page(slug, request.market)
    if page is None:
        raise Http404
    packs = [(choice, page.problem_with(choice)) for choice in page.choices]
    context = {"page": page, "product": page.product, "packs": packs}
    response = render(request, "catalog/products/options.html", context)
    response["X-Robots-Tag"] = "noindex"
    return response


@require_safe
@visitors_read
def recently_viewed(request: MarketRequest) -> HttpResponse:
    """A row of cards for `?ids=3,1,2`, which only the visitor's browser knows; empty where none is left."""
    ids = [int(pk) for pk in request.GET.get("ids", "").split(",") if PRODUCT_ID.fullmatch(pk)]
    response = render(request, "catalog/products/_viewed.html", {"cards": viewed_cards(ids, request.market)})
    response["X-Robots-Tag"] = "noindex"
    return response


@public_page
def brands(request: MarketRequest) -> HttpResponse:
    return render(request, "catalog/products/brands.html", {"brands": Brand.objects.select_related("brand_image")})


@require_safe
def styles(request: MarketRequest, digest: str) -> HttpResponse:
    """The stylesheet; under the digest of its content it is kept for ever."""
    sheet = style_sheet()
    encoding = preferred_encoding(request.headers.get("Accept-Encoding", ""))
    response = HttpResponse(sheet.bodies[encoding], content_type="text/css; charset=utf-8")
    if encoding:
        response["Content-Encoding"] = encoding
    patch_vary_headers(response, ["Accept-Encoding"])
    kept = {"max_age": 31_536_000, "immutable": True} if digest == sheet.digest else {"max_age": 60}
    patch_cache_control(response, public=True, **kept)
    return response
