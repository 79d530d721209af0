"""Scheduled jobs: who is notified of a prescription that waits, and what is kept no longer."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from shop.accounts.models import Customer
from shop.jobs.services import for_each

from .models import OrderPrescription, Prescription, RegisterEntry
from .notifications import queue_receipt, warn_owner
from .queries import ANSWER_WITHIN
from .register.services import KEPT_FOR
from .services import remove_files

UNUSED_FOR = timedelta(days=7)  # an upload that no order was placed with
BATCH = 200


def announce_prescriptions() -> int:
    """Tell customer and pharmacist once an order with a prescription is placed."""
    fresh = OrderPrescription.objects.waiting().filter(announced_at=None).order_by("pk")[:BATCH]
    return for_each("announce_prescriptions", fresh, _announce)


def warn_of_late_prescriptions() -> int:
    """Tell the owner of what has had no answer for four hours."""
    late = OrderPrescription.objects.waiting().filter(
        order__placed_at__lte=timezone.now() - ANSWER_WITHIN, owner_notified_at=None
    )
    return for_each("warn_of_late_prescriptions", late.order_by("pk")[:BATCH], _warn)


@transaction.atomic
def _announce(checked: OrderPrescription) -> bool:
    row = OrderPrescription.objects.filter(pk=checked.pk, announced_at=None)
    if row.update(announced_at=timezone.now()):
        queue_receipt(checked)
        return True
    return False


@transaction.atomic
def _warn(checked: OrderPrescription) -> bool:
    row = OrderPrescription.objects.filter(pk=checked.pk, owner_notified_at=None, decided_at=None)
    if row.update(owner_notified_at=timezone.now()):
        warn_owner(checked)
        return True
    return False


def delete_old_prescriptions() -> int:
    """Delete pictures and facts three years after the last order with them, uploads that were never ordered with after
    a week, and entries of the register after three years."""
    now = timezone.now()
    RegisterEntry.objects.filter(supplied_on__lt=(now - KEPT_FOR).date()).delete()
    done, last = 0, 0
    while True:  # one that can't be deleted is passed over
        rows = list(_deletable().filter(pk__gt=last)[:BATCH])
        last = rows[-1].pk if rows else last  # before it is deleted
        done += for_each("forget_old_prescriptions", rows, _delete)
        if len(rows) < BATCH:
            return done


def _deletable() -> QuerySet[Prescription]:
    now = timezone.now()
    rows = Prescription.objects.annotate(last=Coalesce(Max("orders__created_at"), "created_at"))
    placed = Prescription.objects.filter(orders__order__placed_at__isnull=False).values("pk")
    old = Q(last__lt=now - KEPT_FOR) | Q(~Q(pk__in=placed), last__lt=now - UNUSED_FOR)
    found: QuerySet[Prescription] = rows.filter(old).order_by("pk")
    return found


@transaction.atomic
def _delete(prescription: Prescription) -> bool:
    """Locks the customer, as whoever orders with it does, and looks again."""
    Customer.objects.select_for_update(no_key=True).only("pk").get(pk=prescription.customer_id)
    if not _deletable().filter(pk=prescription.pk).exists():
        return False
    remove_files(list(prescription.pages.all()))
    OrderPrescription.objects.filter(prescription=prescription).delete()
    prescription.delete()
    return True
