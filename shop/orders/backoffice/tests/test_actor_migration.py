"""Names that stood for actors become keys, on a filled database."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from shop.accounts.models import Customer
from shop.care.models import Enquiry, EnquiryEvent

from ...models import OrderEvent

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def order(make_variant, new_buyer, order_of):
    return order_of(new_buyer({make_variant(): 1}))


def write(row, field, name):
    """As the shop of before wrote it."""
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {row._meta.db_table} SET {field} = %s WHERE id = %s", [name, row.pk])


def read(model, pk, field="actor"):
    return model.objects.values_list(field, flat=True).get(pk=pk)


def test_names_become_the_people_who_have_them(order):
    meera = Customer.objects.create_user("meera@example.com", "pw", name="Meera", is_staff=True)
    for number in range(2):
        Customer.objects.create_user(f"twin{number}@example.com", "pw", name="Twin", is_staff=True)
    expected = {
        ("Meera", "x"): f"staff:{meera.pk}",
        ("Twin", "x"): "staff",
        ("Gone", "x"): "staff",
        (order.customer.name, "x"): "staff",  # a customer of this name is no member of staff
        ("shop", "Not paid in time."): "shop",
        ("provider", "Paid."): "provider",
        ("customer", "Checked out."): f"customer:{order.customer_id}",
        ("customer", "They called."): "staff",  # no customer writes this
    }
    made = []
    for (name, note), key in expected.items():
        event = OrderEvent.objects.create(order=order, note=note)
        write(event, "actor", name)
        made.append((event.pk, key))
    import_module("shop.orders.migrations.0008_actors").name_actors(apps, None)
    assert [(pk, read(OrderEvent, pk)) for pk, _ in made] == made


def test_answers_to_messages_too(db):
    meera = Customer.objects.create_user("meera@example.com", "pw", name="customer", is_staff=True)
    enquiry = Enquiry.objects.create(name="A", email="a@example.com", text="x", submission="1")
    event = EnquiryEvent.objects.create(enquiry=enquiry, actor="shop", state="answered")
    write(event, "actor", "customer")
    import_module("shop.care.migrations.0004_actors").name_actors(apps, None)
    assert read(EnquiryEvent, event.pk) == "staff" and meera.pk
