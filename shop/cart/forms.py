"""The staff's form for a coupon: what the database would refuse is said at its field."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext

from shop.backoffice.forms import StaffForm

from .coupons import canonical_code
from .models import Coupon

Kind = Coupon.Kind


class CouponForm(StaffForm):
    class Meta:
        model = Coupon
        fields = (
            "code", "description", "is_active", "is_automatic", "is_listed", "kind", "percent", "most_inr",
            "amount_inr", "buy_quantity", "get_quantity", "products", "categories", "brands", "minimum_inr",
            "is_first_order", "locations", "starts_at", "ends_at", "total_limit", "customer_limit",
        )  # fmt: skip

    def clean_code(self) -> str:
        code = canonical_code(self.cleaned_data["code"])
        if not re.fullmatch(r"[A-Z0-9-]+", code):
            raise forms.ValidationError(gettext("Use capitals, digits and hyphens only."))
        return code

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        kind = data.get("kind")
        self._require("percent", data, kind in (Kind.PERCENT, Kind.BUY_GET))
        self._require("amount_inr", data, kind == Kind.AMOUNT)
        for name in ("buy_quantity", "get_quantity"):
            self._require(name, data, kind == Kind.BUY_GET)
            if data.get(name) == 0:
                self.add_error(name, gettext("Enter 1 or more."))
        if data.get("most_inr") is not None and kind not in (Kind.PERCENT, Kind.BUY_GET):
            self.add_error("most_inr", gettext("Only a percentage can have a maximum."))
        if data.get("is_automatic") and data.get("is_listed"):
            self.add_error("is_listed", gettext("An automatic discount has no code to show."))
        for name in ("amount_inr", "most_inr"):
            if data.get(name) is not None and data[name] <= 0:
                self.add_error(name, gettext("Enter an amount above 0."))
        if data.get("percent") is not None and not 0 < data["percent"] <= 100:
            self.add_error("percent", gettext("Enter a percentage above 0, up to 100."))
        if (data.get("minimum_inr") or 0) < 0:
            self.add_error("minimum_inr", gettext("This can't be below 0."))
        if data.get("starts_at") and data.get("ends_at") and data["ends_at"] <= data["starts_at"]:
            self.add_error("ends_at", gettext("The end must be after the start."))
        if data.get("total_limit") is not None and data["total_limit"] < self.instance.uses:
            self.add_error(
                "total_limit", gettext("It has been used %(uses)s times already.") % {"uses": self.instance.uses}
            )
        return data

    def _require(self, name: str, data: dict[str, Any], is_required: bool) -> None:
        if name in self.errors:
            return
        if is_required and data.get(name) is None:
            self.add_error(name, gettext("Required for this kind of discount."))
        if not is_required and data.get(name) is not None:
            self.add_error(name, gettext("Leave this blank for this kind of discount."))
