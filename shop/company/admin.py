from django import forms
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext
from stdnum.exceptions import ValidationError as NoSuchNumber
from stdnum.in_ import gstin

from shop.backoffice.admin import BackOfficeAdmin
from shop.backoffice.forms import StaffForm

from .facts import given_facts
from .models import Company


class CompanyForm(StaffForm):
    class Meta:
        model = Company
        fields = (
            "legal_name", "address", "cin", "gstin", "lut", "licences", "pharmacy_licence", "pharmacist",
            "grievance_officer", "phone", "social_links",
        )  # fmt: skip

    def clean_gstin(self) -> str:
        typed = self.cleaned_data["gstin"]
        try:
            return gstin.validate(typed) if typed else ""
        except NoSuchNumber as error:
            raise forms.ValidationError(gettext("This is not a valid GSTIN. Check all fifteen characters.")) from error


@admin.register(Company)
class CompanyAdmin(BackOfficeAdmin):
    """One row: added once, from what the environment says, then changed."""

    list_display = ("__str__", "phone", "grievance_officer")
    form = CompanyForm

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Each page of the back office asks several times, for its menu; the table is read once."""
        if not super().has_add_permission(request):
            return False
        if not hasattr(request, "has_company"):
            request.has_company = Company.objects.exists()  # type: ignore[attr-defined]
        return not request.has_company  # type: ignore[attr-defined]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, str]:
        given = given_facts()
        return {
            **{name: getattr(given, name) for name in settings.COMPANY},
            "licences": "\n".join(given.licences),
            "social_links": "\n".join(f"{name}={address}" for name, address in given.social_links.items()),
        }
