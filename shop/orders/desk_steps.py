"""The steps that the desk takes with an order, by name: the same for the board, the order's page and the list."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from . import correspondence
from .desk import age_of
from .desk_forms import CancelForm, DeskForm, GiveBackForm, KeyForm, LetterForm, NoteForm, ShipForm
from .models import Order
from .returns import grant_refund
from .services import cancel_order
from .shipping import deliver_all, left_to_ship, refuse_all, ship
from .states import Status, WrongState, move_order

ACTORS = {"customer": "The customer", "shop": "The shop's clock", "provider": "The payment provider"}
Act = Callable[[Order, dict[str, Any], str], object]  # order, what its form says, who


@dataclass(frozen=True, slots=True)
class Step:
    label: str  # of its button
    done: str  # what the desk is told then, after the order's number
    act: Act
    form: type[DeskForm] = DeskForm


def _ship(order: Order, data: dict[str, Any], actor: str) -> object:
    facts = {name: data[name] for name in ("courier", "tracking_number", "after") if name in data}
    return ship(order, actor=actor, **facts)


def _give_back(order: Order, data: dict[str, Any], actor: str) -> object:
    line = order.lines.get(pk=data["line"])
    facts = {name: data[name] for name in ("reason", "quantity", "after")}
    return grant_refund(line, actor=actor, decision=data["words"], **facts)


STEPS: dict[str, Step] = {
    "process": Step(
        "Start packing",
        "is being packed.",
        lambda order, data, actor: move_order(order, Status.PROCESSING, actor=actor),
    ),
    "ship": Step("Ship all that is left", "is on its way; the customer is told.", _ship, ShipForm),
    "deliver": Step("Delivered", "was delivered.", lambda order, data, actor: deliver_all(order, actor=actor)),
    "refuse": Step(
        "Refused at the door",
        "was refused at the door; what was paid goes back.",
        lambda order, data, actor: refuse_all(order, actor=actor),
    ),
    "cancel": Step(
        "Cancel the order",
        "is cancelled; what was paid goes back.",
        lambda order, data, actor: cancel_order(order, actor=actor, note=data.get("words", "")),
        CancelForm,
    ),
    "give_back": Step("Give money back", "has a refund now.", _give_back, GiveBackForm),
    "note": Step(
        "Keep the note",
        "has a note.",
        lambda order, data, actor: correspondence.add_note(order, data["text"], author=actor, key=data["key"]),
        NoteForm,
    ),
    "letter": Step(
        "Send the message",
        "has a message on its way to the customer.",
        lambda order, data, actor: correspondence.write_to_customer(order, data["text"], author=actor, key=data["key"]),
        LetterForm,
    ),
    "confirm_again": Step(
        "Send the confirmation again",
        "is confirmed once more.",
        lambda order, data, actor: correspondence.send_confirmation_again(order, author=actor, key=data["key"]),
        KeyForm,
    ),
    "send_invoice": Step(
        "Send the invoice",
        "has its invoice on the way to the customer.",
        lambda order, data, actor: correspondence.send_invoice(order, author=actor, key=data["key"]),
        KeyForm,
    ),
}


def take_step(order: Order, name: str, *, actor: str, data: dict[str, Any] | None = None) -> str:
    """Take one step and say what happened. Raises ShopError; who comes second is told who was first."""
    step = STEPS[name]
    try:
        with transaction.atomic():
            step.act(order, data or {}, actor)
    except WrongState as refusal:
        raise WrongState(f"{refusal.message} {who_was_first(order)}".strip(), refusal.code) from refusal
    return f"{order.number} {step.done}"


def who_was_first(order: Order) -> str:
    """Who moved an order last, to what and when; empty where nobody has."""
    event = order.events.exclude(status_to="").last()
    if event is None:
        return ""
    actor = ACTORS.get(event.actor, event.actor)
    moment = "just now" if (timezone.now() - event.at).total_seconds() < 60 else f"{age_of(event.at)} ago"
    return f"{actor} made it {event.status_to} {moment}."


def steps_now(order: Order) -> list[str]:
    """The names of the steps that move this order on, the usual one first."""
    if order.status == Status.PLACED:
        return ["process", "ship"]
    if order.status == Status.PROCESSING:
        return ["ship"]
    if order.status == Status.SHIPPED:
        return [*(["ship"] if left_to_ship(order) else []), "deliver", "refuse"]
    return []
