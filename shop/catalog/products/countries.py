"""Countries that something can come from: two letters, their names, and how files write them."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from django.utils.functional import lazy
from django.utils.translation import get_language

from shop.markets.geography.names import country_names

_ALIASES = {
    "uk": "GB", "great britain": "GB", "england": "GB", "scotland": "GB", "gbr": "GB", "usa": "US", "america": "US",
    "united states of america": "US", "uae": "AE", "are": "AE", "ind": "IN", "bharat": "IN", "chn": "CN", "prc": "CN",
    "people's republic of china": "CN", "korea": "KR", "south korea": "KR", "republic of korea": "KR", "kor": "KR",
    "deu": "DE", "fra": "FR", "ita": "IT", "esp": "ES", "jpn": "JP", "lka": "LK", "npl": "NP", "bgd": "BD", "che": "CH",
    "the netherlands": "NL", "holland": "NL", "nld": "NL", "czech republic": "CZ", "turkey": "TR", "russia": "RU",
    "hong kong": "HK", "macau": "MO", "taiwan": "TW", "vietnam": "VN", "myanmar": "MM", "burma": "MM", "tha": "TH",
    "idn": "ID", "mys": "MY", "sgp": "SG", "can": "CA", "aus": "AU",
}  # fmt: skip
_LABEL = re.compile(r"^(?:country of origin|origin|made in|product of|manufactured in)\b\s*+(?::\s*+)?", re.IGNORECASE)


def _name_now(code: str) -> str:
    return country_names(get_language() or "en")[code]


_name_of: Callable[[str], Any] = lazy(_name_now, str)


def lazy_country_names() -> dict[str, Any]:
    """The same in the order of the language of now, each in the language in which it is shown."""
    return {code: _name_of(code) for code in country_names(get_language() or "en")}


def country_code(words: str) -> str:
    """`words` are one clean line. Empty for no country or one that is not known."""
    return _codes().get(_LABEL.sub("", words).strip(" .").casefold(), "")


@cache
def _codes() -> dict[str, str]:
    codes = {name.casefold(): code for language in ("hi", "en") for code, name in country_names(language).items()}
    codes |= {code.casefold(): code for code in country_names()}
    del codes["na"], codes["no"]  # letters of Namibia and Norway that say "not available" and "no" in every table
    return codes | _ALIASES
