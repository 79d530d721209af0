"""Webhooks: posted with the provider's headers and signature until they are answered 2xx.

A failed delivery is tried again after growing delays. After a day of failures the webhook is
switched off: what is noted then stays unsent, until it is enabled again and events are replayed.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..providers.keys import sign
from .in_process import shop_provider
from .provider import Provider
from .store import Body, Row

TIME_LIMIT = 5  # seconds that the shop has to answer
FIRST_DELAY = 60  # then twice as long each time
GIVEN_UP_AFTER = 24 * 3600


@dataclass(frozen=True, slots=True)
class Delivery:
    event_id: str
    event: str
    body: bytes
    signature: str
    copies: int = 1

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Razorpay-Signature": self.signature, "x-razorpay-event-id": self.event_id}


Post = Callable[[Delivery], int]  # the status that was answered; 0 for none within the time limit


def undelivered(provider: Provider | None = None) -> list[Delivery]:
    """The events whose time has come, in the order they are to be sent."""
    provider = provider or shop_provider()
    with provider.store.atomic():
        return [_delivery(row) for row in _due(provider)]


def _due(provider: Provider) -> list[Row]:
    if not provider.webhook.enabled:
        return []
    now = provider.clock.now()
    waiting = [row for row in reversed(provider.store.find("event", mark="waiting")) if row.body["due"] <= now]
    return sorted(waiting, key=lambda row: row.body["due"])


def _delivery(row: Row) -> Delivery:
    body = row.body["text"].encode()
    signature = "0" * 64 if row.body["forged"] else sign(body, row.body["secret"])
    return Delivery(row.id, row.body["event"], body, signature, row.body["copies"])


def deliver(post: Post, provider: Provider | None = None) -> int:
    """Post every event whose time has come. Says how many were answered 2xx."""
    provider = provider or shop_provider()
    return sum(send(provider, delivery, post) for delivery in take(provider))


def take(provider: Provider, order_id: str = "") -> list[Delivery]:
    """The due events (of one order), each to whoever asks first."""
    with provider.store.atomic():
        rows = [row for row in _due(provider) if order_id in ("", row.parent)]
        for row in rows:
            row.mark = "on its way"
            provider.store.save(row)
        return [_delivery(row) for row in rows]


def send(provider: Provider, delivery: Delivery, post: Post) -> bool:
    statuses = [post(delivery) for _ in range(delivery.copies)]
    with provider.store.atomic():
        event = provider.store.get("event", delivery.event_id)
        if event is None:
            return False
        for status in statuses:
            _log(provider, event, status)
        answered = any(200 <= status < 300 for status in statuses)
        _settle(provider, event, answered)
        return answered


def _log(provider: Provider, event: Row, status: int) -> None:
    said = {"event_id": event.id, "event": event.body["event"], "at": provider.clock.now(), "status": status}
    provider.store.add(Row(provider.new_id("dlv"), "delivery", event.account, said, parent=event.parent, mark=event.id))


def _settle(provider: Provider, event: Row, answered: bool) -> None:
    """Done, or again later, or after a day no more."""
    attempts, now = event.body["attempts"] + 1, provider.clock.now()
    event.body |= {"attempts": attempts, "due": now + FIRST_DELAY * 2 ** (attempts - 1)}
    given_up = not answered and now - event.body["noted"] >= GIVEN_UP_AFTER
    event.mark = "done" if answered else "unsent" if given_up else "waiting"
    provider.store.save(event)
    if given_up:
        switch_off(provider)


def switch_off(provider: Provider) -> None:
    provider.webhook.enabled = False
    for row in provider.store.find("event", mark="waiting"):
        row.mark = "unsent"
        provider.store.save(row)


def replay(provider: Provider, event_ids: Iterable[str] = ()) -> int:
    """Send events once more, as the provider's dashboard does: the named ones, or all that are unsent."""
    with provider.store.atomic():
        named = [provider.store.get("event", event_id) for event_id in event_ids]
        rows = [row for row in named if row] or provider.store.find("event", mark="unsent")
        for row in rows:
            row.body |= {"due": provider.clock.now(), "noted": provider.clock.now(), "attempts": 0}
            row.mark = "waiting"
            provider.store.save(row)
        return len(rows)


def delivery_log(provider: Provider) -> list[Body]:
    with provider.store.atomic():
        return [row.body for row in provider.store.find("delivery")]
