"""What customers do with prescriptions: upload, take away, choose one that was kept."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from shop.accounts.models import Customer
from shop.catalog.pictures.services import Upload
from shop.errors import Changed, NotFound, ShopError
from shop.jobs.files import remove_after_commit
from shop.limits.services import consume
from shop.orders.returns.photos import rows_with_files

from .models import MAX_PAGES, ChosenPrescription, Prescription, PrescriptionPage
from .queries import units_left
from .uploads import read_uploads, too_many_pages

UPLOADS_A_CUSTOMER = 30  # an hour


def add_pages(customer: Customer, files: Sequence[Upload]) -> Prescription:
    """Add photos and PDF pages to the prescription that the customer is about to order with, or begin a new one where
    an order holds that already. A picture that is there is not added again.

    Raises Invalid, TooMany, Busy. Locks the customer.
    """
    consume("prescription", str(customer.pk), limit=UPLOADS_A_CUSTOMER, period=timedelta(hours=1))
    pictures = {_digest(picture): picture for picture in read_uploads(files)}
    contents = [{"file": picture} for picture in pictures.values()]
    with rows_with_files(PrescriptionPage, contents) as rows:
        _lock(customer)
        prescription = _open(customer) or _new(customer)
        known = set(prescription.pages.values_list("digest", flat=True))
        pages = dict(zip(pictures, rows, strict=True))
        fresh = {digest: page for digest, page in pages.items() if digest not in known}
        first = len(known) + 1
        if first + len(fresh) - 1 > MAX_PAGES:
            raise too_many_pages()
        for position, (digest, page) in enumerate(fresh.items(), first):
            page.prescription, page.position, page.digest = prescription, position, digest
            page.save(force_insert=True)
        remove_files([page for digest, page in pages.items() if digest in known])
    return prescription


def remove_page(customer: Customer, pk: int) -> None:
    """Take a page out of the prescription that the customer is about to order with. Raises NotFound; Changed where an
    order holds it. Locks the customer."""
    with transaction.atomic():
        _lock(customer)
        page = PrescriptionPage.objects.filter(pk=pk, prescription__customer=customer).first()
        if page is None:
            raise NotFound()
        if page.prescription.orders.exists():
            raise Changed(gettext("This prescription belongs to an order, so it can no longer be changed."))
        later = list(page.prescription.pages.filter(position__gt=page.position))
        page.delete()
        for one in later:
            PrescriptionPage.objects.filter(pk=one.pk).update(position=one.position - 1)
        if not page.prescription.pages.exists():
            page.prescription.delete()
        remove_files([page])


@transaction.atomic
def choose_kept(customer: Customer, pk: int) -> None:
    """Order with a prescription that was kept because of its repeats. Raises NotFound, ShopError where nothing may be
    ordered with it any more. Locks the customer."""
    _lock(customer)
    prescription = customer.prescriptions.filter(pk=pk).first()
    if prescription is None:
        raise NotFound()
    if is_used(prescription) and not may_be_repeated(prescription):
        raise ShopError(gettext("Nothing is left on this prescription. Please upload a new one."), "prescription_used")
    _choose(customer, prescription)
    _forget_unordered(customer)


@transaction.atomic
def begin_new(customer: Customer) -> None:
    """Leave what was chosen, for good where no order holds it: the next order needs an upload. Locks the customer."""
    _lock(customer)
    ChosenPrescription.objects.filter(customer=customer).delete()
    _forget_unordered(customer)


def chosen_prescription(customer: Customer) -> Prescription | None:
    """What the customer's next order is placed with, with pages; None where it was used and has no repeats."""
    chosen = ChosenPrescription.objects.filter(customer=customer).values("prescription")
    found: Prescription | None = Prescription.objects.filter(pk__in=chosen).prefetch_related("pages", "items").first()
    if found is None or not found.pages.all():
        return None
    return found if not is_used(found) or may_be_repeated(found) else None


def kept_prescriptions(customer: Customer) -> list[Prescription]:
    """Those with repeats of which something is left, the newest first."""
    repeated = (
        customer.prescriptions.used().filter(repeats__gt=0).distinct().prefetch_related("pages", "items__variant")
    )
    return [prescription for prescription in repeated if may_be_repeated(prescription)]


def may_be_repeated(prescription: Prescription) -> bool:
    is_valid = prescription.repeats and prescription.is_valid_on(timezone.localdate())
    return bool(is_valid and any(units_left(prescription).values()))


def is_used(prescription: Prescription) -> bool:
    return Prescription.objects.used().filter(pk=prescription.pk).exists()


def problem_with(prescription: Prescription, quantities: Mapping[int, int], names: Mapping[int, str]) -> str:
    """Why these packs, by variant id, can't be ordered with it, in words; empty where they can. What was not used yet
    is judged by the pharmacist alone."""
    if not is_used(prescription):
        return ""
    left = units_left(prescription)
    for variant_id, units in quantities.items():
        if units > left.get(variant_id, 0):
            words = gettext(
                "Your saved prescription covers only %(left)s of %(name)s. Reduce the quantity or upload a new "
                "prescription."
            )
            return words % {"left": left.get(variant_id, 0), "name": names[variant_id]}
    return ""


def _digest(picture: ContentFile[bytes]) -> str:
    data = picture.read()
    picture.seek(0)
    return sha256(data).hexdigest()


def _lock(customer: Customer) -> None:
    Customer.objects.select_for_update(no_key=True).only("pk").get(pk=customer.pk)


def _open(customer: Customer) -> Prescription | None:
    """The chosen one, while no order holds it."""
    chosen = ChosenPrescription.objects.filter(customer=customer).select_related("prescription").first()
    return chosen.prescription if chosen and not chosen.prescription.orders.exists() else None


def _new(customer: Customer) -> Prescription:
    prescription: Prescription = Prescription.objects.create(customer=customer)
    _choose(customer, prescription)
    _forget_unordered(customer)
    return prescription


def _forget_unordered(customer: Customer) -> None:
    """Delete the uploads of a locked customer that no order holds, but for the chosen one: nobody comes back to them,
    and at most one is kept."""
    chosen = ChosenPrescription.objects.filter(customer=customer).values("prescription")
    for prescription in customer.prescriptions.filter(orders=None).exclude(pk__in=chosen):
        remove_files(list(prescription.pages.all()))
        prescription.delete()


def _choose(customer: Customer, prescription: Prescription) -> None:
    ChosenPrescription.objects.update_or_create(customer=customer, defaults={"prescription": prescription})


def remove_files(pages: Sequence[PrescriptionPage] | Any) -> None:
    """The files of pages whose rows go, once that is committed."""
    remove_after_commit(page.file for page in pages)
