from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import strip_tags

from shop.backoffice import ReadOnlyRows, Screen
from shop.catalog.html import clean_html

from .models import Banner, HomeRow, Page, PageVersion
from .services import change_page


@admin.register(Banner)
class BannerScreen(Screen):
    list_display = ("title", "link", "position", "is_published")
    list_filter = ("is_published",)
    list_editable = ("position", "is_published")
    search_fields = ("title",)
    autocomplete_fields = ("image", "mobile_image")


class HomeRowForm(forms.ModelForm):
    class Meta:
        model = HomeRow
        fields = ("kind", "title", "text", "position", "is_published")

    def clean_text(self) -> str:
        return clean_html(self.cleaned_data["text"])


@admin.register(HomeRow)
class HomeRowScreen(Screen):
    list_display = ("__str__", "kind", "position", "is_published")
    list_filter = ("is_published", "kind")
    list_editable = ("position", "is_published")
    form = HomeRowForm


class PageForm(forms.ModelForm):
    class Meta:
        model = Page
        fields = ("title", "summary", "text")

    def clean_text(self) -> str:
        text = clean_html(self.cleaned_data["text"])
        if not strip_tags(text).strip():
            raise forms.ValidationError("Nothing is left of this text to read.")
        return text


class PageVersionRows(ReadOnlyRows):
    model = PageVersion
    fields = ("created_at", "author", "title", "summary", "text")
    verbose_name_plural = "What it said, newest first"

    def get_queryset(self, request: HttpRequest) -> QuerySet[PageVersion]:
        return super().get_queryset(request).select_related("author")


@admin.register(Page)
class PageScreen(Screen):
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
