from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from shop.backoffice.admin import BackOfficeAdmin, ReadOnlyRows
from shop.backoffice.forms import StaffForm

from .blog import admin as blog_admin  # noqa: F401 (registers its admin)
from .faq import admin as faq_admin  # noqa: F401 (registers its admin)
from .home import admin as home_admin  # noqa: F401 (registers its admin)
from .models import Page, PageVersion
from .pages.editor import RichTextField
from .services import change_page


class PageForm(StaffForm):
    text = RichTextField()

    class Meta:
        model = Page
        fields = ("title", "summary", "text")


class PageVersionRows(ReadOnlyRows):
    model = PageVersion
    fields = ("created_at", "author", "title", "summary", "text")
    verbose_name_plural = "Earlier versions, newest first"

    def get_queryset(self, request: HttpRequest) -> QuerySet[PageVersion]:
        return super().get_queryset(request).select_related("author")


@admin.register(Page)
class PageAdmin(BackOfficeAdmin):
    """The pages are those that the footer links: their words change, they stay."""

    list_display = ("title", "slug", "changed_at")
    form = PageForm
    inlines = (PageVersionRows,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Page | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Page, form: PageForm, change: bool) -> None:
        words = {name: form.cleaned_data[name] for name in PageForm.Meta.fields}
        change_page(obj.pk, author_id=request.user.pk, **words)
