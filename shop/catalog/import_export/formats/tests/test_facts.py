"""What imports read of medicines and of where something was made; nothing is invented."""

import pytest

from ....models import Product
from ....products.countries import country_code
from ...rows import Row
from .. import facts
from ..table import GUESSES

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def prescriptions():
    return dict(Product.objects.values_list("name", "is_prescription"))


def remarks(notes):
    return {row: why for row, what, why in notes if what == "remark"}


def on_file(notes):
    return [why for _, what, why in notes if what == "file"]


@pytest.mark.parametrize(
    ("word", "needed"),
    [
        ("Prescription Required", True), ("required", True), ("Yes", True), ("1", True), ("1.0", True), ("Rx", True),
        ("Schedule H1", True), ("PRESCRIPTION-REQUIRED", True), (" Prescription  Required. ", True), ("हाँ", True),
        ("Not Required", False), ("Prescription Not Required", False), ("not_required", False), ("No", False),
        ("OTC", False), ("Over-the-counter", False), ("false", False), ("0", False), ("0.0", False), ("नहीं", False),
        ("Not Mentioned", None), ("Required?", None), ("N/A", None), ("maybe", None), ("unrequired", None),
        ("Not sure if required", None), ("2", None),
    ],
)  # fmt: skip
def test_whole_words_say_whether_a_prescription_is_needed(word, needed):
    assert facts.needs_prescription(word) is needed
    row = Row(2, "x")
    assert facts.read_prescription(row, word, "rx") is (needed is not False)
    assert bool(row.notes) is (needed is None)


def test_every_word_is_in_one_list_only_and_read_as_it_stands():
    assert not facts.NEEDED & facts.NOT_NEEDED
    assert all(facts.needs_prescription(word) is True for word in facts.NEEDED)
    assert all(facts.needs_prescription(word) is False for word in facts.NOT_NEEDED)


def test_a_table_marks_what_it_says_and_what_it_does_not_say_clearly(import_text):
    text = "Drug Name,Prescription,Price\nA,Not Required,1\nB,Prescription Required,1\nC,Not Mentioned,1\nD,,1\n"
    _, notes = import_text(text)
    assert prescriptions() == {"A": False, "B": True, "C": True, "D": True}
    assert remarks(notes) == {
        4: "prescription is 'Not Mentioned', neither yes nor no: kept as prescription-only",
        5: "the file does not say whether it needs a prescription: new ones are prescription-only",
    }
    assert import_text(text)[0] == [0, 0, 4, 0, 0]
    Product.objects.update(is_prescription=False)
    import_text(text)
    assert prescriptions() == {"A": False, "B": True, "C": True, "D": False}


@pytest.mark.parametrize(
    "column",
    [
        "Prescription", "Is Prescription Required?", "prescription_required", "Requires Prescription", "Rx",
        "RX Required", "Schedule", "metafield: custom.rx_required [boolean]",
        "Rx (product.metafields.custom.prescription_required)",
        "Meta: _prescription_required", "Prescription Required (Y/N)", "Rx required? (yes / no)", "Prescription [Y/N]",
        "Meta: rx_needed?", "Is prescription required? *", "Rx needed",
    ],
)  # fmt: skip
def test_column_names_and_metafields_that_mark_prescriptions(import_text, column):
    import_text(f"name,{column},price\nA,yes,1\nB,otc,1\n")
    assert prescriptions() == {"A": True, "B": False}


def test_an_otc_column_says_the_opposite_and_of_two_columns_the_stricter_counts(import_text):
    import_text("name,otc,price\nA,yes,1\nB,no,1\nC,perhaps,1\n")
    assert prescriptions() == {"A": False, "B": True, "C": True}
    import_text("name,rx,schedule,price\nD,no,H,1\nE,no,otc,1\n")
    assert prescriptions() | {"D": True, "E": False} == prescriptions()


@pytest.mark.parametrize(
    "column", ["Rx flag", "Prescription category", "Meta: legal rx state", "Doctor's prescription"]
)
def test_a_column_that_may_mark_prescriptions_is_named_and_keeps_new_products_back(import_text, column):
    import_text("name,price\nOld,1\n")
    text = f"name,{column},price\nA,yes,1\nB,,1\nOld,yes,1\n"
    _, notes = import_text(text)
    assert prescriptions() == {"A": True, "B": False, "Old": False}
    (words,) = [words for words in on_file(notes) if "understood" in words]
    assert column.lower() in words
    _, notes = import_text(text.replace("name", "medicine name"))
    assert prescriptions()["A"] is True


