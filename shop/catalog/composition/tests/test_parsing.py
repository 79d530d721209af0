"""Compositions and strengths as labels and files write them."""

import csv
import gzip
import json
from decimal import Decimal
from pathlib import Path

import pytest

from ..dosage import DosageForm, form_named, read_pack
from ..files import CompositionColumns, read_ingredients, written_ingredients
from ..parsing import MAX_COMPONENTS, part_of, read_composition
from ..strengths import Strength, read_strength

CHECKED = Path(__file__).parent / "data" / "checked_rows.csv"
COLUMNS = ("composition", "Composition", "short_composition1", "short_composition2")


def parts(text):
    return [(part.name, part.words) for part in read_composition(text)]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("500mg", "500 mg"), ("1.37gm/5ml", "1.37 g/5 ml"), ("0.5 % w / v", "0.5% w/v"), ("2%", "2%"),
        ("60,000 IU", "60000 IU"), ("10 mg per ml", "10 mg/ml"), ("120 mg in 5 ml", "120 mg/5 ml"),
        ("800 µg", "800 mcg"), ("150i.u", "150 IU"), ("25mcg/hr", "25 mcg/hour"), ("2.50 g", "2.5 g"),
        ("60Million spores", "60 million spores"), ("100 mcg per metered dose", "100 mcg/dose"), (".5mg", "0.5 mg"),
        ("1,00,000 IU", "100000 IU"), ("0,25 mg", "0.25 mg"), ("0,125 mg", "0.125 mg"), ("12,50 mg", "12.5 mg"),
        ("1,25 mg", "1.25 mg"), ("2,5 mg/5 ml", "2.5 mg/5 ml"), ("5 mg/2,5 ml", "5 mg/2.5 ml"), ("0,5%", "0.5%"),
        ("1,250 mg", "1250 mg"), ("12,00,000 IU", "1200000 IU"), ("1,000,000 IU", "1000000 IU"),
        ("1,250.5 mg", "1250.5 mg"), ("112,5 mcg", "112.5 mcg"),
    ],
)  # fmt: skip
def test_a_strength_is_number_unit_and_measure(written, read):
    strength = read_strength(written)
    assert str(strength) == read and read_strength(read) == strength, "what is written is read as the same"


@pytest.mark.parametrize(
    "words",
    [
        "",
        "NA",
        "mg",
        "0 mg",
        "5",
        "500 mg tablet",
        "5 mg/0 ml",
        "5 mg/parsec",
        "1.123456789 mg",
        "9" * 11 + " mg",
        "-5 mg",
        "5 mg 5 mg",
        "1,2345 mg",
        "1,00,00 IU",
        "0,125,000 IU",
        "01,250 mg",
        "1234,567 mg",
        "1,5,5 mg",
    ],
)
def test_what_is_no_strength_is_none(words):
    assert read_strength(words) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1 g", "1000 mg"),
        ("250 mg/5 ml", "50 mg/ml"),
        ("5% w/v", "50 mg/ml"),
        ("2% w/w", "20 mg/g"),
        ("500 mcg", "0.5 mg"),
    ],
)
def test_strengths_that_are_one_compare_alike(one, other):
    assert read_strength(one).compared == read_strength(other).compared


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("500 mg", "500 mcg"),
        ("5 mg", "5 mg/ml"),
        ("2% w/w", "2% w/v"),
        ("2%", "2% w/w"),
        ("10 IU", "10 units"),
        ("5 mg/ml", "5 mg/spray"),
    ],
)
def test_strengths_that_differ_compare_differently(one, other):
    assert read_strength(one).compared != read_strength(other).compared


def test_a_composition_is_read_in_every_way_that_labels_write_it():
    both = [("Paracetamol", "500 mg"), ("Caffeine", "65 mg")]
    for text in (
        "Paracetamol 500mg + Caffeine 65 mg",
        "Paracetamol (500mg)+Caffeine (65mg)",
        "Paracetamol IP 500 mg, Caffeine 65 mg",
        "Paracetamol 500 mg and Caffeine 65 mg",
        "Paracetamol I.P. = 500 mg; Caffeine=65mg",
        "Paracetamol 500mg\nCaffeine 65mg",
    ):
        assert parts(text) == both, text


def test_names_keep_their_own_numbers_brackets_and_commas():
    assert parts("Vitamin B12 1000 mcg + Vitamin D3 60,000 IU") == [
        ("Vitamin B12", "1000 mcg"),
        ("Vitamin D3", "60000 IU"),
    ]
    assert parts("Vitamin B6 (Pyridoxine) (10mg)") == [("Vitamin B6 (Pyridoxine)", "10 mg")]
    assert parts("Rabies vaccine, Human (2.5IU)") == [("Rabies vaccine, Human", "2.5 IU")]
    assert parts("Citric acid and sodium citrate") == [("Citric acid and sodium citrate", "")]
    assert parts("Insulin (A + B) (40 IU/ml)") == [("Insulin (A + B)", "40 IU/ml")]


def test_a_strength_that_is_not_stated_is_none_and_one_that_is_unknown_stays_as_written():
    (unstated,), (unknown,) = read_composition("Atropine (NA)"), read_composition("Rotavirus (1000ccid50)")
    assert (unstated.words, unstated.is_read) == ("", True)
    assert (unknown.name, unknown.words, unknown.is_read) == ("Rotavirus", "1000ccid50", False)
    (amount_in_name,) = read_composition("Levodopa 100mg (slow)")
    assert not amount_in_name.is_read
    assert not part_of("x" * 121, "5 mg").is_read and read_composition(" + ") == []


