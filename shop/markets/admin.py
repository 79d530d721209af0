from decimal import Decimal
from itertools import pairwise
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language_info, gettext, gettext_lazy
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminDecimalFieldWidget,
    UnfoldBooleanSwitchWidget,
)

from shop.backoffice.admin import BackOfficeAdmin, ReadOnly, Rows
from shop.backoffice.forms import StaffForm
from shop.errors import ShopError
from shop.money import display, round_money

from .models import Currency, Location, Rate, ServiceRule, Slab
from .queries import shipping_cost, stale_currencies
from .services import set_rate


class SlabForm(StaffForm):
    """What the database would refuse is said at its field."""

    class Meta:
        model = Slab
        fields = ("tier_amount", "shipping_cost")

    def clean_tier_amount(self) -> Decimal:
        return self._at_least("tier_amount", Decimal("0.001"), gettext("Enter an amount above 0."))

    def clean_shipping_cost(self) -> Decimal:
        return self._at_least("shipping_cost", Decimal(0), gettext("Shipping cannot be below 0."))

    def _at_least(self, name: str, least: Decimal, words: str) -> Decimal:
        if self.cleaned_data[name] < least:
            raise forms.ValidationError(words)
        return self.cleaned_data[name]


class SlabRows(Rows):
    """The lowest tier first; amounts are in the location's own currency."""

    model = Slab
    form = SlabForm
    extra = 0
    ordering = ("tier_amount",)


class LocationForm(StaffForm):
    """Languages are ticked, each by its own name."""

    languages = forms.MultipleChoiceField(
        label=gettext_lazy("Languages"),
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
        help_text=gettext_lazy("Page addresses start with the language: /en-in/, /hi-in/."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        codes = dict.fromkeys([*settings.SHOP_LANGUAGES, *self.instance.languages])
        names = [(code, get_language_info(code)["name_local"]) for code in codes]
        self.fields["languages"].choices = names  # type: ignore[attr-defined]


@admin.register(Location)
class LocationAdmin(BackOfficeAdmin):
    form = LocationForm
    list_display = ("name", "code", "currency", "transit_days", "cash_on_delivery_max", "is_active", "is_indexed")
    list_editable = ("is_active", "is_indexed")
    list_filter = ("is_active", "is_indexed")
    list_select_related = ("currency",)
    search_fields = ("name", "code")
    autocomplete_fields = ("currency",)
    inlines = (SlabRows,)

    def get_readonly_fields(self, request: HttpRequest, obj: Location | None = None) -> tuple[str, ...]:
        return ("id", "code", "examples") if obj else ("examples",)  # id and code are stable for ever

    @admin.display(description=gettext_lazy("Shipping today"))
    def examples(self, location: Location) -> SafeString | str:
        """What a cart in each slab pays, computed as the cart computes it."""
        if location._state.adding or not (slabs := list(location.slabs.order_by("tier_amount"))):
            return gettext("Shipping is free: there are no slabs.")
        rates = [(slab.tier_amount, slab.shipping_cost) for slab in slabs]
        floors = [Decimal(0), *(tier for tier, _ in rates)]
        carts = [round_money((low + high) / 2, location.currency_id) for low, high in pairwise(floors)]
        rows = [(cart, shipping_cost(cart, rates)) for cart in [*carts, rates[-1][0]]]
        words = [[display(amount, location.currency_id) for amount in row] for row in rows]
        return format_html_join(mark_safe("<br>"), gettext("A cart of {} pays {}"), words)  # nosec B703 B308 (constant)

    def has_delete_permission(self, request: HttpRequest, obj: Location | None = None) -> bool:
        return False


@admin.register(Currency)
class CurrencyAdmin(BackOfficeAdmin):
    list_display = ("code", "symbol", "name")
    search_fields = ("code", "name")

    def has_delete_permission(self, request: HttpRequest, obj: Currency | None = None) -> bool:
        return False


class RateForm(StaffForm):
    """A new rate; a jump over 20 % must be meant."""

    force = forms.BooleanField(
        required=False,
        widget=UnfoldBooleanSwitchWidget,
        label=gettext_lazy("Confirm a large change"),
        help_text=gettext_lazy("Needed for a change over 20%."),
    )

    class Meta:
        model = Rate
        fields = ("currency", "inr", "source")
        widgets = {"inr": UnfoldAdminDecimalFieldWidget}

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors:
            try:
                self.instance = set_rate(data["currency"].code, data["inr"], data["source"], force=data["force"])
            except ShopError as refusal:
                raise forms.ValidationError(refusal.message) from refusal
        return data


@admin.register(Rate)
class RateAdmin(ReadOnly, BackOfficeAdmin):
    """History: rates are added, never changed."""

    list_display = ("currency", "in_rupees", "change", "valid_from", "source")
    list_before_template = "markets/backoffice/_old_rates.html"
    list_filter = ("currency",)
    list_select_related = ("currency",)
    ordering = ("-valid_from", "-id")
    autocomplete_fields = ("currency",)
    form = RateForm

    def get_queryset(self, request: HttpRequest) -> QuerySet[Rate]:
        older = Rate.objects.filter(currency=OuterRef("currency"), valid_from__lt=OuterRef("valid_from"))
        before = Subquery(older.order_by("-valid_from", "-id").values("inr")[:1])
        return super().get_queryset(request).annotate(before=before)

    def get_fields(self, request: HttpRequest, obj: Rate | None = None) -> Any:
        """Nothing is confirmed once a rate is there."""
        return [name for name in super().get_fields(request, obj) if obj is None or name != "force"]

    @admin.display(description=gettext_lazy("1 unit in rupees"), ordering="inr")
    def in_rupees(self, rate: Rate) -> str:
        return f"₹{rate.inr.normalize():f}"

    @admin.display(description=gettext_lazy("Change"))
    def change(self, rate: Rate) -> str:
        """Against the rate before it, in percent."""
        before: Decimal | None = rate.before  # type: ignore[attr-defined]
        return f"{(rate.inr / before - 1) * 100:+.2f}%" if before else gettext("first")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, (extra_context or {}) | {"old_rates": stale_currencies()})

    def has_add_permission(self, request: HttpRequest, obj: Rate | None = None) -> bool:
        return request.user.has_perm("markets.add_rate")


@admin.register(ServiceRule)
class ServiceRuleAdmin(BackOfficeAdmin):
    """Where the shop does not deliver, needs longer or takes no cash."""

    list_display = ("prefix_or_all", "location", "is_served", "extra_days", "cash_on_delivery", "note")
    list_filter = ("is_served", "location")
    list_select_related = ("location",)
    search_fields = ("prefix", "note")
    autocomplete_fields = ("location",)

    @admin.display(description=gettext_lazy("prefix"), ordering="prefix")
    def prefix_or_all(self, rule: ServiceRule) -> str:
        return rule.prefix or gettext("the whole country")
