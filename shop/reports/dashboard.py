"""The first page of the staff: the figures of a period and what waits, each only for who may see it."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from shop.accounts.otp.sms_budget import Budget, budgets_of_today
from shop.catalog.models import Variant
from shop.markets.models import Location
from shop.money import INR, display_short

from . import figures
from .charts import Bar, draw_bars
from .forms import USUAL, PeriodForm
from .periods import Period
from .waiting import WAITING, count_waiting

SALES = "orders.view_sales"
PRODUCTS = "catalog.change_product"
STOCK = "catalog.change_variant"
SEARCHES = "search.view_searchcount"


@dataclass(frozen=True, slots=True)
class Tile:
    label: str
    value: str
    note: str = ""
    url: str = ""
    is_urgent: bool = False
    change: "Change | None" = None


@dataclass(frozen=True, slots=True)
class Change:
    """Against the days before; `percent` is whole."""

    percent: int
    was: str

    @property
    def less(self) -> int:
        return -self.percent

    @property
    def direction(self) -> str:
        return "up" if self.percent > 0 else "down" if self.percent < 0 else "same"


@dataclass(frozen=True, slots=True)
class Row:
    """Of a list beside a share of the longest bar, in whole percent."""

    label: str
    value: str
    url: str
    share: int
    note: str = ""


def fill_dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Called for the first page of the staff (settings.UNFOLD)."""
    form = PeriodForm(request.GET or None)
    period_form = form if form.is_bound else PeriodForm({})
    period, location = period_form.chosen, period_form.location
    may = request.user.has_perm
    parts: dict[str, tuple[str, Callable[[], Any]]] = {
        "sales": (SALES, lambda: sales_part(period, location)),
        "top": (PRODUCTS, lambda: top_part(period, location, with_money=may(SALES))),
        "searches": (SEARCHES, lambda: search_part(period)),
        "low": (STOCK, low_part),
    }
    shown = {name: make() for name, (permission, make) in parts.items() if may(permission)}
    waiting = [tile for permission, tile in waiting_tiles() if may(permission)]
    return context | shown | {
        "title": gettext("Dashboard"),
        "form": period_form,
        "chosen": period_form.data.get("period") or USUAL,
        "period": period,
        "before": period.before(),
        "location": location,
        "waiting": waiting,
        "report_url": _report("day", request),
        "top_url": _report("product", request) if may(SALES) else "",
        "has_period": bool({"sales", "top", "searches"} & shown.keys()),
        "has_nothing": not shown and not waiting,
    }  # fmt: skip


def _report(name: str, request: HttpRequest) -> str:
    """The address of a report, of the same days and market."""
    kept = {key: request.GET[key] for key in ("period", "first", "last", "market") if request.GET.get(key)}
    return f"{reverse('admin:reports_report')}?{urlencode({'report': name} | kept)}"


# --- Sales --------------------------------------------------------------------------------------


def sales_part(period: Period, location: Location | None) -> dict[str, Any]:
    by_day = figures.sales_by_day(period, location)
    now, before = figures.add_up(by_day, period), figures.sales(period.before(), location)
    tried = figures.checkouts(period, location)
    tried_before = figures.checkouts(period.before(), location)
    back = figures.given_back(period, location)
    steps = [(step, figures.add_up(by_day, step)) for step in period.steps()]
    return {
        "tiles": [
            Tile(
                gettext("Sales"), _rupees(now.inr), _note_of_returns(back), change=_change(now.inr, before.inr, _rupees)
            ),
            Tile(gettext("Orders"), f"{now.orders:,}", change=_change(now.orders, before.orders, "{:,}".format)),
            Tile(gettext("Average order"), _rupees(now.average), change=_change(now.average, before.average, _rupees)),
            Tile(
                gettext("Conversion"),
                _percent(tried.conversion),
                gettext("{placed} of {started} checkouts became orders").format(
                    placed=f"{tried.placed:,}", started=f"{tried.started:,}"
                ),
                change=_change(tried.conversion, tried_before.conversion, _percent),
            ),
        ],
        "chart": draw_bars([Bar(str(step), sold.inr, _rupees(sold.inr), f"{sold.orders:,}") for step, sold in steps]),
    }


def _note_of_returns(back: Decimal) -> str:
    return gettext("{amount} refunded for returns").format(amount=_rupees(back)) if back else ""


def _rupees(amount: Decimal | None) -> str:
    return "–" if amount is None else display_short(amount.quantize(Decimal(1)), INR)


def _percent(number: Decimal | None) -> str:
    return "–" if number is None else f"{number:.1f}%"


def _change(now: Any, before: Any, write: Callable[[Any], str]) -> Change | None:
    """None where there was nothing before to compare with."""
    if now is None or not before:
        return None
    return Change(round(100 * (Decimal(now) - Decimal(before)) / Decimal(before)), write(before))


# --- Lists --------------------------------------------------------------------------------------


def top_part(period: Period, location: Location | None, *, with_money: bool) -> list[Row]:
    top = figures.top_products(period, location, by="inr" if with_money else "units")
    maximum = max([sold.inr if with_money else sold.units for sold in top], default=1)
    return [
        Row(
            label=sold.product.name,
            value=_rupees(sold.inr) if with_money else _units(sold.units),
            url=reverse("admin:catalog_product_change", args=[sold.product.pk]),
            share=_share(sold.inr if with_money else sold.units, maximum),
            note=_units(sold.units) if with_money else "",
        )
        for sold in top
    ]


def _units(number: int) -> str:
    return ngettext("{number} unit", "{number} units", number).format(number=f"{number:,}")


def search_part(period: Period) -> list[Row]:
    found = figures.searches_in_vain(period)
    maximum = max([times for _, times in found], default=1)
    listed = reverse("admin:search_searchcount_changelist")
    return [
        Row(words, f"{times:,}", f"{listed}?{urlencode({'q': words})}", _share(times, maximum))
        for words, times in found
    ]


def low_part() -> dict[str, Any]:
    count, variants = figures.low_stock()
    return {"count": count, "rows": [_low_row(variant) for variant in variants]}


def _low_row(variant: Variant) -> Row:
    url = reverse("admin:catalog_variant_change", args=[variant.pk])
    left = gettext("{units} left").format(units=variant.on_hand) if variant.on_hand else gettext("Out of stock")
    return Row(variant.product.name, left, url, 0, variant.sku)


def _share(amount: Any, maximum: Any) -> int:
    return int(100 * amount / maximum) if maximum else 0


# --- What waits ---------------------------------------------------------------------------------


def waiting_tiles() -> list[tuple[str, Tile]]:
    """Each with the permission of whom it waits for."""
    counted = count_waiting()
    return [
        (
            waiting.permission,
            Tile(
                str(waiting.label),
                f"{counted[waiting.key].rows:,}",
                counted[waiting.key].note,
                waiting.url,
                is_urgent=waiting.is_work and counted[waiting.key].rows > 0,
            ),
        )
        for waiting in WAITING
        if counted[waiting.key].rows or not waiting.is_rare
    ] + [("messaging.view_message", _sms_tile(budget)) for budget in budgets_of_today()]


def _sms_tile(budget: Budget) -> Tile:
    return Tile(
        gettext("SMS to {country} today").format(country=budget.country),
        f"{budget.percent}%",
        gettext("{sent} of {limit} codes").format(sent=f"{budget.sent:,}", limit=f"{budget.limit:,}"),
        reverse("admin:messaging_message_changelist"),
        is_urgent=True,
    )
