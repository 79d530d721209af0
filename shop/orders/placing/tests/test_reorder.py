"""Ordering again what was kept of an order."""

from shop.cart.models import Cart

from ...returns.cancellation import cancel_units
from ..reorder import reorder
from ..services import confirm_order


def test_cancelled_units_are_not_ordered_again(india, make_variant, new_buyer, order_of):
    order = order_of(new_buyer({make_variant(units=9): 3, make_variant(units=9): 2}))
    confirm_order(order, actor="provider")
    first, second = order.lines.all()
    cancel_units(order, {first.pk: 2, second.pk: 2}, actor="customer")
    cart = Cart.objects.get(customer=order.customer)
    cart.lines.all().delete()
    again = reorder(order, cart, india)
    assert [(one.line, one.added, one.is_there) for one in again] == [(first, 1, True)]
    assert list(cart.lines.values_list("variant_id", "quantity")) == [(first.variant_id, 1)]
