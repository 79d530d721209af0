"""Cross-validation of the ranking: what was chosen by the judged queries is chosen anew on four fifths of them, and
measured on the fifth that took no part in the choice."""

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from unittest import mock

from shop.search.text import ranking

FIFTHS = 5
ROUNDS = 20  # divisions into fifths, since one alone is a matter of luck
# The numbers of the ranking that these judgments decided; all others follow from what the shop's own goods need.
CANDIDATES = {"KIND_BONUS": (0.0, 0.25, 0.5, 0.75, 1.0), "MIN_KIND": (0.1, 0.2, 0.3)}

Scores = Mapping[str, float]  # of each query


def cross_validated(measure: Callable[[], Scores]) -> float:
    """Mean of what `measure` gives queries under the numbers that were best for other queries."""
    measured = [
        _measured_with(dict(zip(CANDIDATES, one, strict=True)), measure) for one in product(*CANDIDATES.values())
    ]
    queries = sorted(measured[0])
    return sum(_round(measured, queries, number) for number in range(ROUNDS)) / ROUNDS


def _measured_with(numbers: Mapping[str, float], measure: Callable[[], Scores]) -> Scores:
    with mock.patch.multiple(ranking, **numbers):
        return measure()


def _round(measured: Sequence[Scores], queries: Sequence[str], number: int) -> float:
    shuffled = random.Random(number).sample(queries, len(queries))
    total = 0.0
    for fifth in range(FIFTHS):
        unseen = shuffled[fifth::FIFTHS]
        seen = [query for query in queries if query not in unseen]
        best = max(measured, key=lambda scores, seen=seen: sum(scores[query] for query in seen))
        total += sum(best[query] for query in unseen)
    return total / len(queries)
