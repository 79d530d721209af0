"""What a medicine is made of, as labels state it: active ingredients with strengths, and the dosage form."""

from collections.abc import Sequence
from dataclasses import dataclass

from shop.catalog.composition.dosage import DosageForm, form_named
from shop.catalog.composition.parsing import read_composition
from shop.catalog.composition.services import ingredients_of

from .dosages import Form

# What the name of a product says goes before what its kind of pack is mostly used for.
NAMED = ("chewable tablets", "lozenges", "suspension", "cream", "lotion", "eye drops", "nasal drops", "nasal spray",
         "inhaler")  # fmt: skip
PACKED = {"otc-tablets": "tablets", "otc-capsules": "capsules", "otc-syrup": "syrup", "otc-gel": "gel",
          "otc-spray": "spray", "ors": "powder"}  # fmt: skip
MEASURES = {" in ": "/", " per ": "/"}


@dataclass(frozen=True, slots=True)
class Medicine:
    """`is_whole` where the strength of everything in it is stated; `active` as Product.active_ingredients."""

    active: tuple[tuple[str, str], ...] = ()
    dosage_form: int = DosageForm.UNKNOWN
    is_whole: bool = False


def medicine_of(name: str, key: str, form: Form, ingredients: Sequence[tuple[str, str]]) -> Medicine:
    """`key` names the form in FORMS; what is not licensed as a drug is no medicine."""
    stated = [(what, strength) for what, strength in ingredients if strength]
    if form.licence != "drug" or not stated:
        return Medicine()
    parts = read_composition(" + ".join(f"{what} {_measured(strength)}" for what, strength in stated))
    is_whole = len(stated) == len(ingredients) and all(part.is_read and part.strength for part in parts)
    active = tuple((what, strength) for what, strength in ingredients_of(parts))
    return Medicine(active, _form(name.lower(), key), is_whole)


def _measured(strength: str) -> str:
    for words, sign in MEASURES.items():
        strength = strength.replace(words, sign)
    return strength


def _form(name: str, key: str) -> int:
    said = next((words for words in NAMED if words.removesuffix("s") in name), PACKED.get(key, ""))
    return int(form_named(said))
