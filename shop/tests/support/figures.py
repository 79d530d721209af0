"""The table that `make prove` ends with: what was promised, the figure reached and the figure promised.

Each proof that ran leaves a line of JSON in the file that PROOF_FIGURES names (shop/conftest.py).

    python -m shop.tests.support.figures FILE
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

PROMISES = Path(__file__).parents[1] / "promises.md"
HEAD = ("promise", "database", "figure reached", "figure promised")
WIDEST = 60


def main() -> int:
    """1 when a proof failed, as make wants it."""
    proofs = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    together: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for proof in proofs:
        together.setdefault((_name(proof), proof["database"]), []).append(proof)
    rows = [row for same in together.values() for row in _rows(same)]
    widths = [min(WIDEST, max(len(row[column]) for row in [HEAD, *rows])) for column in range(len(HEAD))]
    for row in [HEAD, tuple("-" * width for width in widths), *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))  # noqa: T201 (its purpose)
    return 0 if proofs and all(proof["outcome"] == "passed" for proof in proofs) else 1


def _name(proof: dict[str, Any]) -> str:
    """Of its test, without what it was given."""
    return proof["test"].rpartition("::")[2].partition("[")[0]


def _rows(proofs: list[dict[str, Any]]) -> list[tuple[str, str, str, str]]:
    """Of one test on one database: what it reached, whatever it was given."""
    test, database = _name(proofs[0]), proofs[0]["database"]
    reached = Counter(tuple(figure) for proof in proofs for figure in proof["figures"])
    figures = [(f"{times} times: " * (times > 1) + figure, promised) for (figure, promised), times in reached.items()]
    broken = [proof["test"].rpartition("::")[2] for proof in proofs if proof["outcome"] != "passed"]
    if not figures and not broken:
        figures = [(f"held{f' {len(proofs)} times' * (len(proofs) > 1)}: {test}", "holds")]
    figures += [(f"NOT HELD: {name}", "holds") for name in broken]
    return [(_promise(test), database, reached, promised) for reached, promised in figures]


def _promise(test: str) -> str:
    """The first cell of the last row in promises.md that names this test: faults stand behind promises."""
    named = [line.split("|")[1].strip() for line in PROMISES.read_text().splitlines() if f"::{test}`" in line]
    return named[-1] if named else test


if __name__ == "__main__":
    sys.exit(main())
