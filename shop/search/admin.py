from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.admin import TabularInline

from shop.backoffice import ReadOnlyScreen, Screen

from .models import SearchCount, SynonymGroup, SynonymTerm


class TermRows(TabularInline):
    model = SynonymTerm
    extra = 1
    tab = False


@admin.register(SynonymGroup)
class SynonymGroupScreen(Screen):
    list_display = ("__str__", "note")
    search_fields = ("terms__term", "note")
    ordering = ("-id",)
    inlines = (TermRows,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SynonymGroup]:
        return super().get_queryset(request).prefetch_related("terms")


class WithoutResults(admin.SimpleListFilter):
    title = "results"
    parameter_name = "found"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("nothing", "Nothing found"), ("something", "Something found")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[SearchCount]) -> QuerySet[SearchCount]:
        if self.value() is None:
            return queryset
        return queryset.filter(results=0) if self.value() == "nothing" else queryset.filter(results__gt=0)


@admin.register(SearchCount)
class SearchCountScreen(ReadOnlyScreen):
    """What shoppers search for: those who find nothing tell which synonyms, or products, are missing."""

    list_display = ("words", "searches", "results", "day", "look")
    list_display_links = None
    list_filter = (WithoutResults, "day")
    search_fields = ("words",)
    ordering = ("-searches", "-day", "words")

    @admin.display(description="In the shop")
    def look(self, row: SearchCount) -> SafeString:
        return format_html('<a href="{}">Search</a>', reverse("search_results", args=[row.words]))
