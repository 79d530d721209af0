"""That a medicine needs a prescription is not lost by where in the file it is said."""

import pytest

from ...models import Product
from .. import run

pytestmark = [pytest.mark.django_db, pytest.mark.database]
WOO = "ID,Type,SKU,Name,Published,Regular price,Categories,Attribute 1 name,Attribute 1 value(s)\n"


def prescriptions():
    return dict(Product.objects.values_list("name", "is_prescription"))


@pytest.mark.parametrize("marked", [1, 2, 3])
@pytest.mark.parametrize(("name", "word"), [("Prescription required", "yes"), ("OTC", "no"), ("Rx", "Rx only")])
def test_an_attribute_on_any_product_makes_unmarked_medicines_prescription_only(import_text, marked, name, word):
    rows = [f"{n},simple,S{n},Pill {n},1,20,Medicines,{f'{name},{word}' if n == marked else ','}\n" for n in (1, 2, 3)]
    soap = "4,simple,S4,Soap,1,20,Soaps,,\n"
    import_text(WOO + "".join(rows) + soap)
    assert prescriptions() == {"Pill 1": True, "Pill 2": True, "Pill 3": True, "Soap": False}


@pytest.mark.parametrize("batch", [2, 3, 500])
@pytest.mark.parametrize(
    ("column", "first", "later", "schedule"),
    [("rx", "no", "yes", ""), ("rx", "", "yes", ""), ("schedule", "OTC", "H1", "H1"), ("schedule", "H", "X", "X")],
)
@pytest.mark.parametrize("price", ["20", "25"])
def test_a_repeated_row_in_a_later_batch_makes_it_prescription_only(
    import_text, monkeypatch, batch, column, first, later, schedule, price
):
    monkeypatch.setattr(run, "BATCH", batch)
    between = "".join(f"Thing {n},no,5\n" for n in range(5))
    import_text(f"name,{column},price\nAlprax,{first},20\n{between}Alprax,{later},{price}\n")
    product = Product.objects.get(name="Alprax")
    assert (product.is_prescription, product.schedule) == (True, schedule)
    assert product.is_published is (schedule != "X")


def test_a_later_row_that_says_no_changes_nothing(import_text, monkeypatch):
    monkeypatch.setattr(run, "BATCH", 2)
    _, notes = import_text("name,rx,price\nAlprax,yes,20\nA,no,5\nB,no,5\nAlprax,no,20\n")
    assert prescriptions() == {"Alprax": True, "A": False, "B": False}
    assert not [why for _, _, why in notes if "prescription-only" in why]
