"""Complaints to the grievance officer, and their two clocks: acknowledged within 48 hours, resolved within a
month.

The mail with the ticket's number that leaves at once tells that the complaint came in; acknowledged it is
when a person has looked at it.
"""

import calendar
import secrets
import string
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from shop.errors import Changed, NotFound, require_words
from shop.jobs.services import for_each
from shop.limits.services import consume
from shop.markets.geography.local_time import moment_words
from shop.messaging.languages import LazyText
from shop.messaging.models import Message
from shop.messaging.services import queue_mail

from ..intake import count_message, submission_of
from ..models import Complaint, ComplaintEvent

State = Complaint.State
ACKNOWLEDGE_WITHIN = timedelta(hours=48)
# How long before a clock runs out staff are reminded.
REMIND_ACKNOWLEDGE, REMIND_RESOLVE = timedelta(hours=12), timedelta(days=5)
ALPHABET = string.ascii_uppercase + string.digits
TRIES_A_TICKET, TRIES_A_CLIENT = 10, 200  # an hour, as for orders (orders/tracking.py)
RESOLVED = gettext_lazy("This complaint is already resolved.")
NOT_FOUND = gettext_noop(
    "We can't find a complaint with this number and email address. Please check the email we sent you."
)


def month_after(at: datetime) -> datetime:
    """The same day of the next month by the shop's calendar, or its last day."""
    local = timezone.localtime(at)
    year, month = (local.year + 1, 1) if local.month == 12 else (local.year, local.month + 1)
    return local.replace(year=year, month=month, day=min(local.day, calendar.monthrange(year, month)[1]))


# --- Who complains ----------------------------------------------------------------------------------


def file_complaint(
    *,
    name: str,
    phone: str,
    email: str,
    text: str,
    order_number: str = "",
    once: str,
    client: str,
    location_id: int | None = None,
) -> Complaint:
    """Keep a complaint under a new number, mail that to its writer, and notify staff; `once` names the form it
    was typed into, and sending that again changes nothing. Its writer reads times of `location_id`.

    Raises TooMany.
    """
    words = {"name": name, "phone": phone, "email": email, "text": text, "order_number": order_number}
    submission = submission_of(words, once)
    known: Complaint | None = Complaint.objects.filter(submission=submission).first()
    if known is not None:
        return known
    count_message("complaint", email=email, client=client)
    now = timezone.now()
    clocks = {"created_at": now, "acknowledge_by": now + ACKNOWLEDGE_WITHIN, "resolve_by": month_after(now)}
    with transaction.atomic():
        complaint, is_new = Complaint.objects.get_or_create(
            submission=submission, defaults=words | clocks | {"number": _new_number(), "location_id": location_id}
        )
        if is_new:
            _write(complaint, "complaint_received", gettext_lazy("We've received your complaint {number}"))
            _notify_staff(complaint, "filed", f"Complaint {complaint.number}: acknowledge it within 48 hours")
    return complaint


def find_complaint(*, number: str, email: str, client: str) -> Complaint:
    """For whoever knows number and e-mail address. Raises TooMany, and NotFound in the same words whichever of
    them is wrong."""
    number = canonical_ticket(number)
    consume("complaint_any", client, limit=TRIES_A_CLIENT, period=timedelta(hours=1))
    consume("complaint_one", f"{number}:{client}", limit=TRIES_A_TICKET, period=timedelta(hours=1))
    found: Complaint | None = Complaint.objects.filter(number=number, email=email).first()
    if found is None:
        raise NotFound(gettext(NOT_FOUND))
    return found


def canonical_ticket(typed: str) -> str:
    """grv abc123xyz, ABC123XYZ and GRV-ABC123XYZ are one number."""
    characters = "".join(char for char in typed.upper() if char in ALPHABET)
    characters = characters[3:] if len(characters) == 12 and characters.startswith("GRV") else characters
    return f"GRV-{characters}"[:40]


