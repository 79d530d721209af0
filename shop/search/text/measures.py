"""Sizes and strengths: "2 kg", "2kg" and "2000 gm" are one, and so are "0.5 g" and "500mg"."""

import re
from collections.abc import Iterator
from decimal import Decimal

_MASS = {"kg": 10**9, "kgs": 10**9, "kilo": 10**9, "g": 10**6, "gm": 10**6, "gms": 10**6, "gr": 10**6, "gram": 10**6,
         "grams": 10**6, "mg": 1000, "mcg": 1, "ug": 1, "µg": 1, "μg": 1}  # fmt: skip
_VOLUME = {"l": 10**6, "lt": 10**6, "ltr": 10**6, "liter": 10**6, "litre": 10**6, "liters": 10**6, "litres": 10**6,
           "ml": 1000, "mls": 1000}  # fmt: skip
_COUNT = {
    name: unit
    for unit, names in {
        "tablet": "tablet tablets tab tabs", "capsule": "capsule capsules cap caps", "sachet": "sachet sachets",
        "piece": "piece pieces pc pcs nos", "bag": "bag bags",
    }.items()
    for name in names.split()
}  # fmt: skip
_MASS_STEPS = ((10**9, "kg"), (10**6, "g"), (1000, "mg"), (1, "mcg"))
_VOLUME_STEPS = ((10**6, "l"), (1000, "ml"))
UNITS = frozenset([*_MASS, *_VOLUME])
_UNITS = "|".join(sorted(UNITS, key=len, reverse=True))
_NUMBER = r"\d{1,7}(?:[.,]\d{1,3})?"
MEASURE = re.compile(rf"(?<![\w.,])({_NUMBER})\s?({_UNITS})(?![^\W_])", re.IGNORECASE)
TOKEN = re.compile(r"=([\d.]+)(ug|ul)")
NUMBER = re.compile(r"(?<![\w.,])\d{1,7}\.\d{1,3}(?![\w])")


def measure_token(number: str, unit: str) -> str:
    """One word for one size: mass in micrograms, volume in microlitres."""
    factor, kind = (_MASS[unit], "ug") if (unit := unit.lower()) in _MASS else (_VOLUME[unit], "ul")
    amount = Decimal(_plain_number(number)) * factor
    return f"={amount.normalize():f}{kind}"


def readable(word: str) -> str:
    """A word as people write it: "=5000ug" is 5 mg."""
    found = TOKEN.fullmatch(word)
    if not found:
        return word
    amount = Decimal(found[1])
    steps = _MASS_STEPS if found[2] == "ug" else _VOLUME_STEPS
    factor, unit = next(step for step in steps if amount >= step[0] or step is steps[-1])
    return f"{(amount / factor).normalize():f} {unit}"


def measures_of(text: str) -> Iterator[tuple[str, str]]:
    """(token, number) of each size in `text`."""
    for found in MEASURE.finditer(text):
        yield measure_token(found[1], found[2]), _plain_number(found[1])


def measure_words(text: str) -> str:
    """Words that make the sizes of `text` findable: each as a token, and its bare number."""
    tokens = [word for pair in measures_of(text) for word in pair]
    return " ".join(dict.fromkeys([*tokens, *NUMBER.findall(text)]))


def _plain_number(number: str) -> str:
    """1,000 is a thousand; 1,5 is one and a half."""
    whole, _, rest = number.partition(",")
    if rest and "." not in number:
        return whole + rest if len(rest) == 3 else f"{whole}.{rest}"
    return number
