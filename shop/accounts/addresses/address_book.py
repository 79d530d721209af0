"""A customer's addresses as pages show them, with what there is to know of each place."""

from collections.abc import Iterable
from dataclasses import dataclass

from shop.markets.geography.pincodes import PinFacts, look_up
from shop.markets.queries import Service, services_for

from ..models import Address, Customer
from .rules import refusal_of


@dataclass(frozen=True)
class Entry:
    """`warning` asks to look at a PIN code again that no directory has."""

    address: Address
    service: Service
    warning: str

    @property
    def refusal(self) -> str:
        """Why nothing can be sent there, in words; empty where it can."""
        return refusal_of(self.address, self.service)


def address_book(customer: Customer) -> list[Entry]:
    """The default first, in a constant number of queries."""
    return entries(customer.addresses.default_first())


def entries(addresses: Iterable[Address]) -> list[Entry]:
    listed = list(addresses)
    services = services_for([(address.country_id, address.pincode) for address in listed])
    pins = look_up([address.pincode for address in listed if address.country.code == "IN"])
    return [
        Entry(address, services[address.country_id, address.pincode], _warning(address, pins)) for address in listed
    ]


def _warning(address: Address, pins: dict[str, PinFacts]) -> str:
    if address.country.code != "IN":
        return ""
    facts = pins.get(address.pincode, PinFacts(address.pincode))
    return "" if facts.contradiction(address.state) else facts.warning()
