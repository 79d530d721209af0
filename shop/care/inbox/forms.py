"""What staff fill in on a thing of the inbox."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget

from shop.accounts.models import Customer
from shop.backoffice.admin import WordsField

from ..models import Complaint, Enquiry, ReplyTemplate

TEXT = {"rows": 7, "maxlength": 8000}


class ChooseReply(forms.Form):
    """A template to begin the answer with; what was typed stays before it."""

    template = forms.ModelChoiceField(
        ReplyTemplate.objects.filter(is_active=True),
        required=False,
        label=gettext_lazy("Start from template"),
        empty_label=gettext_lazy("No template"),
        widget=UnfoldAdminSelectWidget,
    )


class MessageReplyForm(forms.Form):
    words = WordsField(
        label=gettext_lazy("Answer"),
        max_length=8000,
        widget=UnfoldAdminTextareaWidget(TEXT),
        help_text=gettext_lazy("Emailed to the customer, with the question below."),
        error_messages={"required": gettext_lazy("Enter an answer.")},
    )
    after = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(self, *args: Any, row: Enquiry, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["after"].initial = row.events.count()


class ComplaintReplyForm(forms.Form):
    words = forms.CharField(
        label=gettext_lazy("Message"),
        required=False,
        max_length=8000,
        widget=UnfoldAdminTextareaWidget(TEXT),
        help_text=gettext_lazy("Emailed to the customer. To resolve, say what was decided and why."),
    )

    def __init__(self, *args: Any, row: Complaint, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""


class AssignForm(forms.Form):
    """`seen` is who took care of it when the page was made."""

    assignee = forms.ModelChoiceField(
        Customer.objects.none(),
        required=False,
        label=gettext_lazy("Assigned to"),
        empty_label=gettext_lazy("Nobody"),
        widget=UnfoldAdminSelectWidget,
    )
    seen = forms.IntegerField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, people: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.label_suffix = ""
        self.fields["assignee"].queryset = people  # type: ignore[attr-defined]
