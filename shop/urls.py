"""The whole route table: each room's pages, then the JSON calls.

The market prefix (/en-in/…) is taken off by shop/markets/middleware.py; other spellings are
redirected by shop/http/middleware.py.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import URLResolver, include, path, re_path
from django.urls.resolvers import RegexPattern

from shop.accounts.passwords import views as password_views
from shop.api import api
from shop.http.api import error_body
from shop.http.media import media_file
from shop.ops.csp_reports import csp_report
from shop.search.listing import views as search_views

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")

admin.autodiscover()
calls = path("", api.urls)
api_alone = URLResolver(RegexPattern("^/"), [calls])


def page_or_api(page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A page and a call that share an address: a JSON body goes to the call, a form to the page."""

    @wraps(page)
    def view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST" and request.content_type == "application/json":
            call = api_alone.resolve(request.path_info)
            answer: HttpResponse = call.func(request, *call.args, **call.kwargs)
            return answer
        if request.method == "POST" and request.content_type not in FORMS:
            return JsonResponse(error_body(415, "Send the body as application/json."), status=415)
        return page(request, *args, **kwargs)

    view.is_page_or_api = True  # type: ignore[attr-defined]
    return view


urlpatterns = [
    path("admin/", admin.site.urls),
    re_path(r"^media/(?P<name>.*[^/])\Z", media_file),
    path("csp-report/", csp_report, name="csp_report"),
    path("search/", page_or_api(search_views.search), name="search"),
    path("forgot-password/", page_or_api(password_views.forgot_password), name="forgot_password"),
    path("change-password/", page_or_api(password_views.change_password), name="change_password"),
    path("", include("shop.content.urls")),
    path("", include("shop.markets.urls")),
    path("", include("shop.catalog.urls")),
    path("", include("shop.reviews.urls")),  # before addresses that any path could be
    path("", include("shop.pharmacy.urls")),
    path("", include("shop.search.urls")),
    path("", include("shop.accounts.urls")),
    path("", include("shop.cart.urls")),
    path("", include("shop.orders.urls")),
    path("", include("shop.payments.urls")),
    path("", include("shop.care.urls")),
    calls,
]

handler404 = "shop.content.views.not_found"
handler500 = "shop.content.views.server_error"
