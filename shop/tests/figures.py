"""The table that `make prove` ends with: what was promised, the figure reached and the figure promised.

Each proof that ran leaves a line of JSON in the file that PROOF_FIGURES names (shop/conftest.py).

    python -m shop.tests.figures FILE
"""

import json
import sys
from pathlib import Path
from typing import Any

PROMISES = Path(__file__).parent / "promises.md"
HEAD = ("promise", "database", "figure reached", "figure promised")
WIDEST = 60


def main() -> int:
    """1 when a proof failed, as make wants it."""
    proofs = [json.loads(line) for line in Path(sys.argv[1]).read_text().splitlines()]
    rows = [row for proof in proofs for row in _rows(proof)]
    widths = [min(WIDEST, max(len(row[column]) for row in [HEAD, *rows])) for column in range(len(HEAD))]
    for row in [HEAD, tuple("-" * width for width in widths), *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))  # noqa: T201 (its purpose)
    return 0 if proofs and all(proof["outcome"] == "passed" for proof in proofs) else 1


def _rows(proof: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    test = proof["test"].rpartition("::")[2]
    figures = proof["figures"] or [(f"held, {test}", "holds")]
    if proof["outcome"] != "passed":
        figures = [*proof["figures"], (f"NOT HELD: {test}", "holds")]
    return [(_promise(test.partition("[")[0]), proof["database"], reached, promised) for reached, promised in figures]


def _promise(test: str) -> str:
    """The first cell of the last row in promises.md that names this test: faults stand behind promises."""
    named = [line.split("|")[1].strip() for line in PROMISES.read_text().splitlines() if f"::{test}`" in line]
    return named[-1] if named else test


if __name__ == "__main__":
    sys.exit(main())
