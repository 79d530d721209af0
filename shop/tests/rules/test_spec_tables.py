"""The tables of specification lines name tests that exist: `file.py::test_name`, or `file.test.ts`: "its title".
In promises.md, whose rows have a figure too, `open` stands where there is none yet."""

import re
from functools import cache
from pathlib import Path

import pytest

SHOP = Path(__file__).resolve().parents[2]
ISLANDS = SHOP.parent / "islands"
TABLES = [*sorted((SHOP / "tests").glob("spec_*.md")), SHOP / "tests" / "promises.md"]
HEADS = ("| line |", "| promise |", "| fault |", "|---")
PYTHON = re.compile(r"`(?:([\w/.]+\.py|…)::)?(test_\w+)`")
SCRIPT = re.compile(r"`([\w/.-]+\.test\.tsx?)`: ((?:\"[^\"]+\"(?:, )?)+)")


def rows():
    for table in TABLES:
        for number, line in enumerate(table.read_text().splitlines(), 1):
            if line.startswith("|") and not line.startswith(HEADS):
                yield pytest.param(line, id=f"{table.stem}:{number}")


@pytest.mark.parametrize("row", list(rows()))
def test_every_line_names_tests_that_exist(row):
    _, _, shown_by, *figure, _ = re.split(r"(?<!\\)\|", row)
    tests = [(file, name) for file, name in PYTHON.findall(shown_by)]
    scripts = [(file, title) for file, titles in SCRIPT.findall(shown_by) for title in re.findall(r'"([^"]+)"', titles)]
    assert tests or scripts or (figure and shown_by.strip() == "open"), "no test is named"
    assert not [name for file, name in tests if not _is_test(file, name)]
    assert not [title for file, title in scripts if not _is_titled(file, title)]


def _is_test(file: str, name: str) -> bool:
    """In the named file; without one, or with an ellipsis, in any."""
    places = _tests().get(name, [])
    return bool(places) if file in ("", "…") else any(str(place).endswith(f"/{file}") for place in places)


@cache
def _tests() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in SHOP.rglob("test_*.py"):
        for name in re.findall(r"^def (test_\w+)\(", path.read_text(), re.MULTILINE):
            found.setdefault(name, []).append(path)
    return found


def _is_titled(file: str, title: str) -> bool:
    """Parts of a title that differ from case to case stand as an ellipsis."""
    path = ISLANDS / file.removeprefix("islands/")
    return path.exists() and all(part.strip() in path.read_text() for part in title.split("…"))
