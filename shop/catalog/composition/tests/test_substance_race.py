"""Two imports that state a substance which the shop does not know yet make it once. The control must fail."""

from contextlib import suppress
from functools import partial
from threading import Barrier, BrokenBarrierError

import pytest
from django.db import IntegrityError, connection, transaction

from shop.orders.tests.racing import of_kind, together

from ...models import Component, Product, Substance
from .. import services
from ..services import write_components

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


def import_one(product):
    with transaction.atomic():
        write_components([Product.objects.select_for_update().get(pk=product.pk)])


def race(make_product, monkeypatch):
    """Both have looked and found no substance before one goes on, where a database lets in two at a time."""
    both, slug = Barrier(2), services._slug

    def and_wait(key):
        with suppress(BrokenBarrierError):
            both.wait(timeout=3)
        return slug(key)

    monkeypatch.setattr(services, "_slug", and_wait)
    products = [make_product(name, active_ingredients=[["Newmolin", "5 mg"]]) for name in ("Newmol", "Newmolet")]
    return together([partial(import_one, product) for product in products])


def test_two_imports_make_a_new_substance_once(make_product, monkeypatch):
    assert race(make_product, monkeypatch) == [None, None]
    assert Substance.objects.get(name="Newmolin").components.count() == 2


@pytest.mark.skipif(connection.vendor == "sqlite", reason="one writer at a time")
def test_of_two_that_insist_one_is_refused(make_product, monkeypatch):
    insist = Substance.objects.bulk_create
    monkeypatch.setattr(Substance.objects, "bulk_create", lambda rows, ignore_conflicts: insist(rows))
    assert len(of_kind(race(make_product, monkeypatch), IntegrityError)) == 1
    assert Component.objects.count() == 1
