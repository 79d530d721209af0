"""Naughty strings and made values in the address, the form and the headers of every page and fragment: no answer of
500 or above, nothing that tells how the shop is built, nothing of what was sent comes back as markup, each within
two seconds, and nearly all within half of one (RELIABILITY.md 35, 36, 39, query fuzz of 2.4).

The pages are those of the list of routes (access.py), the staff's among them. The seeds are fixed, what a question
changed is taken back, and a test tells of all faults at once.
"""

import re
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import quote_from_bytes

import pytest
from django.core.cache import cache
from hypothesis import given
from hypothesis import strategies as st

from shop.accounts.staff.roles import OWNER

from ..support.access import RouteAccess, Who, all_entries
from ..support.belongings import Belongings, belongings_of, furnish, nothing_of, staff_of_each_role
from ..support.fuzzing import MAX_ANSWER_LENGTH, PROBE, always_the_same, faults_of_content, listed_strings, values
from .walking import Answer, World, client_of, undone

pytestmark = pytest.mark.django_db
FORM = "application/x-www-form-urlencoded"
CONTROL = re.compile(r'<(?:input|select|textarea|button)\b[^>]*?\bname="([^"]+)"')
# What pages read of their address, beside the fields of their own forms.
READ = [
    "q", "page", "sort", "next", "by", "days", "failed", "ids", "key", "like", "looked", "order", "p", "pincode",
    "price_max", "price_min", "brand", "concern", "origin", "attr.size", "sub-category", "in_stock", "quantity",
    "removed", "saved", "step", "tab", "to_do", "variant", "first", "last", "format", "period", "o", "e", "all",
    "_popup", "_to_field", "_changelist_filters", "id__exact", "pk__in", "status__exact", "placed_at__gte",
    "customer__id__exact", "password__startswith",
]  # fmt: skip
HEADERS = [
    "referer", "user-agent", "accept-language", "accept", "hx-target", "hx-current-url", "hx-trigger-name",
    "x-forwarded-for", "if-none-match", "authorization", "x-request-id", "cookie",
]  # fmt: skip
SLOW = 0.5  # seconds
LOTS = 4
PARTS = ["main#more", "div#answers", "section#listing", "ul#addresses", "div#board", "div#found", "div#summary"]


