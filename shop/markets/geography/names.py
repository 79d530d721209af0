"""Names of countries in every language, as CLDR has them."""

from functools import cache

from babel import Locale
from django.utils.translation import get_language

from shop.text import sort_key
from shop.translated import ENGLISH, Fallback

_NO_COUNTRIES = {"EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"}


@cache
def country_names(language: str = ENGLISH) -> dict[str, str]:
    """Names by two letters, in the order of the names."""
    named = Locale.parse(language, sep="-").territories.items()
    found = {code: name for code, name in named if len(code) == 2 and code.isalpha() and code not in _NO_COUNTRIES}
    return dict(sorted(found.items(), key=lambda pair: sort_key(pair[1])))


def local_country_name(code: str, english: str) -> str:
    """In the active language; `english` is how staff call the country, and stands where CLDR has no name for it."""
    language = get_language()
    if not language or language == ENGLISH:
        return english
    return country_names(language).get(code) or Fallback(english)
