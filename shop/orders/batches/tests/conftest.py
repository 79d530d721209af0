"""What the tests of batches in orders share."""

from datetime import timedelta

import pytest
from django.utils import timezone

from shop.catalog.batches.services import receive_batch

from ...placing.services import confirm_order


def in_days(days):
    return timezone.localdate() + timedelta(days=days)


def come_in(variant, number, units, expires=400):
    return receive_batch(
        variant.pk, number=number, manufactured=in_days(-30), expires=in_days(expires), units=units, actor="staff:1"
    )


@pytest.fixture
def placed(new_buyer, order_of):
    """placed({variant: 2}): a paid order."""

    def make(lines):
        order = order_of(new_buyer(lines))
        confirm_order(order, actor="provider")
        return order

    return make


@pytest.fixture
def two_batches(make_variant):
    """A variant with three units that expire early and five that expire late."""
    variant = make_variant(units=0, max_purchase_qty=10)
    return variant, come_in(variant, "EARLY", 3, expires=200), come_in(variant, "LATE", 5, expires=800)
