"""Messages of the contact form: written by visitors, answered and closed by staff."""

from django.conf import settings
from django.db import transaction
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from shop.errors import Changed, require_words
from shop.messaging.services import queue_mail

from ..intake import count_message, submission_of
from ..models import Enquiry, EnquiryEvent

State = Enquiry.State
SENT_BEFORE = gettext_lazy("This answer has already been sent.")
MEANWHILE = gettext_noop("Someone else has just replied to this person. Please check the history first.")


def send_enquiry(
    *, name: str, phone: str, email: str, text: str, order_number: str = "", once: str, client: str
) -> Enquiry:
    """Keep a message, mail it to the shop and a confirmation to its sender; `once` names the form it was
    typed into, and sending that again changes nothing.

    Raises TooMany.
    """
    words = {"name": name, "phone": phone, "email": email, "text": text, "order_number": order_number}
    submission = submission_of(words, once)
    if known := Enquiry.objects.filter(submission=submission).first():
        return known
    count_message("enquiry", email=email, client=client)
    with transaction.atomic():
        enquiry, is_new = Enquiry.objects.get_or_create(submission=submission, defaults=words)
        if is_new:
            _notify_shop(enquiry)
            _confirm(enquiry)
    return enquiry


def answer_enquiry(enquiry: Enquiry, text: str, *, actor: str, after: int | None = None) -> bool:
    """Mail an answer to the sender and keep it in the history; the same one again changes nothing, and returns
    False.

    `after` is how many events the writer had seen: Changed where there are more by now. Invalid
    without words.
    """
    text = require_words(text, gettext("Enter an answer."), field="answer")
    with transaction.atomic():
        locked = Enquiry.objects.select_for_update().get(pk=enquiry.pk)
        last = locked.events.last()
        if last and (last.words, last.actor) == (text, actor):
            return False
        if after is not None and locked.events.count() > after:
            raise Changed(gettext(MEANWHILE), fields={"answer": [gettext(MEANWHILE)]})
        _note(locked, State.ANSWERED, actor, text)
        queue_mail(
            kind="enquiry_answer",
            to=locked.email,
            subject=format_lazy(gettext_lazy("Your message to {shop_name}"), shop_name=settings.SHOP_NAME),
            language=locked.language,
            template="enquiry_answer",
            context={"name": locked.name, "question": locked.text, "answer": text},
            headers={"Reply-To": settings.SHOP_EMAIL},
        )
    return True


def close_enquiry(enquiry: Enquiry, *, actor: str) -> bool:
    """Nothing more is to be done; closing again changes nothing (and returns False), an answer opens it anew."""
    with transaction.atomic():
        locked = Enquiry.objects.select_for_update().get(pk=enquiry.pk)
        if locked.state == State.CLOSED:
            return False
        _note(locked, State.CLOSED, actor)
    return True


def _note(enquiry: Enquiry, state: str, actor: str, words: str = "") -> None:
    EnquiryEvent.objects.create(enquiry=enquiry, actor=actor, state=state, words=words)
    enquiry.state = state
    enquiry.save(update_fields=["state"])


def _notify_shop(enquiry: Enquiry) -> None:
    queue_mail(
        kind="desk_enquiry",
        to=settings.SHOP_EMAIL,
        subject=f"Message from {enquiry.name}",
        template="desk_enquiry",
        context={"enquiry": enquiry},
        key=f"desk_enquiry:{enquiry.pk}",
        headers={"Reply-To": enquiry.email},
    )


def _confirm(enquiry: Enquiry) -> None:
    """Without anything that was typed: else anybody could have the shop mail his own words to others."""
    queue_mail(
        kind="enquiry_received",
        to=enquiry.email,
        subject=format_lazy(gettext_lazy("{shop_name} has received your message"), shop_name=settings.SHOP_NAME),
        language=enquiry.language,
        template="enquiry_received",
        context={},
        key=f"enquiry_received:{enquiry.pk}",
    )
