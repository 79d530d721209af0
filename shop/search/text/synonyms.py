"""Words that mean the same. The shop starts with synonyms.txt; staff edit the groups in the admin."""

from pathlib import Path

from django.apps.registry import Apps
from django.db import transaction

from ..models import SynonymTerm
from .engines import Want
from .normalization import plain_words

STARTING_GROUPS = Path(__file__).with_name("synonyms.txt")
MAX_TERM_LENGTH = 4  # words
MAX_SYNONYMS = 12


def starting_groups() -> list[list[str]]:
    """Groups of terms, one a line, separated by commas."""
    lines = STARTING_GROUPS.read_text(encoding="utf-8").splitlines()
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


def expand(words: list[str]) -> list[Want]:
    """`words` as wants with their synonyms, longest terms first ("holy basil" before "basil"); one query."""
    ends = range(1, MAX_TERM_LENGTH + 1)
    spans = {(start, start + size): _forms(words[start : start + size]) for start in range(len(words)) for size in ends}
    synonyms = _synonyms_of({form for forms in spans.values() for form in forms})
    wants, start = [], 0
    while start < len(words):
        for size in reversed(ends):
            terms = {term for form in spans[start, start + size] for term in synonyms.get(form, ())}
            terms -= set(spans[start, start + size])
            if terms or size == 1:
                taken = tuple(words[start : start + size])
                phrases = tuple(tuple(term.split()) for term in sorted(terms)[:MAX_SYNONYMS])
                wants.append(Want(taken, phrases))
                start += len(taken)
                break
    return wants


def _forms(words: list[str]) -> list[str]:
    term = " ".join(words)
    return [term, term[:-1]] if len(term) > 4 and term.endswith("s") else [term]


def _synonyms_of(terms: set[str]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    rows = SynonymTerm.objects.filter(term__in=terms).values_list("term", "group__terms__term")
    for term, synonym in rows:
        found.setdefault(term, set()).add(synonym)
    return found
