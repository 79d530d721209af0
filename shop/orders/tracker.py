"""The four steps of an order: Placed, Processing, Shipped, Delivered."""

from dataclasses import dataclass
from datetime import datetime

from .models import Order
from .states import Status

STEPS = (Status.PLACED, Status.PROCESSING, Status.SHIPPED, Status.DELIVERED)
WITHOUT_TRACKER = (Status.PENDING, Status.CANCELLED)


@dataclass(frozen=True, slots=True)
class Step:
    label: str
    at: datetime | None
    is_done: bool
    is_current: bool


def tracker_of(order: Order) -> list[Step]:
    """The steps an order has reached, with their times; none for a pending or cancelled one.

    What was returned or replaced keeps the steps it had. Reads `order.events`.
    """
    if order.status in WITHOUT_TRACKER:
        return []
    reached = {event.status_to: event.at for event in order.events.all()}
    done = [step for step in STEPS if step in reached]
    return [
        Step(
            label=str(step.label),
            at=reached.get(step),
            is_done=step in reached,
            is_current=bool(done) and step == done[-1] and order.status == step,
        )
        for step in STEPS
    ]
