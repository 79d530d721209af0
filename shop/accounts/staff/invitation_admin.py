"""Invitations of staff in the back office."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from shop.backoffice.forms import StaffForm
from shop.errors import Invalid
from shop.text import one_line

from ..auth.reauthentication import require_reauthentication
from ..contact_points import canonical_email
from ..models import Customer, StaffInvitation
from .invitations import send_invitation
from .reauthentication_admin import ReauthenticationAdmin, with_reauthentication
from .roles import GRANTS


class InvitationForm(StaffForm):
    class Meta:
        model = StaffInvitation
        fields = ("email", "name", "role")

    def clean_email(self) -> str:
        """As accounts hold it: with any other spelling nobody could sign in."""
        try:
            return canonical_email(self.cleaned_data["email"])
        except Invalid as refusal:
            raise ValidationError(refusal.message) from refusal

    def clean_name(self) -> str:
        return one_line(self.cleaned_data["name"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if Customer.objects.filter(email=data.get("email"), is_staff=True).exists():
            self.add_error("email", gettext("This person is staff already. Change the role on their own page."))
        return data


@admin.register(StaffInvitation)
class StaffInvitationAdmin(ReauthenticationAdmin):
    """Saving a new one sends it, after reauthentication."""

    form = InvitationForm
    list_display = ("email", "name", "role", "state", "created_at", "expires_at")
    list_select_related = ("role",)
    search_fields = ("email", "name")
    ordering = ("-id",)
    fields = ("email", "name", "role")
    actions = ("send_again",)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "role":
            kwargs["queryset"] = Group.objects.filter(name__in=GRANTS)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def has_change_permission(self, request: HttpRequest, obj: StaffInvitation | None = None) -> bool:
        """Sent ones are sent again or withdrawn (deleted), not changed."""
        return obj is None and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: StaffInvitation, form: Any, change: bool) -> None:
        require_reauthentication(request)
        super().save_model(request, obj, form, change)
        send_invitation(obj)
        messages.success(request, gettext("The invitation is on its way to %(email)s.") % {"email": obj.email})

    @admin.display(description=gettext_lazy("State"))
    def state(self, invitation: StaffInvitation) -> str:
        return gettext(invitation.state)

    @admin.action(description=gettext_lazy("Send again, with a new link"), permissions=["change"])
    @with_reauthentication
    def send_again(self, request: HttpRequest, invitations: QuerySet[StaffInvitation]) -> None:
        waiting = list(invitations.filter(accepted_at=None).select_related("role"))
        for invitation in waiting:
            send_invitation(invitation)
        messages.success(request, gettext("%(count)s sent again.") % {"count": len(waiting)})
