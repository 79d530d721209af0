"""Access to the back office: who is signed in without being staff does not learn that they exist."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.paginator import InvalidPage
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from unfold.sites import UnfoldAdminSite


class StaffSite(UnfoldAdminSite):
    def admin_view(self, view: Callable[..., HttpResponse], cacheable: bool = False) -> Callable[..., HttpResponse]:
        protected_view = super().admin_view(view, cacheable)

        def staff_only(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.user.is_authenticated and not self.has_permission(request):
                raise Http404
            return protected_view(request, *args, **kwargs)

        return update_wrapper(staff_only, protected_view)

    def get_urls(self) -> list[Any]:
        """Without the redirect to a page of any object: none of ours names one, and its pattern is quadratic."""
        return [url for url in super().get_urls() if getattr(url, "name", None) != "view_on_site"]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Staff sign in where customers do, under the same limits."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise Http404
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"), reverse("signin"))

    def search(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        try:
            return super().search(request, extra_context)
        except InvalidPage as error:
            raise Http404 from error

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Staff change their password where customers do, under the same limits."""
        return redirect("change_password")
