import pytest

from shop.orders.tests.conftest import new_buyer, order_of  # noqa: F401 (fixtures)
from shop.payments.services import start_payment


@pytest.fixture
def paying(make_variant, new_buyer, order_of):  # noqa: F811
    """paying(variant=…, quantity=…): an order that waits for its payment, and that payment."""

    def begin(variant=None, quantity=1):
        order = order_of(new_buyer({variant or make_variant(price="250", units=10): quantity}))
        return order, start_payment(order)

    return begin
