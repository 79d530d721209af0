from django.contrib import admin
from django.http import HttpRequest

from shop.backoffice import Screen

from .forms import CouponForm
from .models import Coupon


@admin.register(Coupon)
class CouponScreen(Screen):
    """Coupons. One that an order took can be switched off, not deleted, and keeps its code."""

    form = CouponForm
    list_display = ("code", "description", "takes_off", "starts_at", "ends_at", "used", "is_active")
    list_filter = ("is_active", "kind")
    search_fields = ("code", "description")
    filter_horizontal = ("locations",)
    readonly_fields = ("uses",)
    fieldsets = (
        (None, {"fields": ("code", "description", "is_active")}),
        ("What it takes off", {"fields": ("kind", "percent", "most_inr", "amount_inr")}),
        ("Where it applies", {"fields": ("minimum_inr", "locations", "starts_at", "ends_at")}),
        ("How often", {"fields": ("total_limit", "customer_limit", "uses")}),
    )

    @admin.display(description="Takes off")
    def takes_off(self, coupon: Coupon) -> str:
        if coupon.percent is None:
            return f"₹{coupon.amount_inr:,.2f}"
        most = f", at most ₹{coupon.most_inr:,.2f}" if coupon.most_inr is not None else ""
        return f"{coupon.percent.normalize():f} %{most}"

    @admin.display(description="Used", ordering="uses")
    def used(self, coupon: Coupon) -> str:
        return f"{coupon.uses} of {coupon.total_limit}" if coupon.total_limit is not None else str(coupon.uses)

    def get_readonly_fields(self, request: HttpRequest, obj: Coupon | None = None) -> tuple[str, ...]:
        is_used = obj is not None and obj.taken.exists()
        return (*self.readonly_fields, "code") if is_used else self.readonly_fields

    def has_delete_permission(self, request: HttpRequest, obj: Coupon | None = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or not obj.taken.exists())
