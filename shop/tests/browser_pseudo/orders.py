"""Orders in each status that an order can have, for pages that show them."""

from shop.accounts.models import Address, Customer
from shop.cart.services import add_to_cart, open_cart
from shop.markets.market import Market
from shop.orders.models import Order
from shop.orders.placing.services import cancel_order, confirm_order
from shop.orders.placing.values import PlaceOrder
from shop.orders.shipping.services import deliver_all, ship
from shop.payments.services import check_out

from ..support.belongings import PASSWORD, Shelf

Status = Order.Status
ARRIVED = (Status.DELIVERED, Status.COMPLETED, Status.REPLACED, Status.RETURNED)


def orders_of_each_status(email: str, shelf: Shelf, market: Market) -> None:
    """One for each, of a new customer; their cart holds what the pending one is of."""
    customer = Customer.objects.create_user(email, PASSWORD, name="Bhavani Rao", phone="+919876500002")
    address = Address.objects.create(
        customer=customer, full_name="Bhavani Rao", phone_number="9876500002", alt_phone_number="9876500002",
        address="12 Temple Road", city="Bengaluru", state="Karnataka", pincode="560001", country_id=1, is_default=True,
    )  # fmt: skip
    for status in reversed(Status):  # the pending one last: another would take its place
        _order(customer, address, shelf, market, status)


def _order(customer: Customer, address: Address, shelf: Shelf, market: Market, status: str) -> None:
    cart = open_cart(customer)
    add_to_cart(cart, variant_id=shelf.variant, quantity=1, market=market)
    order, _ = check_out(PlaceOrder(customer=customer, cart=cart, address=address, market=market))
    if status != Status.PENDING:
        confirm_order(order, actor="provider")
    if status == Status.CANCELLED:
        cancel_order(order, actor="shop")
    if status in (*ARRIVED, Status.SHIPPED):
        ship(order, actor="staff:1")
    if status in ARRIVED:
        deliver_all(order, actor="staff:1")
    Order.objects.filter(pk=order.pk).update(status=status)
