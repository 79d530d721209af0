"""The one NinjaAPI: routers of every app, authentication, error answers. Paths are literal."""

from django.conf import settings
from django.contrib.admin.views.decorators import staff_member_required
from ninja import NinjaAPI

from shop.accounts.api import router as accounts
from shop.accounts.passkey_api import router as passkeys
from shop.accounts.password_api import router as passwords
from shop.calls import JsonParser, install_error_answers
from shop.cart.api import router as cart
from shop.catalog.api import router as catalog
from shop.content.api import router as content
from shop.markets.api import router as markets
from shop.orders.api import router as orders
from shop.payments.api import router as payments
from shop.search.api import router as search

api = NinjaAPI(
    title=f"{settings.SHOP_NAME} API",
    version="1",
    urls_namespace="api",
    openapi_url="/api/openapi.json",
    docs_url="/api/docs",
    docs_decorator=None if settings.DEMO or settings.DEBUG else staff_member_required,
    parser=JsonParser(),
)
for router in (markets, catalog, search, content, accounts, passwords, passkeys, cart, orders, payments):
    api.add_router("", router)
install_error_answers(api)
