"""The page of the reports, and the counts of visits behind one of them."""

from decimal import Decimal
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import path

from shop.backoffice.admin import ReadOnlyAdmin, send_table

from .charts import Bar, draw_bars
from .dashboard import SALES
from .forms import USUAL, PeriodForm
from .models import VisitCount
from .tables import REPORTS, Table

SHOWN = 200  # rows on the page; the file has all


@admin.register(VisitCount)
class VisitCountAdmin(ReadOnlyAdmin):
    list_display = ("day", "kind", "country", "times")
    list_filter = ("kind",)
    date_hierarchy = "day"

    def get_urls(self) -> list[Any]:
        own = path("report/", self.admin_site.admin_view(self.report), name="reports_report")
        return [own, *super().get_urls()]

    def report(self, request: HttpRequest) -> HttpResponseBase:
        """One of REPORTS for a period and a market, as a page or (`format=csv`) as a file."""
        if not request.user.has_perm(SALES):
            raise PermissionDenied
        name = request.GET.get("report", "")
        name = name if name in REPORTS else next(iter(REPORTS))
        report = REPORTS[name]
        form = PeriodForm(request.GET if "period" in request.GET else {})
        period, location = form.chosen, form.location
        table = report.make(period, location)
        if request.GET.get("format") == "csv":
            days = f"-{period.first}-{period.last}" if report.has_period else ""
            return send_table(request, "csv", f"{name}{days}", table.lines)
        chosen = form.data.get("period") or USUAL
        context = self.admin_site.each_context(request) | {
            "title": report.title,
            "name": name,
            "report": report,
            "reports": [(key, one.title, _address(request, report=key)) for key, one in REPORTS.items()],
            "form": form,
            "chosen": chosen,
            "period": period,
            "location": location,
            "chart": _chart(table) if report.is_by_day else None,
            "table": table,
            "rows": _with_shares(table, with_shares=not report.is_by_day),
            "more": max(0, len(table.rows) - SHOWN),
            "csv_url": _address(request, report=name, format="csv"),
        }
        return TemplateResponse(request, "reports/report.html", context)


def _address(request: HttpRequest, **changed: str) -> str:
    """This page's address with other parameters; the period and the market stay."""
    kept = QueryDict(mutable=True)
    kept.update({key: request.GET[key] for key in ("period", "first", "last", "market") if request.GET.get(key)})
    kept.update(changed)
    return f"?{kept.urlencode()}"


def _chart(table: Table) -> Any:
    column = table.columns[table.bars]
    days = table.columns[0]
    return draw_bars(
        [Bar(days.write(row[0]), Decimal(row[table.bars]), column.write(row[table.bars])) for row in table.rows]
    )


def _with_shares(table: Table, *, with_shares: bool) -> list[tuple[list[tuple[str, bool]], int]]:
    """Each row as it is read, and its share of the longest bar in percent."""
    shown = table.rows[:SHOWN]
    longest = max((row[table.bars] for row in shown), default=0)
    shares = [max(0, int(100 * row[table.bars] / longest)) if with_shares and longest > 0 else 0 for row in shown]
    return list(zip(table.written(shown), shares, strict=True))
