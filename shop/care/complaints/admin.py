"""Complaints for the grievance officer: what is overdue comes first."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.timesince import timesince, timeuntil
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextareaWidget

from shop.backoffice.actors import shown_actor, staff_actor
from shop.backoffice.admin import BackOfficeAdmin, ReadOnlyRows
from shop.backoffice.forms import StaffForm
from shop.errors import Changed

from ..admin_base import IntakeAdmin
from ..models import Complaint, ComplaintEvent
from .services import RESOLVED, acknowledge_complaint, resolve_complaint

State = Complaint.State
SOON = timedelta(days=1)
STEPS = [("acknowledge", "Acknowledge: someone is looking into it"), ("resolve", "Resolve")]
ACKNOWLEDGED = "This is already acknowledged. To resolve an open complaint, enter a message."


class ComplaintRows(ReadOnlyRows):
    model = ComplaintEvent
    fields = ("at", "who", "state", "words")
    readonly_fields = ("who",)
    verbose_name_plural = "History"

    @admin.display(description="who")
    def who(self, event: Any) -> str:
        return shown_actor(event.actor)


class DecisionForm(StaffForm):
    """What to do next; the services say what they refuse (resolving needs words)."""

    step = forms.ChoiceField(choices=STEPS)
    words = forms.CharField(
        required=False,
        max_length=8000,
        widget=UnfoldAdminTextareaWidget({"rows": 8}),
        help_text="Saving emails this to the person who complained. To resolve, say what was decided and why.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.state != State.RECEIVED:
            self.fields["step"].choices = STEPS[::-1]  # type: ignore[attr-defined]

    class Meta:
        model = Complaint
        fields = ()


class ClockFilter(admin.SimpleListFilter):
    title = "clock"
    parameter_name = "clock"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("open", "Open"), ("overdue", "Overdue")]

    def queryset(self, request: HttpRequest, complaints: Any) -> Any:
        match self.value():
            case "open":
                return complaints.exclude(state=State.RESOLVED)
            case "overdue":
                return complaints.running_out(acknowledge=timedelta(0), resolve=timedelta(0))
        return complaints


@admin.register(Complaint)
class ComplaintAdmin(IntakeAdmin, BackOfficeAdmin):
    list_display = ("number", "name", "beginning", "order_number", "created_at", "how_it_stands", "time_left")
    list_filter = (ClockFilter, "state")
    search_fields = ("number", "name", "email", "phone", "order_number", "text")
    found_as = ("name", "created_at", "how_it_stands")
    form = DecisionForm
    readonly_fields = (
        "number", "how_it_stands", "time_left_in_words", "acknowledge_by", "resolve_by", "resolution",
        *IntakeAdmin.sent_fields,
    )  # fmt: skip
    fieldsets = (
        ("Complaint", {"fields": ("number", *IntakeAdmin.sent_fields)}),
        (
            "Deadlines",
            {"fields": ("how_it_stands", "time_left_in_words", "acknowledge_by", "resolve_by", "resolution")},
        ),
        ("Next step", {"fields": ("step", "words")}),
    )
    inlines = (ComplaintRows,)
    actions = ("acknowledge",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Complaint]:
        return Complaint.objects.with_due()

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """What runs out first comes first, what has run out before it; what is resolved last, newest first."""
        return [F("due").asc(nulls_last=True), "-created_at", "-pk"]

    @display(
        description="state",
        ordering="state",
        label={"Received": "warning", "Acknowledged": "info", "Resolved": "success"},
    )
    def how_it_stands(self, complaint: Complaint) -> str:
        return complaint.get_state_display()

    @display(description="time left", ordering="due", label={"overdue": "danger", "soon": "warning", "": "info"})
    def time_left(self, complaint: Complaint) -> tuple[str, str] | str:
        """The colour's name and the words."""
        now, due = timezone.now(), complaint.due_at
        if due is None:
            return "–"
        step = "acknowledge" if complaint.state == State.RECEIVED else "resolve"
        if due < now:
            return "overdue", f"Overdue for {timesince(due, now, depth=1)}: {step}"
        return "soon" if due - now < SOON else "", f"{timeuntil(due, now, depth=1)} to {step}"

    @admin.display(description="time left")
    def time_left_in_words(self, complaint: Complaint) -> str:
        left = self.time_left(complaint)
        return left if isinstance(left, str) else left[1]

    @admin.action(description="Acknowledge", permissions=["change"])
    def acknowledge(self, request: HttpRequest, rows: QuerySet[Complaint]) -> None:
        done = sum([acknowledge_complaint(row, actor=staff_actor(request.user)) for row in rows])
        said = f"{done} acknowledged, and the customers notified." if done else f"Nothing was changed. {ACKNOWLEDGED}"
        self.message_user(request, said, messages.SUCCESS if done else messages.WARNING)

    def save_model(self, request: HttpRequest, obj: Complaint, form: DecisionForm, change: bool) -> None:
        given = form.cleaned_data
        if given["step"] == "resolve":
            if not resolve_complaint(obj, given["words"], actor=staff_actor(request.user)):
                raise Changed(RESOLVED, fields={"words": [RESOLVED]})
        elif not acknowledge_complaint(obj, actor=staff_actor(request.user), words=given["words"]):
            raise Changed(ACKNOWLEDGED, fields={"step": [ACKNOWLEDGED]})
