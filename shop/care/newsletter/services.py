"""The newsletter: off until somebody asks for it and says so again by the link in a mail; left with one click."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from shop.errors import NotFound
from shop.limits.services import consume
from shop.messaging.languages import LazyText, language_now
from shop.messaging.services import queue_mail

from ..models import Subscription

# What readers agree to, by version; a new text gets a new version, the old ones stay.
CONSENT_TEXTS = {
    "2026-11": "Send me letters about new products and offers, at most one a week. I can leave with one click in each.",
    "2026-11-22": gettext_noop(
        "Send me news and offers by email, at most one a week. I can unsubscribe any time with one click."
    ),
}
CURRENT_TEXT = "2026-11-22"
CONFIRM_WITHIN = timedelta(days=7)
ASKED_BY_CLIENT, ASKED_FOR_MAILBOX = 20, 5  # an hour; a day
UNKNOWN = gettext_noop("This link no longer works.")


def ask_for_newsletter(*, email: str, client: str) -> None:
    """Mail a link that confirms, at most once an hour. Whether the address is on the list already is not
    disclosed. Raises TooMany."""
    consume("newsletter", client, limit=ASKED_BY_CLIENT, period=timedelta(hours=1))
    consume("newsletter_mailbox", email, limit=ASKED_FOR_MAILBOX, period=timedelta(days=1))
    with transaction.atomic():
        row, _ = Subscription.objects.get_or_create(
            email=email, left_at=None, defaults={"text_version": CURRENT_TEXT, "asked_at": timezone.now()}
        )
        if row.confirmed_at is None:
            row.text_version, row.language = CURRENT_TEXT, language_now()
            asked = {"text_version": CURRENT_TEXT, "language": row.language, "asked_at": timezone.now()}
            Subscription.objects.filter(pk=row.pk).update(**asked)
            subject = gettext_lazy("Please confirm your newsletter subscription at {shop_name}")
            _write(row, "newsletter_confirm", subject, f"{timezone.now():%Y%m%d%H}")


def find_subscription(key: str) -> Subscription:
    """Raises NotFound for a link that is unknown, too old or left behind."""
    row = Subscription.objects.filter(key=key, left_at=None).first()
    if row is None or (row.confirmed_at is None and row.asked_at < timezone.now() - CONFIRM_WITHIN):
        raise NotFound(gettext(UNKNOWN))
    return row


def confirm_newsletter(key: str) -> Subscription:
    """Confirm a subscription; confirming again changes nothing. Raises NotFound."""
    row = find_subscription(key)
    with transaction.atomic():
        if Subscription.objects.filter(pk=row.pk, left_at=None, confirmed_at=None).update(confirmed_at=timezone.now()):
            _write(row, "newsletter_welcome", gettext_lazy("Welcome to the newsletter from {shop_name}"))
    return row


def leave_newsletter(key: str) -> str:
    """Unsubscribe, and return the address. Leaving again changes nothing. Raises NotFound for an unknown link."""
    row = Subscription.objects.filter(key=key).first()
    if row is None:
        raise NotFound(gettext(UNKNOWN))
    Subscription.objects.filter(pk=row.pk, left_at=None).update(left_at=timezone.now())
    return row.email


def leave_address(row: Subscription) -> str:
    """Where one click unsubscribes (RFC 8058)."""
    return f"{settings.SHOP_URL}{reverse('newsletter_leave', args=[row.key])}"


def delete_unconfirmed() -> int:
    """Scheduled job: addresses that nobody confirmed are not kept."""
    old = timezone.now() - CONFIRM_WITHIN
    return Subscription.objects.filter(confirmed_at=None, asked_at__lt=old).delete()[0]


def _write(row: Subscription, kind: str, subject: LazyText, occasion: str = "") -> None:
    confirm = settings.SHOP_URL + reverse("newsletter_confirm", args=[row.key])
    leave = leave_address(row)
    queue_mail(
        kind=kind,
        to=row.email,
        subject=format_lazy(subject, shop_name=settings.SHOP_NAME),
        language=row.language,
        template=kind,
        context={"confirm": confirm, "leave": leave, "agreed": gettext_lazy(CONSENT_TEXTS[row.text_version])},
        key=f"{kind}:{row.pk}:{occasion}",
        headers={"List-Unsubscribe": f"<{leave}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
    )
