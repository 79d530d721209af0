"""The steps that the desk takes with an order, by name: the same for the board, the order's page and the list."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone

from shop.backoffice.actors import shown_actor
from shop.backoffice.confirmation import Effect, require_seen
from shop.money import INR, display

from ..models import Order
from ..placing.services import cancel_order
from ..returns.services import grant_refund, reason_named, refund_for, units_to_give_back
from ..shipping.services import correct_tracking, deliver_all, ends_by_refusal, left_to_ship, refuse, refuse_all, ship
from ..signals import asking_what_is_paid
from ..states import Status, WrongState, move_order
from . import correspondence
from .board import age_of
from .forms import (
    CancelForm,
    GiveBackForm,
    KeyForm,
    MessageForm,
    NoteForm,
    RefuseForm,
    ShipForm,
    StepForm,
    TrackingForm,
)

Act = Callable[[Order, dict[str, Any], str], object]  # order, what its form says, who


@dataclass(frozen=True, slots=True)
class Step:
    """`effects` says by order id what is asked before it is taken; with `has_page` its form stands on that page
    alone."""

    label: str  # of its button
    done: str  # what staff read then, after the order's number
    act: Act
    form: type[StepForm] = StepForm
    effects: Callable[[Sequence[Order], dict[str, Any]], dict[int, Effect]] = lambda orders, data: {}
    has_page: bool = False


def paid_for(orders: Sequence[Order]) -> dict[int, Decimal]:
    """INR by order id: what goes back if they end now."""
    answers: list[Any] = [answer for _, answer in asking_what_is_paid.send(Order, orders=list(orders))]
    return {order.pk: sum((answer.get(order.pk, Decimal(0)) for answer in answers), Decimal(0)) for order in orders}


def _effects_of_cancelling(orders: Sequence[Order], data: dict[str, Any]) -> dict[int, Effect]:
    return {pk: Effect(inr, "" if inr else "Nothing was paid") for pk, inr in paid_for(orders).items()}


def _effects_of_refusal(orders: Sequence[Order], data: dict[str, Any]) -> dict[int, Effect]:
    prefetch_related_objects(orders, "shipments")
    paid, effects = paid_for(orders), {}
    for order in orders:
        if not ends_by_refusal(order, data.get("parcel")):
            effects[order.pk] = Effect(words="Refused units are refunded once they are received")
        else:
            effects[order.pk] = Effect(paid[order.pk], "" if paid[order.pk] else "Nothing was paid")
    return effects


def _effects_of_shipping(orders: Sequence[Order], data: dict[str, Any]) -> dict[int, Effect]:
    """A number that is missing must be meant; a form asks for that by itself."""
    if "tracking_number" in data:
        return {}
    return {order.pk: Effect(words="Ship without a tracking number") for order in orders}


def _effects_of_giving_back(orders: Sequence[Order], data: dict[str, Any]) -> dict[int, Effect]:
    order = orders[0]
    line, reason = order.lines.get(pk=data["line"]), reason_named(data["reason"])
    if reason is None or data["quantity"] > units_to_give_back(line):
        return {}  # the step refuses it
    inr, with_shipping = refund_for(order, line, data["quantity"], reason)
    how = "shipping included" if with_shipping else ""
    if not order.method.can_refund:
        how = "to be transferred by hand"
    if reason.is_sent_back:
        return {order.pk: Effect(words=f"{display(inr, INR)} is refunded once the units are received")}
    return {order.pk: Effect(inr, how)}


def _ship(order: Order, data: dict[str, Any], actor: str) -> object:
    facts = {name: data[name] for name in ("courier", "tracking_number", "after") if name in data}
    return ship(order, actor=actor, **facts)


def _refuse(order: Order, data: dict[str, Any], actor: str) -> object:
    if parcel := data.get("parcel"):
        return refuse(parcel, actor=actor, reason=data["words"])
    return refuse_all(order, actor=actor, reason=data["words"])


def _correct_tracking(order: Order, data: dict[str, Any], actor: str) -> object:
    facts = {name: data[name] for name in ("courier", "tracking_number", "seen")}
    return correct_tracking(data["parcel"], actor=actor, **facts)


def _give_back(order: Order, data: dict[str, Any], actor: str) -> object:
    line = order.lines.get(pk=data["line"])
    facts = {name: data[name] for name in ("reason", "quantity", "after")}
    return grant_refund(line, actor=actor, decision=data["words"], **facts)


STEPS: dict[str, Step] = {
    "process": Step(
        "Pack",
        "is being packed.",
        lambda order, data, actor: move_order(order, Status.PROCESSING, actor=actor),
    ),
    "ship": Step(
        "Ship everything left", "is on its way. The customer will be told.", _ship, ShipForm, _effects_of_shipping
    ),
    "track": Step("Save the tracking number", "has a new tracking number.", _correct_tracking, TrackingForm),
    "deliver": Step("Delivered", "was delivered.", lambda order, data, actor: deliver_all(order, actor=actor)),
    "refuse": Step(
        "Refused at the door",
        "was refused at the door. Any payment will be refunded.",
        _refuse,
        RefuseForm,
        _effects_of_refusal,
        has_page=True,
    ),
    "cancel": Step(
        "Cancel the order",
        "is cancelled. Any payment will be refunded.",
        lambda order, data, actor: cancel_order(order, actor=actor, reason=data["words"]),
        CancelForm,
        _effects_of_cancelling,
        has_page=True,
    ),
    "give_back": Step("Refund items", "has a refund now.", _give_back, GiveBackForm, _effects_of_giving_back),
    "note": Step(
        "Save note",
        "has a note.",
        lambda order, data, actor: correspondence.add_note(order, data["text"], author=actor, key=data["key"]),
        NoteForm,
    ),
    "letter": Step(
        "Send the message",
        "has a message on its way to the customer.",
        lambda order, data, actor: correspondence.write_to_customer(order, data["text"], author=actor, key=data["key"]),
        MessageForm,
    ),
    "confirm_again": Step(
        "Send the confirmation again",
        "had its confirmation sent again.",
        lambda order, data, actor: correspondence.send_confirmation_again(order, author=actor, key=data["key"]),
        KeyForm,
    ),
    "send_invoice": Step(
        "Send the invoice",
        "had its invoice sent to the customer.",
        lambda order, data, actor: correspondence.send_invoice(order, author=actor, key=data["key"]),
        KeyForm,
    ),
}


def take_step(order: Order, name: str, *, actor: str, data: dict[str, Any] | None = None) -> str:
    """Take one step and say what happened. Raises ShopError; who comes second reads who was first.

    What it asks first must have been shown: `data["confirmed"]` is what was (NotConfirmed otherwise), compared under
    the order's lock.
    """
    step, data = STEPS[name], data or {}
    try:
        with transaction.atomic():
            locked = Order.objects.select_for_update().get(pk=order.pk)
            require_seen(step.effects([locked], data).get(order.pk), data.get("confirmed"))
            if step.act(order, data, actor) is False:
                return f"{order.number} was not changed: this was done already."
    except WrongState as refusal:
        raise WrongState(f"{refusal.message} {who_was_first(order)}".strip(), refusal.code) from refusal
    return f"{order.number} {step.done}"


def who_was_first(order: Order) -> str:
    """Who moved an order last, to what and when; empty where nobody has."""
    event = order.events.exclude(status_to="").last()
    if event is None:
        return ""
    moment = "just now" if (timezone.now() - event.at).total_seconds() < 60 else f"{age_of(event.at)} ago"
    return f"{shown_actor(event.actor)} changed it to {event.status_to} {moment}."


def steps_now(order: Order) -> list[str]:
    """The names of the steps that move this order on, the usual one first."""
    if order.status == Status.PLACED:
        return ["process", "ship"]
    if order.status == Status.PROCESSING:
        return ["ship"]
    if order.status == Status.SHIPPED:
        return [*(["ship"] if left_to_ship(order) else []), "deliver", "refuse"]
    return []
