from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy

from shop.backoffice import history
from shop.backoffice.admin import BackOfficeAdmin, ReadOnlyRows
from shop.backoffice.forms import StaffForm

from .blog import admin as blog_admin  # noqa: F401 (registers its admin)
from .faq import admin as faq_admin  # noqa: F401 (registers its admin)
from .home import admin as home_admin  # noqa: F401 (registers its admin)
from .models import Page, PageVersion
from .pages.editor import RichTextField
from .pages.versions import difference, restore_version, version_of_today
from .services import WORDS, change_page, translate_page
from .translations.views import translations


class PageForm(StaffForm):
    text = RichTextField()

    class Meta:
        model = Page
        fields = ("title", "summary", "text")


class PageVersionRows(ReadOnlyRows):
    model = PageVersion
    fields = ("created_at", "language", "author", "changed", "restore")
    readonly_fields = ("changed", "restore")
    per_page = 10
    verbose_name_plural = gettext_lazy("Versions, newest first")

    def get_queryset(self, request: HttpRequest) -> QuerySet[PageVersion]:
        return super().get_queryset(request).select_related("author", "page")

    @admin.display(description=gettext_lazy("Changes up to today's text"))
    def changed(self, version: PageVersion) -> SafeString:
        return difference(version, version_of_today(version))

    @admin.display(description=gettext_lazy("Restore"))
    def restore(self, version: PageVersion) -> SafeString | str:
        today = version_of_today(version)
        if all(getattr(version, name) == getattr(today, name) for name in WORDS):
            return gettext("Today's text")
        url = reverse("admin:content_page_restore", args=[version.pk])
        return format_html('<button type="submit" formaction="{}" formnovalidate>{}</button>', url, gettext("Restore"))


@admin.register(Page)
class PageAdmin(BackOfficeAdmin):
    """The pages are those that the footer links: their words change, they stay."""

    list_display = ("title", "slug", "changed_at")
    form = PageForm
    inlines = (PageVersionRows,)

    def get_urls(self) -> list[Any]:
        restore, texts = self.admin_site.admin_view(self.restore), self.admin_site.admin_view(translations)
        return [
            path("restore/<int:version_id>/", restore, name="content_page_restore"),
            path("translations/", texts, name="content_translations"),
            *super().get_urls(),
        ]

    @method_decorator(transaction.atomic)
    def restore(self, request: HttpRequest, version_id: int) -> HttpResponse:
        """Bring an earlier version back, with an entry in the history; today's text stays among the versions."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not self.has_change_permission(request):
            raise PermissionDenied
        version = get_object_or_404(PageVersion.objects.select_related("page"), pk=version_id)
        staff: Any = request.user
        page = restore_version(version, author_id=staff.pk)
        at = date_format(timezone.localtime(version.created_at), "j F Y, H:i")
        if page.changed_at != version.page.changed_at:  # which was read before
            history.note(staff, page, why=f"Restored the version of {at}.")
        messages.success(request, gettext("The version of %(at)s is back.") % {"at": at})
        return redirect("admin:content_page_change", version.page_id)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Page | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Page, form: PageForm, change: bool) -> None:
        words = {name: form.cleaned_data[name] for name in PageForm.Meta.fields}
        change_page(obj.pk, author_id=request.user.pk, **words)
        for language, texts in form.changed_translations(Page).items():
            translate_page(obj.pk, language, texts, author_id=request.user.pk)
