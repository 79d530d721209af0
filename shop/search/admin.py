import json
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import CharField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext
from unfold.decorators import action as list_action

from shop.backoffice.admin import BackOfficeAdmin, ReadOnlyAdmin, Rows
from shop.backoffice.forms import StaffForm
from shop.catalog.models import HealthConcern, Product

from .models import Need, SearchCount, SynonymGroup, SynonymTerm
from .report import PERIODS, SearchReport, search_report
from .text.matching import find_for_need
from .text.needs import plan_of
from .text.normalization import MAX_QUERY_LENGTH, plain_words

SHOWN = 12  # products of a need


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
        """The report of searches leads here with words that found nothing (`term`), and those tried instead."""
        options = super().get_formset_kwargs(request, obj, inline, prefix)
        terms = filter(None, map(plain_words, request.GET.getlist("term")[: TermRows.extra]))
        if request.method == "GET":
            options["initial"] = [{"term": term[:MAX_QUERY_LENGTH]} for term in terms]
        return options


class NeedForm(StaffForm):
    class Meta:
        model = Need
        fields = ("name", "concern", "phrases", "kinds", "also", "exclusions", "is_active")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        there = HealthConcern.objects.order_by("name").values_list("slug", "name")
        now = self.instance.concern
        kept = [] if not now or now in dict(there) else [(now, gettext("%(now)s (not in this shop)") % {"now": now})]
        self.fields["concern"] = forms.ChoiceField(
            label=gettext_lazy("Concern"),
            choices=[("", gettext("None")), *kept, *there],
            required=False,
            help_text=self.fields["concern"].help_text,
        )

    def clean_phrases(self) -> str:
        """Each of them as it is compared, and none that another need has."""
        phrases = _lines(self.cleaned_data["phrases"])
        others = Need.objects.exclude(pk=self.instance.pk)
        for phrase in phrases:
            for other in others.filter(phrases__icontains=phrase):
                if phrase in _lines(other.phrases):
                    raise forms.ValidationError(
                        gettext("“%(phrase)s” already belongs to “%(other)s”. Remove it in one of the two.")
                        % {"phrase": phrase, "other": other}
                    )
        return "\n".join(phrases)


def _lines(text: str) -> list[str]:
    return list(dict.fromkeys(line for line in map(plain_words, text.splitlines()) if line))


@admin.register(Need)
class NeedAdmin(BackOfficeAdmin):
    """What people ask for in their own words, and what the search answers."""

    form = NeedForm
    list_display = ("name", "concern_name", "some_phrases", "number_found", "is_active")
    list_filter = ("is_active", "concern")
    search_fields = ("name", "phrases", "kinds")
    readonly_fields = ("finds",)
    list_per_page = 25  # the products of each row are looked for

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """The report of searches leads here with words that found nothing (`term`)."""
        term = plain_words(request.GET.get("term", ""))[:MAX_QUERY_LENGTH]
        return {"name": term.capitalize(), "phrases": term} if term else {}

    def get_queryset(self, request: HttpRequest) -> QuerySet[Need]:
        named = HealthConcern.objects.filter(slug=OuterRef("concern")).values("name")[:1]
        return (
            super().get_queryset(request).annotate(named=Coalesce(Subquery(named), "concern", output_field=CharField()))
        )

    @admin.display(description=gettext_lazy("Concern"), ordering="named")
    def concern_name(self, need: Need) -> str:
        return str(getattr(need, "named", need.concern)) or gettext("None")

    @admin.display(description=gettext_lazy("Shoppers type"))
    def some_phrases(self, need: Need) -> str:
        phrases = need.phrases.splitlines()
        return ", ".join(phrases[:4]) + ("…" if len(phrases) > 4 else "")

    @admin.display(description=gettext_lazy("Products"))
    def number_found(self, need: Need) -> str:
        return str(len(find_for_need(plan_of(need)))) if need.kinds else gettext("recommends nothing")

    @admin.display(description=gettext_lazy("Results now"))
    def finds(self, need: Need) -> SafeString | str:
        if not need.pk:
            return gettext("Save to see the results.")
        ids = find_for_need(plan_of(need))
        products = Product.objects.in_bulk(ids[:SHOWN])
        if not ids:
            return (
                gettext("No product. Shoppers see the health concern's page instead.")
                if need.kinds
                else gettext("This need recommends nothing.")
            )
        links = [
            (reverse("product", args=[product.slug]), product.name)
            for pk in ids[:SHOWN]
            if (product := products.get(pk))
        ]
        rows = format_html_join("", '<li><a href="{}">{}</a></li>', links)
        said = ngettext("%(count)s product. Top matches:", "%(count)s products. Top matches:", len(ids))
        return format_html("<p>{}</p><ol>{}</ol>", said % {"count": len(ids)}, rows)


def _chart(summary: SearchReport) -> str:
    """Bars of each day, as the admin's charts read them."""
    found = {
        "label": gettext("Found something"),
        "data": [day.searches - day.failed for day in summary.days],
        "backgroundColor": "var(--color-primary-600)",
        "stack": "searches",
    }
    failed = {
        "label": gettext("Found nothing"),
        "data": [day.failed for day in summary.days],
        "backgroundColor": "var(--color-base-400)",
        "stack": "searches",
    }
    return json.dumps({"labels": [date_format(day.day, "j M") for day in summary.days], "datasets": [found, failed]})


class WithoutResults(admin.SimpleListFilter):
    title = gettext_lazy("results")
    parameter_name = "found"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("nothing", gettext("Nothing found")), ("something", gettext("Something found"))]

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

    @list_action(description=gettext_lazy("Report"), url_path="report", permissions=["view"])
    def report(self, request: HttpRequest) -> HttpResponse:
        requested = request.GET.get("days", "")
        days = int(requested) if requested in {str(period) for period in PERIODS} else PERIODS[1]
        summary = search_report(days)
        context = self.admin_site.each_context(request) | {
            "title": gettext("What shoppers search for"),
            "opts": self.opts,
            "report": summary,
            "days": days,
            "periods": PERIODS,
            "chart": _chart(summary),
            "may_add": request.user.has_perm("search.add_synonymgroup") and request.user.has_perm("search.add_need"),
        }
        return TemplateResponse(request, "search/backoffice/report.html", context)

    @admin.display(description=gettext_lazy("In the shop"))
    def look(self, row: SearchCount) -> SafeString:
        return format_html('<a href="{}">Search</a>', reverse("search_results", args=[row.words]))
