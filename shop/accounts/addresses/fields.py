"""The fields of a postal address: what forms ask, what the API calls them, where pages show them.

Columns and their greatest lengths stand in models.Address; what a country asks for beyond `required`, in rules.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.utils.translation import gettext_noop


class Input(Enum):
    """The control in which a field is typed."""

    TEXT = "text"
    EMAIL = "email"
    PHONE = "phone"
    PHONE_CODE = "phone code"
    TYPE = "type of address"
    NONE = "none"  # the API alone sets it


@dataclass(frozen=True)
class AddressField:
    """`required` is the refusal of a blank where the country needs the field; it and `label` are English, and forms and
    rules translate them. Street lines are typed and shown one
    after the other, in the order of the list; what has no input is shown to staff alone."""

    name: str
    required: str = ""
    label: str = ""  # of fields that are typed
    input: Input = Input.TEXT
    autocomplete: str = ""
    spelling: str = ""  # the API's, where it is not the name
    is_street: bool = False
    is_prefilled: bool = False  # a form for a new address suggests it
    is_on_order: bool = True  # the API shows it with an order

    @property
    def api_name(self) -> str:
        return self.spelling or self.name


ADDRESS_FIELDS = (
    AddressField(
        "full_name",
        gettext_noop("Full name is required"),
        label=gettext_noop("Full name"),
        autocomplete="name",
        is_prefilled=True,
    ),
    AddressField(
        "email",
        label=gettext_noop("Email"),
        input=Input.EMAIL,
        autocomplete="email",
        is_prefilled=True,
        is_on_order=False,
    ),
    AddressField(
        "phone_code",
        label=gettext_noop("Code"),
        input=Input.PHONE_CODE,
        autocomplete="tel-country-code",
        is_prefilled=True,
    ),
    AddressField(
        "phone_number",
        gettext_noop("Phone number is required"),
        label=gettext_noop("Phone number"),
        input=Input.PHONE,
        autocomplete="tel-national",
        is_prefilled=True,
    ),
    AddressField("alt_phone_code", label=gettext_noop("Code"), input=Input.PHONE_CODE, is_prefilled=True),
    AddressField(
        "alt_phone_number",
        gettext_noop("Alternative phone number is required"),
        label=gettext_noop("Alternative phone"),
        input=Input.PHONE,
    ),
    AddressField(
        "address",
        gettext_noop("Address is required"),
        label=gettext_noop("House, street, area"),
        autocomplete="street-address",
        is_street=True,
    ),
    AddressField("additional_info", input=Input.NONE, is_street=True, is_on_order=False),
    AddressField("landmark", label=gettext_noop("Landmark"), is_street=True),
    AddressField("city", gettext_noop("City is required"), label=gettext_noop("City"), autocomplete="address-level2"),
    AddressField(
        "state", gettext_noop("State is required"), label=gettext_noop("State"), autocomplete="address-level1"
    ),
    AddressField(
        "pincode", gettext_noop("Pincode is required"), label=gettext_noop("Pincode"), autocomplete="postal-code"
    ),
    AddressField("address_type", input=Input.TYPE, is_prefilled=True, is_on_order=False),
    AddressField(
        "custom_address_type",
        label=gettext_noop("Name for this address"),
        spelling="custom_Address_type",
        is_on_order=False,
    ),
)
FIELD_NAMES = tuple(field.name for field in ADDRESS_FIELDS)
FORM_FIELDS = tuple(field for field in ADDRESS_FIELDS if field.input != Input.NONE)
ORDER_FIELDS = tuple(field for field in ADDRESS_FIELDS if field.is_on_order)
STREET_FIELDS = tuple(field for field in ADDRESS_FIELDS if field.is_street)
REQUIRED = {field.name: field.required for field in ADDRESS_FIELDS if field.required}


def street_lines(values: Mapping[str, Any], *, for_staff: bool = False) -> list[str]:
    """The lines of an address before its city, without blank ones."""
    shown = [field.name for field in STREET_FIELDS if for_staff or field in FORM_FIELDS]
    return [values[name] for name in shown if values.get(name)]
