"""The demo's customer and staff."""

from django.contrib.auth.models import Group

from shop.accounts.models import Address, Customer

from .logins import CUSTOMER, STAFF, Login


def load_people() -> None:
    """One customer with an Indian address, and one member of staff a role."""
    asha = _person(CUSTOMER, is_staff=False)
    Address.objects.get_or_create(
        customer=asha,
        is_default=True,
        defaults={
            "full_name": asha.name,
            "email": CUSTOMER.email,
            "phone_number": "9876543210",
            "alt_phone_number": "9876543211",
            "address": "12 Temple Road, Malleshwaram",
            "landmark": "Opposite the flower market",
            "city": "Bengaluru",
            "state": "Karnataka",
            "pincode": "560003",
            "country_id": 1,
        },
    )
    for login in STAFF:
        group, _ = Group.objects.get_or_create(name=login.role)
        _person(login, is_staff=True).groups.add(group)


def _person(login: Login, *, is_staff: bool) -> Customer:
    known = Customer.objects.filter(email=login.email).first()
    return known or Customer.objects.create_user(login.email, login.password, name=login.name, is_staff=is_staff)
