"""Who may read a prescription: the customer who uploaded it, and the pharmacist's role. No other role, and not the
owner, whatever permissions they have."""

from datetime import timedelta
from typing import Any

from django.core.signing import BadSignature, TimestampSigner

from shop.accounts.staff.roles import PHARMACIST

from .models import PrescriptionPage

OPEN_FOR = timedelta(minutes=10)
_signer = TimestampSigner(salt="shop.pharmacy.page")


def is_pharmacist(person: Any) -> bool:
    """By the role itself: a superuser has every permission and does not have it."""
    if not (person.is_authenticated and person.is_active and person.is_staff):
        return False
    if not hasattr(person, "_is_pharmacist"):
        person._is_pharmacist = person.groups.filter(name=PHARMACIST).exists()
    return bool(person._is_pharmacist)


def page_key(page: PrescriptionPage, viewer_id: int) -> str:
    """Opens one picture to one person for ten minutes."""
    return _signer.sign(f"{page.pk}:{viewer_id}").rpartition(f"{page.pk}:{viewer_id}:")[2]


def opens(key: str, page_pk: int, viewer_id: int) -> bool:
    try:
        _signer.unsign(f"{page_pk}:{viewer_id}:{key}", max_age=OPEN_FOR)
    except BadSignature:
        return False
    return True
