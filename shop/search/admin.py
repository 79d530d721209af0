import json
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.decorators import action as list_action

from shop.backoffice.admin import BackOfficeAdmin, ReadOnlyAdmin, Rows

from .models import SearchCount, SynonymGroup, SynonymTerm
from .report import PERIODS, SearchReport, search_report
from .text.normalization import MAX_QUERY_LENGTH, plain_words


class TermRows(Rows):
    model = SynonymTerm
    extra = 2
    tab = False


@admin.register(SynonymGroup)
class SynonymGroupAdmin(BackOfficeAdmin):
    list_display = ("__str__", "note")
    search_fields = ("terms__term", "note")
    ordering = ("-id",)
    inlines = (TermRows,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SynonymGroup]:
        return super().get_queryset(request).prefetch_related("terms")

    def get_formset_kwargs(self, request: HttpRequest, obj: Any, inline: Any, prefix: str) -> dict[str, Any]:
        """The report of searches leads here with words that found nothing (`term`)."""
        options = super().get_formset_kwargs(request, obj, inline, prefix)
        if request.method == "GET" and (term := plain_words(request.GET.get("term", ""))):
            options["initial"] = [{"term": term[:MAX_QUERY_LENGTH]}]
        return options


def _chart(summary: SearchReport) -> str:
    """Bars of each day, as the admin's charts read them."""
    found = {
        "label": "Found something",
        "data": [day.searches - day.failed for day in summary.days],
        "backgroundColor": "var(--color-primary-600)",
        "stack": "searches",
    }
    failed = {
        "label": "Found nothing",
        "data": [day.failed for day in summary.days],
        "backgroundColor": "var(--color-base-400)",
        "stack": "searches",
    }
    return json.dumps({"labels": [f"{day.day:%-d %b}" for day in summary.days], "datasets": [found, failed]})


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
class SearchCountAdmin(ReadOnlyAdmin):
    """What shoppers search for: those who find nothing tell which synonyms, or products, are missing."""

    list_display = ("words", "searches", "results", "day", "look")
    list_display_links = None
    list_filter = (WithoutResults, "day")
    search_fields = ("words",)
    ordering = ("-searches", "-day", "words")
    actions_list = ("report",)

    @list_action(description="Report", url_path="report", permissions=["view"])
    def report(self, request: HttpRequest) -> HttpResponse:
        requested = request.GET.get("days", "")
        days = int(requested) if requested in {str(period) for period in PERIODS} else PERIODS[1]
        summary = search_report(days)
        context = self.admin_site.each_context(request) | {
            "title": "What shoppers search for",
            "opts": self.opts,
            "report": summary,
            "days": days,
            "periods": PERIODS,
            "chart": _chart(summary),
            "may_add": request.user.has_perm("search.add_synonymgroup"),
        }
        return TemplateResponse(request, "search/backoffice/report.html", context)

    @admin.display(description="In the shop")
    def look(self, row: SearchCount) -> SafeString:
        return format_html('<a href="{}">Search</a>', reverse("search_results", args=[row.words]))
