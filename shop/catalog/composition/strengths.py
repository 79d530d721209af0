"""Strengths as labels write them: 500 mg, 125 mg/5 ml, 2% w/w, 60 million spores, 1 g per 100 ml."""

import re
from dataclasses import dataclass
from decimal import Decimal

# What labels write, and the unit as the shop writes it.
UNITS = {
    "mcg": "mcg", "µg": "mcg", "μg": "mcg", "ug": "mcg", "microgram": "mcg", "micrograms": "mcg",
    "mg": "mg", "mgs": "mg", "milligram": "mg", "milligrams": "mg",
    "g": "g", "gm": "g", "gms": "g", "gram": "g", "grams": "g",
    "kg": "kg", "ml": "ml", "millilitre": "ml", "l": "l", "litre": "l",
    "iu": "IU", "i.u": "IU", "i.u.": "IU", "miu": "million IU", "million iu": "million IU",
    "u": "units", "unit": "units", "units": "units",
    "%": "%", "% w/w": "% w/w", "% w/v": "% w/v", "% v/v": "% v/v", "% v/w": "% v/w",
    "au": "AU", "pfu": "PFU", "lf": "Lf", "meq": "mEq", "mmol": "mmol", "kcal": "kcal", "ppm": "ppm", "mci": "mCi",
    "million spores": "million spores", "billion spores": "billion spores",
    "million cells": "million cells", "billion cells": "billion cells",
    "million cfu": "million CFU", "billion cfu": "billion CFU", "cfu": "CFU",
    "million": "million", "billion": "billion",
    "d antigen unit": "D antigen units", "d antigen units": "D antigen units", "elisa units": "ELISA units",
}  # fmt: skip
MEASURES = {
    "ml": "ml", "l": "l", "g": "g", "gm": "g", "mg": "mg", "spray": "spray", "actuation": "actuation",
    "puff": "puff", "dose": "dose", "tablet": "tablet", "capsule": "capsule", "sachet": "sachet", "vial": "vial",
    "ampoule": "ampoule", "drop": "drop", "unit": "unit", "hr": "hour", "hour": "hour", "patch": "patch",
    "metered dose": "dose", "application": "application",
}  # fmt: skip
NOT_STATED = {"na", "n/a", "n.a.", "not available", "not stated", "q.s.", "qs", "-"}
MAX_DIGITS = 10
DECIMALS = 5
# One measure of weight, of volume: what strengths are compared in.
_BASE = {
    "mcg": ("mcg", Decimal(1)), "mg": ("mcg", Decimal(1000)), "g": ("mcg", Decimal(10**6)),
    "kg": ("mcg", Decimal(10**9)), "ml": ("ml", Decimal(1)), "l": ("ml", Decimal(1000)),
    "million IU": ("IU", Decimal(10**6)), "billion spores": ("million spores", Decimal(1000)),
    "billion cells": ("million cells", Decimal(1000)), "billion CFU": ("million CFU", Decimal(1000)),
}  # fmt: skip
_PER = {"g": ("g", Decimal(1)), "mg": ("g", Decimal("0.001")), "l": ("ml", Decimal(1000))}
# Per cent of weight and volume: so much in one of the other.
_PERCENT = {
    "% w/w": ("mcg", Decimal(10**4), "g"),
    "% w/v": ("mcg", Decimal(10**4), "ml"),
    "% v/v": ("ml", Decimal("0.01"), "ml"),
    "% v/w": ("ml", Decimal("0.01"), "g"),
}
# 1,250 and 1,00,000 are in thousands, of India too; 12,5 and 0,125 have a decimal comma.
_THOUSANDS = r"[1-9]\d{0,2}(?:,\d{2,3}){0,3},\d{3}(?:\.\d{1,6})?"
_NUMBER = rf"{_THOUSANDS}|\d{{1,10}}(?:,\d{{1,2}}|\.\d{{1,6}})?|0,\d{{1,6}}|\.\d{{1,6}}"
_IN_THOUSANDS = re.compile(_THOUSANDS)
_STRENGTH = re.compile(
    rf"\A(?P<amount>{_NUMBER}) ?(?P<unit>% ?(?:[wv] ?/ ?[wv])?|[a-zµμ.]{{1,15}}(?: [a-z]{{1,15}}){{0,2}}?)"
    rf"(?: ?(?:/|\bper\b|\bin\b) ?(?:each )?(?P<measure>{_NUMBER})? ?(?P<per>[a-z]{{1,15}}(?: [a-z]{{1,15}})?))?\.?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Strength:
    """So much of a substance, in one of the counted form (a tablet), or in `per_amount` of `per_unit`."""

    amount: Decimal
    unit: str
    per_amount: Decimal | None = None
    per_unit: str = ""

    def __str__(self) -> str:
        """As the shop writes it: 125 mg/5 ml."""
        sign = "" if self.unit.startswith("%") else " "
        number = f"{plain_number(self.amount)}{sign}{self.unit}"
        if self.per_amount is None:
            return number
        measure = "" if self.per_amount == 1 else f"{plain_number(self.per_amount)} "
        return f"{number}/{measure}{self.per_unit}"

    @property
    def is_relative(self) -> bool:
        """Whether it holds for a measure, whatever the size of the pack."""
        return self.per_amount is not None or self.unit.startswith("%")

    @property
    def compared(self) -> str:
        """The same for 1 g and 1000 mg, for 250 mg/5 ml, 50 mg/ml and 5% w/v."""
        if self.unit in _PERCENT and self.per_amount is None:
            unit, factor, per = _PERCENT[self.unit]
            return f"{plain_number(self.amount * factor)} {unit}/{per}"
        unit, factor = _BASE.get(self.unit, (self.unit, Decimal(1)))
        if self.per_amount is None:
            return f"{plain_number(self.amount * factor)} {unit}"
        per, measure = _PER.get(self.per_unit, (self.per_unit, Decimal(1)))
        return f"{plain_number(round(self.amount * factor / (self.per_amount * measure), 9))} {unit}/{per}"


def read_strength(words: str) -> Strength | None:
    """None for what is no strength, or is larger than any."""
    found = _STRENGTH.fullmatch(" ".join(words.split()))
    if not found:
        return None
    unit = UNITS.get(_plain_unit(found["unit"]))
    per = MEASURES.get((found["per"] or "").lower().removesuffix("s"), MEASURES.get((found["per"] or "").lower(), ""))
    amount = _number(found["amount"])
    measure = _number(found["measure"] or "1")
    if not unit or bool(found["per"]) != bool(per) or not amount or not measure:
        return None
    return Strength(amount, unit, measure, per) if per else Strength(amount, unit)


def is_not_stated(words: str) -> bool:
    return words.strip().lower() in NOT_STATED


def plain_number(number: Decimal) -> str:
    """2.50 as 2.5, 1E+3 as 1000."""
    return f"{number.normalize():f}"


def _plain_unit(unit: str) -> str:
    plain = " ".join(unit.lower().split())
    return f"% {plain[1:].replace(' ', '')}".strip() if plain.startswith("%") else plain


def _number(digits: str) -> Decimal | None:
    """None where it has more digits than a column keeps."""
    number = Decimal(digits.replace(",", "" if _IN_THOUSANDS.fullmatch(digits) else "."))
    return number if number == round(number, DECIMALS) and number < Decimal(10) ** MAX_DIGITS else None
