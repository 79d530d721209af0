"""The link of a reminder: it shows what was due and ends it, without signing in, and says nothing of the person."""

from django.urls import reverse
from django.utils import timezone

from shop.errors import NotFound
from shop.http.signed_ids import id_in, sign_id

from ..models import RefillReminder
from .services import LINK_VALID_FOR

PURPOSE = "shop.pharmacy.refill"


def refill_path(reminder_id: int) -> str:
    return reverse("mailed_refill", args=[sign_id(PURPOSE, reminder_id)])


def end_path(reminder_id: int) -> str:
    return reverse("end_mailed_refill", args=[sign_id(PURPOSE, reminder_id)])


def reminder_of(token: str) -> RefillReminder:
    """Raises NotFound for a wrong key, a link whose time is over and one of a deleted account, alike."""
    since = timezone.now() - LINK_VALID_FOR
    known = RefillReminder.objects.filter(pk=id_in(PURPOSE, token), sent_at__gt=since, customer__deleted_at=None)
    reminder: RefillReminder | None = known.first()
    if reminder is None:
        raise NotFound()
    return reminder
