"""Names of the shop that a new name of a file may mean: "Ayurvda" for Ayurveda."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Any

from ..models import Brand, Category, HealthConcern
from .lookups import LEVEL, NewName

ALIKE = 0.75
MAX_NEAR = 3
MAX_COMPARED = 20
MAX_NAMES = 2000  # of a file; those after them are listed without


def names_of(kind: str) -> dict[int, str]:
    """What there is to choose from, by id."""
    if kind == "category":
        rows = Category.objects.order_by("path").select_related("parent__parent")
        return {row.pk: LEVEL.join(row.names) for row in rows}
    model = Brand if kind == "brand" else HealthConcern
    return dict(model.objects.order_by("name").values_list("pk", "name"))


def described(names: Iterable[NewName], *, with_near: bool = True) -> list[dict[str, Any]]:
    """New names as they are kept: kind, name, number of products, and near ones as (id, name)."""
    alike = {kind: _Alike(names_of(kind) if with_near else {}) for kind in ("category", "brand", "concern")}
    return [
        {
            "kind": new.kind,
            "name": new.name,
            "products": len(new.handles),
            "near": alike[new.kind].to(new.name) if number < MAX_NAMES else [],
        }
        for number, new in enumerate(names)
    ]


class _Alike:
    """Compares only names that share pairs of letters."""

    def __init__(self, names: dict[int, str]) -> None:
        self._names = names
        self._with: dict[str, list[int]] = defaultdict(list)
        for pk, name in names.items():
            for pair in _pairs(name):
                self._with[pair].append(pk)

    def to(self, name: str) -> list[tuple[int, str]]:
        shared = Counter(pk for pair in _pairs(name) for pk in self._with[pair])
        scored = [(_likeness(name, self._names[pk]), pk) for pk, _ in shared.most_common(MAX_COMPARED)]
        best = sorted((score, -pk) for score, pk in scored if score >= ALIKE)[: -MAX_NEAR - 1 : -1]
        return [(-pk, self._names[-pk]) for _, pk in best]


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False).ratio()


def _pairs(name: str) -> set[str]:
    word = f" {name.casefold()} "
    return {word[at : at + 2] for at in range(len(word) - 1)}
