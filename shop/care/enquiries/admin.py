"""Messages for the order desk: read, answered and closed."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextareaWidget

from shop.backoffice.actors import shown_actor, staff_actor
from shop.backoffice.admin import ColouredState, ReadOnlyRows, WordsField
from shop.backoffice.forms import StaffForm
from shop.errors import Changed

from ..admin_base import IntakeAdmin
from ..inbox.admin import InboxPages
from ..models import Enquiry, EnquiryEvent
from .services import SENT_BEFORE, answer_enquiry, close_enquiry

State = Enquiry.State


class EnquiryRows(ReadOnlyRows):
    model = EnquiryEvent
    fields = ("at", "who", "state", "words")
    readonly_fields = ("who",)
    verbose_name_plural = gettext_lazy("History")

    @admin.display(description=gettext_lazy("who"))
    def who(self, event: Any) -> str:
        return shown_actor(event.actor)


class AnswerForm(StaffForm):
    """An answer beside the message; the service says what it refuses."""

    answer = WordsField(
        max_length=8000,
        widget=UnfoldAdminTextareaWidget({"rows": 8}),
        help_text=gettext_lazy("Saving emails it to the sender, with their question below."),
        error_messages={"required": gettext_lazy("Enter an answer.")},
    )
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    class Meta:
        model = Enquiry
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["after"].initial = self.instance.events.count()


@admin.register(Enquiry)
class EnquiryAdmin(IntakeAdmin, InboxPages):
    list_display = ("name", "beginning", "order_number", "created_at", "how_it_stands")
    list_filter = ("state",)
    search_fields = ("name", "email", "phone", "order_number", "text")
    found_as = ("beginning", "created_at", "state")
    form = AnswerForm
    readonly_fields = ("how_it_stands", *IntakeAdmin.sent_fields)
    fieldsets = (
        (gettext_lazy("Message"), {"fields": ("how_it_stands", *IntakeAdmin.sent_fields)}),
        (gettext_lazy("Answer"), {"fields": ("answer", "after")}),
    )
    inlines = (EnquiryRows,)
    actions = ("close",)

    @display(
        description=gettext_lazy("state"),
        ordering="state",
        label={Enquiry.State.NEW: "warning", Enquiry.State.ANSWERED: "success", Enquiry.State.CLOSED: "info"},
    )
    def how_it_stands(self, enquiry: Enquiry) -> ColouredState:
        """The state, of which the colour is, and its words."""
        return ColouredState(enquiry.state, str(enquiry.get_state_display()))

    @admin.action(description=gettext_lazy("Close"), permissions=["change"])
    def close(self, request: HttpRequest, rows: QuerySet[Enquiry]) -> None:
        closed = sum([close_enquiry(row, actor=staff_actor(request.user)) for row in rows])
        said = (
            gettext("%(closed)s closed.") % {"closed": closed}
            if closed
            else gettext("Nothing was changed: already closed.")
        )
        self.message_user(request, said, messages.SUCCESS if closed else messages.WARNING)

    def save_model(self, request: HttpRequest, obj: Enquiry, form: AnswerForm, change: bool) -> None:
        given = form.cleaned_data
        if not answer_enquiry(obj, given["answer"], actor=staff_actor(request.user), after=given["after"]):
            raise Changed(str(SENT_BEFORE), fields={"answer": [str(SENT_BEFORE)]})