def test_a_column_that_may_mark_prescriptions_keeps_new_medicines_back(import_text):
    import_text("name,rx flag,composition,price\nA,,Paracetamol (5mg),1\n")
    import_text("name,rx flag,prescription,price\nB,n,no,1\n")
    assert prescriptions() == {"A": True, "B": False}


@pytest.mark.parametrize("column", ["otc", "Is OTC", "Over the counter", "Without prescription"])
@pytest.mark.parametrize(
    ("word", "needed"),
    [
        ("yes", False), ("Y", False), ("TRUE", False), ("1.0", False), ("on", False), ("हाँ", False), ("हां", False),
        ("no", True), ("N", True), ("false", True), ("0", True), ("off", True), ("नहीं", True),
        ("Rx", True), ("Prescription only", True), ("H1", True), ("Schedule H", True), ("required", True),
        ("OTC", False), ("Over-the-counter", False), ("No prescription required", False), ("non-Rx", False),
        ("perhaps", True),
    ],
)  # fmt: skip
def test_an_otc_column_turns_plain_yes_and_no_alone(import_text, column, word, needed):
    import_text(f"name,{column},price\nA,{word},1\n")
    assert prescriptions() == {"A": needed}


@pytest.mark.parametrize("column", ["Schedule", "Drug Schedule", "schedule_type"])
@pytest.mark.parametrize(
    ("word", "schedule"),
    [
        ("H", "H"), ("h1", "H1"), ("Schedule H", "H"), ("SCHEDULE-H1", "H1"), ("H-1", "H1"), ("Sch. H1", "H1"),
        ("X", "X"), ("Schedule X", "X"), ("NDPS", "N"), ("N", "N"), ("N(DPS)", "N"), ("H1 Drug", "H1"),
        ("OTC", ""), ("yes", ""), ("G", ""),
    ],
)  # fmt: skip
def test_a_schedule_is_kept_and_what_is_not_sold_is_never_published(import_text, column, word, schedule):
    text = f"name,{column},price\nA,{word},100\n"
    import_text(text)
    product = Product.objects.get()
    assert (product.schedule, product.is_prescription) == (schedule, word != "OTC")
    assert product.is_published is (schedule not in ("X", "N"))
    assert import_text(text)[0] == [0, 0, 1, 0, 0]


def test_a_letter_alone_is_a_schedule_under_that_name_only_and_the_strictest_counts(import_text):
    import_text("name,rx,schedule,drug schedule,price\nA,X,,,1\nB,Schedule X,,,1\nC,no,H,X,1\nD,no,H1,H,1\n")
    assert dict(Product.objects.values_list("name", "schedule")) == {"A": "", "B": "X", "C": "X", "D": "H1"}
    assert all(prescriptions().values())


def test_an_attribute_or_metafield_names_a_schedule_and_a_published_product_is_withdrawn(import_text):
    header = "ID,Type,SKU,Name,Published,Regular price,Attribute 1 name,Attribute 1 value(s),Meta: _drug_schedule\n"
    import_text(header + "1,simple,A,Ketamine,1,20,,,\n2,simple,B,Tramadol,1,20,,,H1\n")
    assert Product.objects.get(name="Ketamine").is_published
    import_text(header + "1,simple,A,Ketamine,1,20,Schedule,Schedule X,\n")
    found = dict(Product.objects.values_list("schedule", "is_published"))
    assert found == {"X": False, "H1": True}


def test_one_row_of_a_product_that_says_prescription_counts_for_all(import_text):
    text = "name,size,rx,price\nA,10,no,1\nA,20,required,2\n"
    import_text(text)
    assert prescriptions() == {"A": True}
    assert import_text(text)[0] == [0, 0, 2, 0, 0]


@pytest.mark.parametrize(
    "header", ["Drug Name,Composition", "medicine_name,mfg_name", "name,Salt Composition", "Drug Code,Generic Name"]
)
def test_medicines_without_any_such_column_are_told(import_text, header):
    _, notes = import_text(f"{header},mrp\nX1,Y (5mg),5\nX2,Z (5mg),5\n")
    (words,) = [words for words in on_file(notes) if "prescription" in words]
    assert words.startswith("none of the 2 medicines is marked as prescription-only: the file has no column")