def _new_number() -> str:
    """GRV- and nine random upper-case letters or digits."""
    return "GRV-" + "".join(secrets.choice(ALPHABET) for _ in range(9))


# --- Who decides ------------------------------------------------------------------------------------


def acknowledge_complaint(complaint: Complaint, *, actor: str, words: str = "") -> bool:
    """A person has looked at it and says so by mail, with words if there are some. Again: changes nothing, and
    returns False."""
    with transaction.atomic():
        locked = Complaint.objects.select_for_update().get(pk=complaint.pk)
        if locked.state != State.RECEIVED:
            return False
        locked.acknowledged_at = timezone.now()
        _move(locked, State.ACKNOWLEDGED, actor, words.strip())
        _write(locked, "complaint_acknowledged", gettext_lazy("Your complaint {number} is being looked into"), words)
    return True


def resolve_complaint(complaint: Complaint, resolution: str, *, actor: str) -> bool:
    """The decision, mailed and kept; the same one again changes nothing, and returns False.

    Raises Invalid without words, Changed where another decision was mailed already.
    """
    resolution = require_words(resolution, gettext("Enter the resolution."), field="words")
    with transaction.atomic():
        locked = Complaint.objects.select_for_update().get(pk=complaint.pk)
        if locked.state == State.RESOLVED:
            if locked.resolution != resolution:
                raise Changed(str(RESOLVED), fields={"words": [str(RESOLVED)]})
            return False
        locked.resolution, locked.resolved_at = resolution, timezone.now()
        locked.acknowledged_at = locked.acknowledged_at or locked.resolved_at
        _move(locked, State.RESOLVED, actor, resolution)
        _write(locked, "complaint_resolved", gettext_lazy("Your complaint {number} has been resolved"), resolution)
    return True


def remind_of_complaints() -> int:
    """A scheduled job: one email to staff before each clock runs out."""
    running = Complaint.objects.running_out(acknowledge=REMIND_ACKNOWLEDGE, resolve=REMIND_RESOLVE)
    by_key = {_staff_key(complaint, f"remind_{complaint.state}"): complaint for complaint in running}
    notified = set(Message.objects.filter(key__in=by_key).values_list("key", flat=True))
    fresh = [complaint for key, complaint in by_key.items() if key not in notified]

    def remind(complaint: Complaint) -> int:
        step = "acknowledge" if complaint.state == State.RECEIVED else "resolve"
        ends = f"{moment_words(complaint.due_at)}"
        _notify_staff(complaint, f"remind_{complaint.state}", f"{complaint.number}: {step} it by {ends}")
        return 1

    return for_each("remind_of_complaints", fresh, remind)


def _move(complaint: Complaint, state: str, actor: str, words: str) -> None:
    complaint.state = state
    complaint.save(update_fields=["state", "acknowledged_at", "resolved_at", "resolution"])
    ComplaintEvent.objects.create(complaint=complaint, actor=actor, state=state, words=words)


def _write(complaint: Complaint, kind: str, subject: LazyText, words: str = "") -> None:
    """To who complained: of what was typed only the number goes into the first mail, since anybody can type an
    address."""
    address = settings.SHOP_URL + reverse("complaint_state")
    queue_mail(
        kind=kind,
        to=complaint.email,
        subject=format_lazy(subject, number=complaint.number),
        language=complaint.language,
        template=kind,
        context={"complaint": complaint, "words": words.strip(), "address": address},
        key=f"{kind}:{complaint.number}",
        headers={"Reply-To": settings.SHOP_EMAIL},
    )


def _notify_staff(complaint: Complaint, occasion: str, subject: str) -> None:
    queue_mail(
        kind="desk_complaint",
        to=settings.ORDER_DESK_EMAIL,
        subject=subject,
        template="desk_complaint",
        context={"complaint": complaint},
        key=_staff_key(complaint, occasion),
        headers={"Reply-To": complaint.email},
    )


def _staff_key(complaint: Complaint, occasion: str) -> str:
    return f"desk_complaint:{complaint.number}:{occasion}"
