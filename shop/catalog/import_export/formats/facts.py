"""What rows of any format say of a medicine and of where it was made, under whichever column or metafield.

Yes and no are read by lists of words. What is in neither list counts as prescription-only, with a remark: a medicine
sold freely by mistake harms more than one that is only shown. No origin is stated where the file states none.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ...composition.prescriptions import Schedule
from ...products.countries import country_code
from ..rows import Row
from . import cells

PRESCRIPTION = {
    "prescription", "is_prescription", "prescription_required", "is_prescription_required", "requires_prescription",
    "prescription_needed", "needs_prescription", "prescription_only", "is_prescription_only", "prescription_status",
    "prescription_type", "prescription_drug", "prescription_medicine", "rx", "is_rx", "rx_required", "is_rx_required",
    "requires_rx", "needs_rx", "rx_needed", "is_rx_needed", "rx_only", "rx_status", "schedule", "drug_schedule",
    "schedule_type",
}  # fmt: skip
OVER_THE_COUNTER = {"otc", "is_otc", "over_the_counter", "is_over_the_counter", "without_prescription"}
SCHEDULE = {"schedule", "drug_schedule", "schedule_type"}
ORIGIN = {
    "origin", "country_of_origin", "origin_country", "country_origin", "product_origin", "manufacturer_country",
    "manufacturing_country", "country_of_manufacture", "country_of_manufacturer", "country_of_manufacturing",
    "made_in", "coo", "variant_country_of_origin",
}  # fmt: skip
MEDICINE = {
    "composition", "salt_composition", "short_composition1", "salt", "salts", "salt_name", "generic_name", "molecule",
    "drug_name", "drug_code", "medicine_name", "medicine", "dosage_form", "side_effects", "active_ingredient",
    "active_ingredients",
}  # fmt: skip
MEDICINE_WORDS = {
    "prescription", "rx", "allopathy", "allopathic", "medicine", "medicines", "drugs", "pharmacy", "pharmaceuticals",
}  # fmt: skip
OTHER_MEDICINE = {"ayurveda", "ayurvedic", "homeopathy", "homeopathic", "homoeopathic", "unani", "siddha", "herbal"}

YES = {"yes", "y", "true", "1", "on", "हाँ", "हां"}
NO = {"no", "n", "false", "0", "off", "नहीं"}
NEEDED = YES | {
    "required", "needed", "mandatory", "prescription", "prescription required",
    "prescription needed", "prescription only", "prescription only medicine", "prescription drug",
    "prescription medicine", "requires prescription", "requires a prescription", "needs prescription", "pom", "rx",
    "rx required", "rx needed", "rx only", "h", "h1", "x", "schedule h", "schedule h1", "schedule x",
}  # fmt: skip
NOT_NEEDED = NO | {
    "not required", "not needed", "prescription not required",
    "prescription not needed", "no prescription", "no prescription required", "no prescription needed",
    "without prescription", "non prescription", "not prescription", "otc", "otc drug", "over the counter",
    "rx not required", "non rx",
}  # fmt: skip
SCHEDULES = {
    "h": Schedule.H, "h1": Schedule.H1, "x": Schedule.X, "n": Schedule.NARCOTIC, "ndps": Schedule.NARCOTIC,
    "n (dps)": Schedule.NARCOTIC, "n(dps)": Schedule.NARCOTIC,
    **{label.casefold(): Schedule.NARCOTIC for label in ("narcotic", "psychotropic", "narcotic or psychotropic")},
}  # fmt: skip
STRICTNESS = ("", *Schedule.values[:2], Schedule.NARCOTIC.value, Schedule.X.value)
NO_ORIGIN = {
    "no",
    "no.",
    "na",
    "n/a",
    "none",
    "nil",
    "null",
    "-",
    "not mentioned",
    "not stated",
    "not applicable",
    "unknown",
    "nan",
}
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
    plain = column.rstrip(" ?*:")  # Prescription required? (Y/N)
    for opening, closing in ("()", "[]"):
        plain = (plain.rpartition(opening)[0] or plain).rstrip(" ?*:") if plain.endswith(closing) else plain
    if plain != column and not found:
        return {plain_name(column)} | names_of(plain)
    return {plain_name(found["key"] if found else column)}


def may_mark_prescriptions(column: str) -> bool:
    """Whether a column that is in no list has the word in its name."""
    words = set(plain_name(column).split("_"))
    return not words.isdisjoint({"prescription", "prescriptions", "rx"}) and not _kind(names_of(column.lower()))


def needs_prescription(cell: str) -> bool | None:
    """None where the word is in no list; nothing is read out of parts of it."""
    word = _word(cell)
    return True if word in NEEDED else False if word in NOT_NEEDED else None


def _word(cell: str) -> str:
    return re.sub(r"[\s._-]+", " ", cells.text(cell).casefold().removesuffix(".0")).strip()


def schedule_of(cell: str, names: set[str]) -> str:
    """The schedule that a cell names; a letter alone does so in a column of schedules only."""
    word = _word(cell)
    plain = re.sub(r"\A(?:schedule|sch) | (?:schedule|drug)\Z", "", word).replace("h 1", "h1")
    return SCHEDULES.get(plain, "") if plain != word or not names.isdisjoint(SCHEDULE) else ""


def stricter_schedule(*schedules: str) -> str:
    return max(schedules, key=STRICTNESS.index)


def read_prescription(row: Row, cell: str, column: str, *, yes_is_free: bool = False) -> bool:
    needed = needs_prescription(cell)
    if needed is None:
        row.notes.append(f"{column} is {cells.text(cell)[:40]!r}, neither yes nor no: kept as prescription-only")
        return True
    says_only_yes_or_no = _word(cell) in YES | NO  # "Rx" means the same in every column
    return not needed if yes_is_free and says_only_yes_or_no else needed


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
        self._doubtful = [
            column for column in columns if column not in self._kinds and column not in named.values()
            if "prescription" not in named and may_mark_prescriptions(column)
        ]  # fmt: skip
        self._has_prescriptions = not {"prescription", "free"}.isdisjoint(self._kinds.values())
        self._is_medicines = any(not names_of(column).isdisjoint(MEDICINE) for column in columns)
        self._medicines = 0
        self.taken = set(self._kinds)

    def read(self, row: Row, cell: Mapping[str, str], more: Iterable[tuple[str, str]] = ()) -> None:
        """Into the row of a product; `more` are facts that stand under no column of their own."""
        stated = [(column, cell.get(column, ""), kind) for column, kind in self._kinds.items()]
        stated += [(name, value, kind) for name, value in more if (kind := _kind(names_of(name.lower())))]
        marks = [mark for mark in stated if mark[2] in ("prescription", "free") and mark[1].strip()]
        schedules = [schedule_of(value, names_of(name.lower())) for name, value, _ in marks]
        needed = [
            bool(schedule) or read_prescription(row, value, name, yes_is_free=kind == "free")
            for schedule, (name, value, kind) in zip(schedules, marks, strict=True)
        ]
        if any(schedules):
            row.product["schedule"] = stricter_schedule(*schedules)
        if needed:
            row.product["is_prescription"] = any(needed)
            self._has_prescriptions = True
        for name, value, kind in stated:
            if kind == "origin" and value.strip() and (code := read_origin(row, value, name)):
                row.product["country_of_origin"] = code
        if any(cell.get(column, "").strip() for column in self._doubtful) and not needed:
            row.if_new["is_prescription"] = True
        if self._is_medicines or row.product.get("active_ingredients") or any(map(_is_of_medicines, row.category)):
            self._medicines += 1
            if (self._has_prescriptions or self._doubtful) and not needed:
                row.if_new["is_prescription"] = True
                row.notes.append(
                    "the file does not say whether it needs a prescription: new ones are prescription-only"
                )

    def survey(self, more: Iterable[tuple[str, str]]) -> None:
        """A first look at facts that stand under no column: whether the file marks prescriptions does not depend on
        which of its rows comes first."""
        if any(value.strip() and _kind(names_of(name.lower())) in ("prescription", "free") for name, value in more):
            self._has_prescriptions = True

    def remark(self) -> str:
        if self._doubtful:
            return (
                "columns that may say whether a prescription is needed were not understood: "
                f"{', '.join(self._doubtful)}. New products with one, and new medicines, are prescription-only"
            )
        if not self._medicines or self._has_prescriptions:
            return ""
        return (
            f"none of the {self._medicines:,} medicines is marked as prescription-only: the file has no column that "
            "says so. Mark those that need a prescription before they are sold"
        )


def is_fact(name: str) -> bool:
    return bool(_kind(names_of(name.lower())))


def _is_of_medicines(category: str) -> bool:
    words = set(re.findall(r"\w++", category.casefold()))
    return not words.isdisjoint(MEDICINE_WORDS) and words.isdisjoint(OTHER_MEDICINE)


def _kind(names: set[str]) -> str:
    for kind, known in (("prescription", PRESCRIPTION), ("free", OVER_THE_COUNTER), ("origin", ORIGIN)):
        if not names.isdisjoint(known):
            return kind
    return ""
