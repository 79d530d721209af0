"""Which part each column of a list has in a phone's row: title and state first, then a few facts."""

import re

import pytest
from django.contrib.admin import site
from django.urls import reverse

from shop.accounts.staff.roles import OWNER
from shop.backoffice.admin import BackOfficeAdmin
from shop.backoffice.compact_rows import MAX_FACTS, marked, parts_of, results

from ..support.belongings import belongings_of, furnish, staff_of_each_role
from ..walks.walking import client_of

ROW = re.compile(r'<tr class="data-row.*?</tr>', re.DOTALL)


def cell(words, label="Brand"):
    return f'<td class="field-x before:flex" data-label="{label}">{words}</td>'


def classes(cells):
    return [re.search('class="([^"]*?) field-x', cell)[1].split() for cell in cells]


def test_the_link_is_the_title_and_the_most_telling_column_the_state():
    names = ["action_checkbox", "small", "name", "is_active", "state"]
    assert parts_of(names, ["name"]) == ["box", "fact", "title", "fact", "state"]
    assert parts_of(["__str__", "is_active"], ()) == ["title", "state"]
    assert parts_of(["status", "note"], ()) == ["title", "fact"]


def test_facts_beyond_the_third_are_for_wider_screens_and_empty_ones_take_no_room():
    parts = ["title", *["fact"] * 6]
    shown = classes(marked([cell(words) for words in ("Neem", "one", "-", "two", "", "three", "four")], parts, "-"))
    assert [names[0] for names in shown[1:]] == [
        "row-fact",
        "row-nothing",
        "row-fact",
        "row-nothing",
        *["row-fact"] * 2,
    ]
    assert [("row-more" in names) for names in shown] == [False] * 6 + [True]
    assert MAX_FACTS == 3


@pytest.mark.parametrize("words", ["12", "1,179.50", "<span>check_small</span>", '<input type="checkbox">'])
def test_what_says_nothing_by_itself_gets_its_label(words):
    shown = list(marked([cell("Neem"), cell(words, "Is published")], ["title", "state"], "-"))
    assert classes(shown)[1] == ["row-fact", "row-labelled"]
    assert 'data-label="published"' in shown[1]


def test_words_and_amounts_are_their_own_label():
    assert classes(marked([cell("₹1,179.50"), cell("Shipped")], ["fact", "state"], "-")) == [
        ["row-fact"],
        ["row-state"],
    ]


def test_of_several_dates_each_gets_its_label():
    dates = [cell("10 May 2027", "Expires"), cell("20 Jan 2027, 08:43", "Sold until")]
    assert (
        classes(marked([cell("Neem"), *dates], ["title", "fact", "fact"], "-"))[1:]
        == [["row-fact", "row-labelled"]] * 2
    )
    assert classes(marked([cell("Neem"), dates[0]], ["title", "fact"], "-"))[1:] == [["row-fact"]]


def test_every_list_of_the_shop_has_compact_rows(india, db, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    belongings_of("Asha", furnish(), india, phone="+919876500001")
    client = client_of(next(member for member in staff_of_each_role() if member.role == OWNER).cookies)
    screens = [(model, screen) for model, screen in site._registry.items() if screen.__module__ != "unfold.admin"]
    assert [model for model, screen in screens if not isinstance(screen, BackOfficeAdmin)] == []
    with_rows = 0
    for model, _ in screens:
        page = client.get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"))
        rows = ROW.findall(page.content.decode())
        with_rows += bool(rows)
        assert [row for row in rows if len(re.findall('class="row-title ', row)) != 1] == [], model
    assert with_rows > len(screens) / 2


@pytest.mark.parametrize(
    ("count", "words"), [(0, "0 results"), (1, "1 result"), (2003, "2,003 results"), (10_000, "10,000 or more results")]
)
def test_what_was_found_is_said_with_separators_and_no_further_than_it_was_counted(count, words):
    assert results(count) == words
