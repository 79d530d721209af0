"""Who reads the newsletter, and since when; the list goes to the sender's program as CSV."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_lazy
from unfold.decorators import action, display

from shop.backoffice.admin import ColouredState, ReadOnlyAdmin, send_table
from shop.rows import each_row

from ..models import Subscription
from .services import CONSENT_TEXTS, leave_address


@admin.register(Subscription)
class SubscriptionAdmin(ReadOnlyAdmin):
    list_display = ("email", "how_it_stands", "asked_at", "confirmed_at", "left_at", "text_version")
    list_filter = ("confirmed_at", "left_at")
    search_fields = ("email",)
    fields = ("email", "how_it_stands", "asked_at", "confirmed_at", "left_at", "text_version", "words")
    readonly_fields = ("how_it_stands", "words")
    actions_list = ("export",)

    @display(
        description=gettext_lazy("state"),
        label={
            "subscribed": "success",
            "unsubscribed": "info",
            "unconfirmed": "warning",
        },
    )
    def how_it_stands(self, row: Subscription) -> ColouredState:
        """The state, of which the colour is, and its words."""
        if row.left_at:
            return ColouredState("unsubscribed", gettext("Unsubscribed"))
        is_confirmed = bool(row.confirmed_at)
        return (
            ColouredState("subscribed", gettext("Subscribed"))
            if is_confirmed
            else ColouredState("unconfirmed", gettext("Not confirmed"))
        )

    @admin.display(description=gettext_lazy("agreed to"))
    def words(self, row: Subscription) -> str:
        return CONSENT_TEXTS.get(row.text_version, "")

    @action(description=gettext_lazy("Export subscribers as CSV"), url_path="export", permissions=["view"])
    def export(self, request: HttpRequest) -> HttpResponse:
        return send_table(request, "csv", "newsletter", _lines())  # type: ignore[return-value]


def _lines() -> Iterator[list[Any]]:
    """Only who confirmed and did not leave, each with the link that each newsletter must carry."""
    yield ["email", "confirmed_at", "agreed_to", "unsubscribe"]
    for row in each_row(Subscription.objects.exclude(confirmed_at=None).filter(left_at=None)):
        yield [row.email, row.confirmed_at, row.text_version, leave_address(row)]