@dataclass(frozen=True)
class Question:
    """What is sent to a door in the place of what it expects."""

    query: list[tuple[str, str]] = field(default_factory=list)
    form: list[tuple[str, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    segment: tuple[int, str] | None = None  # of the path


@dataclass
class Times:
    """How long the answers took by the clock."""

    seconds: list[float] = field(default_factory=list)

    @contextmanager
    def taken(self) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.seconds.append(time.perf_counter() - began)

    def p99(self) -> float:
        return statistics.quantiles(self.seconds, n=100)[-1]


@pytest.fixture
def stage(india, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    shelf = furnish()
    asha = belongings_of("Asha", shelf, india, phone="+919876500001")
    return World(asha, asha, nothing_of(asha), staff_of_each_role())


@pytest.mark.parametrize(("side", "count"), [("shop", 2), ("desk", 1)])
def test_pages_answer_whatever_they_are_asked(stage, side, count):
    assert not (found := faults_of(entries_of(side), stage, count)), "\n".join(found)


@pytest.mark.full
@pytest.mark.database
@pytest.mark.parametrize("lot", range(LOTS))
@pytest.mark.parametrize(("side", "questions"), [("shop", 17_500), ("desk", 7_500)])
def test_pages_answer_whatever_they_are_asked_at_length(stage, test_data, figure, side, questions, lot):
    """25,000 questions on each database; a lot is every so many routes of a side. What took long is timed by the
    clock, too: the processor time of these tests leaves out that of PostgreSQL."""
    every, times = entries_of(side), Times()
    count = questions // sum(len(entry.methods.split()) for entry in every) + 1
    found = faults_of(every[lot::LOTS], stage, count, times)
    figure(
        f"{len(times.seconds)} questions ({side}), {len(found)} routes with faults, p99 {times.p99() * 1000:.0f} ms, "
        f"longest {max(times.seconds) * 1000:.0f} ms",
        f"25,000 on each database, 0 of 5xx, p99 {SLOW * 1000:.0f} ms",
    )
    assert not found, "\n".join(found)
    assert times.p99() < SLOW
    assert max(times.seconds) < MAX_ANSWER_LENGTH


def entries_of(side: str) -> list[RouteAccess]:
    """The pages of visitors and customers, or those of the staff; calls are asked in test_schema_fuzz.py."""
    of_staff = side == "desk"
    return [
        entry
        for entry in all_entries()
        if not entry.is_api and entry.who is not Who.DEMO and (entry.who is Who.STAFF) == of_staff
    ]


def faults_of(entries: list[RouteAccess], stage: World, count: int, times: Times | None = None) -> list[str]:
    """What is wrong with the answers to so many questions by each method of each entry."""
    found, times = [], times or Times()
    for entry in entries:
        for method in entry.methods.split():
            try:
                _ask_often(entry, method, stage, count, times)
            except Exception as fault:
                found.append(f"{method} {entry.route}: {type(fault).__name__} {fault}")
    return found


def _ask_often(entry: RouteAccess, method: str, stage: World, count: int, times: Times) -> None:
    cookies = cookies_for(entry, stage)
    names = [*READ, *entry.body_for(stage.asha), *_controls(entry, stage.asha, cookies)]

    @always_the_same(count)
    @given(question=_questions(names, is_form=method == "POST"))
    def ask(question: Question) -> None:
        began = time.process_time()
        with times.taken():
            answer = put(question, entry, method, stage.asha, cookies)
        took = time.process_time() - began
        problems = faults_of_content(answer.headers.get("Content-Type", ""), answer.body)
        slow = f"takes {took:.1f} s" if took > MAX_ANSWER_LENGTH else None
        assert not (faults := answer.faults(slow, *problems)), f"{faults} after {question}"

    ask()


def cookies_for(entry: RouteAccess, stage: World) -> dict[str, str]:
    if entry.who is Who.STAFF:
        return next(member.cookies for member in stage.staff if member.role == OWNER)
    return stage.asha.cookies


def _controls(entry: RouteAccess, own: Belongings, cookies: dict[str, str]) -> list[str]:
    """The names of the fields that the page itself shows."""
    if "GET" not in entry.methods:
        return []
    answer = put(Question(), entry, "GET", own, cookies)
    return CONTROL.findall(answer.body.decode(errors="replace"))


def _questions(names: list[str], *, is_form: bool) -> st.SearchStrategy[Question]:
    value = values(listed_strings())
    fields = st.lists(st.tuples(st.sampled_from(names), value), min_size=1, max_size=4)
    headers = st.dictionaries(st.sampled_from(HEADERS), value, max_size=2)
    part = st.sampled_from(PARTS).map(lambda target: {"hx-request": "true", "hx-target": target})
    return st.builds(
        Question,
        query=fields if not is_form else st.just([]) | fields,
        form=fields if is_form else st.just([]),
        headers=st.just({}) | headers | part,
        segment=st.none() | st.none() | st.tuples(st.integers(0, 5), value),
    )


def put(question: Question, entry: RouteAccess, method: str, own: Belongings, cookies: dict[str, str]) -> Answer:
    """The question, in the bytes that a browser or somebody else could send."""
    path, _, query = entry.path_for(own).partition("?")
    form = [*entry.body_for(own).items(), *question.form]
    changed = {name for name, _ in question.form}
    form = [(name, value) for name, value in form if name not in changed or (name, value) in question.form]
    asked = "&".join([query, _encoded(question.query)]).strip("&")
    client = client_of(cookies)
    with undone():
        response = client.generic(
            method,
            _with_segment(path, question.segment) + (f"?{asked}" if asked else ""),
            _encoded(form).encode() if method == "POST" else b"",
            content_type=FORM,
            headers={name: _for_header(value) for name, value in question.headers.items()},
        )
        body = b"".join(response.streaming_content) if response.streaming else response.content
    return Answer(entry, method, response.status_code, dict(response.headers), body)


def _with_segment(path: str, segment: tuple[int, str] | None) -> str:
    """The path with something else in the place of one of its parts."""
    if segment is None:
        return path
    parts = path.strip("/").split("/")
    parts[segment[0] % len(parts)] = _quoted(segment[1])
    return f"/{'/'.join(parts)}/"


def _encoded(fields: list[tuple[str, object]]) -> str:
    return "&".join(f"{_quoted(name)}={_quoted(str(value))}" for name, value in fields)


def _quoted(text: str) -> str:
    """Lone surrogates too travel as bytes."""
    return quote_from_bytes(text.encode("utf-8", "surrogatepass"), safe="")


def _for_header(value: str) -> str:
    """As a server hands it over; one that holds the end of a line never gets there."""
    return re.sub(r"[\x00\r\n]", "", value).encode("utf-8", "surrogatepass").decode("latin-1")[:8000]


# --- The proof itself -------------------------------------------------------------------------------


def test_markup_that_comes_back_is_found(stage, monkeypatch):
    search = next(entry for entry in all_entries() if entry.route == "search/<path:words>/")
    question = Question(segment=(1, f"<{PROBE}>"))
    assert faults_of_search(question, search, stage) == []
    monkeypatch.setattr("django.template.base.conditional_escape", str)
    assert "markup as it was sent" in "".join(faults_of_search(question, search, stage))


def faults_of_search(question: Question, search: RouteAccess, stage: World) -> list[str]:
    cache.clear()
    answer = put(question, search, "GET", stage.asha, stage.asha.cookies)
    assert PROBE.encode() in answer.body
    return faults_of_content(answer.headers["Content-Type"], answer.body)
