"""What rows of any format say of a medicine and of where it was made, under whichever column or metafield.

Yes and no are read by lists of words. What is in neither list counts as prescription-only, with a remark: a medicine
sold freely by mistake harms more than one that is only shown. No origin is stated where the file states none.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ...products.countries import country_code
from ..rows import Row
from . import cells

PRESCRIPTION = {
    "prescription", "is_prescription", "prescription_required", "is_prescription_required", "requires_prescription",
    "prescription_needed", "needs_prescription", "prescription_only", "is_prescription_only", "prescription_status",
    "prescription_type", "prescription_drug", "prescription_medicine", "rx", "is_rx", "rx_required", "is_rx_required",
    "requires_rx", "rx_only", "rx_status", "schedule", "drug_schedule", "schedule_type",
}  # fmt: skip
OVER_THE_COUNTER = {"otc", "is_otc", "over_the_counter", "is_over_the_counter", "without_prescription"}
ORIGIN = {
    "origin", "country_of_origin", "origin_country", "country_origin", "product_origin", "manufacturer_country",
    "manufacturing_country", "country_of_manufacture", "country_of_manufacturer", "country_of_manufacturing",
    "made_in", "coo", "variant_country_of_origin",
}  # fmt: skip
MEDICINE = {
    "composition", "salt_composition", "short_composition1", "salt", "salts", "salt_name", "generic_name", "molecule",
    "drug_name", "drug_code", "medicine_name", "medicine", "dosage_form", "side_effects", "active_ingredient",
}  # fmt: skip
MEDICINE_WORDS = {"allopathy", "allopathic", "medicine", "medicines", "drugs", "pharmacy", "pharmaceuticals"}

NEEDED = {
    "yes", "y", "true", "1", "on", "required", "needed", "mandatory", "prescription", "prescription required",
    "prescription needed", "prescription only", "prescription only medicine", "prescription drug",
    "prescription medicine", "requires prescription", "requires a prescription", "needs prescription", "pom", "rx",
    "rx required", "rx needed", "rx only", "h", "h1", "x", "schedule h", "schedule h1", "schedule x", "हाँ", "हां",
}  # fmt: skip
NOT_NEEDED = {
    "no", "n", "false", "0", "off", "not required", "not needed", "prescription not required",
    "prescription not needed", "no prescription", "no prescription required", "no prescription needed",
    "without prescription", "non prescription", "not prescription", "otc", "otc drug", "over the counter",
    "rx not required", "non rx", "नहीं",
}  # fmt: skip
NO_ORIGIN = {"na", "n/a", "none", "nil", "null", "-", "not mentioned", "not stated", "not applicable", "unknown", "nan"}
FACTS = ("prescription", "origin")
_METAFIELD = "(product.metafields."
_ITS_KEY = re.compile(r"\A[\w-]++\.([\w-]++)\)")
_META = re.compile(r"\A(?:variant )?meta(?:field)?:\s*+(?:[\w-]++\.)?_?(?P<key>[\w-]++)\s*+(?:\[.*\])?")


def plain_name(column: str) -> str:
    """`price(₹)` as price, `Manufacturer Country` as manufacturer_country."""
    return re.sub(r"[^a-z0-9]+", "_", column.lower()).strip("_")


def names_of(column: str) -> set[str]:
    """What a column may be known by: its own name, or that of the metafield which it holds."""
    label, _, rest = column.partition(_METAFIELD)
    if found := _ITS_KEY.fullmatch(rest):
        return {plain_name(label), plain_name(found[1])}
    found = _META.fullmatch(column)
    return {plain_name(found["key"] if found else column)}


def needs_prescription(cell: str) -> bool | None:
    """None where the word is in no list; nothing is read out of parts of it."""
    word = re.sub(r"[\s._-]+", " ", cells.text(cell).casefold().removesuffix(".0")).strip()
    return True if word in NEEDED else False if word in NOT_NEEDED else None


def read_prescription(row: Row, cell: str, column: str, *, yes_is_free: bool = False) -> bool:
    needed = needs_prescription(cell)
    if needed is None:
        row.notes.append(f"{column} is {cells.text(cell)[:40]!r}, neither yes nor no: kept as prescription-only")
        return True
    return needed is not yes_is_free


def read_origin(row: Row, cell: str, column: str) -> str:
    code = country_code(cells.text(cell))
    if not code and cells.text(cell).casefold() not in NO_ORIGIN:
        row.notes.append(f"{column} is not a country we know: {cells.text(cell)[:40]!r}; no origin is given")
    return code


class Facts:
    """Reads them from the columns of one file, and counts its medicines."""

    def __init__(self, columns: list[str], named: Mapping[str, str] = MappingProxyType({})) -> None:
        """`named` says by hand which column is one of FACTS, an empty one that none is."""
        found = ((column, _kind(names_of(column))) for column in columns)
        self._kinds = {column: kind for column, kind in found if kind and kind not in named}
        self._kinds |= {column: kind for kind, column in named.items() if column}
        self._has_prescriptions = not {"prescription", "free"}.isdisjoint(self._kinds.values())
        self._is_medicines = any(not names_of(column).isdisjoint(MEDICINE) for column in columns)
        self._medicines = 0
        self.taken = set(self._kinds)

    def read(self, row: Row, cell: Mapping[str, str], more: Iterable[tuple[str, str]] = ()) -> None:
        """Into the row of a product; `more` are facts that stand under no column of their own."""
        stated = [(column, cell.get(column, ""), kind) for column, kind in self._kinds.items()]
        stated += [(name, value, kind) for name, value in more if (kind := _kind({plain_name(name)}))]
        needed = [
            read_prescription(row, value, name, yes_is_free=kind == "free")
            for name, value, kind in stated
            if kind in ("prescription", "free") and value.strip()
        ]
        if needed:
            row.product["is_prescription"] = any(needed)
            self._has_prescriptions = True
        for name, value, kind in stated:
            if kind == "origin" and value.strip() and (code := read_origin(row, value, name)):
                row.product["country_of_origin"] = code
        if self._is_medicines or not MEDICINE_WORDS.isdisjoint(name.casefold() for name in row.category):
            self._medicines += 1
            if self._has_prescriptions and not needed:
                row.if_new["is_prescription"] = True
                row.notes.append(
                    "the file does not say whether it needs a prescription: new ones are prescription-only"
                )

    def remark(self) -> str:
        if not self._medicines or self._has_prescriptions:
            return ""
        return (
            f"none of the {self._medicines:,} medicines is marked as prescription-only: the file has no column that "
            "says so. Mark those that need a prescription before they are sold"
        )


def is_fact(name: str) -> bool:
    return bool(_kind({plain_name(name)}))


def _kind(names: set[str]) -> str:
    for kind, known in (("prescription", PRESCRIPTION), ("free", OVER_THE_COUNTER), ("origin", ORIGIN)):
        if not names.isdisjoint(known):
            return kind
    return ""
