"""The calling codes of all countries, named after those that have them."""

from collections.abc import Mapping
from functools import lru_cache

import phonenumbers
from babel import Locale
from django.utils.translation import get_language, gettext

MAX_NAMES = 4
NO_COUNTRY = "001"  # satellites, free numbers


def phone_codes(country_code: str) -> tuple[tuple[str, str], ...]:
    """(code, label) of every calling code, that of this country first: ("+91", "+91 India"); countries have their names
    in the language of the page."""
    return _phone_codes(country_code, get_language() or "en")


@lru_cache(maxsize=256)
def _phone_codes(country_code: str, language: str) -> tuple[tuple[str, str], ...]:
    territories, words = Locale(language.partition("-")[0]).territories, gettext("%(code)s %(countries)s")
    listed = [
        (f"+{number}", words % {"code": f"+{number}", "countries": _names(regions, country_code, territories)})
        for number, regions in sorted(phonenumbers.COUNTRY_CODE_TO_REGION_CODE.items(), key=lambda item: str(item[0]))
        if NO_COUNTRY not in regions
    ]
    own = f"+{phonenumbers.country_code_for_region(country_code)}"
    return tuple(sorted(listed, key=lambda choice: choice[0] != own))


def _names(regions: tuple[str, ...], first: str, territories: Mapping[str, str]) -> str:
    """The countries of one code: `first`, then the one whose numbers they are, then the others."""
    ordered = sorted(regions, key=lambda region: region != first)
    names = [territories[region] for region in ordered if region in territories]
    return ", ".join(names[:MAX_NAMES]) + (" …" if len(names) > MAX_NAMES else "")
