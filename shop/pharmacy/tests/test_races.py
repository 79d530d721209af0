"""The pharmacist, a second one and the desk at one moment: nothing unapproved leaves, and nothing is refunded twice."""

from functools import partial

import pytest
from django.db import connection
from django.db.models import Sum

from shop.orders.models import Order, ReturnRequest, ShipmentLine
from shop.orders.returns.services import CANCELLED_UNITS
from shop.orders.shipping.services import ship
from shop.orders.signals import parcel_packed, starting_to_pack
from shop.orders.states import WrongState
from shop.orders.tests.racing import together, without_write_lock
from shop.pharmacy.models import OrderPrescription, PrescribedItem, PrescriptionLine
from shop.pharmacy.review import services
from shop.pharmacy.review.guard import require_approval, require_approval_of_parcel
from shop.pharmacy.review.services import Decision, decide

from .conftest import approved, facts, refused

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]
ROUNDS = [pytest.param(3, id="short"), pytest.param(20, id="full", marks=pytest.mark.full)]


@pytest.fixture
def waiting(transactional_db, tablets, soap, prescribed):
    """waiting(): a placed order of two packs of a medicine and a soap, whose prescription waits."""
    return lambda: prescribed({tablets: 2, soap: 1})


def refunds(order):
    requests = ReturnRequest.objects.filter(line__order=order, reason__slug=CANCELLED_UNITS)
    return list(requests.values_list("quantity", flat=True))


def shipped_unapproved(order):
    """Units in parcels beyond those that were approved."""
    lines = PrescriptionLine.objects.filter(line__order=order)
    sent = ShipmentLine.objects.filter(order_line__in=lines.values("line")).aggregate(units=Sum("quantity"))["units"]
    return (sent or 0) - sum(line.quantity for line in lines)


def decide_at_once(checked, order):
    """Approval, refusal and parcels, each twice."""
    approve, refuse = partial(approved, checked), partial(refused, checked, *checked.lines.all())
    send = partial(ship, order, actor="staff:3")
    together([approve, refuse, send, approve, refuse, send])


def is_wrong(checked, order):
    """Whether what is kept, cancelled or sent differs from what was decided, also where nothing was yet."""
    line = PrescriptionLine.objects.select_related("line").get(checked=checked)
    kept = 0 if line.state == "refused" else 2
    cancelled = refunds(order)
    return shipped_unapproved(order) > 0 or line.line.kept != kept or sum(cancelled) != 2 - line.line.kept


@pytest.mark.parametrize("rounds", ROUNDS)
def test_approval_refusal_and_parcels_at_once_have_one_outcome(waiting, rounds):
    for _ in range(rounds):
        order, checked = waiting()
        decide_at_once(checked, order)
        assert not is_wrong(checked, order)
        assert not PrescriptionLine.objects.waiting().filter(checked=checked).exists()
        if Order.objects.get(pk=order.pk).status == "placed":
            ship(order, actor="staff:3")
        assert shipped_unapproved(order) <= 0


@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
def test_without_the_lock_a_line_is_approved_and_refused(waiting, monkeypatch):
    """Negative control: it shows that the race above can be lost."""
    without_write_lock(monkeypatch)
    for _ in range(20):
        order, checked = waiting()
        decide_at_once(checked, order)
        if is_wrong(checked, order):
            return
    pytest.fail("nothing went wrong")


def test_without_the_guard_an_unapproved_medicine_is_shipped(waiting):
    """Negative control of the guard: what it keeps back leaves the shop without it."""
    order, _ = waiting()
    with pytest.raises(WrongState):
        ship(order, actor="staff:3")
    guards = ((starting_to_pack, require_approval), (parcel_packed, require_approval_of_parcel))
    for signal, guard in guards:
        assert signal.disconnect(guard)
    try:
        ship(order, actor="staff:3")
    finally:
        for signal, guard in guards:
            signal.connect(guard)
    assert shipped_unapproved(order) == 2


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_refusal_that_comes_many_times_at_once_refunds_once(waiting, rounds):
    for _ in range(rounds):
        order, checked = waiting()
        line = checked.lines.get()
        results = together([partial(refused, checked, line)] * 6)
        assert sum(bool(result) for result in results if isinstance(result, list)) == 1
        assert refunds(order) == [2]


# --- Kept prescriptions -----------------------------------------------------------------------------


@pytest.fixture
def two_orders(transactional_db, tablets, prescribed):
    """two_orders(): two placed orders of two packs each, both with one prescription for two packs in all."""

    def make():
        _, first = prescribed({tablets: 2})
        _, second = prescribed({tablets: 2})
        OrderPrescription.objects.filter(pk=second.pk).update(prescription=first.prescription)
        PrescribedItem.objects.create(prescription=first.prescription, variant=tablets, quantity=2)
        return [OrderPrescription.objects.get(pk=one.pk) for one in (first, second)]

    return make


def approve_both(pair):
    jobs = [
        partial(decide, one, {one.lines.get().pk: Decision(written=2)}, facts=facts(), actor="staff:1") for one in pair
    ]
    together(jobs)
    return PrescriptionLine.objects.filter(checked__in=pair).aggregate(units=Sum("quantity"))["units"]


@pytest.mark.parametrize("rounds", ROUNDS)
def test_two_orders_approved_at_once_stay_within_what_is_written(two_orders, rounds):
    for _ in range(rounds):
        assert approve_both(two_orders()) == 2


@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
def test_without_the_lock_of_the_prescription_more_is_supplied_than_written(two_orders, monkeypatch):
    """Negative control: what is written on the prescription would keep them apart, too, and is left out."""
    without_write_lock(monkeypatch)
    monkeypatch.setattr(services, "_record", lambda *args: None)
    for _ in range(20):
        if approve_both(two_orders()) > 2:
            return
    pytest.fail("nothing went wrong")
