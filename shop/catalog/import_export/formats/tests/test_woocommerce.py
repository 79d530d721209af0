"""What WooCommerce writes in ways of its own."""

import pytest

from ....models import Product, Variant

pytestmark = [pytest.mark.django_db, pytest.mark.database]
HEADER = "ID,Type,SKU,Name,Published,Regular price,Categories,Parent,Attribute 1 name,Attribute 1 value(s)\n"


def values():
    found = Variant.objects.order_by("pk").values_list("selling_price", "attribute_values__value")
    return [(int(price), value) for price, value in found]


@pytest.mark.parametrize(
    ("both", "one", "other"),
    [
        ("10 ml\\, pack of 2, 20 ml\\, pack of 4", "10 ml\\, pack of 2", "20 ml\\, pack of 4"),
        ("1\\,000 mg, 500 mg", "1\\,000 mg", "500 mg"),
        ("10 ml, pack of 2 | 20 ml", "10 ml, pack of 2", "20 ml"),
        ("S, M", "S", "M"),
    ],
)
def test_commas_within_values_are_kept_and_no_variation_loses_its_value(import_text, both, one, other):
    text = (
        f'{HEADER}44,variable,,Tonic,1,,Syrups,,Pack,"{both}"\n'
        f'45,variation,,Tonic - a,1,20,,id:44,Pack,"{one}"\n46,variation,,Tonic - b,1,40,,id:44,Pack,"{other}"\n'
    )
    assert import_text(text)[0] == [3, 0, 0, 0, 0]
    assert values() == [(20, one.replace("\\", "")), (40, other.replace("\\", ""))]
    assert import_text(text)[0] == [0, 0, 3, 0, 0]


@pytest.mark.parametrize(
    ("cell", "value"), [("250 g", "250 g"), ("Red\\, green", "Red, green"), ("1,000 mg", "1,000 mg"), ("S, M", None)]
)
def test_a_simple_product_has_the_attributes_with_one_value(import_text, cell, value):
    import_text(f'{HEADER}1,simple,A,Tea,1,20,Teas,,Kind,"{cell}"\n')
    assert values() == [(20, value)]


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("Vitamins\\, Minerals > Syrups, Other", ("Vitamins, Minerals", "Syrups")),
        ("Teas\\, cold", ("Teas, cold",)),
        ("Teas, Drinks", ("Teas",)),
        ("Teas > Green\\, white\\, black", ("Teas", "Green, white, black")),
    ],
)
def test_commas_within_categories_are_kept(import_text, cell, names):
    import_text(f'{HEADER}1,simple,A,Tea,1,20,"{cell}",,,\n')
    assert Product.objects.get().category.names == names


@pytest.mark.parametrize("ids", [True, False])
def test_one_sku_under_several_names_is_several_products(import_text, ids):
    rows = [("simple", "X1", "Crocin 500", 20), ("simple", "X1", "Crocin 650", 30), ("simple", "x1", "Crocin C", 40)]
    text = HEADER + "".join(
        f"{n if ids else ''},{kind},{sku},{name},1,{price},,,,\n" for n, (kind, sku, name, price) in enumerate(rows, 1)
    )
    counts, notes = import_text(text)
    assert counts == [3, 0, 0, 0, 0]
    found = dict(Product.objects.values_list("name", "variants__selling_price"))
    assert found == {"Crocin 500": 20, "Crocin 650": 30, "Crocin C": 40}
    assert Variant.objects.get(sku="X1").product.name == "Crocin 500"
    assert [(row, why) for row, what, why in notes if what == "remark" and "SKU" in why] == [
        (3, "the SKU X1 is used for something else in row 2: this one gets a new SKU"),
        (4, "the SKU x1 is used for something else in row 2: this one gets a new SKU"),
    ]
    assert import_text(text)[0] == [0, 0, 3, 0, 0]


@pytest.mark.parametrize("name", ["Crocin 500", "CROCIN  500", " crocin 500 "])
def test_one_sku_under_one_name_is_one_product(import_text, name):
    assert import_text(f"{HEADER}1,simple,X1,Crocin 500,1,20,,,,\n2,simple,X1,{name},1,20,,,,\n")[0] == [1, 0, 0, 1, 0]


def test_variations_follow_their_own_parent_where_two_have_one_sku(import_text):
    import_text(
        f"{HEADER}1,variable,P,Shirt,1,,,,Size,\n2,variable,P,Cap,1,,,,Size,\n"
        "3,variation,P-S,Shirt - S,1,20,,P,Size,S\n4,variation,C-S,Cap - S,1,30,,id:2,Size,S\n"
    )
    assert dict(Product.objects.values_list("name", "variants__sku")) == {"Shirt": "P-S", "Cap": "C-S"}