@pytest.mark.parametrize(
    "text",
    [
        "name,price,Active Ingredients\nA,20,Alprazolam\n",
        "name,price,category\nA,20,Prescription Medicines\n",
        "name,price,category\nA,20,Allopathic Medicines\n",
        "name,price,category\nA,20,Health > Rx\n",
    ],
)
def test_more_signs_of_medicines(import_text, text):
    assert any("none of the 1 medicines" in words for words in on_file(import_text(text)[1]))


def test_rows_with_active_ingredients_are_medicines(import_text):
    _, notes = import_text("name,price,contents\nA,20,Alprazolam (0.5mg)\n", mapping={"composition": "contents"})
    assert any("none of the 1 medicines" in words for words in on_file(notes))


def test_other_products_need_no_such_word(import_text):
    _, notes = import_text("name,category,price\nSoap,Soaps,5\n")
    assert on_file(notes) == []
    _, notes = import_text("name,category,price\nOil,Ayurvedic Medicines,5\n")
    assert on_file(notes) == []
    _, notes = import_text("name,category,price\nPill,Medicines,5\n")
    assert "none of the 1 medicines" in on_file(notes)[0]


def test_shopify_and_woocommerce_state_them_in_metafields_and_attributes(import_text):
    import_text(
        "Handle,Title,Variant Price,Rx (product.metafields.custom.prescription_required),"
        "Country of origin (product.metafields.custom.country_of_origin)\n"
        "pill,Pill,5,TRUE,Sri Lanka\ntea,Tea,5,FALSE,\n"
    )
    import_text(
        "ID,Type,SKU,Name,Regular price,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s),"
        "Meta: origin\n1,simple,w,Woo Pill,5,Prescription,Required,Country of Origin,Germany,\n"
        "2,simple,v,Woo Tea,5,Size,100 g,,,Nepal\n"
    )
    assert prescriptions() == {"Pill": True, "Tea": False, "Woo Pill": True, "Woo Tea": False}
    assert dict(Product.objects.values_list("name", "country_of_origin")) == {
        "Pill": "LK", "Tea": "", "Woo Pill": "DE", "Woo Tea": "NP",
    }  # fmt: skip
    assert Product.objects.get(name="Woo Pill").variants.get().attribute_values.count() == 0
    assert Product.objects.get(name="Woo Tea").variants.get().attribute_values.get().label == "100 g"


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("India", "IN"), ("IN", "IN"), ("in", "IN"), ("IND", "IN"), ("Made in India", "IN"), ("भारत", "IN"),
        ("Country of Origin: Sri Lanka", "LK"), ("U.S.A", ""), ("USA", "US"), ("United States of America", "US"),
        ("UK", "GB"), ("uae", "AE"), ("South Korea", "KR"), ("Côte d’Ivoire", "CI"), ("NA", ""), ("N/A", ""),
        ("", ""), ("No", ""), ("no.", ""), ("NO", ""), ("Norway", "NO"),
        ("India, China", ""), ("ZZ", ""), ("EU", ""), ("Not Mentioned", ""), ("Maharashtra", ""),
    ],
)  # fmt: skip
def test_countries_as_people_write_them(cell, code):
    assert country_code(cell) == code


@pytest.mark.parametrize(
    "column", ["Origin", "country of origin", "Manufacturer Country", "Made in", "country_of_origin"]
)
def test_an_origin_is_read_and_never_invented(import_text, column):
    _, notes = import_text(f"name,{column},price\nA,China,1\nB,,1\nC,N/A,1\nD,Atlantis,1\n")
    assert dict(Product.objects.values_list("name", "country_of_origin")) == {"A": "CN", "B": "", "C": "", "D": ""}
    assert list(remarks(notes)) == [5]
    import_text("name,price\nE,1\n")
    assert Product.objects.get(name="E").country_of_origin == ""


def test_the_columns_can_be_named_by_hand_or_switched_off(import_text):
    text = "name,flag,rx,land,price\nA,yes,no,LK,1\n"
    import_text(text, mapping={"prescription": "flag", "origin": "land"})
    assert (prescriptions(), Product.objects.get().country_of_origin) == ({"A": True}, "LK")
    Product.objects.all().delete()
    import_text("name,rx,price\nB,yes,1\n", mapping={"prescription": ""})
    assert prescriptions() == {"B": False}


def test_no_column_is_two_things():
    names = [name for names in GUESSES.values() for name in names]
    known = facts.PRESCRIPTION | facts.ORIGIN | facts.OVER_THE_COUNTER
    assert len(names) == len(set(names)) and known.isdisjoint(names)
