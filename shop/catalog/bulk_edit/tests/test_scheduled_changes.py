"""Changes with a time: seen, cancelled, applied once by the job; and those of categories, brands, concerns, markets."""

from datetime import timedelta
from decimal import Decimal
from threading import Barrier, Thread

import pytest
from django.db import connection, connections
from django.urls import reverse
from django.utils import timezone

from shop.errors import Invalid

from ...editing.archiving import remove_products
from ...models import Brand, BulkChange, Category, HealthConcern, Product, StockMovement, Variant
from .. import columns, services
from ..services import (
    BulkEdit,
    apply_change,
    apply_due_changes,
    cancel_change,
    preview_change,
    preview_undo,
    schedule_change,
)  # fmt: skip

pytestmark = [pytest.mark.django_db, pytest.mark.database]
US, GB = 22, 75


@pytest.fixture
def sale(manager, make_variant):
    """A tenth off and five units more, previewed."""
    make_variant("100", units=5)
    edit = BulkEdit(selling=True, value=Decimal(-10), units=5)
    return preview_change(Variant.objects.all(), edit, by=manager, reason="Delivery")


def due(change, **ago):
    BulkChange.objects.filter(pk=change.pk).update(apply_at=timezone.now() - timedelta(minutes=1))


def price():
    return Variant.objects.get().selling_price


def test_it_is_applied_when_it_is_due_and_once(sale, manager):
    assert schedule_change(sale, timezone.now() + timedelta(hours=1))
    assert (apply_due_changes(), price()) == (0, 100)
    due(sale)
    assert (apply_due_changes(), price()) == (1, 90)
    assert (apply_due_changes(), Variant.objects.get().on_hand) == (0, 10)
    sale.refresh_from_db()
    assert sale.state == "applied"
    assert not cancel_change(sale) and not schedule_change(sale, timezone.now() + timedelta(hours=1))


def test_a_cancelled_one_is_not_applied(sale, manager):
    schedule_change(sale, timezone.now() + timedelta(hours=1))
    assert cancel_change(sale)
    due(sale)
    assert (apply_due_changes(), price()) == (0, 100)
    assert not apply_change(sale, by=manager)


def test_a_time_that_is_over_is_refused(sale):
    with pytest.raises(Invalid, match="to come"):
        schedule_change(sale, timezone.now())


def test_the_page_schedules_shows_and_cancels(desk, sale):
    url = reverse("admin:catalog_bulkchange_preview", args=[sale.pk])
    body = {"token": sale.token, "do": "schedule"}
    assert desk.post(url, body | {"at": "soon"}).status_code == 422
    page = desk.post(url, body | {"at": "2099-01-01T09:30"}, follow=True).content.decode()
    assert "Scheduled for <strong>1 Jan 2099, 09:30" in page
    listed = desk.get(reverse("admin:catalog_bulkchange_changelist"), {"state": "scheduled"})
    assert "1 Jan" in listed.content.decode() or "Jan. 1" in listed.content.decode()
    page = desk.post(url, body | {"do": "cancel"}, follow=True).content.decode()
    assert "Cancelled. Nothing was changed." in page and "Apply to" not in page


