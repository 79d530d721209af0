"""Access to the back office: who is signed in without being staff does not learn that they exist."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST
from django.views.i18n import JavaScriptCatalog, set_language
from unfold.sites import UnfoldAdminSite

from shop.backoffice.library_texts import SCRIPTS


class TextsOfScripts(JavaScriptCatalog):
    def get_catalog(self) -> dict[str, Any]:
        return {text: gettext(text) for text in SCRIPTS} | super().get_catalog()


class StaffSite(UnfoldAdminSite):
    def admin_view(self, view: Callable[..., HttpResponse], cacheable: bool = False) -> Callable[..., HttpResponse]:
        protected_view = super().admin_view(view, cacheable)

        def staff_only(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.user.is_authenticated and not self.has_permission(request):
                raise Http404
            return protected_view(request, *args, **kwargs)

        return update_wrapper(staff_only, protected_view)

    def get_urls(self) -> list[Any]:
        """Without the redirect to a page of any object: none of ours names one, and its pattern is quadratic. With
        Django's view that keeps a choice of language."""
        language = path("language/", self.admin_view(require_POST(set_language)), name="language")
        return [language, *(url for url in super().get_urls() if getattr(url, "name", None) != "view_on_site")]

    def i18n_javascript(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Texts of Django's scripts, and those of the editor, which has no Hindi."""
        return TextsOfScripts.as_view(packages=["django.contrib.admin"])(request)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Staff sign in where customers do, under the same limits."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise Http404
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"), reverse("signin"))

    def search(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Pages and rows with these words. Unlike Unfold's own nothing is kept: it is of this moment, and names
        people."""
        words = request.GET.get("s", "").strip()
        if not words:
            return HttpResponse()
        pages = self._search_apps(super().get_app_list(request), words.lower())
        rows = self._get_value(self._get_config("COMMAND", request)["search_callback"], request, words)
        answer = TemplateResponse(request, "unfold/helpers/command_results.html", {"results": [*pages, *rows]})
        answer.headers["HX-Trigger"] = "search"
        return answer

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Staff change their password where customers do, under the same limits."""
        return redirect("change_password")
