"""A medicine is never another medicine (PRODUCT.md, SEARCH.md rule 3, promise 59)."""

import csv
import gzip
import random

import pytest
from rapidfuzz.distance import OSA

from .. import matching
from ..index import WordIndex
from ..matching import find_products
from ..normalization import split_words
from ..reading import entry_of
from ..tables.substances import substances

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.mark.parametrize(
    "query", ["felodipine", "Felodipine 5 mg tablet", "felodipine tablet", "felodipin", "felodipnie"]
)
def test_a_substance_that_the_shop_lacks_is_answered_by_no_other(shelf, client, query):
    shelf("Amlodipine Tablets 5 mg", "Nifedipine Tablets 5 mg")
    assert find_products(query).ids == []


def test_the_page_says_that_it_is_not_there(shelf, client):
    shelf("Amlodipine Tablets 5 mg")
    page = client.get("/en-in/search/felodipine/").text
    assert "We don't have felodipine" in page and "Check the spelling" not in page


def test_a_misspelled_substance_finds_the_only_nearest_one_and_the_page_says_so(shelf, client):
    (tablets,) = shelf("Paracetamol Tablets 500 mg")
    found = find_products("paracitamol")
    assert (found.ids, found.meant) == ([tablets], "paracetamol")
    assert "Showing results for" in client.get("/en-in/search/paracitamol/").text


def test_names_of_one_substance_find_each_other(shelf):
    (tablets,) = shelf("Paracetamol Tablets 500 mg")
    assert find_products("acetaminophen").ids == [tablets]
    assert find_products("acetaminophen tablets").ids == [tablets]


def test_what_stands_between_two_substances_finds_neither(shelf):
    shelf("Prednisone Tablets", "Prednisolone Tablets")
    near = substances().near("prednisoone", 2)
    assert {"prednisone", "prednisolone"} <= set(near)
    assert len({errors for name, errors in near.items() if name in ("prednisone", "prednisolone")}) == 1
    assert find_products("prednisoone").ids == []


def test_a_substance_that_a_text_merely_mentions_is_not_in_the_product(make_product, make_variant):
    make_variant(product=make_product("Herbal Balm", highlight="Not together with warfarin."))
    assert find_products("warfarin").ids == []


def test_what_ends_like_a_medicine_is_one_though_the_list_lacks_it(shelf):
    shelf("Meloxicam Tablets 15 mg")
    assert "zyxoxicam" in substances()
    assert find_products("zyxoxicam").ids == find_products("zyxoxicam tablets").ids == []


def test_a_strength_is_never_another_one_unsaid(shelf):
    weak, strong = shelf("Thyroxine 12.5 mcg Small Tablets", "Thyroxine 125 mcg Tablets")
    for query, first in (("thyroxine 12.5 mcg", weak), ("thyroxine 125mcg", strong)):
        found = find_products(query)
        assert found.ids == [first], query


def names_within_two_edits(rows: list[str], *, every: int) -> list[tuple[str, str]]:
    """Pairs of names that are nearly the same."""
    chance = random.Random(5)
    pairs = []
    for at, one in enumerate(rows):
        for other in rows[at + 1 :]:
            if abs(len(one) - len(other)) <= 2 and OSA.distance(one, other, score_cutoff=2) <= 2:
                pairs.append((one, other))
    return [pair for pair in pairs if every == 1 or chance.random() < 1 / every]


def test_a_substance_in_two_parts_is_that_one_and_never_a_part_of_it(shelf):
    amlodipine, *_ = shelf("Amlodipine Tablets 5 mg", "Nifedipine Tablets 5 mg", "Dipine Hair Oil")
    assert find_products("amlo dipine 5 mg").ids == [amlodipine]
    found = find_products("felo dipine tablets")
    assert (found.ids, found.absent) == ([], "felo dipine")


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.full)], ids=["short", "long"])
def test_of_two_names_within_two_edits_none_answers_for_the_other(test_data, monkeypatch, figure, every):
    """Of each pair the shop has one, and is asked for the other, whole and unfinished, on the page and in the box."""
    with gzip.open(test_data / "synonyms/chembl-approved-drug-synonyms.csv.gz", "rt") as lines:
        rows = sorted({row["pref_name"].lower() for row in csv.DictReader(lines)})
    pairs = names_within_two_edits(rows, every=every)
    wrong = []
    for has, wants in [pair for both in pairs for pair in (both, both[::-1])]:
        index = WordIndex.of([entry_of(1, name=f"{has} tablets"), entry_of(2, name="neem soap")])
        monkeypatch.setattr(matching, "current_words", lambda index=index: index)
        matching._kept._kept.clear()
        words = tuple(split_words(wants))
        there = tuple(split_words(has))
        is_salt = substances().base_of(words) and substances().base_of(words) == substances().base_of(there)
        same = is_salt or (words in substances().phrases and there in substances().other_names(words))
        for query in (wants, f"{wants} tablets", wants[:-1]):
            for is_typing in (False, True):  # the results, and the box
                found = find_products(query, is_typing=is_typing)
                unfinished = query == wants[:-1] and (has.startswith(query) or found.meant)
                if 1 in found.ids and not same and not unfinished:
                    wrong.append((wants, has, query, is_typing, found.meant))
    figure(f"{len(pairs)} pairs of {len(rows)} names, {len(wrong)} answered wrongly", "0 wrong")
    assert wrong == []
    assert len(pairs) > 200 / every