@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
@pytest.mark.django_db(transaction=True)
def test_two_schedulers_at_the_same_moment_apply_it_once(sale):
    due(sale)
    start = Barrier(2)

    def run():
        start.wait()
        apply_due_changes()
        connections.close_all()

    both = [Thread(target=run) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert (price(), Variant.objects.get().on_hand) == (90, 10)
    assert StockMovement.objects.filter(reference="Delivery").count() == 1


def test_without_claim_and_comparison_it_would_be_applied_twice(sale, manager, monkeypatch):
    """The negative control."""
    monkeypatch.setattr(services, "_claim", lambda change: True)
    monkeypatch.setattr(services, "_is_outdated", lambda row, variant: False)
    assert apply_change(sale, by=manager) and apply_change(sale, by=manager)
    assert Variant.objects.get().on_hand == 15


def test_category_brand_concerns_and_publication_change_and_go_back(manager, make_variant, make_product):
    variant = make_variant()
    make_variant(product=variant.product)
    old, new = (
        HealthConcern.objects.create(name="Sleep", slug="sleep"),
        HealthConcern.objects.create(name="Skin", slug="skin"),
    )
    variant.product.health_concerns.add(old)
    brand = Brand.objects.create(name="Other", slug="other")
    category = Category.objects.create(name="Tea", slug="tea")
    facts = {"brand": brand.pk, "category": category.pk, "concerns": [new.pk], "is_published": False}
    change = preview_change(Variant.objects.all(), BulkEdit(product=facts), by=manager)
    assert change.rows.count() == 1  # of the product's first variant
    assert "brand = Other" in change.what
    apply_change(change, by=manager)
    product = Product.objects.get()
    assert (product.brand, product.category, product.is_published) == (brand, category, False)
    assert set(product.health_concerns.all()) == {old, new}
    apply_change(preview_undo(change, by=manager), by=manager)
    product = Product.objects.get()
    assert (product.brand.name, product.is_published, list(product.health_concerns.all())) == ("Vanamitra", True, [old])


def test_prices_abroad_follow_where_they_are_fixed(manager, make_variant):
    variant = make_variant("100")
    variant.fixed_prices.create(location_id=US, selling_price=4, actual_price=5)
    edit = BulkEdit(selling=True, value=Decimal(-10), markets=(US, GB))
    apply_change(preview_change(Variant.objects.all(), edit, by=manager), by=manager)
    fixed = variant.fixed_prices.get()
    assert (price(), fixed.selling_price, fixed.actual_price) == (90, Decimal("3.6"), Decimal("4.5"))
    figure = BulkEdit(how="set", value=Decimal("3.99"), markets=(GB,))
    apply_change(preview_change(Variant.objects.all(), figure, by=manager), by=manager)
    assert variant.fixed_prices.get(location=GB).selling_price == Decimal("3.99")


def test_what_was_deleted_since_it_was_scheduled_is_refused_row_by_row(manager, make_variant, make_product):
    variants = [make_variant("100") for _ in range(2)]
    concern = HealthConcern.objects.create(name="Sleep", slug="sleep")
    variants[1].product.health_concerns.add(concern)
    category = Category.objects.create(name="Tea", slug="tea")
    edit = BulkEdit(selling=True, value=Decimal(-10), product={"category": category.pk, "concerns": [concern.pk]})
    change = preview_change(Variant.objects.all(), edit, by=manager)
    category.delete()
    due(change)
    assert apply_due_changes() == 1
    assert set(change.rows.values_list("refusal", flat=True)) == {"This no longer exists: Category."}
    assert set(Variant.objects.values_list("selling_price", flat=True)) == {100}


def test_an_archived_product_is_not_published_by_a_change_from_before(manager, make_variant):
    variant = make_variant("100", units=5)
    Product.objects.update(is_published=False)
    change = preview_change(Variant.objects.all(), BulkEdit(product={"is_published": True}), by=manager)
    remove_products([variant.product_id])
    apply_change(change, by=manager)
    assert change.rows.get().refusal == "The product is archived."
    assert not Product.objects.get().is_published


@pytest.mark.parametrize(("how", "value"), [("percent", "9999999999"), ("percent", "-9999999999")])
def test_a_price_beyond_all_bounds_is_refused_in_the_preview(manager, make_variant, how, value):
    make_variant("500000")
    edit = BulkEdit(selling=True, actual=True, how=how, value=Decimal(value))
    assert preview_change(Variant.objects.all(), edit, by=manager).rows.get().refusal


def test_no_concern_is_said_in_words(manager, make_variant):
    make_variant()
    concern = HealthConcern.objects.create(name="Sleep", slug="sleep")
    row = preview_change(Variant.objects.all(), BulkEdit(product={"concerns": [concern.pk]}), by=manager).rows.get()
    names = columns.names_of([row.before, row.after])
    told = [columns.in_words("concerns", part["concerns"], names) for part in (row.before, row.after)]
    assert told == ["none", "Sleep"]
