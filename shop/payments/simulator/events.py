"""Webhooks: what the provider would post to the shop, with headers and signature."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..keys import sign, simulated_keys
from ..models import SimulatedRecord
from .records import Body, new_id


@dataclass(frozen=True, slots=True)
class Delivery:
    event_id: str
    event: str
    body: bytes
    signature: str

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Razorpay-Signature": self.signature, "x-razorpay-event-id": self.event_id}


def note_event(account: str, event: str, **entities: Body) -> None:
    """Remember that an event is to be delivered; the entities are a snapshot of this moment."""
    body = {
        "entity": "event",
        "account_id": "acc_Simulated00000",
        "event": event,
        "contains": list(entities),
        "payload": {name: {"entity": dict(entity)} for name, entity in entities.items()},
        "created_at": int(time.time()),
    }
    SimulatedRecord.objects.create(id=new_id("event"), account=account, kind="event", mark=event, body=body)


def undelivered() -> Iterator[Delivery]:
    """The events that were not delivered yet, in the order they happened."""
    secret = simulated_keys().webhook_secrets[0]
    for record in SimulatedRecord.objects.filter(kind="event").order_by("created_at", "id"):
        body = json.dumps(record.body).encode()
        yield Delivery(record.id, record.mark, body, sign(body, secret))


def deliver(post: Callable[[Delivery], int]) -> int:
    """Post every undelivered event; one that is answered 2xx is done. Says how many were."""
    done = 0
    for delivery in list(undelivered()):
        if 200 <= post(delivery) < 300:
            SimulatedRecord.objects.filter(id=delivery.event_id).delete()
            done += 1
    return done
