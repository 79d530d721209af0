"""The word index against one made anew, through random changes; its bytes; what it asks of the database."""

import random

import numpy as np
import pytest

from shop.catalog.models import Attribute, AttributeValue, Brand, Variant
from shop.catalog.services import refresh_products
from shop.invalidation.subscriptions import catch_up

from ... import snapshots
from ...models import IndexSnapshot
from .. import index as word_index
from ..index import Segment, WordIndex
from ..matching import find_products
from ..reading import entry_of, read_entries
from ..store import current_words, keep_snapshot, store

WORDS = ("neem", "oil", "soap", "amla", "honey", "tea", "tulsi", "powder", "aloe", "vera", "gel", "balm", "brahmi")
SEED = 11


def state(index: WordIndex) -> dict:
    """What the index says of each product: its words with their weights and fields, and its name."""
    one = index.folded().base
    said: dict[int, dict] = {int(pk): {} for pk in one.ids}
    for term in one.terms:
        rows, weights, masks = one.postings(term)
        for row, weight, mask in zip(rows, weights, masks, strict=True):
            said[int(one.ids[row])][term] = (round(float(weight), 4), int(mask))
    return {pk: (words, tuple(one.name_of(int(np.flatnonzero(one.ids == pk)[0])))) for pk, words in said.items()}


def random_entry(chance: random.Random, pk: int):
    name, body = (" ".join(chance.choices(WORDS, k=chance.randint(1, 5))) for _ in range(2))
    return entry_of(pk, name=name, brand=chance.choice(WORDS), body=body, options=f"{chance.randint(1, 9)}00 g")


@pytest.mark.parametrize("most", [1, 5, 1000])
def test_an_index_that_was_patched_says_what_one_made_anew_says(monkeypatch, most):
    monkeypatch.setattr(word_index, "MAX_RECENT", most)
    chance = random.Random(SEED)
    entries = {pk: random_entry(chance, pk) for pk in range(1, 30)}
    index = WordIndex.of(entries.values())
    for _ in range(60):
        changed = {chance.randint(1, 40) for _ in range(chance.randint(1, 4))}
        for pk in changed:
            if chance.random() < 0.3:
                entries.pop(pk, None)
            else:
                entries[pk] = random_entry(chance, pk)
        index = index.patched(changed, [entries[pk] for pk in changed if pk in entries])
        assert state(index) == state(WordIndex.of(entries.values()))
        assert len(index) == len(entries)


def test_bytes_of_an_index_make_the_same_index():
    chance = random.Random(SEED)
    index = WordIndex.of(random_entry(chance, pk) for pk in range(1, 30)).patched({3}, [random_entry(chance, 3)])
    assert state(WordIndex.load(index.dump())) == state(index)
    assert state(WordIndex.load(WordIndex.of([]).dump())) == {}


@pytest.mark.parametrize("damaged", [b"", b"no index", b"PK\x05\x06" + bytes(18)])
def test_other_bytes_are_refused(damaged):
    with pytest.raises(snapshots.UNREADABLE):
        WordIndex.load(damaged)


def test_words_that_begin_alike_are_one_slice():
    segment = Segment.of([entry_of(1, name="tulsi tea"), entry_of(2, name="tulip"), entry_of(3, name="soap")])
    assert sorted(segment.postings_of_beginning("tul")[0].tolist()) == [0, 1]
    assert segment.postings_of_beginning("tulx")[0].tolist() == []
    assert segment.postings("tul") is None


@pytest.mark.database
def test_everything_that_a_card_shows_is_found(db, make_product, make_variant):
    product = make_product("Forest Jam", title="Amla jam of the hills", brand=Brand.objects.create(name="Zyxara"))
    variant = make_variant(product=product, barcode="8901234567894", net_quantity=250, net_unit="g")
    Variant.objects.filter(pk=variant.pk).update(sku="JAM-77-X")
    variant.attribute_values.add(
        AttributeValue.objects.create(attribute=_attribute("Flavour"), value="Cardamom"),
        AttributeValue.objects.create(attribute=_attribute("Size"), value="0.25", unit="kg"),
    )
    refresh_products([product.pk])
    for query in (
        "forest jam", "hills", "zyxara", "cardamom", "250 g", "250gm", "0.25 kg", "JAM-77-X", "jam77x", "8901234567894",
    ):  # fmt: skip
        found = find_products(query)
        assert (found.ids, found.left_out) == ([product.pk], ()), query


def _attribute(name):
    return Attribute.objects.create(name=name, slug=name.lower())


@pytest.mark.database
def test_reading_takes_as_many_queries_for_many_as_for_one(db, make_product, make_variant, django_assert_num_queries):
    make_variant(product=make_product("One"))
    with django_assert_num_queries(6):
        assert len(list(read_entries())) == 1
    for number in range(5):
        make_variant(product=make_product(f"Another {number}"))
    with django_assert_num_queries(6):
        assert len(list(read_entries())) == 6


@pytest.fixture
def large(db, monkeypatch, make_product, make_variant):
    """Three products are many here: too many for a process to read by itself."""
    monkeypatch.setattr(store, "small", 1)
    monkeypatch.setattr(snapshots, "RETRY_SECONDS", 0)
    return [make_variant(product=make_product(name)).product for name in ("Neem Soap", "Amla Oil", "Tulsi Tea")]


@pytest.mark.database
def test_before_there_is_an_index_names_are_searched_and_the_page_is_not_kept(large, client):
    found = find_products("neem")
    assert (found.ids, found.is_makeshift) == ([large[0].pk], True)
    page = client.get("/en-in/search/neem/")
    assert [card.product for card in page.context["listing"].cards] == [large[0]]
    assert "public" not in page.headers.get("Cache-Control", "")
    keep_snapshot()
    found = find_products("neam")
    assert (found.ids, found.is_makeshift) == ([large[0].pk], False)


@pytest.mark.database
def test_processes_load_what_the_job_made_and_add_what_changed_since(large, make_product, make_variant):
    keep_snapshot()
    later = make_variant(product=make_product("Brahmi Tea")).product
    assert state(current_words()) == state(WordIndex.of(read_entries()))
    assert find_products("brahmi").ids == [later.pk]


def test_a_snapshot_of_another_layout_is_made_anew(large):
    keep_snapshot()
    IndexSnapshot.objects.update(version=store.version + 1)
    assert current_words() is None
    keep_snapshot()
    assert len(current_words()) == 3


@pytest.mark.database
def test_a_search_never_asked_before_asks_the_database_nothing(large, django_assert_num_queries):
    keep_snapshot()
    find_products("soap")
    catch_up()
    with django_assert_num_queries(0):
        for query in ("neem soap", "amla soup", "tulsi unicorn", "hair fall", "qqqqq"):
            find_products(query)
