"""What the pharmacist reads on a prescription and decides about each line of its order."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from shop.company.facts import company_facts
from shop.errors import Changed, Invalid, require_words
from shop.orders.models import Order
from shop.orders.returns.cancellation import cancel_units
from shop.orders.states import Status, WrongState

from ..models import OrderPrescription, PrescribedItem, Prescription, PrescriptionLine
from ..notifications import queue_decisions
from ..queries import units_approvable

State = PrescriptionLine.State
MAX_REPEATS = 24


@dataclass(frozen=True, slots=True)
class Facts:
    """What the prescription says; the register of Schedule H1 takes it from here."""

    patient_name: str
    patient_address: str
    prescriber_name: str
    prescriber_address: str
    prescriber_registration: str
    issued_on: date
    repeats: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """About one line: refused for a `reason`, or approved with the packs that were `written` for each time."""

    reason: str = ""
    written: int = 0


@transaction.atomic
def decide(
    checked: OrderPrescription, decisions: Mapping[int, Decision], *, facts: Facts | None, actor: str
) -> list[PrescriptionLine]:
    """Decide about lines of a placed order, by id; returns those that were decided just now.

    What was decided before stays: the same again changes nothing, another decision raises Changed. Units that are
    refused, or beyond what is written and left, are cancelled in one go and their money is owed (payments reads it from
    the rows); with nothing left the order is cancelled. The customer is notified once all lines are decided.

    Locks the order, then its prescription; cancelling locks customer and variants after them. Raises WrongState once
    the order is packed or cancelled, Invalid by field.
    """
    order = Order.objects.select_for_update().get(pk=checked.order_id)
    prescription = Prescription.objects.select_for_update(no_key=True).get(pk=checked.prescription_id)
    lines = {line.pk: line for line in PrescriptionLine.objects.filter(checked=checked).select_related("line")}
    fresh = {lines[pk]: one for pk, one in decisions.items() if pk in lines and not _is_decided(lines[pk], one)}
    if not fresh:
        return []
    if order.status != Status.PLACED:
        raise WrongState(gettext("This order is no longer waiting for the pharmacist."))
    if any(not one.reason for one in fresh.values()):
        _record(prescription, facts, actor)
    totals: dict[int, int] = {}
    for line, one in fresh.items():
        kept = _refuse(line, one) if one.reason else _approve(prescription, line, one)
        line.decided_by, line.pharmacist = actor, company_facts().pharmacist[:200]
        line.save(update_fields=["state", "reason", "quantity", "decided_at", "decided_by", "pharmacist"])
        if kept < line.line.kept:
            totals[line.line_id] = line.line.quantity - kept
    if totals:
        cancel_units(order, totals, actor=actor, by_shop=True)
    _close(checked, order, actor)
    return list(fresh)


def _is_decided(line: PrescriptionLine, one: Decision) -> bool:
    """Whether it was decided so before."""
    if line.state == State.WAITING:
        return False
    if (line.state, line.reason) != (State.REFUSED if one.reason else State.APPROVED, one.reason):
        raise Changed(gettext("%(name)s has been decided already.") % {"name": line.line.product_name})
    return True


def _refuse(line: PrescriptionLine, one: Decision) -> int:
    """The units that are left of the line."""
    if one.reason not in PrescriptionLine.Reason.values:
        raise Invalid(gettext("Choose a reason."), fields={f"reason_{line.pk}": [gettext("Choose a reason.")]})
    line.state, line.reason, line.quantity, line.decided_at = State.REFUSED, one.reason, 0, timezone.now()
    return 0


def _approve(prescription: Prescription, line: PrescriptionLine, one: Decision) -> int:
    """The same; never more than is written, with all orders of this prescription together."""
    item = PrescribedItem.objects.filter(prescription=prescription, variant=line.line.variant_id).first()
    if item is None:
        if not 1 <= one.written <= 1000:
            words = gettext("Enter the number of packs on the prescription.")
            raise Invalid(words, fields={f"written_{line.pk}": [words]})
        item = PrescribedItem.objects.create(
            prescription=prescription, variant_id=line.line.variant_id, quantity=one.written
        )
    left = units_approvable(prescription, order_id=line.checked.order_id)[item.variant_id]
    units = min(left, line.line.kept)
    if not units:
        words = gettext("This prescription's quantity of %(name)s is used up. Reject the line.")
        words %= {"name": line.line.product_name}
        raise Invalid(words, fields={f"written_{line.pk}": [words]})
    line.state, line.reason, line.quantity, line.decided_at = State.APPROVED, "", units, timezone.now()
    return units


def _record(prescription: Prescription, facts: Facts | None, actor: str) -> None:
    """Write down what the prescription says, before anything is approved by it. Nothing of it may be missing."""
    if facts is None:
        raise Invalid(gettext("Enter what the prescription says first."))
    texts = ("patient_name", "patient_address", "prescriber_name", "prescriber_address", "prescriber_registration")
    for name in texts:
        setattr(prescription, name, require_words(getattr(facts, name), gettext("Enter this."), field=name))
    if not 0 <= facts.repeats <= MAX_REPEATS:
        words = gettext("Choose from 0 to %(most)s.") % {"most": MAX_REPEATS}
        raise Invalid(words, fields={"repeats": [words]})
    prescription.issued_on, prescription.repeats = facts.issued_on, facts.repeats
    if not prescription.is_valid_on(timezone.localdate()):
        words = gettext("A prescription is valid for six months from its date.")
        raise Invalid(words, fields={"issued_on": [words]})
    prescription.recorded_at, prescription.recorded_by = timezone.now(), actor
    prescription.save(update_fields=[*texts, "issued_on", "repeats", "recorded_at", "recorded_by"])


def _close(checked: OrderPrescription, order: Order, actor: str) -> None:
    """Once nothing waits any more."""
    if PrescriptionLine.objects.waiting().filter(checked=checked).exists():
        return
    now = timezone.now()
    if OrderPrescription.objects.filter(pk=checked.pk, decided_at=None).update(decided_at=now, decided_by=actor):
        queue_decisions(order, list(PrescriptionLine.objects.filter(checked=checked).select_related("line")))
