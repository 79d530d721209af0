"""Complaints for the grievance officer: what is overdue comes first."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext, gettext_lazy
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextareaWidget

from shop.backoffice.actors import shown_actor, staff_actor
from shop.backoffice.admin import BackOfficeAdmin, ColouredState, ReadOnlyRows
from shop.backoffice.forms import StaffForm
from shop.errors import Changed

from ..admin_base import IntakeAdmin
from ..models import Complaint, ComplaintEvent
from .services import RESOLVED, acknowledge_complaint, resolve_complaint

State = Complaint.State
SOON = timedelta(days=1)
STEPS = [("acknowledge", gettext_lazy("Acknowledge: someone is looking into it")), ("resolve", gettext_lazy("Resolve"))]
ACKNOWLEDGED = gettext_lazy("This is already acknowledged. To resolve an open complaint, enter a message.")


class ComplaintRows(ReadOnlyRows):
    model = ComplaintEvent
    fields = ("at", "who", "state", "words")
    readonly_fields = ("who",)
    verbose_name_plural = gettext_lazy("History")

    @admin.display(description=gettext_lazy("who"))
    def who(self, event: Any) -> str:
        return shown_actor(event.actor)


class DecisionForm(StaffForm):
    """What to do next; the services say what they refuse (resolving needs words)."""

    step = forms.ChoiceField(label=gettext_lazy("Next step"), choices=STEPS)
    words = forms.CharField(
        label=gettext_lazy("Message"),
        required=False,
        max_length=8000,
        widget=UnfoldAdminTextareaWidget({"rows": 8}),
        help_text=gettext_lazy(
            "Saving emails this to the person who complained. To resolve, say what was decided and why."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.state != State.RECEIVED:
            self.fields["step"].choices = STEPS[::-1]  # type: ignore[attr-defined]

    class Meta:
        model = Complaint
        fields = ()


class DeadlineFilter(admin.SimpleListFilter):
    title = gettext_lazy("clock")
    parameter_name = "clock"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("open", gettext("Open")), ("overdue", gettext("Overdue"))]

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
    list_filter = (DeadlineFilter, "state")
    search_fields = ("number", "name", "email", "phone", "order_number", "text")
    found_as = ("name", "created_at", "state")
    form = DecisionForm
    readonly_fields = (
        "number", "how_it_stands", "time_left_in_words", "acknowledge_by", "resolve_by", "resolution",
        *IntakeAdmin.sent_fields,
    )  # fmt: skip
    fieldsets = (
        (gettext_lazy("Complaint"), {"fields": ("number", *IntakeAdmin.sent_fields)}),
        (
            gettext_lazy("Deadlines"),
            {"fields": ("how_it_stands", "time_left_in_words", "acknowledge_by", "resolve_by", "resolution")},
        ),
        (gettext_lazy("Next step"), {"fields": ("step", "words")}),
    )
    inlines = (ComplaintRows,)
    actions = ("acknowledge",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Complaint]:
        return Complaint.objects.with_due()

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        """What runs out first comes first, what has run out before it; what is resolved last, newest first."""
        return [F("due").asc(nulls_last=True), "-created_at", "-pk"]

    @display(
        description=gettext_lazy("state"),
        ordering="state",
        label={
            State.RECEIVED: "warning",
            State.ACKNOWLEDGED: "info",
            State.RESOLVED: "success",
        },
    )
    def how_it_stands(self, complaint: Complaint) -> ColouredState:
        """The state, of which the colour is, and its words."""
        return ColouredState(complaint.state, str(complaint.get_state_display()))

    @display(
        description=gettext_lazy("time left"),
        ordering="due",
        label={"overdue": "danger", "soon": "warning", "": "info"},
    )
    def time_left(self, complaint: Complaint) -> ColouredState | str:
        """The colour's name and the words."""
        now, due = timezone.now(), complaint.due_at
        if due is None:
            return "–"
        step = gettext("acknowledge") if complaint.state == State.RECEIVED else gettext("resolve")
        if due < now:
            late = {"time": timesince(due, now, depth=1), "step": step}
            return ColouredState("overdue", gettext("Overdue by %(time)s: %(step)s") % late)
        left = {"time": timeuntil(due, now, depth=1), "step": step}
        return ColouredState("soon" if due - now < SOON else "", gettext("%(time)s to %(step)s") % left)

    @admin.display(description=gettext_lazy("time left"))
    def time_left_in_words(self, complaint: Complaint) -> str:
        left = self.time_left(complaint)
        return left if isinstance(left, str) else left[1]

    @admin.action(description=gettext_lazy("Acknowledge"), permissions=["change"])
    def acknowledge(self, request: HttpRequest, rows: QuerySet[Complaint]) -> None:
        done = sum([acknowledge_complaint(row, actor=staff_actor(request.user)) for row in rows])
        said = (
            gettext("%(done)s acknowledged, and the customers notified.") % {"done": done}
            if done
            else f"{gettext('Nothing was changed.')} {ACKNOWLEDGED}"
        )
        self.message_user(request, said, messages.SUCCESS if done else messages.WARNING)

    def save_model(self, request: HttpRequest, obj: Complaint, form: DecisionForm, change: bool) -> None:
        given = form.cleaned_data
        if given["step"] == "resolve":
            if not resolve_complaint(obj, given["words"], actor=staff_actor(request.user)):
                raise Changed(str(RESOLVED), fields={"words": [str(RESOLVED)]})
        elif not acknowledge_complaint(obj, actor=staff_actor(request.user), words=given["words"]):
            raise Changed(str(ACKNOWLEDGED), fields={"step": [str(ACKNOWLEDGED)]})
