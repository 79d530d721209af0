"""A shop that may sell prescription medicines, and orders of them."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.contrib.auth.models import Group
from django.core.files.storage import FileSystemStorage
from django.utils import timezone
from PIL import Image

from shop.accounts.models import Customer
from shop.accounts.staff.roles import PHARMACIST
from shop.backoffice.actors import SHOP
from shop.orders.conftest import new_buyer, order_of  # noqa: F401 (fixtures)
from shop.orders.models import Order
from shop.orders.placing.services import confirm_order
from shop.pharmacy.models import OrderPrescription, PrescriptionLine, PrescriptionPage
from shop.pharmacy.review.services import Decision, Facts, decide
from shop.pharmacy.services import add_pages


def photo(colour="white", kind="JPEG"):
    target = BytesIO()
    Image.new("RGB", (60, 80), colour).save(target, kind)
    return target.getvalue()


def pdf_of(pages, *, size=(595, 842)):
    """A PDF of so many pages, as a scanner makes it."""
    target = BytesIO()
    first, *more = [Image.new("RGB", size, (255, 255, 255 - number)) for number in range(pages)]
    first.save(target, "PDF", save_all=True, append_images=more)
    return target.getvalue()


def facts(**changes):
    said = {
        "patient_name": "Asha Rao", "patient_address": "12 Temple Road, Bengaluru", "prescriber_name": "Dr Meera Iyer",
        "prescriber_address": "4 Clinic Street, Bengaluru", "prescriber_registration": "KMC 12345",
        "issued_on": timezone.localdate() - timedelta(days=3), "repeats": 0,
    }  # fmt: skip
    return Facts(**(said | changes))


def approved(checked, *, written=9, repeats=0, actor="staff:1"):
    """Approve every line that waits."""
    lines = PrescriptionLine.objects.waiting().filter(checked=checked)
    return decide(
        checked, {line.pk: Decision(written=written) for line in lines}, facts=facts(repeats=repeats), actor=actor
    )


def refused(checked, *lines, reason="unreadable"):
    chosen = lines or PrescriptionLine.objects.waiting().filter(checked=checked)
    return decide(checked, {line.pk: Decision(reason=reason) for line in chosen}, facts=None, actor="staff:1")


def paid(order):
    """The order as its payment leaves it."""
    from django.db import transaction

    with transaction.atomic():
        confirm_order(Order.objects.select_for_update().get(pk=order.pk), actor=SHOP)
    return Order.objects.get(pk=order.pk)


@pytest.fixture
def pharmacy(settings, tmp_path, monkeypatch):
    """The company has named its licence and its pharmacist."""
    settings.COMPANY = settings.COMPANY | {"pharmacy_licence": "KA-20-123", "pharmacist": "K. Nair, KPC 1"}
    monkeypatch.setattr(PrescriptionPage._meta.get_field("file"), "storage", FileSystemStorage(tmp_path, base_url=None))


@pytest.fixture
def tablets(pharmacy, make_variant, make_product):
    """A medicine that needs a prescription, ninety packs of it."""
    product = make_product("Metformin 500 mg", is_prescription=True, schedule="H")
    return make_variant(price="50", units=90, product=product)


@pytest.fixture
def soap(make_variant, make_product):
    return make_variant(price="80", units=90, product=make_product("Neem Soap"))


@pytest.fixture
def prescribed(new_buyer, order_of):  # noqa: F811
    """prescribed({variant: quantity}): a placed order with an uploaded prescription, and that prescription."""

    def place(lines, customer=None):
        customer = customer or new_buyer(lines)
        add_pages(customer, [photo()])
        order = paid(order_of(customer))
        return order, OrderPrescription.objects.get(order=order)

    return place


@pytest.fixture
def pharmacist(db):
    member = Customer.objects.create_user("pharmacist@example.com", "correct horse battery", name="K", is_staff=True)
    member.groups.add(Group.objects.get(name=PHARMACIST))
    return member
