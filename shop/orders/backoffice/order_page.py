"""Everything about one order, as the desk's page of it shows it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shop.accounts.models import Customer
from shop.accounts.points.services import lots_of, sum_of
from shop.backoffice.actors import SHOP, WORDS, shown_actors
from shop.kept_texts import own_text

from ..models import Courier, Order, OrderNote, ReturnRequest, Shipment
from ..returns.cancellation import may_cancel_units
from ..returns.services import due_on
from ..shipping.event_notes import translated_note
from ..shipping.progress import tracking_link
from ..shipping.services import partly_delivered
from ..signals import showing_order
from .forms import StepForm, TrackingForm
from .steps import STEPS, steps_now

OTHERS = 10


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the order's story, for staff: with who did it."""

    at: datetime
    who: str
    words: str
    kind: str  # "event", "internal" or "message"


def order_for_page(pk: int) -> Order | None:
    whole = Order.objects.with_lines().with_parcels().with_returns().prefetch_related("notes")
    return whole.select_related("customer").filter(pk=pk).first()


def story_of(order: Order) -> list[Entry]:
    """Events, invoices and what the desk wrote, the latest first."""
    who = shown_actors([event.actor for event in order.events.all()] + [note.author for note in order.notes.all()])
    events = [Entry(event.at, who[event.actor], _words_of(event), "event") for event in order.events.all()]
    notes = [Entry(note.at, who[note.author], own_text(note.text), note.kind) for note in order.notes.all()]
    papers = [
        Entry(paper.issued_at, str(WORDS[SHOP]), f"{paper.get_kind_display().capitalize()} {paper.number}", "event")
        for paper in order.invoices.all()
    ]
    return sorted(events + papers + notes, key=lambda entry: entry.at, reverse=True)


def _words_of(event: Any) -> str:
    moved = f"{Order.Status(event.status_to).label}." if event.status_to else ""
    return f"{moved} {translated_note(event.note)}".strip()


def parcel_rows(
    order: Order, couriers: Iterable[Courier], refused: StepForm | None = None
) -> list[tuple[Shipment, str, StepForm]]:
    """Each parcel, its courier's page, and the form that corrects its number: `refused` where it is that one's."""
    choices = [("", "–"), *((courier.pk, courier.name) for courier in couriers)]
    rows = []
    for parcel in order.shipments.all():
        form: StepForm = TrackingForm(order=order, step="track", parcel=parcel)
        if refused and refused.step == "track" and refused.cleaned_data.get("parcel") == parcel:
            form = refused
        form.fields["courier"].choices = choices  # type: ignore[attr-defined]
        rows.append((parcel, tracking_link(parcel), form))
    return rows


def page_of(order: Order, user: Customer, refused: StepForm | None = None) -> dict[str, Any]:
    """What the template reads; `refused` is the form that could not be followed, with its errors."""
    couriers, ledger = list(Courier.objects.all()), list(order.customer.points_entries.all())
    other_orders = Order.objects.filter(customer=order.customer_id).exclude(pk=order.pk)
    others = list(other_orders[:OTHERS])
    requests = [request for line in order.lines.all() for request in line.return_requests.all()]
    for line in order.lines.all():
        line.order = order  # what comes back is decided by both
    seen = {"ship": len(order.shipments.all()), "give_back": len(requests)}
    forms = {
        name: step.form(order=order, step=name, initial={"after": seen[name]} if name in seen else None)
        for name, step in STEPS.items()
        if not step.has_page
    }
    if refused:
        forms[refused.step] = refused
    return {
        "order": order,
        "partly_delivered": partly_delivered(order),
        "may_cancel_units": may_cancel_units(order, by_shop=True),
        "forms": forms,
        "steps": [(name, STEPS[name].label) for name in steps_now(order)],
        "parcels": parcel_rows(order, couriers, refused),
        "couriers": [courier for courier in couriers if courier.is_active],
        "requests": [(request, due_on(request)) for request in sorted(requests, key=lambda row: -row.pk)],
        "return_stages": ReturnRequest.Status,
        "story": story_of(order),
        "letters": [note for note in order.notes.all() if note.kind == OrderNote.Kind.MESSAGE],
        "points": [entry for entry in ledger if entry.reference == order.number],
        "balance": sum_of(lots_of(ledger)),
        "others": others,
        "others_count": len(others) if len(others) < OTHERS else other_orders.count(),
        "panels": [answer for _, answer in showing_order.send(Order, order=order, user=user) if answer],
    }
