"""India Post, whose numbers follow the Universal Postal Union's standard S10: two letters for the service, eight
digits, a check digit, and the country."""

import re

from django.utils.translation import gettext, gettext_noop

from shop.errors import Invalid

from .base import Carrier

S10 = re.compile(r"[A-Z]{2}[0-9]{9}IN")
WEIGHTS = (8, 6, 4, 2, 3, 5, 9, 7)
WRONG_NUMBER = gettext_noop(
    "This is not an India Post number. It has 13 characters, like EE123456785IN. Please check it."
)


class IndiaPost(Carrier):
    def clean_number(self, typed: str) -> str:
        number = "".join(typed.split()).upper()
        if not S10.fullmatch(number) or int(number[10]) != check_digit(number[2:10]):
            raise Invalid(gettext(WRONG_NUMBER), fields={"tracking_number": [gettext(WRONG_NUMBER)]})
        return number


def check_digit(serial: str) -> int:
    """The check digit of the eight digits of an S10 number."""
    weighed = sum(int(digit) * weight for digit, weight in zip(serial, WEIGHTS, strict=True))
    return {10: 0, 11: 5}.get(found := 11 - weighed % 11, found)


INDIA_POST = IndiaPost(
    "India Post",
    services=("Speed Post", "Registered Post", "Business Parcel"),
    tracking_url="https://www.indiapost.gov.in/_layouts/15/dop.portal.tracking/trackconsignment.aspx",
)
