from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import TabularInline
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldBooleanSwitchWidget

from shop.backoffice import ReadOnly, Screen
from shop.errors import ShopError

from .models import Currency, Location, Rate, ServiceRule, Slab
from .services import set_rate


class SlabRows(TabularInline):
    model = Slab
    extra = 0


@admin.register(Location)
class LocationScreen(Screen):
    list_display = ("name", "code", "currency", "transit_days", "is_active", "is_indexed")
    list_filter = ("is_active", "is_indexed")
    list_select_related = ("currency",)
    search_fields = ("name", "code")
    autocomplete_fields = ("currency",)
    inlines = (SlabRows,)

    def get_readonly_fields(self, request: HttpRequest, obj: Location | None = None) -> tuple[str, ...]:
        return ("id", "code") if obj else ()  # both are stable for ever

    def has_delete_permission(self, request: HttpRequest, obj: Location | None = None) -> bool:
        return False


@admin.register(Currency)
class CurrencyScreen(Screen):
    list_display = ("code", "symbol", "name")
    search_fields = ("code", "name")

    def has_delete_permission(self, request: HttpRequest, obj: Currency | None = None) -> bool:
        return False


class RateForm(forms.ModelForm):
    """A new rate; a jump over 20 % must be meant."""

    force = forms.BooleanField(
        required=False, widget=UnfoldBooleanSwitchWidget, label="I mean it", help_text="Allows a change over 20 %."
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
class RateScreen(ReadOnly, Screen):
    """History: rates are added, never changed."""

    list_display = ("currency", "inr", "valid_from", "source")
    list_filter = ("currency",)
    list_select_related = ("currency",)
    ordering = ("-valid_from", "-id")
    autocomplete_fields = ("currency",)
    form = RateForm

    def has_add_permission(self, request: HttpRequest, obj: Rate | None = None) -> bool:
        return request.user.has_perm("markets.add_rate")


@admin.register(ServiceRule)
class ServiceRuleScreen(Screen):
    """Where the shop does not deliver, needs longer or takes no cash."""

    list_display = ("prefix_or_all", "location", "is_served", "extra_days", "cash_on_delivery", "note")
    list_filter = ("is_served", "location")
    list_select_related = ("location",)
    search_fields = ("prefix", "note")
    autocomplete_fields = ("location",)

    @admin.display(description="prefix", ordering="prefix")
    def prefix_or_all(self, rule: ServiceRule) -> str:
        return rule.prefix or "the whole country"
