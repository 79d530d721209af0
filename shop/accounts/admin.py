from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest

from shop.backoffice import ReadOnlyRows, Screen

from .models import Address, Customer
from .second_factor import reset_second_factor

admin.site.unregister(Group)  # roles are fixed (roles.py); people get them on the customer's screen
for model in (EmailAddress, SocialApp, SocialAccount, SocialToken, Authenticator, UserSession):
    admin.site.unregister(model)  # each customer's own


class AddressRows(ReadOnlyRows):
    model = Address
    fields = ("full_name", "city", "state", "pincode", "country", "phone_number", "is_default")

    def get_queryset(self, request: HttpRequest):
        return super().get_queryset(request).select_related("country")


@admin.register(Customer)
class CustomerScreen(Screen):
    """Customers and staff. Who may change customers makes them staff by giving them a role."""

    list_display = ("__str__", "email", "phone", "is_staff", "is_active", "date_joined")
    list_filter = ("is_staff", "is_active", "groups")
    search_fields = ("email", "phone", "name")
    ordering = ("-id",)
    fields = ("name", "email", "phone", "is_active", "is_staff", "groups", "date_joined", "last_login")
    readonly_fields = ("email", "phone", "date_joined", "last_login")
    filter_horizontal = ("groups",)
    inlines = (AddressRows,)
    actions = ("reset_second_factor",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # people sign up

    def has_delete_permission(self, request: HttpRequest, obj: Customer | None = None) -> bool:
        return False  # orders stay

    def has_change_permission(self, request: HttpRequest, obj: Customer | None = None) -> bool:
        may = super().has_change_permission(request, obj)
        return may and (obj is None or not obj.is_superuser or request.user.is_superuser)

    @admin.action(description="Reset the second factor (app and passkeys were lost)", permissions=["change"])
    def reset_second_factor(self, request: HttpRequest, customers: QuerySet[Customer]) -> None:
        allowed = [customer for customer in customers if self.has_change_permission(request, customer)]
        for customer in allowed:
            reset_second_factor(customer)
        is_one = len(allowed) == 1
        messages.success(request, f"{len(allowed)} second factor{' was' if is_one else 's were'} reset.")
