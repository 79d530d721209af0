from decimal import Decimal

import pytest
from django.utils import timezone

from shop.orders.models import Order, OrderLine


@pytest.fixture
def make_order(db):
    """make_order(customer, total="100", status="placed", location_id=1, …): its bare row, placed now."""

    def make(customer, total="100", **fields):
        fields = {
            "number": f"ORD-{Order.objects.count():09}", "status": "placed", "location_id": 1, "currency": "INR",
            "rate": 1, "sub_total_amt": Decimal(total), "shipping_amt": 0, "total_amount": Decimal(total),
            "shipping_inr": 0, "total_inr": Decimal(total), "address_id_then": 0, "address": {"city": "Pune"},
            "placed_at": timezone.now(),
        } | fields  # fmt: skip
        return Order.objects.create(customer=customer, **fields)

    return make


def add_line(order, variant, quantity=1, inr="100"):
    price = Decimal(inr) / quantity
    return OrderLine.objects.create(
        order=order, variant=variant, product_name="x", product_slug="x", brand_name="x", brand_slug="x",
        sku=variant.sku, quantity=quantity, unit_amount=price, unit_actual_amount=price, line_amount=inr, line_inr=inr,
        list_price_inr=price,
    )  # fmt: skip
