"""Every regular expression of the project takes linear time, whatever it is given (RELIABILITY.md 52)."""

import json
import re
import shutil
import subprocess

import pytest
from django.conf import settings

from shop.http.middleware import MAX_PATH
from shop.http.request_log import MAX_LOGGED_PATH, logged_path, without_secrets

from ..support.expressions import (
    LENGTH,
    LIMIT,
    all_expressions,
    hostile_texts,
    seconds,
    seconds_of,
    slowest,
    slowness,
    written_in,
)
from ..support.needs import lack

# What is not known before the shop runs: where it is looked at all the same, or who writes it.
KNOWN_ELSEWHERE = {
    "shop.accounts.addresses.rules pattern": "the postal codes of every country are collected",
    "shop.accounts.addresses.rules '|'.join((f'(?:{one})' for one in patterns))": "so are those of every state",
    "shop.catalog.import_export.files.encoding b'[' + re.escape(ends) + b']+'": "one class of bytes",
    r"shop.catalog.import_export.formats.shop_export f'\\\\([\\\\{sign}])'": "two characters",
    "shop.payments.simulator.faults row.body['path']": "written by whoever steers the simulator",
}
# What decides the end of a text by its library's rules: pydantic's `$` is the end, and the postal data is compared
# with the whole text.
WITH_DOLLAR = re.compile(r"shop\.[\w.]*schemas:|schema |postal code of |route admin/")
QUADRATIC = [
    r"(?P<user>\w)[\w.+-]*@(?P<domain>[\w-]+\.[\w.-]+)",
    r"(?:\w+_)?signature",
    r"<[^>]+>",
    r"-?[\d.,]*\d",
    r"([a-z]+):?([a-z]+)=",
    r"\s+\Z",
]
EXPONENTIAL = [r"(a+)+\Z", r"(?:\w+\s?)*!", r"(?:a|aa)+\Z"]
ISLANDS = settings.BASE_DIR / "islands"


@pytest.fixture(scope="module")
def expressions():
    found = list(all_expressions())
    assert len(found) > 250
    return found


def test_each_expression_takes_linear_time(expressions, figure):
    """No longer path gets to a route (test_middleware.py)."""
    times = {
        f"{place}: {one.pattern[:80]}": slowest(one, MAX_PATH if place.startswith("route ") else LENGTH)
        for place, one in expressions
        if one is not None
    }
    longest, _ = max(times.values())
    figure(f"{len(times)} expressions, the slowest {longest * 1000:.0f} ms over 100 KB", "50 ms")
    assert {place: took for place, took in times.items() if took[0] > LIMIT} == {}


def test_no_expression_escapes(expressions):
    unknown = [place for place, one in expressions if one is None]
    assert sorted(re.sub(r":\d+", "", place) for place in unknown) == sorted(KNOWN_ELSEWHERE)


@pytest.mark.parametrize("pattern", [*QUADRATIC, *EXPONENTIAL])
def test_a_careless_expression_is_found(pattern):
    assert slowest(re.compile(pattern))[0] > LIMIT


@pytest.mark.parametrize(
    "source",
    [
        'import re\nre.search("(a+)+", x)',
        'import re as r\nX = r.compile("(a+)+")',
        'from re import fullmatch\nfullmatch("(a+)+", x)',
        'from re import compile as c\nc(pattern="(a+)+")',
        'Field(pattern="(a+)+")',
        'forms.RegexField(regex="(a+)+")',
        'Product.objects.filter(name__iregex="(a+)+")',
    ],
)
def test_an_expression_is_found_however_it_is_written(source):
    [(_, pattern, _)] = written_in(source)
    assert pattern.value == "(a+)+"


# Of a group: of one sign or class they are right everywhere.
POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]{1,9}\})\+")


def test_no_group_is_possessive(expressions):
    """Python before 3.11.5, as Debian 12 has it, does not match some texts with one that it should."""
    assert [place for place, one in expressions if one is not None and _has_possessive_group(one)] == []
    assert _has_possessive_group(re.compile(r"(?:\([^(]*+)*+")) and not _has_possessive_group(re.compile(r"(\)++a)+"))


def _has_possessive_group(expression: re.Pattern) -> bool:
    pattern = expression.pattern if isinstance(expression.pattern, str) else expression.pattern.decode("latin-1")
    return bool(POSSESSIVE_GROUP.search(pattern))


def test_an_expression_ends_at_the_end(expressions):
    """`$` also matches before a last line break."""
    found = [
        place
        for place, one in expressions
        if one is not None and not WITH_DOLLAR.match(place) and re.search(r"(?<!\\)\$(?![^\[]*\])", one.pattern)
    ]
    assert found == []


def test_each_expression_of_the_scripts_takes_linear_time(tmp_path, figure):
    if not (ISLANDS / "node_modules" / "typescript").exists() or shutil.which("node") is None:
        lack("No Node with the islands' packages")
    listed = subprocess.run(
        ["git", "ls-files", "islands", "static"], cwd=settings.BASE_DIR, capture_output=True, check=True
    )
    files = [
        name
        for name in listed.stdout.decode().splitlines()
        if re.search(r"(?<!\.test)\.(ts|tsx|js|mjs)\Z", name) and "/vendor/" not in name
    ]
    (tmp_path / "files.json").write_text(json.dumps(files))
    found = json.loads(_node("find", tmp_path))
    assert len(found) > 15 and not [one for one in found if one["pattern"] is None], found
    for one in found:
        one["texts"] = hostile_texts(one["pattern"].replace("(?<", "(?P<"), 0, LENGTH // 8)
    found.append({"place": "a careless one", "pattern": r"^(\w+\s?)*!$", "flags": "", "texts": ["a" * 26]})
    (tmp_path / "found.json").write_text(json.dumps(found))
    slow = slowness()
    times = {place: took / slow for place, took in json.loads(_node("measure", tmp_path)).items()}
    assert times.pop("a careless one: ^(\\w+\\s?)*!$") > LIMIT * 1000
    figure(f"{len(times)} expressions of the scripts, the slowest {max(times.values()):.0f} ms over 100 KB", "50 ms")
    assert {place: took for place, took in times.items() if took > LIMIT * 1000} == {}


def _node(what, folder):
    command = ["node", str(settings.BASE_DIR / "shop" / "tests" / "support" / "expressions.mjs"), what, str(folder)]
    done = subprocess.run(command, cwd=settings.BASE_DIR, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


# --- The log's filter ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "letter", ["a", "1", ".", "_", "/", "@", "a@", "csrf1", "+", "code ", "search/", "//en-in", " "]
)
def test_no_line_holds_a_worker(letter):
    text = letter * (LENGTH // len(letter))
    assert seconds_of(re.compile(""), "") < LIMIT  # the first time loads what is measured with
    for filtered in (without_secrets, logged_path):
        assert min(seconds(lambda: filtered(text)) for _ in range(3)) < LIMIT  # noqa: B023 (called at once)
    assert len(logged_path("/" + text)) <= MAX_LOGGED_PATH + 3
