"""Sending what is queued in the outbox. A message is claimed by one conditional update, so that two workers
and the clock never send the same one, and is sent outside any transaction."""

import logging
import threading
from datetime import timedelta
from enum import StrEnum
from typing import Any

from django.db.models import F
from django.utils import timezone

from shop.http.request_log import under_id

from .channels.base import UndeliverableError, send
from .models import Message

logger = logging.getLogger(__name__)
# Longer than a send can take with its timeouts, and short enough that mail leaves within five
# minutes of the recovery of whatever was down.
MAX_PAUSE = timedelta(minutes=3)
FIRST_PAUSE = timedelta(seconds=20)
ROUND = 200  # then those come first that cannot wait, such as codes


class Outcome(StrEnum):
    SENT = "sent"
    NOT_DUE = "not due"  # sent, stale, paused, or in the hands of another worker
    FAILED = "failed"  # stays pending and is tried again
    REFUSED = "refused"  # for good


def deliver(message_id: int) -> Outcome:
    """Send one message if it is due."""
    message = _claim(message_id)
    if message is None:
        return Outcome.NOT_DUE
    with under_id(message.request_id):
        return _send(message)


def _send(message: Message) -> Outcome:
    try:
        send(message)
    except UndeliverableError as error:
        _close(message, gone_stale_at=timezone.now(), last_error=str(error)[:200])
        outcome = Outcome.REFUSED
    except Exception as error:  # whatever the provider does, the message stays pending
        _pause(message, error)
        outcome = Outcome.FAILED
    else:
        _close(message, sent_at=timezone.now(), last_error="")
        return Outcome.SENT
    logger.warning("message %s (%s): %s", message.pk, message.kind, outcome)
    return outcome


def send_due(stop_requested: threading.Event | None = None) -> tuple[int, bool]:
    """Send a round of what is due: what can go stale first, then the oldest.

    After a failure nothing else is tried on that channel in this round: while a provider is down,
    one wait for it is enough. Returns how many were sent, and whether all channels worked.
    """
    sent, down = 0, set()
    due = Message.objects.due().order_by(F("gone_stale_at").asc(nulls_last=True), "next_try_at", "id")
    for message_id, channel in due.values_list("id", "channel")[:ROUND]:
        if stop_requested and stop_requested.is_set():
            break
        if channel in down:
            continue
        outcome = deliver(message_id)
        sent += outcome == Outcome.SENT
        if outcome == Outcome.FAILED:
            down.add(channel)
    return sent, not down


def tidy_outbox() -> None:
    """Scheduled job: forget what came too late to be sent, and send what is due when no worker does."""
    Message.objects.stale().update(text="", html="")
    send_due()


def _claim(message_id: int) -> Message | None:
    """Take the message for the time a send can last."""
    claimed = Message.objects.due().filter(pk=message_id)
    if not claimed.update(next_try_at=timezone.now() + MAX_PAUSE, attempts=F("attempts") + 1):
        return None
    return Message.objects.get(pk=message_id)


def _pause(message: Message, error: Exception) -> None:
    pause = min(FIRST_PAUSE * 2 ** min(message.attempts - 1, 10), MAX_PAUSE)
    Message.objects.filter(pk=message.pk, sent_at=None).update(
        last_error=f"{type(error).__name__}: {error}"[:200], next_try_at=timezone.now() + pause
    )


def _close(message: Message, **changes: Any) -> None:
    """A message that could go stale held a secret of the moment: its text goes with it."""
    if message.gone_stale_at:
        changes |= {"text": "", "html": ""}
    Message.objects.filter(pk=message.pk).update(**changes)
