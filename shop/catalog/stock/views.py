"""Asking for a mail when a sold-out variant is back. The product's page is kept for everyone and posts here."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from shop.errors import ShopError, TooMany
from shop.limits.services import client_of
from shop.markets.geography.detection import client_address
from shop.markets.requests import MarketRequest

from ..models import Product
from .notifications import request_alert


@require_http_methods(["GET", "HEAD", "POST"])
def stock_alert(request: MarketRequest, slug: str) -> HttpResponse:
    product = get_object_or_404(Product.objects.published(), slug=slug)
    if request.method != "POST":
        return redirect("product", slug)
    typed = request.POST.get("variant", "")
    variant_id = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 18 else 0
    email = request.POST.get("email", "")[:300]
    context = {"product": product, "email": email, "variant": variant_id}
    status = 200
    try:
        client = client_of(client_address(request))
        alert = request_alert(variant_id=variant_id, email=email, client=client, market=request.market)
        context["alert"] = alert
    except ShopError as refusal:
        context["problem"], status = refusal.message, refusal.status
    response = render(request, "catalog/stock/stock_alert.html", context, status=status)
    if status == TooMany.status:
        response["Retry-After"] = "3600"
    return response
