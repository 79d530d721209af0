"""The categories, brands and concerns that an import would make: a question for each, and what staff answered."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from ..models import ProductImport
from .near_names import names_of
from .rows import BadFile

PER_PAGE = 100
MAKE, OTHER = "make", "other"
KINDS = {
    "category": gettext_lazy("category"),
    "brand": gettext_lazy("brand"),
    "concern": gettext_lazy("health concern"),
}


@dataclass(slots=True)
class Question:
    """`answer` is MAKE, OTHER (then `other` names what the shop has), the id of a near name, or empty."""

    number: int
    kind: str
    name: str
    products: int
    near: list[tuple[int, str]]
    answer: str = ""
    other: str = ""
    error: str = ""

    @property
    def label(self) -> str:
        return str(KINDS[self.kind])


def questions_of(kept: ProductImport) -> list[Question]:
    """Those with something near first: they must be answered; the others are made unless staff say otherwise."""
    rows = sorted(kept.new_names, key=lambda row: not row["near"])
    return [_question(number, row, kept.choices) for number, row in enumerate(rows)]


def read_answers(kept: ProductImport, sent: Mapping[str, str]) -> list[Question]:
    """The questions with the answers that a form brought; keeps those that make sense."""
    questions = questions_of(kept)
    names = cache(lambda kind: {name.casefold(): pk for pk, name in names_of(kind).items()})
    for question in questions:
        answer = sent.get(f"answer-{question.number}")
        if answer is None:
            continue
        question.answer = answer
        question.other = sent.get(f"other-{question.number}", "").strip()
        chosen = _chosen(question, names)
        if chosen is None:
            question.error = (
                gettext("The shop has no %(label)s of that name.") % {"label": question.label}
                if question.other
                else gettext("Choose one.")
            )
        else:
            kept.choices.setdefault(question.kind, {})[question.name] = chosen
    kept.save(update_fields=["choices"])
    return questions


def choices_of(kept: ProductImport) -> dict[str, dict[str, int]]:
    """What is used in place of new names, as the importer takes it."""
    return {kind: {name: pk for name, pk in chosen.items() if pk} for kind, chosen in kept.choices.items()}


def read_choices(words: Iterable[str]) -> dict[str, dict[str, int]]:
    """`brand:Vanamitr=Vanamitra` as the importer takes it. Raises BadFile."""
    choices: dict[str, dict[str, int]] = {}
    for word in words:
        kind, _, pair = word.partition(":")
        new, _, known = pair.rpartition("=")
        if kind not in KINDS or not new.strip():
            raise BadFile(
                gettext("%(word)s: use kind:new=known, where kind is one of %(kinds)s.")
                % {"word": word, "kinds": ", ".join(KINDS)}
            )
        found = {name.casefold(): pk for pk, name in names_of(kind).items()}.get(known.strip().casefold())
        if found is None:
            raise BadFile(
                gettext("%(word)s: the shop has no %(kind)s %(name)s.")
                % {"word": word, "kind": KINDS[kind], "name": f"{known.strip()!r}"}
            )
        choices.setdefault(kind, {})[new.strip()] = found
    return choices


def _question(number: int, row: dict[str, Any], choices: Mapping[str, Mapping[str, int]]) -> Question:
    near = [(pk, name) for pk, name in row["near"]]
    question = Question(number, row["kind"], row["name"], row["products"], near)
    chosen = choices.get(question.kind, {}).get(question.name)
    if chosen is None:
        question.answer = "" if near else MAKE
    elif chosen == 0:
        question.answer = MAKE
    elif chosen in dict(near):
        question.answer = str(chosen)
    else:
        question.answer, question.other = OTHER, names_of(question.kind).get(chosen, "")
    return question


def _chosen(question: Question, names: Callable[[str], dict[str, int]]) -> int | None:
    """0: it is made."""
    if question.answer == MAKE:
        return 0
    if question.answer == OTHER:
        return names(question.kind).get(question.other.casefold())
    return next((pk for pk, _ in question.near if str(pk) == question.answer), None)
