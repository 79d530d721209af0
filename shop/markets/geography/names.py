"""Names of countries in every language, as CLDR has them."""

from functools import cache

from babel import Locale

from shop.text import sort_key
from shop.translated import ENGLISH

_NO_COUNTRIES = {"EU", "EZ", "QO", "UN", "XA", "XB", "ZZ"}


@cache
def country_names(language: str = ENGLISH) -> dict[str, str]:
    """Names by two letters, in the order of the names."""
    named = Locale.parse(language, sep="-").territories.items()
    found = {code: name for code, name in named if len(code) == 2 and code.isalpha() and code not in _NO_COUNTRIES}
    return dict(sorted(found.items(), key=lambda pair: sort_key(pair[1])))
