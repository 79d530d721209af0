"""The demo's medicines: compositions to compare, schedules, prescriptions, batches that expire, and a recall."""

from collections import Counter, defaultdict
from types import SimpleNamespace

import pytest
from django.conf import settings as shop_settings
from django.core.files.storage import FileSystemStorage
from django.test import TestCase
from PIL import Image

from shop.accounts.models import Customer
from shop.catalog.composition.alternatives import same_composition
from shop.catalog.models import Batch, Component, Product, Substance
from shop.invalidation import subscriptions
from shop.markets.queries import market_registry
from shop.orders.batches.models import Recall, ShippedBatch
from shop.orders.batches.recalls import buyers_of
from shop.payments.reconciliation.invariants import broken_invariants
from shop.pharmacy.models import OrderPrescription, PrescriptionLine, PrescriptionPage, RegisterEntry

from .. import batches, logins, prescriptions, services
from ..catalogue import reading
from ..catalogue.dosages import FORMS
from ..catalogue.medicines import medicine_of
from ..catalogue.reading import products
from ..conftest import few


@pytest.fixture(scope="module")
def pharmacy_demo(django_db_setup, django_db_blocker, tmp_path_factory):
    """Made once for all tests, each of which takes back what it changes."""
    plans = few(products())
    company = shop_settings.COMPANY | {"pharmacy_licence": "KA-20-123", "pharmacist": "K. Nair, KPC 1"}
    files = FileSystemStorage(tmp_path_factory.mktemp("private"), base_url=None)
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        subscriptions.reset()
        patch.setattr(reading, "products", lambda: plans)
        patch.setattr(services, "draw_all", lambda paintings: None)
        patch.setattr(services, "connections", SimpleNamespace(close_all=lambda: None))
        patch.setattr(services, "first_paintings", list)
        patch.setattr(services, "load_history", lambda couriers: None)
        patch.setattr(shop_settings, "COMPANY", company)
        patch.setattr(PrescriptionPage._meta.get_field("file"), "storage", files)
        atomics = TestCase._enter_atomics()
        services.load_demo()
        yield
        TestCase._rollback_atomics(atomics)


@pytest.fixture
def demo(pharmacy_demo, db):
    """The demo of a company that may sell medicines on prescription."""


def test_every_kind_of_medicine_is_there_and_some_are_made_of_the_same():
    plans = [plan for plan in products() if plan.medicine.active]
    assert Counter(plan.schedule for plan in plans).keys() == {"", "H", "H1"}
    assert all(plan.is_prescription for plan in plans if plan.schedule)
    assert {plan.schedule for plan in products()} <= {"", "H", "H1"}
    made_of = defaultdict(set)
    for plan in plans:
        if plan.medicine.is_whole:
            made_of[plan.medicine.active, plan.medicine.dosage_form].add((plan.brand.name, plan.schedule))
    several = [brands for brands in made_of.values() if len(brands) > 1]
    assert {schedule for brands in several for _, schedule in brands} == {"", "H", "H1"}


def medicine(name, form, *ingredients):
    return medicine_of(name, form, FORMS[form], ingredients)


def test_what_is_in_a_medicine_is_read_as_its_label_states_it():
    syrup = medicine_of(
        "Paracetamol Suspension", "otc-syrup", FORMS["otc-syrup"], [("Paracetamol IP", "120 mg in 5 ml")]
    )
    assert syrup.active == (("Paracetamol", "120 mg/5 ml"),) and syrup.is_whole
    part = medicine_of(
        "Calamine Lotion", "antiseptic", FORMS["antiseptic"], [("Calamine IP", "8 %"), ("Glycerine", "")]
    )
    assert part.active == (("Calamine", "8%"),) and not part.is_whole, "what has no strength may be active too"
    assert not medicine("Neem Tablets", "tablets", ("Neem leaf", "500 mg")).active


def test_same_composition_facets_and_marks_have_something_to_show(demo, client):
    india = market_registry().market(market_registry().by_code["IN"])
    strict = Product.objects.filter(schedule="H1", is_composition_confirmed=True)
    cefixime = [product for product in strict if "Cefixime" in product.name]
    assert len(cefixime) == 2
    [card] = same_composition(cefixime[0], india, "tablets")
    assert card.product.pk == cefixime[1].pk
    page = client.get(f"/en-in/product/{cefixime[0].slug}/").content.decode()
    assert "SCHEDULE H1 DRUG" in page and "Same composition" in page
    assert Component.objects.filter(product__in=cefixime).count() == 2
    assert Substance.objects.get(name="Cefixime").translations["hi"]["name"] == "सेफिक्सिम"


def test_one_order_waits_for_the_pharmacist_and_one_has_a_line_refused(demo):
    waiting = OrderPrescription.objects.waiting().get()
    assert waiting.order.status == "placed" and waiting.lines.count() == 2
    [decided] = OrderPrescription.objects.exclude(pk=waiting.pk)
    states = {one.state: one.line.cancelled for one in decided.lines.select_related("line")}
    assert states == {"approved": 0, "refused": 1} and decided.order.status == "shipped"
    assert decided.lines.get(state="approved").line.shipped.get().batches[0]["expires"]
    assert RegisterEntry.objects.get().batch, "the register names what was sent"
    for page in PrescriptionPage.objects.all():
        assert Image.open(page.file).size == prescriptions.SIZE


def test_batches_expire_one_after_another_and_one_is_recalled(demo):
    assert Batch.objects.filter(units__gt=0).values("expires").distinct().count() > 3
    recall = Recall.objects.get()
    assert [buyer.customer.email for buyer in buyers_of(recall.batch)] == [logins.CUSTOMER.email]
    assert ShippedBatch.objects.count() >= 3
    assert not {invariant.name: rows for invariant, rows in broken_invariants() if rows}


def test_a_second_time_changes_nothing(demo):
    def figures():
        tables = (Batch, Recall, OrderPrescription, PrescriptionLine, PrescriptionPage)
        return [model.objects.count() for model in tables]

    before = figures()
    batches.load_batches()
    prescriptions.load_prescriptions(None)
    batches.recall_one()
    assert figures() == before and before[-1] == 2


def test_the_pharmacist_of_the_demo_opens_what_waits(demo, browser_client, staff_without_second_factor):
    browser_client.force_login(Customer.objects.get(email="pharmacist@example.com"))
    page = browser_client.get("/admin/pharmacy/orderprescription/next/", follow=True)
    assert page.status_code == 200 and "review__picture" in page.content.decode()
