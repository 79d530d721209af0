"""A thousand invented customers. Their mailboxes are at example domains, their streets exist nowhere."""

from datetime import datetime
from random import Random

from allauth.account.models import EmailAddress

from shop.accounts.models import Address, Customer
from shop.markets.models import Location

from .places import NAMES, PLACES, STREETS

CUSTOMERS = 1100
DOMAINS = ("example.com", "example.org", "example.net")
UNUSABLE = "!"  # a password that nothing matches: nobody signs in as them
BATCH = 500


def add_customers(random: Random, since: list[datetime]) -> list[Address]:
    """One customer for each moment, at which they joined, with their default address; several countries."""
    codes = list(PLACES)
    locations = Location.objects.in_bulk(codes, field_name="code")
    weights = [PLACES[code].weight for code in codes]
    made = [
        _person(random, number, at, locations[random.choices(codes, weights)[0]])
        for number, at in enumerate(since, start=1)
    ]
    customers = Customer.objects.bulk_create([customer for customer, _ in made], batch_size=BATCH)
    EmailAddress.objects.bulk_create(
        (EmailAddress(user=person, email=person.email, verified=True, primary=True) for person in customers),
        batch_size=BATCH,
    )
    return Address.objects.bulk_create([address for _, address in made], batch_size=BATCH)


def _person(random: Random, number: int, joined: datetime, country: Location) -> tuple[Customer, Address]:
    place = PLACES[country.code]
    first, last = (random.choice(part.split()) for part in NAMES[place.names])
    email = f"{first}.{last}{number}@{random.choice(DOMAINS)}".lower()
    customer = Customer(email=email, name=f"{first} {last}", password=UNUSABLE, date_joined=joined)
    city, state, postcode = random.choice(place.cities)
    phone = place.phone.format(number % 1000)
    address = Address(
        customer=customer, full_name=customer.name, email=email, phone_code=country.phone_code, phone_number=phone,
        alt_phone_code=country.phone_code, alt_phone_number=phone,
        address=f"{random.randint(1, 180)} {random.choice(STREETS[place.names])}", city=city, state=state,
        pincode=postcode, country=country, is_default=True,
    )  # fmt: skip
    return customer, address
