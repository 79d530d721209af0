from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest
from django.utils import translation
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext
from unfold.decorators import display

from shop.backoffice.admin import BackOfficeAdmin, ColouredState, ReadOnlyAdmin
from shop.backoffice.forms import StaffForm
from shop.errors import Invalid, ShopError

from .models import Message, MessageText
from .names import name_of
from .safe_templates import check_text, render_text, shown_in
from .sms_length import is_unicode, sms_parts, sms_units
from .texts import NEEDED, sample_of, shipped

PREVIEW = gettext_lazy("This is a preview. Nothing is saved yet.")


class KindFilter(admin.AllValuesFieldListFilter):
    """By the names of the kinds instead of their codes, in the order of these names."""

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        everything, *kinds = super().choices(changelist)
        yield everything
        yield from sorted(map(_with_name, kinds), key=itemgetter("display"))


def _with_name(choice: Any) -> dict[str, Any]:
    code, *count = choice["display"].split(" ")  # with its count, where staff ask to see them
    return choice | {"display": " ".join([name_of(code), *count])}


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    """The outbox. Texts are not shown: some hold a customer's one-time code."""

    list_display = ("what", "how_it_stands", "to", "channel", "created_at", "sent_at", "attempts", "last_error")
    list_filter = ("channel", ("kind", KindFilter))
    search_fields = ("to", "kind")
    ordering = ("-id",)
    fields = ("what", "channel", "to", "subject", "created_at", "next_try_at", "attempts", "sent_at", "last_error")

    @admin.display(description=gettext_lazy("message"), ordering="kind")
    def what(self, message: Message) -> str:
        return name_of(message.kind)

    @display(
        description=gettext_lazy("state"),
        label={
            "Sent": "success",
            "Trying again": "warning",
            "Out of date": "danger",
            "Waiting": "",
        },
    )
    def how_it_stands(self, message: Message) -> ColouredState:
        """The state, of which the colour is, and its words."""
        return ColouredState(message.state, gettext(message.state))


class Preview(ShopError):
    """Asked for instead of saving."""

    code = "preview"


class TextForm(StaffForm):
    """Its variables are those of the shipped text; anything else is refused at its field."""

    class Meta:
        model = MessageText
        fields = ("subject", "text", "sms")

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        own = shipped(self.instance.template, self.instance.language)
        for name in self.Meta.fields:
            text = data.get(name) or ""
            try:
                check_text(text, own.known, lists=own.loops.values())
                if text and name != "subject":
                    self._require_needed(text)
            except Invalid as refusal:
                self.add_error(name, forms.ValidationError(refusal.message))
        return data

    def _require_needed(self, text: str) -> None:
        needed = NEEDED.get(self.instance.template)
        if needed and needed not in shown_in(text):
            raise Invalid(
                gettext("Keep %(variable)s in this text. It is what the message is for.")
                % {"variable": f"{{{{ {needed} }}}}"}
            )


@admin.register(MessageText)
class MessageTextAdmin(BackOfficeAdmin):
    form = TextForm
    list_display = ("__str__", "language", "kinds", "how_it_stands")
    list_filter = ("language",)
    search_fields = ("template", "subject", "text", "sms")
    readonly_fields = ("variables", "preview", "own_text", "own_sms")
    fieldsets = (
        (None, {"fields": ("subject", "text", "sms", "variables", "preview")}),
        (gettext_lazy("The shop's own texts"), {"fields": ("own_text", "own_sms")}),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # there is one for each message

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # emptied, it is the shipped one

    def save_model(self, request: HttpRequest, obj: MessageText, form: Any, change: bool) -> None:
        if "_preview" in request.POST:
            raise Preview(str(PREVIEW))
        super().save_model(request, obj, form, change)

    @admin.display(description=gettext_lazy("sent as"))
    def kinds(self, row: MessageText) -> str:
        own = shipped(row.template, row.language)
        return ", ".join(name for name, text in ((gettext("email"), own.text), ("SMS", own.sms)) if text)

    @display(
        description=gettext_lazy("text"),
        label={"changed": "warning", "own": "info"},
    )
    def how_it_stands(self, row: MessageText) -> ColouredState:
        """A key, of which the colour is, and the words."""
        return (
            ColouredState("changed", gettext("Changed"))
            if row.is_changed
            else ColouredState("own", gettext("The shop's own"))
        )

    @admin.display(description=gettext_lazy("variables"))
    def variables(self, row: MessageText) -> str:
        own = shipped(row.template, row.language)
        everywhere = ("shop_name", "shop_url", "shop_email")
        names = [f"{{{{ {path} }}}}" for path in dict.fromkeys((*own.known, *everywhere))]
        lists = [f"{{% for {names} in {listed} %}} … {{% endfor %}}" for names, listed in own.loops.items()]
        return " ".join([*names, *lists])

    @admin.display(description=gettext_lazy("preview"))
    def preview(self, row: MessageText) -> SafeString:
        """With made-up values, of what stands in the form."""
        own = shipped(row.template, row.language)
        parts = [(gettext("Subject"), row.subject), (gettext("Email"), row.text or own.text)]
        shown = [f"{label}:\n{self._filled(row, text)}" for label, text in parts if text]
        if row.sms or own.sms:
            shown.append(_sms_preview(" ".join(self._filled(row, row.sms or own.sms).split())))
        return format_html(
            '<button class="desk-preview" type="submit" name="_preview" value="1">{}</button>'
            '<pre style="white-space: pre-wrap; margin-top: 8px">{}</pre>',
            gettext("Preview"),
            "\n\n".join(shown),
        )

    @staticmethod
    def _filled(row: MessageText, text: str) -> str:
        shop = {"shop_name": settings.SHOP_NAME, "shop_url": settings.SHOP_URL, "shop_email": settings.SHOP_EMAIL}
        try:
            with translation.override(row.language):
                return render_text(text, sample_of(row.template) | shop)
        except Exception:  # what is typed may have a mistake, which its field says
            return "–"

    @admin.display(description=gettext_lazy("email text"))
    def own_text(self, row: MessageText) -> SafeString:
        return _verbatim(shipped(row.template, row.language).text)

    @admin.display(description=gettext_lazy("SMS text"))
    def own_sms(self, row: MessageText) -> SafeString:
        return _verbatim(shipped(row.template, row.language).sms)


def _sms_preview(text: str) -> str:
    """With what it costs: an SMS of Hindi or Arabic, or with ₹, takes less than half as much."""
    alphabet = gettext("with letters outside the basic SMS alphabet") if is_unicode(text) else gettext("basic letters")
    parts = sms_parts(text)
    head = ngettext(
        "SMS (%(units)s characters, %(alphabet)s: sent as %(parts)s part)",
        "SMS (%(units)s characters, %(alphabet)s: sent as %(parts)s parts)",
        parts,
    )
    return f"{head % {'units': sms_units(text), 'alphabet': alphabet, 'parts': parts}}:\n{text}"


def _verbatim(text: str) -> SafeString:
    return format_html('<pre style="white-space: pre-wrap">{}</pre>', text or "–")
