"""The steps that the desk takes with an order, by name: the same for the board, the order's page and the list."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from shop.backoffice.actors import shown_actor
from shop.backoffice.confirmation import Effect, require_seen
from shop.messaging.languages import LazyText
from shop.money import INR, display

from ..models import Order
from ..placing.services import cancel_order
from ..returns.cancellation import cancel_units, refund_of
from ..returns.refundable import refundable
from ..returns.services import grant_refund, reason_named, refund_for, refundable_units
from ..shipping.services import (
    NOTHING_LEFT,
    NOTHING_ON_ITS_WAY,
    correct_tracking,
    deliver_all,
    ends_by_refusal,
    is_on_the_way,
    left_to_ship,
    refuse,
    refuse_all,
    ship,
)
from ..signals import asking_what_is_paid
from ..states import TRANSITIONS, Status, WrongState, move_order, words_of_refusal
from . import correspondence
from .board import age_of
from .forms import (
    CancelForm,
    CancelUnitsForm,
    KeyForm,
    MessageForm,
    NoteForm,
    RefundItemsForm,
    RefuseForm,
    ShipForm,
    StepForm,
    TrackingForm,
)

Act = Callable[[Order, dict[str, Any], str], object]  # order, what its form says, who


@dataclass(frozen=True, slots=True)
class Step:
    """`effects` says by order id what is asked before it is taken; with `has_page` its form stands on that page
    alone. Whoever takes it needs the `permission`, too, if there is one."""

    label: LazyText  # of its button
    done: LazyText  # what staff read then; {number} is the order's
    act: Act
    form: type[StepForm] = StepForm
    effects: Callable[[Sequence[Order], dict[str, Any]], dict[int, Effect]] = lambda orders, data: {}
    has_page: bool = False
    permission: str = ""
    closed: Callable[[Order], str] = lambda order: ""  # why it cannot be taken now, said before anything is asked


def no_parcel_moves(order: Order) -> str:
    """Reads `order.shipments`."""
    return "" if order.status == Status.SHIPPED and is_on_the_way(order) else NOTHING_ON_ITS_WAY


def nothing_to_ship(order: Order) -> str:
    if order.status == Status.SHIPPED:
        return "" if left_to_ship(order) else NOTHING_LEFT
    is_packable = order.status in (Status.PLACED, Status.PROCESSING)
    return (
        ""
        if is_packable
        else gettext("An order that is {status} cannot be shipped.").format(status=order.get_status_display().lower())
    )


def not_cancellable(order: Order) -> str:
    return "" if Status.CANCELLED in TRANSITIONS[order.status] else words_of_refusal(order, Status.CANCELLED)


def paid_for(orders: Sequence[Order]) -> dict[int, Decimal]:
    """INR by order id: what goes back if they end now."""
    answers: list[Any] = [answer for _, answer in asking_what_is_paid.send(Order, orders=list(orders))]
    return {order.pk: sum((answer.get(order.pk, Decimal(0)) for answer in answers), Decimal(0)) for order in orders}


def _effects_of_cancelling(orders: Sequence[Order], data: dict[str, Any]) -> dict[int, Effect]:
    return {pk: Effect(inr, "" if inr else gettext("Nothing was paid")) for pk, inr in paid_for(orders).items()}


def _effects_of_cancelling_units(orders: Sequence[Order], data: dict[str, Any]) -> dict[int, Effect]:
    order = orders[0]
    more = {line: units for line in order.lines.all() if (units := data.get(f"line_{line.pk}", 0) - line.cancelled) > 0}
    if not more:
        return {}
    if sum(more.values()) == order.unit_count:
        return _effects_of_cancelling(orders, data)
    left = refundable(order)
    inr = sum((min(refund_of(line, units), left[str(line.pk)]) for line, units in more.items()), Decimal(0))
    if order.method.is_collected_on_delivery:
        return {order.pk: Effect(words=gettext("{amount} less to pay on delivery").format(amount=display(inr, INR)))}
    return {order.pk: Effect(inr)}


def _effects_of_refusal(orders: Sequence[Order], data: dict[str, Any]) -> dict[int, Effect]:
    prefetch_related_objects(orders, "shipments")
    paid, effects = paid_for(orders), {}
    for order in orders:
        if not ends_by_refusal(order, data.get("parcel")):
            is_paid = not order.method.is_collected_on_delivery
            later, never = gettext("Refused items will be refunded once they are received"), gettext("Nothing was paid")
            effects[order.pk] = Effect(words=later if is_paid else never)
        else:
            effects[order.pk] = Effect(paid[order.pk], "" if paid[order.pk] else gettext("Nothing was paid"))
    return effects


def _effects_of_shipping(orders: Sequence[Order], data: dict[str, Any]) -> dict[int, Effect]:
    """A number that is missing must be meant; a form asks for that by itself."""
    if "tracking_number" in data:
        return {}
    return {order.pk: Effect(words=gettext("Ship without a tracking number")) for order in orders}


def _effects_of_giving_back(orders: Sequence[Order], data: dict[str, Any]) -> dict[int, Effect]:
    order = orders[0]
    line, reason = order.lines.get(pk=data["line"]), reason_named(data["reason"])
    if reason is None or data["quantity"] > refundable_units(line):
        return {}  # the step refuses it
    inr, with_shipping = refund_for(order, line, data["quantity"], reason)
    how = gettext("shipping included") if with_shipping else ""
    if not order.method.can_refund:
        how = gettext("to be transferred by hand")
    if reason.is_sent_back:
        words = gettext("{amount} will be refunded once the items are received")
        return {order.pk: Effect(words=words.format(amount=display(inr, INR)))}
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


def _refund_items(order: Order, data: dict[str, Any], actor: str) -> object:
    line = order.lines.get(pk=data["line"])
    facts = {name: data[name] for name in ("reason", "quantity", "after")}
    return grant_refund(line, actor=actor, decision=data["words"], **facts)


def _cancel_units(order: Order, data: dict[str, Any], actor: str) -> object:
    named = [(name.partition("_"), units) for name, units in data.items()]
    totals = {int(pk): units for (kind, _, pk), units in named if kind == "line"}
    return bool(cancel_units(order, totals, actor=actor, by_shop=True))


# A later app adds its own (payments: a refund of any amount).
STEPS: dict[str, Step] = {
    "process": Step(
        gettext_lazy("Pack"),
        gettext_lazy("{number} is being packed."),
        lambda order, data, actor: move_order(order, Status.PROCESSING, actor=actor),
    ),
    "ship": Step(
        gettext_lazy("Ship everything left"),
        gettext_lazy("{number} is on its way. We'll notify the customer."),
        _ship,
        ShipForm,
        _effects_of_shipping,
        closed=nothing_to_ship,
    ),
    "track": Step(
        gettext_lazy("Save the tracking number"),
        gettext_lazy("{number} has a new tracking number."),
        _correct_tracking,
        TrackingForm,
    ),
    "deliver": Step(
        gettext_lazy("Delivered"),
        gettext_lazy("{number} was delivered."),
        lambda order, data, actor: deliver_all(order, actor=actor),
        closed=no_parcel_moves,
    ),
    "refuse": Step(
        gettext_lazy("Refused on delivery"),
        gettext_lazy("{number} was refused on delivery. Any payment will be refunded."),
        _refuse,
        RefuseForm,
        _effects_of_refusal,
        has_page=True,
        closed=no_parcel_moves,
    ),
    "cancel": Step(
        gettext_lazy("Cancel the order"),
        gettext_lazy("{number} has been cancelled. Any payment will be refunded."),
        lambda order, data, actor: cancel_order(order, actor=actor, reason=data["words"]),
        CancelForm,
        _effects_of_cancelling,
        has_page=True,
        closed=not_cancellable,
    ),
    "cancel_units": Step(
        gettext_lazy("Cancel items"),
        gettext_lazy("{number} has fewer items now. Any payment for them will be refunded."),
        _cancel_units,
        CancelUnitsForm,
        _effects_of_cancelling_units,
    ),
    "give_back": Step(
        gettext_lazy("Refund items"),
        gettext_lazy("{number} has a new refund."),
        _refund_items,
        RefundItemsForm,
        _effects_of_giving_back,
    ),
    "note": Step(
        gettext_lazy("Save note"),
        gettext_lazy("{number} has a new note."),
        lambda order, data, actor: correspondence.add_note(order, data["text"], author=actor, key=data["key"]),
        NoteForm,
    ),
    "letter": Step(
        gettext_lazy("Send the message"),
        gettext_lazy("{number} has a new message to the customer."),
        lambda order, data, actor: correspondence.write_to_customer(order, data["text"], author=actor, key=data["key"]),
        MessageForm,
    ),
    "confirm_again": Step(
        gettext_lazy("Send the confirmation again"),
        gettext_lazy("The confirmation for {number} was sent again."),
        lambda order, data, actor: correspondence.send_confirmation_again(order, author=actor, key=data["key"]),
        KeyForm,
    ),
    "send_invoice": Step(
        gettext_lazy("Send the invoice"),
        gettext_lazy("The invoice for {number} was sent to the customer."),
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
                return gettext("{number} was not changed: this has already been done.").format(number=order.number)
    except WrongState as refusal:
        raise WrongState(f"{refusal.message} {who_was_first(order)}".strip(), refusal.code) from refusal
    return step.done.format(number=order.number)


def require_open(order: Order, name: str) -> None:
    """Raises WrongState where a step cannot be taken, whatever its form says. The step itself asks again, locked."""
    if words := STEPS[name].closed(order):
        raise WrongState(f"{words} {who_was_first(order)}".strip())


def who_was_first(order: Order) -> str:
    """Who moved an order last, to what and when; empty where nobody has."""
    event = order.events.exclude(status_to="").last()
    if event is None:
        return ""
    facts = {"who": shown_actor(event.actor), "status": Status(event.status_to).label.lower(), "age": age_of(event.at)}
    is_new = (timezone.now() - event.at).total_seconds() < 60
    now, earlier = (
        gettext("{who} changed it to {status} just now."),
        gettext("{who} changed it to {status} {age} ago."),
    )
    return (now if is_new else earlier).format(**facts)


def steps_now(order: Order) -> list[str]:
    """The names of the steps that move this order on, the usual one first."""
    if order.status == Status.PLACED:
        return ["process", "ship"]
    if order.status == Status.PROCESSING:
        return ["ship"]
    if order.status == Status.SHIPPED:
        ends = ["deliver", "refuse"] if is_on_the_way(order) else []
        return [*(["ship"] if left_to_ship(order) else []), *ends]
    return []
