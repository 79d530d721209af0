from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy, ngettext
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from shop.backoffice.admin import ReadOnlyRows
from shop.backoffice.forms import StaffForm
from shop.text import one_line

from .auth.reauthentication import require_reauthentication
from .customers.admin import CustomerPages, TagFilter
from .models import Address, Customer
from .second_factor.services import reset_second_factor
from .sessions.revocation import end_sign_ins, revoke_credentials
from .staff import history_admin, invitation_admin  # noqa: F401 (register their admins)
from .staff.notices import notify_owners_of_access
from .staff.reauthentication_admin import ReauthenticationAdmin, with_reauthentication

admin.site.unregister(Group)  # roles are fixed (roles.py); people get them on the customer's page
for model in (EmailAddress, SocialApp, SocialAccount, SocialToken, Authenticator, UserSession):
    admin.site.unregister(model)  # each customer's own


ACCESS = {"is_active", "is_staff", "groups"}


class AddressRows(ReadOnlyRows):
    model = Address
    fields = ("full_name", "city", "state", "pincode", "country", "phone_number", "is_default")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Customer]:
        return super().get_queryset(request).select_related("country")


class CustomerForm(StaffForm):
    class Meta:
        model = Customer
        fields = ("name", "is_active", "is_staff", "groups")

    def clean_name(self) -> str:
        return one_line(self.cleaned_data["name"])

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("groups") and not data.get("is_staff"):
            self.add_error("is_staff", gettext("Only staff can have a role. Tick staff, or remove the role."))
        return data


class CustomerAdmin(CustomerPages, ReauthenticationAdmin):
    """Customers and staff. Who may change customers makes them staff by giving them a role. (Orders come to it
    in shop/orders/backoffice/customer_admin.py, which registers it.)"""

    form = CustomerForm
    list_display: tuple[str, ...] = ("__str__", "email", "phone", "is_staff", "is_active", "date_joined")
    list_filter = (TagFilter, "is_staff", "is_active", "groups")
    search_fields = ("email", "phone", "name")
    found_as = ("email", "phone")
    ordering = ("-id",)
    fields = ("name", "email", "phone", "is_active", "is_staff", "groups", "date_joined", "last_login", "last_seen_at")
    inlines = (AddressRows,)
    actions = ("reset_second_factor", "end_sign_ins")
    private = ("name",)

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The few roles are ticked."""
        if db_field.name == "groups":
            kwargs["widget"] = UnfoldAdminCheckboxSelectMultipleWidget()
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # people sign up

    def has_delete_permission(self, request: HttpRequest, obj: Customer | None = None) -> bool:
        return False  # orders stay

    def has_change_permission(self, request: HttpRequest, obj: Customer | None = None) -> bool:
        may = super().has_change_permission(request, obj)
        return may and (obj is None or not obj.is_superuser or request.user.is_superuser)

    def get_readonly_fields(self, request: HttpRequest, obj: Customer | None = None) -> tuple[str, ...]:
        """Nobody takes the own role away, or locks the own account."""
        always = ("email", "phone", "date_joined", "last_login", "last_seen_at")
        return (*always, "is_active", "is_staff", "groups") if obj == request.user else always

    def save_model(self, request: HttpRequest, obj: Customer, form: Any, change: bool) -> None:
        """Who is deactivated, becomes staff or is staff no more, is signed out everywhere; who becomes staff keeps
        of the ways in of before only the password. Access is given and taken after reauthentication."""
        if ACCESS & set(form.changed_data):
            require_reauthentication(request)
        super().save_model(request, obj, form, change)
        if "is_staff" in form.changed_data and obj.is_staff:
            revoke_credentials(obj)
        elif {"is_active", "is_staff"} & set(form.changed_data):
            end_sign_ins(obj)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Of whose access to the back office has changed, the owners are notified."""
        super().save_related(request, form, formsets, change)
        person = form.instance
        if ACCESS & set(form.changed_data) and (person.is_staff or "is_staff" in form.changed_data):
            may_enter = person.is_staff and person.is_active
            roles = person.groups.all() if may_enter else Group.objects.none()
            notify_owners_of_access(person, roles=roles, by=request.user)

    @admin.action(description=gettext_lazy("Sign out everywhere"), permissions=["change"])
    def end_sign_ins(self, request: HttpRequest, customers: QuerySet[Customer]) -> None:
        allowed = [customer for customer in customers if self.has_change_permission(request, customer)]
        for customer in allowed:
            end_sign_ins(customer)
        messages.success(request, gettext("%(count)s signed out everywhere.") % {"count": len(allowed)})

    @admin.action(
        description=gettext_lazy("Reset two-step verification (lost app or passkeys)"), permissions=["change"]
    )
    @with_reauthentication
    def reset_second_factor(self, request: HttpRequest, customers: QuerySet[Customer]) -> None:
        allowed = [customer for customer in customers if self.has_change_permission(request, customer)]
        for customer in allowed:
            reset_second_factor(customer)
        said = ngettext(
            "Two-step verification was reset for %(count)s account.",
            "Two-step verification was reset for %(count)s accounts.",
            len(allowed),
        )
        messages.success(request, said % {"count": len(allowed)})
