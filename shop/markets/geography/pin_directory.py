"""A directory of PIN codes from a CSV file (.gz too), which names a place and a state for each.

Known columns: key (IN/110001), pin, pincode or postal_code; place_name, city, place or officename;
admin_name1, state or statename; admin_name2 or district. States of former days get the name of today.
"""

import csv
import gzip
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO

from django.db import transaction

from shop.errors import Invalid
from shop.invalidation.services import invalidate

from ..models import PinCode
from .pincodes import PIN, all_states, states_of

COLUMNS = {
    "pin": ("key", "pin", "pincode", "postal_code"),
    "city": ("place_name", "city", "place", "officename"),
    "state": ("admin_name1", "state", "statename"),
    "district": ("admin_name2", "district", "districtname"),
}
# 11,042 of the 19,000, of 2011, with a place and a state each: by DataMeet, CC BY 3.0.
SHIPPED = Path(__file__).parent / "data" / "pin_codes.csv.gz"
FORMER_NAMES = {
    "andamanandnicobar": "Andaman and Nicobar Islands",
    "chattisgarh": "Chhattisgarh",
    "dadarandnagarhaveli": "Dadra and Nagar Haveli and Daman and Diu",
    "dadraandnagarhaveli": "Dadra and Nagar Haveli and Daman and Diu",
    "damananddiu": "Dadra and Nagar Haveli and Daman and Diu",
    "newdelhi": "Delhi",
    "nctofdelhi": "Delhi",
    "orisa": "Odisha",
    "orissa": "Odisha",
    "pondicherry": "Puducherry",
    "tamilnad": "Tamil Nadu",
    "uttaranchal": "Uttarakhand",
}
BATCH = 500
MAX_LENGTH = 100


@dataclass
class Loaded:
    """What became of a directory's lines; `refused` holds (line number, reason)."""

    added: int = 0
    changed: int = 0
    same: int = 0
    moved: int = 0
    refused: list[tuple[int, str]] = field(default_factory=list)


def load_directory(path: Path, *, progress: Callable[[int], object] = lambda lines: None) -> Loaded:
    """Write every good line of a directory over what is known of its PIN; a bad one is refused and stops
    no other. Loading it again changes nothing. Raises Invalid for a file that is none."""
    outcome = Loaded()
    with _open(path) as file:
        rows = csv.DictReader(file)
        try:
            pins = _pins(rows, _columns(rows.fieldnames), outcome)
            while batch := list(islice(pins, BATCH)):
                _write(batch, outcome)
                progress(rows.line_num)
        except (csv.Error, OSError, EOFError, UnicodeDecodeError) as error:
            raise Invalid(f"{path} is cut off after line {rows.line_num}: {error}.") from error
    if outcome.added or outcome.changed:
        invalidate("shop")
    return outcome


def _open(path: Path) -> IO[str]:
    try:
        packed = path.open("rb").read(2) == b"\x1f\x8b"
        return (gzip.open if packed else open)(path, "rt", encoding="utf-8-sig", newline="")
    except OSError as error:
        raise Invalid(f"{path} cannot be read: {error.strerror}.") from error


def _columns(names: Iterable[str] | None) -> dict[str, str]:
    """Which column of the file holds what."""
    given = {name.strip().lower(): name for name in names or ()}
    found = {
        column: given[known] for column, spellings in COLUMNS.items() for known in spellings[::-1] if known in given
    }
    if missing := [COLUMNS[name][-1] for name in ("pin", "city", "state") if name not in found]:
        raise Invalid(f"The first line must name columns for PIN, place and state; missing: {', '.join(missing)}.")
    return found


def _pins(rows: "csv.DictReader[str]", columns: dict[str, str], outcome: Loaded) -> Iterator[PinCode]:
    for row in rows:
        try:
            yield _read(row, columns, outcome)
        except Invalid as refusal:
            outcome.refused.append((rows.line_num, refusal.message))


def _read(row: dict[str, str], columns: dict[str, str], outcome: Loaded) -> PinCode:
    values = {name: " ".join((row[column] or "").replace("\x00", "").split()) for name, column in columns.items()}
    pin = values["pin"].removeprefix("IN/").replace(" ", "")
    if not PIN.fullmatch(pin):
        raise Invalid(f"{values['pin'][:40]!r} is not a PIN code")
    if not 1 <= len(values["city"]) <= MAX_LENGTH:
        raise Invalid(f"PIN code {pin} has no place" if not values["city"] else f"the place of {pin} is too long")
    state = _state_of_today(pin, values["state"])
    outcome.moved += state != values["state"]
    return PinCode(pin=pin, city=values["city"], state=state, district=values.get("district", "")[:MAX_LENGTH])


def _state_of_today(pin: str, named: str) -> str:
    """How the PIN begins decides where states were made anew since (Telangana, Ladakh) or a line errs."""
    bare = re.sub(r"[\W_]+", "", named.replace("&", "and")).lower()
    state = FORMER_NAMES.get(bare) or all_states().get(bare)
    if state is None:
        raise Invalid(f"{named[:40]!r} is not a state")
    allowed = states_of(pin)
    if not allowed or state in allowed:
        return state
    return allowed[0]


@transaction.atomic
def _write(batch: Iterable[PinCode], outcome: Loaded) -> None:
    fresh = {row.pin: row for row in batch}  # of a PIN named twice, the later line counts
    known = PinCode.objects.in_bulk(fresh)
    changed = [row for pin, row in fresh.items() if pin in known and _facts(row) != _facts(known[pin])]
    added = [row for pin, row in fresh.items() if pin not in known]
    PinCode.objects.bulk_create(added)
    PinCode.objects.bulk_update(changed, ["city", "state", "district"])
    outcome.added += len(added)
    outcome.changed += len(changed)
    outcome.same += len(fresh) - len(added) - len(changed)


def _facts(row: PinCode) -> tuple[str, str, str]:
    return row.city, row.state, row.district
