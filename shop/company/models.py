from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models
from django.utils.translation import gettext


def check_links(text: str) -> None:
    """Each line is a name and an https address."""
    for line in text.splitlines():
        name, _, address = line.partition("=")
        if not name.strip():
            raise ValidationError(gettext("Enter a name, = and an address: %(line)s") % {"line": line})
        URLValidator(schemes=["https"])(address.strip())


class Company(models.Model):
    """What the staff say of the company that runs the shop, in at most one row (read by facts.py)."""

    ANNOUNCES = "shop"

    only = models.BooleanField(default=True, unique=True, editable=False)
    legal_name = models.CharField(max_length=200, blank=True)
    address = models.TextField(blank=True, help_text="As it should appear on documents, line by line.")
    cin = models.CharField("CIN", max_length=21, blank=True)
    gstin = models.CharField("GSTIN", max_length=15, blank=True)
    lut = models.CharField(
        "LUT number",
        max_length=40,
        blank=True,
        help_text="Letter of undertaking, under which exports are invoiced without tax.",
    )
    licences = models.TextField("licence numbers", blank=True, help_text="One per line.")
    pharmacy_licence = models.CharField(
        max_length=80, blank=True, help_text="Of the licensed premises, such as Form 20 and 21 with their numbers."
    )
    pharmacist = models.CharField(
        "registered pharmacist",
        max_length=200,
        blank=True,
        help_text="Name and registration number. With a pharmacy licence and a pharmacist, prescription medicines are "
        "sold in India against a prescription.",
    )
    grievance_officer = models.CharField(
        max_length=200, blank=True, help_text="Name and contact details; required by law."
    )
    phone = models.CharField("telephone", max_length=40, blank=True)
    social_links = models.TextField(
        blank=True, validators=[check_links], help_text="One per line: Instagram=https://instagram.com/…"
    )

    class Meta:
        db_table = "content_company"
        verbose_name_plural = "company"

    def __str__(self) -> str:
        return self.legal_name or "The company"

    @property
    def links(self) -> dict[str, str]:
        pairs = (line.partition("=") for line in self.social_links.splitlines() if line.strip())
        return {name.strip(): address.strip() for name, _, address in pairs}
