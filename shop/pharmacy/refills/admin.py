"""The list of refills for staff: to look into, and to end on a customer's behalf."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy, ngettext
from unfold.decorators import display

from shop.backoffice.admin import BackOfficeAdmin, ColouredState, ReadOnly

from ..models import Refill
from .present import rhythm_words
from .services import end_refills

State = Refill.State


@admin.register(Refill)
class RefillAdmin(ReadOnly, BackOfficeAdmin):
    list_display = ("customer", "product", "quantity", "rhythm", "next_on", "how_it_stands")
    list_filter = ("state",)
    list_select_related = ("customer", "variant__product")
    search_fields = ("customer__name", "customer__email", "customer__phone", "variant__sku", "variant__product__name")
    fields = ("customer", "product", "quantity", "rhythm", "next_on", "how_it_stands", "created_at", "location")
    readonly_fields = ("product", "rhythm", "how_it_stands")
    actions = ("end_reminders",)

    def has_end_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("pharmacy.change_refill")

    @admin.display(description=gettext_lazy("product"), ordering="variant__product__name")
    def product(self, refill: Refill) -> str:
        return str(refill.variant)

    @admin.display(description=gettext_lazy("how often"))
    def rhythm(self, refill: Refill) -> str:
        return rhythm_words(refill)

    @display(
        description=gettext_lazy("state"),
        ordering="state",
        label={State.ACTIVE: "success", State.PAUSED: "warning", State.ENDED: "info"},
    )
    def how_it_stands(self, refill: Refill) -> ColouredState:
        return ColouredState(refill.state, str(refill.get_state_display()))

    @admin.action(description=gettext_lazy("Stop reminders"), permissions=["end"])
    def end_reminders(self, request: HttpRequest, refills: QuerySet[Any]) -> None:
        """As the customer would."""
        count = end_refills(Refill.objects.filter(pk__in=refills.values_list("pk", flat=True)))
        words = ngettext("%(count)s reminder stopped.", "%(count)s reminders stopped.", count) % {"count": count}
        self.message_user(request, words, messages.SUCCESS)
