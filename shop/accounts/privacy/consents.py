"""What customers agreed to: the privacy notice in the version they saw, and news about offers, unasked
for never."""

from django.utils import timezone

from ..models import Consent, Customer
from ..signals import naming_privacy_notice


def privacy_version() -> str:
    """Which text of the privacy notice is shown now."""
    versions = naming_privacy_notice.send(sender=Consent)
    return next((str(version) for _, version in versions if version), "")


def record_consent(customer: Customer, kind: Consent.Kind, version: str) -> None:
    """Write down what a customer agreed to, once a version."""
    Consent.objects.get_or_create(customer=customer, kind=kind, version=version, withdrawn_at=None)


def withdraw_consent(customer: Customer, kind: Consent.Kind) -> None:
    customer.consents.filter(kind=kind, withdrawn_at=None).update(withdrawn_at=timezone.now())
