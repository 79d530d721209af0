from datetime import date
from typing import Any

from django import forms
from django.utils import timezone

from shop.markets.models import Location

from .periods import Period

LENGTHS = {"today": 1, "7": 7, "30": 30, "90": 90, "12m": 365}
CUSTOM = "custom"
USUAL = "30"
MAX_PERIOD = 731  # days: two years
CHOICES = [
    ("today", "Today"), ("7", "7 days"), ("30", "30 days"), ("90", "90 days"), ("12m", "12 months"),
    (CUSTOM, "Custom dates"),
]  # fmt: skip


class PeriodForm(forms.Form):
    """Which days and which market the dashboard is about; without any the last 30 days of all."""

    period = forms.ChoiceField(choices=CHOICES, required=False)
    first = forms.DateField(label="From", required=False, widget=forms.DateInput({"type": "date"}))
    last = forms.DateField(label="To", required=False, widget=forms.DateInput({"type": "date"}))
    market = forms.ModelChoiceField(Location.objects.filter(is_active=True), required=False, empty_label="All markets")

    def clean_period(self) -> str:
        return self.cleaned_data["period"] or USUAL

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("period") == CUSTOM and not self.errors:
            self._clean_days(data["first"], data["last"])
        return data

    def _clean_days(self, first: date | None, last: date | None) -> None:
        for name, day in (("first", first), ("last", last)):
            if day is None:
                self.add_error(name, "Choose a date.")
        if first and last and first > last:
            self.add_error("last", "The end date is before the start date.")
        elif first and last and (last - first).days >= MAX_PERIOD:
            self.add_error("last", "Choose two years or less.")

    @property
    def chosen(self) -> Period:
        """What was asked for, or what is usual where that is wrong."""
        today = timezone.localdate()
        data = self.cleaned_data if self.is_valid() else {}
        if data.get("period") == CUSTOM:
            return Period(data["first"], data["last"])
        return Period.of_days(LENGTHS[data.get("period", USUAL)], today)

    @property
    def location(self) -> Location | None:
        return self.cleaned_data["market"] if self.is_valid() else None
