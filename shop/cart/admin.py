from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.forms.models import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from unfold.decorators import display

from shop.backoffice.admin import BackOfficeAdmin, ColouredState, row_number
from shop.money import INR
from shop.money import display as display_money

from .coupons import STATES, given_by, with_state
from .forms import CouponForm
from .models import Coupon

NEWEST_USES = 20


class StateFilter(admin.SimpleListFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(key, str(words)) for key, words in STATES.items()]

    def queryset(self, request: HttpRequest, coupons: QuerySet[Coupon]) -> QuerySet[Coupon]:
        return coupons.filter(state=self.value()) if self.value() in STATES else coupons  # type: ignore[misc]


@admin.register(Coupon)
class CouponAdmin(BackOfficeAdmin):
    """Coupons. One that an order took can be switched off, not deleted, and keeps its code."""

    form = CouponForm
    list_display = ("code", "description", "takes_off", "shown_state", "used", "starts_at", "ends_at")
    list_filter = (StateFilter, "kind", "is_automatic")
    search_fields = ("code", "description")
    autocomplete_fields = ("locations", "products", "categories", "brands")
    change_form_before_template = "cart/backoffice/_coupon.html"
    fieldsets = (
        (None, {"fields": ("code", "description", "is_active", "is_automatic", "is_listed")}),
        (
            gettext_lazy("Discount"),
            {
                "fields": ("kind", "percent", "most_inr", "amount_inr", "buy_quantity", "get_quantity"),
                "description": gettext_lazy(
                    "A percentage (with an optional maximum), an amount, free shipping (nothing else to "
                    "fill in), or “buy 2, get 1 free”: buy 2, get 1, 100 percent. Amounts are in rupees and "
                    "converted for shoppers abroad, like prices. An order gets one discount: the one that saves the "
                    "most."
                ),
            },
        ),
        (
            gettext_lazy("Products"),
            {
                "fields": ("products", "categories", "brands"),
                "description": gettext_lazy(
                    "Leave empty for everything. Otherwise it applies to products in any of these."
                ),
            },
        ),
        (
            gettext_lazy("Where and when it applies"),
            {
                "fields": ("minimum_inr", "is_first_order", "locations", "starts_at", "ends_at"),
                "description": gettext_lazy(
                    "Leave the countries empty for everywhere, and the end empty to run it until "
                    "switched off. The minimum counts only the products it applies to."
                ),
            },
        ),
        (
            gettext_lazy("Limits"),
            {
                "fields": ("total_limit", "customer_limit"),
                "description": gettext_lazy("Leave blank for no limit. A cancelled order frees up its use."),
            },
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Coupon]:
        return with_state(super().get_queryset(request))

    @admin.display(description=gettext_lazy("Discount"))
    def takes_off(self, coupon: Coupon) -> str:
        what = given_by(coupon, lambda inr: display_money(inr, INR))
        return gettext("%(discount)s, automatic") % {"discount": what} if coupon.is_automatic else what

    @display(
        description=gettext_lazy("State"),
        label={
            "active": "success",
            "scheduled": "info",
            "expired": "warning",
            "used_up": "warning",
            "off": "danger",
        },
    )
    def shown_state(self, coupon: Coupon) -> ColouredState:
        """A key of STATES, of which the colour is, and its words."""
        state: str = coupon.state  # type: ignore[attr-defined]
        return ColouredState(state, str(STATES[state]))

    @admin.display(description=gettext_lazy("Used"), ordering="uses")
    def used(self, coupon: Coupon) -> str:
        return (
            gettext("%(uses)s of %(limit)s") % {"uses": coupon.uses, "limit": coupon.total_limit}
            if coupon.total_limit is not None
            else str(coupon.uses)
        )

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        coupon = self.get_object(request, object_id)
        if coupon is None:
            return super().change_view(request, object_id, form_url, extra_context)
        shown = {
            "state": self.shown_state(coupon)[1],
            "takes": coupon.taken.select_related("customer").order_by("-id")[:NEWEST_USES],
            "may_add": self.has_add_permission(request),
            "may_see_orders": request.user.has_perm("orders.view_order"),
        }
        return super().change_view(request, object_id, form_url, (extra_context or {}) | shown)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A new coupon begins `like` another one, under another code."""
        coupon = Coupon.objects.filter(pk=row_number(request.GET.get("like", ""))).first()
        if coupon is None:
            return super().get_changeform_initial_data(request)
        return model_to_dict(coupon, fields=CouponForm.Meta.fields) | {"code": f"{coupon.code[:35]}-COPY"}

    def get_readonly_fields(self, request: HttpRequest, obj: Coupon | None = None) -> tuple[str, ...]:
        is_used = obj is not None and obj.taken.exists()
        return ("code",) if is_used else ()

    def has_delete_permission(self, request: HttpRequest, obj: Coupon | None = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or not obj.taken.exists())
