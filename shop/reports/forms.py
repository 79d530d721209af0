from datetime import date
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from shop.markets.models import Location

from .periods import Period

LENGTHS = {"today": 1, "7": 7, "30": 30, "90": 90, "12m": 365}
CUSTOM = "custom"
USUAL = "30"
MAX_PERIOD = 731  # days: two years
FIRST_YEAR, LAST_YEAR = 2000, 2099  # at the ends of the calendar there is no day before or after
CHOICES = [
    ("today", gettext_lazy("Today")), ("7", gettext_lazy("7 days")), ("30", gettext_lazy("30 days")),
    ("90", gettext_lazy("90 days")),
    ("12m", gettext_lazy("12 months")),
    (CUSTOM, gettext_lazy("Custom dates")),
]  # fmt: skip


class PeriodForm(forms.Form):
    """Which days and which market the dashboard is about; without any the last 30 days of all."""

    period = forms.ChoiceField(label=gettext_lazy("Period"), choices=CHOICES, required=False)
    first = forms.DateField(label=gettext_lazy("From"), required=False, widget=forms.DateInput({"type": "date"}))
    last = forms.DateField(label=gettext_lazy("To"), required=False, widget=forms.DateInput({"type": "date"}))
    market = forms.ModelChoiceField(
        Location.objects.filter(is_active=True),
        label=gettext_lazy("Market"),
        required=False,
        empty_label=gettext_lazy("All markets"),
    )

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
                self.add_error(name, gettext("Choose a date."))
            elif not FIRST_YEAR <= day.year <= LAST_YEAR:
                self.add_error(
                    name, gettext("Choose a date between {first} and {last}.").format(first=FIRST_YEAR, last=LAST_YEAR)
                )
        if first and last and first > last:
            self.add_error("last", gettext("The end date is before the start date."))
        elif first and last and (last - first).days >= MAX_PERIOD:
            self.add_error("last", gettext("Choose two years or less."))

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
