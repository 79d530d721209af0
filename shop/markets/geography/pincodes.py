"""What a PIN code of India tells: its state by how it begins, and its city where a directory is loaded.

The beginnings are India Post's (data/pin_prefixes.csv), named after the states of today; the longest
one counts. Where several states share one, a PIN alone does not tell which. A PIN code that begins as none does,
or in another state than an address names, is refused; one that a directory lacks is only asked about.
"""

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from django.utils.translation import gettext, gettext_noop

from shop.invalidation.subscriptions import remembered

from ..models import PinCode

PIN = re.compile(r"[1-9][0-9]{5}")
# Of the 19,000 PINs or so. A directory with that many tells which there are; a smaller one leaves that to
# how they begin, so that nobody is asked about a PIN code that is right.
MAX_PINS = 18_000
UNKNOWN_PIN = gettext_noop("We don't recognise this PIN code. Please check it.")
_PREFIXES = Path(__file__).parent / "data" / "pin_prefixes.csv"
# What pages translate of the values of a state, which stay English.
STATE_NAMES = (
    gettext_noop("Andaman and Nicobar Islands"),
    gettext_noop("Andhra Pradesh"),
    gettext_noop("Arunachal Pradesh"),
    gettext_noop("Assam"),
    gettext_noop("Bihar"),
    gettext_noop("Chandigarh"),
    gettext_noop("Chhattisgarh"),
    gettext_noop("Dadra and Nagar Haveli and Daman and Diu"),
    gettext_noop("Delhi"),
    gettext_noop("Goa"),
    gettext_noop("Gujarat"),
    gettext_noop("Haryana"),
    gettext_noop("Himachal Pradesh"),
    gettext_noop("Jammu and Kashmir"),
    gettext_noop("Jharkhand"),
    gettext_noop("Karnataka"),
    gettext_noop("Kerala"),
    gettext_noop("Ladakh"),
    gettext_noop("Lakshadweep"),
    gettext_noop("Madhya Pradesh"),
    gettext_noop("Maharashtra"),
    gettext_noop("Manipur"),
    gettext_noop("Meghalaya"),
    gettext_noop("Mizoram"),
    gettext_noop("Nagaland"),
    gettext_noop("Odisha"),
    gettext_noop("Puducherry"),
    gettext_noop("Punjab"),
    gettext_noop("Rajasthan"),
    gettext_noop("Sikkim"),
    gettext_noop("Tamil Nadu"),
    gettext_noop("Telangana"),
    gettext_noop("Tripura"),
    gettext_noop("Uttar Pradesh"),
    gettext_noop("Uttarakhand"),
    gettext_noop("West Bengal"),
)


@dataclass(frozen=True)
class PinFacts:
    """`states` are those that the PIN may lie in (none: it says nothing of a state); `state` is the one
    it does lie in, and `city` its place, each empty where that is not known."""

    pin: str
    states: tuple[str, ...] = ()
    state: str = ""
    city: str = ""
    is_known: bool = False
    is_possible: bool = False  # some PIN codes begin like that

    def warning(self, state: str = "") -> str:
        """What to look at again, in words."""
        if not self.is_known:
            return gettext(UNKNOWN_PIN)
        return self.contradiction(state)

    def contradiction(self, state: str) -> str:
        """Why no address can have this PIN code and this state, in words; empty where one can."""
        if not self.is_possible:
            return gettext(UNKNOWN_PIN)
        if state and self.states and state not in self.states:
            words = gettext("PIN code %(pin)s belongs to %(states)s. Please check the PIN code and state.")
            return words % {"pin": self.pin, "states": one_of(self.states)}
        return ""


def one_of(names: Sequence[str]) -> str:
    """Kerala, Tamil Nadu or Puducherry."""
    if len(names) < 2:
        return "".join(names)
    return gettext("%(words)s or %(last)s") % {"words": ", ".join(names[:-1]), "last": names[-1]}


def look_up(pins: Iterable[str]) -> dict[str, PinFacts]:
    """The facts of each of these PINs, in one query; what is no PIN is not known."""
    valid = {pin for pin in pins if PIN.fullmatch(pin)}
    listed = PinCode.objects.in_bulk(valid) if valid and directory_size() else {}
    return {pin: _facts(pin, listed.get(pin)) for pin in valid}


def look_up_one(pin: str) -> PinFacts:
    return look_up([pin]).get(pin, PinFacts(pin))


def by_beginning(pin: str) -> PinFacts:
    """What a PIN tells by how it begins, without a directory."""
    states = states_of(pin) if PIN.fullmatch(pin) else None
    return PinFacts(pin, states or (), states[0] if states and len(states) == 1 else "", is_possible=states is not None)


@remembered("shop")
def directory_size() -> int:
    return PinCode.objects.count()


def states_of(pin: str) -> tuple[str, ...] | None:
    """The states that a PIN may lie in by how it begins; None where no PIN begins like that."""
    prefixes = _states_by_prefix()
    return next((prefixes[pin[:length]] for length in range(5, 2, -1) if pin[:length] in prefixes), None)


def all_states() -> dict[str, str]:
    """The states of today by their letters alone (andhrapradesh)."""
    named = {state for states in _states_by_prefix().values() for state in states}
    return {"".join(filter(str.isalpha, state)).lower(): state for state in named}


def _facts(pin: str, listed: PinCode | None) -> PinFacts:
    begun = by_beginning(pin)
    if listed is None:
        return replace(begun, is_known=begun.is_possible and directory_size() < MAX_PINS)
    return PinFacts(pin, begun.states or (listed.state,), listed.state, listed.city, is_known=True, is_possible=True)


@lru_cache(maxsize=1)
def _states_by_prefix() -> dict[str, tuple[str, ...]]:
    found = {}
    with _PREFIXES.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            states = tuple(row["states"].split("|")) if row["states"] else ()
            for prefix in range(int(row["first"]), int(row["last"] or row["first"]) + 1):
                found[str(prefix)] = states
    return found
