"""Units of net quantities and sizes in the language of the page. Staff type them in English; what is not known here
stays as typed."""

from decimal import Decimal
from functools import lru_cache

from django.utils.translation import get_language, gettext, ngettext

from shop.translated import ENGLISH

SEVERAL = 2
# The units that it knows, as staff type them.
PACKS = ("tablets", "capsules", "softgels", "pills", "sachets", "bags", "sticks", "bars", "wipes", "piece", "pieces")
UNITS = frozenset(("g", "kg", "ml", "l", "cm", "pair", "set", *PACKS))


def unit_in_words(unit: str, count: Decimal | int) -> str:
    """`tablets` as it stands after a number in the active language; English as it was typed."""
    language = get_language() or ENGLISH
    return unit if language == ENGLISH else _in_language(language, unit.lower(), _whole(count)) or unit


def _whole(count: Decimal | int) -> int:
    """For the rules of plurals: a fraction counts as several."""
    return int(count) if count == int(count) else SEVERAL


@lru_cache(maxsize=1000)
def _in_language(language: str, unit: str, count: int) -> str | None:
    return {
        "g": gettext("g"),
        "kg": gettext("kg"),
        "ml": gettext("ml"),
        "l": gettext("l"),
        "cm": gettext("cm"),
        "tablets": ngettext("tablet", "tablets", count),
        "capsules": ngettext("capsule", "capsules", count),
        "softgels": ngettext("softgel", "softgels", count),
        "pills": ngettext("pill", "pills", count),
        "sachets": ngettext("sachet", "sachets", count),
        "bags": ngettext("bag", "bags", count),
        "sticks": ngettext("stick", "sticks", count),
        "bars": ngettext("bar", "bars", count),
        "wipes": ngettext("wipe", "wipes", count),
        "piece": ngettext("piece", "pieces", count),
        "pieces": ngettext("piece", "pieces", count),
        "pair": ngettext("pair", "pairs", count),
        "set": ngettext("set", "sets", count),
    }.get(unit)
