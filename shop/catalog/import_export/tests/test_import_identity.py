"""Products of a table without ids: what differs in its name stays two, and what was imported before is found again."""

import pytest
from django.contrib.admin.models import LogEntry
from hypothesis import given
from hypothesis import strategies as st

from shop.backoffice import history

from ...models import Brand, Product, Variant
from ..formats.cells import earlier_handle_of, handle_of, same_name

pytestmark = [pytest.mark.django_db, pytest.mark.database]

PAIRS = [
    ("Thyroxine 12.5mcg", "Thyroxine 125mcg"),
    ("Warfarin 2.5 mg", "Warfarin 25 mg"),
    ("Alex Syrup", "Alex+ Syrup"),
    ("Furosone", "Furosone +"),
    ("तुलसी", "तलसी"),
    ("तिल का तेल", "ताल का तेल"),
    ("Saline 0.9%", "Saline 0.9"),
    ("Telma 40/12.5", "Telma 4012.5"),
    ("Insulin 100 IU/ml", "Insulin 100 IU ml"),
    ("Digoxin 0,25", "Digoxin 025"),
    ("Vitamin A (5)", "Vitamin A 5"),
    ("कि", "की"),
    ("Drops -2", "Drops 2"),
    ("Foo & Bar", "Foo Bar"),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_different_names_are_different_products(import_text, one, other):
    text = f'name,price\n"{one}",10\n"{other}",10\n'
    assert import_text(text)[0] == [2, 0, 0, 0, 0]
    assert set(Product.objects.values_list("name", flat=True)) == {one, other}
    slugs = set(Product.objects.values_list("slug", flat=True))
    assert len(slugs) == 2
    assert import_text(text)[0] == [0, 0, 2, 0, 0]
    assert import_text(f'name,price\n"{other}",10\n"{one}",10\n')[0] == [0, 0, 2, 0, 0]


def test_maker_name_and_id_are_not_run_together(import_text):
    text = "name,brand,id,price\nB C,A,,10\nC,A B,,10\nC 1,A B,2,10\nC,A B,12,10\nC,A B,1.2,10\n"
    assert import_text(text)[0] == [5, 0, 0, 0, 0]


def test_case_spaces_and_ways_to_write_one_letter_do_not_matter(import_text):
    text = "name,price\nCafé  Tea,10\nCAFE\u0301 TEA,10\n Café\u00a0tea,10\nक़लम,5\n\u0915\u093cलम,5\n"
    counts, _ = import_text(text)
    assert counts == [2, 0, 0, 3, 0]


@given(one=st.text(max_size=300), other=st.text(max_size=300))
@pytest.mark.parametrize("at", [0, 1, 2])
def test_keys_are_as_different_as_names(at, one, other):
    keys = [handle_of(*["Tea" if n != at else name for n in range(3)]) for name in (one, other)]
    assert (keys[0] == keys[1]) == (same_name(one) == same_name(other))
    assert all(0 < len(key) <= 200 for key in keys)


# --- Imported before ------------------------------------------------------------------


def imported_before(name, brand="Unknown Brand"):
    """As imports until November 2026 left it."""
    kept, _ = Brand.objects.get_or_create(name=brand, defaults={"slug": f"b{Brand.objects.count()}"})
    stated = "" if brand == "Unknown Brand" else brand
    handle = earlier_handle_of(stated, name, "")
    product = Product.objects.create(
        name=name, brand=kept, category_id=category(), handle=handle, slug=f"p{Product.objects.count()}"
    )
    Variant.objects.create(product=product, sku=f"made-{product.pk}", selling_price=10, actual_price=10)
    return product


def category():
    from ...models import Category

    return Category.objects.get_or_create(slug="uncategorized", defaults={"name": "Uncategorized"})[0].pk


def handles():
    return dict(Product.objects.values_list("name", "handle"))


def test_a_file_imported_before_matches_what_it_made(import_text):
    product = imported_before("Neem Oil 2.5", "Dr. Green")
    counts, _ = import_text("name,brand,price\nNeem Oil 2.5,Dr. Green,12\n")
    assert counts == [0, 1, 0, 0, 0]
    assert handles() == {"Neem Oil 2.5": product.handle}
    assert import_text("name,brand,price\nNeem Oil 2.5,Dr. Green,12\n")[0] == [0, 0, 1, 0, 0]


def test_what_was_merged_before_is_two_from_now_on(import_text):
    product = imported_before("Thyroxine 12.5mcg")
    text = "name,price\nThyroxine 125mcg,99\nThyroxine 12.5mcg,10\n"
    counts, notes = import_text(text)
    assert counts == [1, 0, 1, 0, 0]
    assert "earlier imports matched it to 'Thyroxine 12.5mcg'" in {row: why for row, _, why in notes}[2]
    product.refresh_from_db()
    assert (product.name, product.variants.get().selling_price) == ("Thyroxine 12.5mcg", 10)
    assert import_text(text)[0] == [0, 0, 2, 0, 0]


def test_what_staff_renamed_is_found_by_the_name_it_had(import_text, manager):
    product = imported_before("Neem Soap", "Green")
    product.name = "Neem Soap (pure)"
    product.save()
    history.note(manager, product, values={"Name": ["Neem Soap", "Neem Soap (pure)"]})
    assert import_text("name,brand,price\nNeem Soap,Green,10\n")[0] == [0, 1, 0, 0, 0]
    assert Product.objects.count() == 1


def test_what_was_renamed_nobody_knows_how_is_not_taken_for_another(import_text):
    product = imported_before("Warfarin 2.5")
    Product.objects.filter(pk=product.pk).update(name="Warfarin two and a half")
    assert not LogEntry.objects.exists()
    assert import_text("name,price\nWarfarin 25,10\n")[0] == [1, 0, 0, 0, 0]
    product.refresh_from_db()
    assert product.name == "Warfarin two and a half"


def test_a_product_made_by_hand_is_found_by_slug_and_name(import_text):
    product = imported_before("Tulsi Tea")
    Product.objects.filter(pk=product.pk).update(handle="", slug="tulsi-tea")
    assert import_text("name,price\nTulsi Tea,10\nTulsi +Tea,10\n")[0] == [1, 0, 1, 0, 0]


# --- SKUs ---------------------------------------------------------------------------


def test_the_second_of_equal_skus_gets_one_of_its_own(import_text):
    header = "Handle,Title,Variant Price,Variant SKU,Option1 Name,Option1 Value\n"
    text = header + "tea,Tea,10,T-1,Size,100 g\ntea,,20,T-1,Size,200 g\noil,Oil,30,T-1,Title,Default Title\n"
    counts, notes = import_text(text)
    assert counts == [3, 0, 0, 0, 0]
    assert [(row, why) for row, what, why in notes if what == "remark"] == [
        (3, "the SKU T-1 is used for something else in row 2: this one gets a new SKU"),
        (4, "the SKU T-1 is used for something else in row 2: this one gets a new SKU"),
    ]
    assert Variant.objects.get(sku="T-1").selling_price == 10
    assert import_text(text)[0] == [0, 0, 3, 0, 0]
    assert import_text(header + "oil,Oil,35,T-1,Title,Default Title\n")[0] == [0, 1, 0, 0, 0]
    assert dict(Product.objects.values_list("name", "variants__selling_price")).keys() == {"Tea", "Oil"}
    assert Product.objects.get(name="Oil").variants.get().selling_price == 35


def test_a_product_that_gets_another_name_by_its_sku_is_told(import_text):
    import_text("sku,name,price\nT-1,Tea,10\n")
    counts, notes = import_text("sku,name,price\nT-1,Green Tea,10\n")
    assert counts == [0, 1, 0, 0, 0]
    assert (2, "remark", "was called 'Tea' until now") in notes


def test_one_handle_under_two_names_is_told(import_text):
    header = "Handle,Title,Variant Price,Option1 Name,Option1 Value\n"
    _, notes = import_text(header + "tea,Tea,10,Size,S\ntea,Oil,20,Size,M\n")
    assert (3, "remark", "row 2 calls this product 'Tea'; the first one is used") in notes


def test_a_repeated_row_that_says_something_else_is_told(import_text):
    text = "name,composition,price\nFoo,Bar (5mg),10\nFoo,Bar (10mg),10\nFoo,Bar (5mg),10\n"
    counts, notes = import_text(text)
    assert counts == [1, 0, 0, 2, 0]
    assert [row for row, what, why in notes if "with different details" in why] == [3]
