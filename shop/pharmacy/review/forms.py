"""What the pharmacist types: the facts of a prescription, and a decision for each line."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from shop.errors import ShopError

from ..models import Prescription, PrescriptionLine
from .services import MAX_REPEATS, Decision, Facts

APPROVE, REFUSE = "approve", "refuse"
TEXTS = {
    "patient_name": (gettext_lazy("Patient"), 120),
    "patient_address": (gettext_lazy("Patient's address"), 300),
    "prescriber_name": (gettext_lazy("Doctor"), 120),
    "prescriber_address": (gettext_lazy("Doctor's address"), 300),
    "prescriber_registration": (gettext_lazy("Registration number"), 60),
}


class ReviewForm(forms.Form):
    """Everything that waits of one order; facts are asked for where something is approved."""

    issued_on = forms.DateField(
        label=gettext_lazy("Date of the prescription"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date", "class": "desk-input"}, format="%Y-%m-%d"),
    )
    repeats = forms.IntegerField(
        label=gettext_lazy("Repeats allowed by the doctor"),
        required=False,
        min_value=0,
        max_value=MAX_REPEATS,
        initial=0,
        widget=forms.NumberInput(attrs={"class": "desk-input desk-units"}),
    )

    def __init__(
        self,
        *args: Any,
        prescription: Prescription,
        lines: list[PrescriptionLine],
        written: dict[int, int],
        left: dict[int, int],
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.lines, self.left = lines, left
        known = prescription.recorded_at is not None
        for name, (label, length) in TEXTS.items():
            widget = forms.TextInput(attrs={"class": "desk-input", "autocomplete": "off"})
            self.fields[name] = forms.CharField(label=label, max_length=length, required=False, widget=widget)
        if known:
            self.initial = {name: getattr(prescription, name) for name in (*TEXTS, "issued_on", "repeats")}
        for line in lines:
            self._add_line(line, written.get(line.line.variant_id, 0))

    def _add_line(self, line: PrescriptionLine, written: int) -> None:
        choices = [(APPROVE, gettext("Approve")), (REFUSE, gettext("Reject")), ("", gettext("Decide later"))]
        self.fields[f"decision_{line.pk}"] = forms.ChoiceField(
            label=gettext("Decision"), choices=choices, required=False, widget=forms.RadioSelect, initial=""
        )
        self.fields[f"written_{line.pk}"] = forms.IntegerField(
            label=gettext("Packs on the prescription"),
            required=False,
            min_value=1,
            max_value=1000,
            initial=written or line.line.kept,
            disabled=bool(written),
            widget=forms.NumberInput(attrs={"class": "desk-input desk-units"}),
        )
        reasons = [("", "–"), *PrescriptionLine.Reason.choices]
        self.fields[f"reason_{line.pk}"] = forms.ChoiceField(
            label=gettext("Reason, which the customer reads"),
            choices=reasons,
            required=False,
            widget=forms.Select(attrs={"class": "desk-input"}),
        )

    @property
    def facts_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in (*TEXTS, "issued_on", "repeats")]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Each line with its fields."""
        return [
            {
                "line": line,
                "left": self.left.get(line.line.variant_id),
                "decision": self[f"decision_{line.pk}"],
                "fields": [self[f"written_{line.pk}"], self[f"reason_{line.pk}"]],
            }
            for line in self.lines
        ]

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        for line in self.lines:
            if given.get(f"decision_{line.pk}") == REFUSE and not given.get(f"reason_{line.pk}"):
                self.add_error(f"reason_{line.pk}", gettext("Choose a reason."))
        if any(given.get(f"decision_{line.pk}") == APPROVE for line in self.lines):
            for name in (*TEXTS, "issued_on"):
                if not given.get(name) and name not in self.errors:
                    self.add_error(name, gettext("Enter this."))
        return given

    def decisions(self) -> dict[int, Decision]:
        given, found = self.cleaned_data, {}
        for line in self.lines:
            what = given.get(f"decision_{line.pk}")
            if what == REFUSE:
                found[line.pk] = Decision(reason=given[f"reason_{line.pk}"])
            elif what == APPROVE:
                found[line.pk] = Decision(written=given.get(f"written_{line.pk}") or 0)
        return found

    def facts(self) -> Facts | None:
        given = self.cleaned_data
        if not given.get("issued_on"):
            return None
        texts = {name: given[name] for name in TEXTS}
        return Facts(**texts, issued_on=given["issued_on"], repeats=given.get("repeats") or 0)

    def explain(self, refusal: ShopError) -> None:
        """Say a refusal at its fields, else above the form."""
        for name, words in refusal.fields.items():
            self.add_error(name if name in self.fields else None, words)
        if not refusal.fields:
            self.add_error(None, refusal.message)
