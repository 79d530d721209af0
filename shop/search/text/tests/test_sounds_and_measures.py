"""Spellings by ear, sizes, and what shoppers write around what they look for."""

from decimal import Decimal

import pytest

from ..measures import measure_words, measures_of, readable
from ..query import split_prices, words_in
from ..sounds import consonants, sound_key


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("trifala", "triphala"), ("shampu", "shampoo"), ("gokhroo", "gokhru"), ("khaansi", "khansi"), ("kabz", "kabj"),
        ("zeera", "jeera"), ("ashvagandha", "ashwagandha"), ("chyavanprash", "chyawanprash"), ("kreem", "cream"),
        ("cinamon", "cinnamon"), ("kalsium", "calcium"), ("loshan", "lotion"), ("kofi", "coffee"),
    ],
)  # fmt: skip
def test_spellings_that_sound_alike_have_one_key(one, other):
    assert sound_key(one) == sound_key(other) != ""


@pytest.mark.parametrize(("one", "other"), [("tulsi", "turmeric"), ("oil", "aloe"), ("neem", "name"), ("gel", "jal")])
def test_other_words_have_other_keys(one, other):
    assert sound_key(one) != sound_key(other)


@pytest.mark.parametrize(
    ("written", "latin"),
    [("शैम्पू", "shampoo"), ("அஸ்வகந்தா", "ashwagandha"), ("तुलसी", "tulsi"), ("চূর্ণ", "churna"), ("تلسی", "tulsi")],
)
def test_scripts_that_leave_vowels_out_are_compared_by_consonants(written, latin):
    assert consonants(written) == consonants(latin)


def test_what_is_no_word_has_no_sound():
    assert [sound_key(text) for text in ("", "650", "=5ug")] == ["", "", ""]


@pytest.mark.parametrize(
    "spellings",
    [
        ("2 kg", "2kg", "2000 g", "2000gm", "2,000 grams", "2 KG"), ("500 ml", "0.5 l", "0.5 Litre", "500ML"),
        ("12.5 mcg", "12.5mcg", "0.0125 mg"), ("1 g", "1000mg"), ("1,5 l", "1500 ml"),
    ],
)  # fmt: skip
def test_one_size_is_one_word_however_it_is_written(spellings):
    tokens = {token for spelling in spellings for token, _ in measures_of(spelling)}
    assert len(tokens) == 1


@pytest.mark.parametrize("size", ["2 kg", "1.5 g", "12.5 mg", "125 mcg", "1.5 l", "500 ml", "0.5 ml", "0.5 mcg"])
def test_a_size_is_shown_as_people_write_it(size):
    assert [readable(token) for token, _ in measures_of(size)] == [size]
    assert readable("soap") == "soap"


@pytest.mark.parametrize(("one", "other"), [("12.5 mcg", "125 mcg"), ("2.5 mg", "25 mg"), ("500 mg", "500 ml")])
def test_sizes_that_differ_are_other_words(one, other):
    assert measure_words(one) != measure_words(other)


@pytest.mark.parametrize("text", ["5 gold", "100 liters of", "v2 gmail", "60 tablets"])
def test_a_number_before_a_word_is_not_always_a_size(text):
    assert [number for _, number in measures_of(text)] == (["100"] if "liters" in text else [])


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("best ashwagandha powder price", ["ashwagandha", "powder"]),
        ("khansi ki dawa", ["khansi"]),
        ("खांसी की दवा", ["खांसी"]),
        ("capsules for the calm", ["capsules", "calm"]),
        ("the best", ["best"]),
        ("which is it", ["which", "is", "it"]),
        ("", []),
    ],
)
def test_words_around_what_is_looked_for_are_left_away_unless_they_are_all(query, words):
    assert words_in(query) == words


@pytest.mark.parametrize(
    ("query", "rest", "low", "high"),
    [
        ("honey under 500", "honey", None, 500), ("sunscreen below ₹300", "sunscreen", None, 300),
        ("whey less than rs 3000", "whey", None, 3000), ("soap above 100 rs", "soap", 100, None),
        ("oil between 200 and 400", "oil", 200, 400), ("upto 99.50 tea", "tea", None, Decimal("99.50")),
        ("honey under 5 kg", "honey under 5 kg", None, None), ("under 500", "under 500", None, None),
        ("under eye cream", "under eye cream", None, None), ("honey", "honey", None, None),
        ("tea under 20%", "tea under 20%", None, None),
    ],
)  # fmt: skip
def test_prices_in_words_are_limits(query, rest, low, high):
    found = split_prices(query)
    assert (found.rest, found.min, found.max) == (rest, low, high)
    assert bool(found) == (low is not None or high is not None)
