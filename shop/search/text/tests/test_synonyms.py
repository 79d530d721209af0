import csv
import gzip

import pytest
from django.apps import apps

from shop.invalidation.subscriptions import catch_up

from ...models import SynonymGroup, SynonymTerm
from ..matching import find_products
from ..tables.initial import load_synonyms, starting_groups

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_a_synonym_is_found_after_the_word_itself(shelf):
    basil, tulsi, _ = shelf("Holy Basil Tea", "Tulsi Drops", "Sweet Basil Seeds")
    assert find_products("tulsi").ids == [tulsi, basil]
    assert find_products("holy basil").ids == [basil, tulsi]
    assert sorted(find_products("तुलसी").ids) == sorted([basil, tulsi])


def test_several_words_and_other_words_beside_a_synonym_must_match(shelf):
    powder, _ = shelf("Turmeric Powder", "Turmeric Soap")
    for query in ("haldi powder", "हल्दी powder"):
        found = find_products(query)
        assert found.ids[: found.close] == [powder]


def test_what_staff_write_counts_at_once_and_in_any_spelling(shelf):
    (wash,) = shelf("Cold Ubtan")
    assert find_products("zyxwash").ids == []
    group = SynonymGroup.objects.create()
    for term in ("  ZyxWash ", "Ubtan-Cold", "cold  UBTAN"):
        row = SynonymTerm(group=group, term=term)
        row.full_clean()
        row.save()
    assert find_products("zyxwash").ids == [wash]
    group.delete()
    assert find_products("zyxwash").ids == []


def test_loading_again_keeps_what_staff_changed():
    SynonymTerm.objects.filter(term="tulsi").delete()
    load_synonyms(apps)
    assert not SynonymTerm.objects.filter(term="tulsi").exists()


def test_the_starting_groups_are_many_and_none_is_single_or_repeated():
    groups = starting_groups()
    assert len(groups) >= 150
    assert [group for group in groups if len(set(group)) < 2 or "" in group] == []
    terms = [term for group in groups for term in set(group)]
    assert sorted(term for term in set(terms) if terms.count(term) > 1) == []


def test_once_the_words_are_in_memory_a_search_asks_the_database_nothing(shelf, django_assert_num_queries):
    shelf("Turmeric Powder")
    find_products("turmeric")
    catch_up()
    with django_assert_num_queries(0):
        assert find_products("haldi powder").ids
        assert find_products("turmaric powdar unicorn").ids


def test_starting_groups_agree_with_published_names(test_data):
    """Common and botanical names that stand in one group of ours belong together in the published list too,
    and so do the names of medicines."""
    groups = {term: number for number, group in enumerate(starting_groups()) for term in group}
    with gzip.open(
        test_data / "synonyms" / "medicinal-plants-common-to-botanical.csv.gz", "rt", errors="replace"
    ) as file:
        rows = [
            (row["Name of Plant"].strip().lower(), " ".join(row["Scientific Name"].lower().split()[:2]))
            for row in csv.DictReader(file)
        ]
    agreed = {(common, plant) for common, plant in rows if groups.get(common, -1) == groups.get(plant, -2)}
    assert len({groups[plant] for _, plant in agreed}) >= 25
    with gzip.open(test_data / "synonyms" / "chembl-approved-drug-synonyms.csv.gz", "rt") as file:
        drugs = [
            {row["pref_name"].lower(), *(name.strip().lower() for name in row["synonyms"].split(";"))}
            for row in csv.DictReader(file)
        ]
    pairs = (("frusemide", "furosemide"), ("glibenclamide", "glyburide"), ("adrenaline", "epinephrine"))
    for one, other in pairs:
        assert groups[one] == groups[other]
        assert any({one, other} <= names for names in drugs)
