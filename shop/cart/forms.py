"""The staff's form for a coupon: what the database would refuse is said at its field."""

import re
from typing import Any

from django import forms

from shop.backoffice.forms import StaffForm

from .coupons import canonical_code
from .models import Coupon

Kind = Coupon.Kind


class CouponForm(StaffForm):
    class Meta:
        model = Coupon
        fields = (
            "code", "description", "is_active", "kind", "percent", "most_inr", "amount_inr", "minimum_inr", "locations",
            "starts_at", "ends_at", "total_limit", "customer_limit",
        )  # fmt: skip

    def clean_code(self) -> str:
        code = canonical_code(self.cleaned_data["code"])
        if not re.fullmatch(r"[A-Z0-9-]+", code):
            raise forms.ValidationError("Use capitals, digits and hyphens only.")
        return code

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        is_percent = data.get("kind") == Kind.PERCENT
        self._require("percent", data, is_percent)
        self._require("amount_inr", data, data.get("kind") == Kind.AMOUNT)
        if data.get("most_inr") is not None and not is_percent:
            self.add_error("most_inr", "Only a percentage has a most.")
        for name in ("amount_inr", "most_inr"):
            if data.get(name) is not None and data[name] <= 0:
                self.add_error(name, "Enter an amount above 0.")
        if data.get("percent") is not None and not 0 < data["percent"] <= 100:
            self.add_error("percent", "Give a percentage from above 0 to 100.")
        if (data.get("minimum_inr") or 0) < 0:
            self.add_error("minimum_inr", "This cannot be below 0.")
        if data.get("starts_at") and data.get("ends_at") and data["ends_at"] <= data["starts_at"]:
            self.add_error("ends_at", "The end is not after the start.")
        if data.get("total_limit") is not None and data["total_limit"] < self.instance.uses:
            self.add_error("total_limit", f"It has been used {self.instance.uses} times already.")
        return data

    def _require(self, name: str, data: dict[str, Any], is_required: bool) -> None:
        if name in self.errors:
            return
        if is_required and data.get(name) is None:
            self.add_error(name, "This coupon needs it.")
        if not is_required and data.get(name) is not None:
            self.add_error(name, "Leave this blank for the other kind of coupon.")
