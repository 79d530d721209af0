"""Lists of the back office on phones: each row in two lines, title and state, then a few facts in quiet type.

A cell of unfold's list gets the name of its part as a class; static/backoffice/lists.css lays the parts out. On a
wide screen the list stays a table.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from django.contrib.admin.templatetags.base import InclusionAdminNode
from django.template import Library
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext
from unfold.templatetags.unfold_list import result_list

from .admin import MAX_COUNTED

register = Library()

MAX_FACTS = 3
CHECKBOX = "action_checkbox"
STATES = (
    "status", "state", "shown_state", "how_it_stands", "now", "time_left", "is_published", "is_active", "is_served",
    "is_complete", "in_stock",
)  # fmt: skip  # names of columns that say how a row stands, the most telling first
CLASS = re.compile(r' class="')
LABEL = re.compile(r' data-label="(?:is )?([^"]*)"', re.IGNORECASE)
FIELD = re.compile("<(?:input|select|textarea)")
DATE = re.compile(r"\d{1,2} \S+ \d{4}(?:, \S+)?")  # one needs no label, of several each does
TAGS = re.compile(r"<[^<>]*>")
# What says nothing by itself: a bare number, a mark for yes or no, a box to tick, a field.
NEEDS_LABEL = re.compile(r"[\d.,\s]*|check_small|close_small|question_mark|True|False")
NEEDS_LABEL_OR_DATE = re.compile(f"{NEEDS_LABEL.pattern}|{DATE.pattern}")


def parts_of(names: Sequence[str], links: Sequence[str], own_state: str = "") -> list[str]:
    """The part that each column has in a row: box, title, state or fact."""
    shown = [name for name in names if name != CHECKBOX]
    title = next((name for name in shown if name in links), shown[0] if shown else "")
    state = own_state or next((name for name in STATES if name in shown and name != title), "")
    parts = {CHECKBOX: "box", title: "title", state: "state"}
    return [parts.get(name, "fact") for name in names]


def marked(cells: Sequence[str], parts: Sequence[str], empty: str) -> Iterator[SafeString]:
    """The cells of a row with the classes of their parts; a state that is a mark or a field stands with the facts."""
    facts = 0
    texts = [TAGS.sub("", cell).strip() for cell in cells]
    needs_label = NEEDS_LABEL if sum(map(bool, map(DATE.fullmatch, texts))) < 2 else NEEDS_LABEL_OR_DATE
    for cell, part, words in zip(cells, parts, texts, strict=False):
        names = [f"row-{part}"]
        if part in ("fact", "state"):
            is_field = FIELD.search(cell) is not None
            if "<img" in cell:
                names = ["row-picture"]
            elif is_field or needs_label.fullmatch(words):
                names = ["row-fact", "row-labelled"] if is_field or words else ["row-nothing"]
            elif words == empty:
                names = ["row-nothing"]
            if "row-fact" in names and part == "fact" and not is_field:
                facts += 1
                names += ["row-more"] if facts > MAX_FACTS else []
        named = CLASS.sub(f' class="{" ".join(names)} ', cell, count=1)
        yield mark_safe(LABEL.sub(r' data-label="\1"', named, count=1))  # nosec B703 B308 (as unfold escaped it)


def compact_result_list(context: dict[str, Any], cl: Any) -> dict[str, Any]:
    """What unfold's list shows, its cells marked."""
    shown = result_list(context, cl)
    links = cl.list_display_links or ()
    parts = parts_of([str(name) for name in cl.list_display], links, getattr(cl.model_admin, "phone_state", ""))
    empty = str(cl.model_admin.get_empty_value_display())
    for row in shown["results"]:
        row[:] = marked(row, parts, empty)
    return shown


@register.tag(name="compact_result_list")
def compact_result_list_tag(parser: Any, token: Any) -> InclusionAdminNode:
    return InclusionAdminNode(  # type: ignore[call-arg]  # the stubs are of a later Django
        parser, token, func=compact_result_list, template_name="change_list_results.html"
    )


@register.filter
def results(count: int) -> str:
    """How many rows were found: 2,003 results. Long lists are not counted to their end."""
    shown = {"number": f"{count:,}"}
    if count >= MAX_COUNTED:
        return gettext("%(number)s or more results") % shown
    return ngettext("%(number)s result", "%(number)s results", count) % shown
