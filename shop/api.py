"""The one NinjaAPI: routers of every app, authentication, error answers. Paths are literal."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI

from shop.accounts.auth.api import router as accounts
from shop.accounts.passkeys.api import router as passkeys
from shop.accounts.passwords.api import router as passwords
from shop.accounts.wishlist.api import router as wishlist
from shop.cart.api import router as cart
from shop.catalog.api import router as catalog
from shop.content.api import router as content
from shop.http.api import JsonParser, error_body, install_error_answers
from shop.markets.api import router as markets
from shop.orders.api import router as orders
from shop.payments.api import router as payments
from shop.pharmacy.api import router as prescriptions
from shop.search.api import router as search


def for_staff(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """To everybody else the page does not exist."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not (request.user.is_active and getattr(request.user, "is_staff", False)):
            return JsonResponse(error_body(404, "Page not found."), status=404)
        return view(request, *args, **kwargs)

    return guarded


api = NinjaAPI(
    title=f"{settings.SHOP_NAME} API",
    version="1",
    urls_namespace="api",
    openapi_url="/api/openapi.json",
    docs_url="/api/docs",
    docs_decorator=None if settings.DEMO or settings.DEBUG else for_staff,
    parser=JsonParser(),
)
ROUTERS = (
    markets, catalog, search, content, accounts, passwords, passkeys, wishlist, cart, orders, payments, prescriptions,
)  # fmt: skip
for router in ROUTERS:
    api.add_router("", router)
install_error_answers(api)
