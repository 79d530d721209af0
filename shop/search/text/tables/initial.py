"""What a new shop starts with: synonyms and needs, which staff edit from then on."""

import csv
from pathlib import Path

from django.apps.registry import Apps
from django.db import transaction

from ..normalization import plain_words

DATA = Path(__file__).parents[2] / "data"


def starting_groups() -> list[list[str]]:
    """Groups of terms, one a line, separated by commas."""
    lines = (DATA / "synonyms.txt").read_text(encoding="utf-8").splitlines()
    return [[plain_words(term) for term in line.split(",")] for line in lines if line and not line.startswith("#")]


@transaction.atomic
def load_synonyms(apps: Apps) -> None:
    """Write the starting groups into a shop that has none yet."""
    group_model = apps.get_model("search", "SynonymGroup")
    term_model = apps.get_model("search", "SynonymTerm")
    if group_model.objects.exists():
        return
    for terms in starting_groups():
        group = group_model.objects.create()
        term_model.objects.bulk_create([term_model(group=group, term=term) for term in dict.fromkeys(terms)])


@transaction.atomic
def load_needs(apps: Apps) -> None:
    """Write the needs of the file into a shop that has none yet."""
    need_model = apps.get_model("search", "Need")
    if need_model.objects.exists():
        return
    with (DATA / "needs.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    need_model.objects.bulk_create(
        need_model(
            name=row["name"],
            concern=row["concern"],
            phrases=_lines(row["english"], row["hindi"], row["hinglish"]),
            kinds=_lines(row["kinds"]),
            also=_lines(row["also"]),
            exclusions=_lines(row["exclusions"]),
        )
        for row in rows
    )


def _lines(*cells: str) -> str:
    return "\n".join(text for cell in cells for text in cell.split("|") if text)
