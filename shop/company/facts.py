"""Who runs the shop: what footer, policies, the trust panel, invoices and search engines say of the company.

Staff write it in the admin; what they leave blank comes from the environment (COMPANY_*, SOCIAL_LINKS).
"""

from dataclasses import dataclass, fields

from django.conf import settings

from shop.invalidation.subscriptions import remembered

from .models import Company

REQUIRED_FACTS = ("legal_name", "address", "cin", "gstin", "grievance_officer")


@dataclass(frozen=True)
class CompanyFacts:
    legal_name: str
    address: str  # in lines
    cin: str
    gstin: str
    lut: str  # number of the letter of undertaking for exports
    grievance_officer: str
    phone: str
    licences: list[str]
    social_links: dict[str, str]  # name: https address
    uk_vat: str  # VAT registration number of the United Kingdom, from the environment alone
    pharmacy_licence: str = ""
    pharmacist: str = ""  # name and registration number

    @property
    def is_pharmacy(self) -> bool:
        """Whether the company may sell prescription medicines: it has named its licence and its pharmacist."""
        return bool(self.pharmacy_licence.strip() and self.pharmacist.strip())


def company_facts() -> CompanyFacts:
    """Each fact as the staff wrote it, else as the environment gives it. Asks the database once a change."""
    written, given = _written_facts(), given_facts()
    chosen = {field.name: getattr(written, field.name) or getattr(given, field.name) for field in fields(CompanyFacts)}
    return CompanyFacts(**chosen)


def given_facts() -> CompanyFacts:
    """What the environment says."""
    return CompanyFacts(
        **settings.COMPANY,
        licences=settings.LICENCES,
        social_links=settings.SOCIAL_LINKS,
        uk_vat=settings.UK_VAT_NUMBER,
    )


@remembered("shop")
def _written_facts() -> CompanyFacts:
    row = Company.objects.first() or Company()
    texts = {name: getattr(row, name) for name in settings.COMPANY}
    return CompanyFacts(**texts, licences=row.licences.splitlines(), social_links=row.links, uk_vat="")