def test_a_list_without_end_is_cut():
    assert len(read_composition(" + ".join(f"Salt{number} 5 mg" for number in range(500)))) == MAX_COMPONENTS


@pytest.mark.parametrize(
    ("label", "quantity", "unit", "form"),
    [
        ("strip of 10 tablets", 10, "tablets", DosageForm.TABLET),
        ("strip of 15 tablet sr", 15, "tablets", DosageForm.TABLET_MODIFIED),
        ("tube of 30 gm Cream", 30, "g", DosageForm.CREAM),
        ("bottle of 100 ml Syrup", 100, "ml", DosageForm.SYRUP),
        ("strip of 10 soft gelatin capsules", 10, "softgels", DosageForm.SOFTGEL),
        ("packet of 200 MDI Inhaler", 200, "", DosageForm.INHALER),
        ("vial of 1 Injection", 1, "", DosageForm.INJECTION),
        ("packet of 1 Kit", 1, "", DosageForm.UNKNOWN),
    ],
)
def test_a_pack_says_how_much_of_which_form(label, quantity, unit, form):
    pack = read_pack(label)
    assert (pack.quantity, pack.unit, pack.form) == (quantity, unit, form)


def test_what_is_no_pack_is_none():
    assert read_pack("10 tablets") is None and read_pack("") is None
    assert form_named("nothing") is DosageForm.UNKNOWN and form_named("Eye-drops") is DosageForm.EYE_DROPS


def test_ingredients_come_back_from_a_cell_as_they_went():
    kept = [
        ["Paracetamol", "500 mg"],
        ["Vitamin B6 (Pyridoxine)", ""],
        ["Rotavirus", "1000ccid50"],
        ["A (B)", "5 mg/ml"],
    ]
    assert read_ingredients(written_ingredients(kept)) == kept
    assert read_ingredients(["Caffeine 65mg", "Vitamin B6 (Pyridoxine)"]) == [
        ["Caffeine", "65 mg"],
        ["Vitamin B6 (Pyridoxine)", ""],
    ]


# --- Lists that a file may have cut off -----------------------------------------------------------------------


def sure(rows, columns=1, name="Tablet"):
    """Whether each of these rows' compositions is sure to be whole."""
    composed = CompositionColumns(columns)
    for row in rows:
        composed.add(row)
    return [composed.read(row, name)[1] for row in rows]


def test_two_full_columns_may_hold_the_first_two_of_more():
    rows = [["A (5mg)", "B (5mg)"], ["A (5mg)", ""]]
    assert sure(rows, columns=2) == [False, True]


def test_as_many_rows_as_long_as_the_longest_show_where_a_file_cuts():
    assert sure([["A (5mg)"]] * 20) == [False] * 20
    assert sure([["A (5mg)"]] * 19) == [True] * 19
    assert sure([["A (5mg)"]] * 30 + [["A (5mg) + B (5mg)"]]) == [True] * 31


@pytest.mark.parametrize("cell", ["A (5mg) ", "A (5mg) +", "A (5mg),", "A (5mg)…", "A (5mg)..."])
def test_what_ends_in_the_middle_is_not_sure(cell):
    assert sure([[cell]]) == [False]


def test_a_name_with_more_strengths_than_the_list_shows_that_it_is_cut():
    assert sure([["A (5mg)"]], name="Adol 5mg/120mg Tablet") == [False]
    assert sure([["A (5mg/5ml)"]], name="Adol 5mg/5ml Syrup") == [True]


def test_what_cannot_be_read_is_not_sure():
    assert sure([["A (1000ccid50)"]]) == [False]


# --- The published files --------------------------------------------------------------------------------------


def rows_of(path):
    with gzip.open(path, "rt", encoding="utf-8-sig", newline="") as file:
        return json.load(file) if ".json" in path.name else list(csv.DictReader(file))


def test_of_three_hundred_rows_checked_by_hand_at_least_ninety_five_per_cent_are_read(test_data, figure):
    """75 rows of each file that has a composition, drawn at random; what they say was checked against the rows."""
    with CHECKED.open(encoding="utf-8", newline="") as file:
        checked = list(csv.DictReader(file))
    files = {name: rows_of(test_data / "medicines" / name) for name in {row["file"] for row in checked}}
    wrong = []
    for row in checked:
        record = files[row["file"]][int(row["row"])]
        text = " + ".join(record[column] for column in COLUMNS if (record.get(column) or "").strip())
        read = " + ".join(f"{name}: {strength}".rstrip() for name, strength in parts(text))
        if read != row["expected"]:
            wrong.append((row, read))
    figure(f"{len(checked) - len(wrong)} of {len(checked)} rows", "95 %")
    assert len(checked) == 300 and len(wrong) <= 15, wrong


def test_nearly_every_row_of_the_files_is_read(test_data, figure):
    rows = [
        " + ".join(record[column] for column in COLUMNS if (record.get(column) or "").strip())
        for name in {row["file"] for row in csv.DictReader(CHECKED.open(encoding="utf-8", newline=""))}
        for record in rows_of(test_data / "medicines" / name)
    ]
    unread = [text for text in rows if not (found := read_composition(text)) or not all(part.is_read for part in found)]
    figure(f"{len(unread)} of {len(rows)} rows were not read", "5 %")
    assert len(rows) > 20_000 and len(unread) < len(rows) / 20


def test_a_strength_is_what_its_columns_say():
    assert str(Strength(Decimal("125.000"), "mg", Decimal("5.0"), "ml")) == "125 mg/5 ml"
