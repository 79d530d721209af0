"""What the staff see of payments."""

import pytest
from django.urls import reverse

from shop.accounts.models import Customer
from shop.money import INR, display

pytestmark = pytest.mark.django_db


@pytest.fixture
def office(client):
    client.force_login(Customer.objects.create_superuser("owner@example.com", "pw", name="Owner"))
    return client


@pytest.mark.parametrize(
    ("asked", "finds"), [("{number}", 1), (" {small} ", 1), ("{provider_order}", 1), ("{part}", 0), ("", 1)]
)
def test_a_payment_is_found_by_a_whole_number_as_one_copies_it(office, paying, asked, finds):
    order, payment = paying()
    names = {"number": order.number, "small": order.number.lower(), "part": order.number[:8]}
    words = asked.format(provider_order=payment.razorpay_order_id, **names)
    page = office.get(reverse("admin:payments_payment_changelist"), {"q": words})
    assert page.context_data["cl"].result_count == finds


def test_amounts_are_shown_in_rupees(office, paying):
    order, _ = paying()
    page = office.get(reverse("admin:payments_payment_changelist"))
    assert display(order.total_inr, INR) in page.content.decode()
