"""Messages for the order desk: read, answered and closed."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from unfold.decorators import display
from unfold.widgets import UnfoldAdminTextareaWidget

from shop.backoffice import ReadOnlyRows, Screen
from shop.errors import ShopError

from .enquiries import MEANWHILE, answer_enquiry, close_enquiry
from .models import Enquiry, EnquiryEvent
from .screens import LetterScreen, actor_of

State = Enquiry.State


class EnquiryRows(ReadOnlyRows):
    model = EnquiryEvent
    fields = ("at", "actor", "state", "words")
    verbose_name_plural = "History"


class AnswerForm(forms.ModelForm):
    """An answer beside the message; empty words change nothing."""

    answer = forms.CharField(
        required=False,
        max_length=8000,
        widget=UnfoldAdminTextareaWidget({"rows": 8}),
        help_text="Saving mails it to the sender, with the question below it.",
    )
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    class Meta:
        model = Enquiry
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["after"].initial = self.instance.events.count()

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("answer") and self.instance.events.count() > given.get("after", 0):
            self.add_error("answer", MEANWHILE)
        return given


@admin.register(Enquiry)
class EnquiryScreen(LetterScreen, Screen):
    list_display = ("name", "beginning", "order_number", "created_at", "how_it_stands")
    list_filter = ("state",)
    search_fields = ("name", "email", "phone", "order_number", "text")
    form = AnswerForm
    readonly_fields = ("how_it_stands", *LetterScreen.told)
    fieldsets = (
        ("Message", {"fields": ("how_it_stands", *LetterScreen.told)}),
        ("Answer", {"fields": ("answer", "after")}),
    )
    inlines = (EnquiryRows,)
    actions = ("close",)

    @display(description="state", ordering="state", label={"New": "warning", "Answered": "success", "Closed": "info"})
    def how_it_stands(self, enquiry: Enquiry) -> str:
        return enquiry.get_state_display()

    @admin.action(description="Close", permissions=["change"])
    def close(self, request: HttpRequest, rows: QuerySet[Enquiry]) -> None:
        for row in rows:
            close_enquiry(row, actor=actor_of(request))
        self.message_user(request, "Closed.", messages.SUCCESS)

    def save_model(self, request: HttpRequest, obj: Enquiry, form: AnswerForm, change: bool) -> None:
        given = form.cleaned_data
        if not given["answer"]:
            return
        try:
            answer_enquiry(obj, given["answer"], actor=actor_of(request), after=given["after"])
        except ShopError as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
