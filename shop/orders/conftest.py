"""What the tests of orders and payments share: a customer at the checkout."""

import pytest

from shop.accounts.models import Address, Customer
from shop.cart.models import Cart
from shop.cart.services import add_to_cart, open_cart

from .placing.services import place_order
from .placing.values import PlaceOrder


@pytest.fixture
def new_buyer(india):
    """new_buyer(lines={variant: quantity}): a customer with an Indian address and a filled cart."""

    def make(lines):
        number = Customer.objects.count() + 1
        customer = Customer.objects.create_user(f"buyer{number}@example.com", name=f"Buyer {number}")
        new_address(customer)
        fill(customer, lines, india)
        return customer

    return make


def fill(customer, lines, market):
    cart = open_cart(customer)
    for variant, quantity in lines.items():
        add_to_cart(cart, variant_id=variant.pk, quantity=quantity, market=market)
    return cart


def new_address(customer, **fields):
    defaults = {
        "full_name": customer.name or "Asha Rao", "phone_number": "9876543210", "alt_phone_number": "9876543211",
        "address": "12 Temple Road", "city": "Bengaluru", "state": "Karnataka", "pincode": "560001",
        "country_id": 1, "is_default": True,
    }  # fmt: skip
    return Address.objects.create(customer=customer, **(defaults | fields))


@pytest.fixture
def order_of(india):
    """order_of(customer): the order of the customer's cart, to their default address."""

    def order(customer, market=None, **more):
        return place_order(
            PlaceOrder(
                customer=customer,
                cart=open_cart(customer),
                address=customer.addresses.get(is_default=True),
                market=market or india,
                **more,
            )
        )

    return order


@pytest.fixture
def crowd(transactional_db):
    """crowd(50): customers with an address and an empty cart."""

    def gather(size):
        first = Customer.objects.count()
        people = Customer.objects.bulk_create(
            Customer(email=f"c{first + n}@example.com", name=f"C {n}") for n in range(size)
        )
        Address.objects.bulk_create(
            Address(customer=person, full_name=person.name, phone_number="9876543210", alt_phone_number="9876543211",
                    address="1 Road", city="Pune", state="Maharashtra", pincode="411001", country_id=1, is_default=True)
            for person in people
        )  # fmt: skip
        Cart.objects.bulk_create(Cart(customer=person) for person in people)
        return people

    return gather
