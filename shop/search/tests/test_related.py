"""What stands beside a product: the same herb or use, never another substance, never sold out, never twice."""

import pytest

from shop.catalog.models import Brand, Category, HealthConcern, Product
from shop.catalog.products.page import read_product
from shop.catalog.products.related import related_products

from ..facets.store import store as facet_store
from ..text.store import store as word_store

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.fixture
def categories(db):
    """By their last names: two main categories, one of them with two forms, and one with medicines."""
    rows = {name: Category.objects.create(name=name, slug=name) for name in ("ayurveda", "home", "allopathy")}
    for parent, names in (("ayurveda", ("capsules", "powders")), ("allopathy", ("tablets", "gels"))):
        rows |= {name: Category.objects.create(name=name, slug=name, parent=rows[parent]) for name in names}
    return rows


@pytest.fixture
def shelve(make_product, make_variant, categories):
    """shelve("Neem Powder", "powders", "skin", brand="B"): a product for sale, with its concerns."""

    def shelve(name, category, *concerns, brand="A", units=5, unit="g", composition=(), ingredients="", **fields):
        fields["brand"] = Brand.objects.get_or_create(name=brand, slug=brand.lower())[0]
        product = make_product(name, category=categories[category], **fields)
        for concern in concerns:
            product.health_concerns.add(HealthConcern.objects.get_or_create(name=concern, slug=concern)[0])
        stated = {"Composition": dict.fromkeys(composition, "5 mg")} if composition else {}
        make_variant(
            product=product, units=units, net_quantity=10, net_unit=unit, composition_json=stated,
            ingredients=ingredients,
        )  # fmt: skip
        return product

    return shelve


@pytest.fixture
def beside(india):
    """beside(product) -> (names of the similar ones, names of what goes well with it)."""

    def beside(product, market=india):
        found = related_products(read_product(product.slug, market), market)
        names = dict(Product.objects.filter(pk__in=found.ids).values_list("pk", "name"))
        return tuple([names[pk] for pk in ids] for ids in (found.similar, found.goes_well_with))

    return beside


def test_similar_is_the_same_herb_or_use_the_herb_first_of_another_brand_or_form(shelve, beside):
    neem = shelve("Neem Capsules", "capsules", "skin")
    shelve("Neem Tablets", "capsules", "skin")  # brand and form are the same
    shelve("Manjistha Capsules", "capsules", "skin", brand="B")
    shelve("Neem Leaf Capsules", "capsules", "skin", brand="B")
    shelve("Neem Powder", "powders")
    shelve("Haridra Powder", "powders", "skin")
    shelve("Isabgol Powder", "powders", "digestion")
    assert beside(neem)[0] == ["Neem Leaf Capsules", "Manjistha Capsules", "Neem Powder", "Haridra Powder"]


def test_a_herb_is_similar_under_its_other_names(shelve, beside):
    tulsi = shelve("Tulsi Capsules", "capsules")
    shelve("Holy Basil Powder", "powders")
    shelve("Triphala Powder", "powders")
    assert beside(tulsi)[0] == ["Holy Basil Powder"]


def test_what_goes_well_is_for_the_same_concern_of_another_main_category_and_no_medicine(shelve, beside):
    powder = shelve("Kapha Powder", "powders", "cold")
    shelve("Neti Pot", "home", "cold")
    shelve("Yoga Mat", "home", "joints")
    shelve("Cetirizine Tablets", "tablets", "cold", composition=["Cetirizine"])
    shelve("Cough Tablets", "tablets", "cold", is_prescription=True)
    shelve("Ginger Capsules", "capsules", "cold")
    assert beside(powder) == (["Ginger Capsules"], ["Neti Pot"])


def test_nothing_is_sold_out_barred_itself_or_in_both_groups(shelve, beside, usa):
    own = shelve("Neem Powder", "powders", "skin")
    gone = shelve("Neem Tea", "powders", "skin", brand="B", units=0)
    barred = shelve("Neem Comb", "home", "skin")
    both = shelve("Neem Wash", "home", "skin")
    barred.barred_locations.add(1)
    own.related_products.set([own, gone, barred, both])
    assert beside(own) == (["Neem Wash"], [])
    assert {name for names in beside(own, usa) for name in names} == {"Neem Comb", "Neem Wash"}


def test_staffs_choice_comes_first_where_it_belongs(shelve, beside):
    own = shelve("Neem Powder", "powders", "skin")
    shelve("Neem Leaf Powder", "powders", "skin", brand="B")
    shelve("Loofah", "home", "skin")
    own.related_products.set([shelve("Amla Powder", "powders"), shelve("Wooden Spoon", "home")])
    assert beside(own) == (["Amla Powder", "Neem Leaf Powder"], ["Wooden Spoon", "Loofah"])


@pytest.fixture
def medicines(shelve):
    """By their names, of several brands; four prescription medicines among them."""
    rows = [
        shelve("Calpol", "tablets", "pain", brand="B", unit="tablets", ingredients="Acetaminophen"),
        shelve("Paracetamol Tablets", "tablets", "pain", unit="tablets", composition=["Paracetamol IP"]),
        shelve("Paracetamol Gel", "gels", "pain", composition=["Paracetamol"]),
        shelve("Ibuprofen Tablets", "tablets", "pain", brand="B", unit="tablets", composition=["Ibuprofen"]),
        shelve("Cold Tablets", "tablets", "pain", brand="C", composition=["Paracetamol", "Phenylephrine"]),
        shelve("Amlodipine Tablets", "tablets", "heart", composition=["Amlodipine besylate"], is_prescription=True),
        shelve("Amlong", "tablets", "heart", brand="B", composition=["Amlodipine"], is_prescription=True),
        shelve("Atenolol Tablets", "tablets", "heart", brand="C", composition=["Atenolol"], is_prescription=True),
        shelve("Heartex", "tablets", "heart", brand="D", is_prescription=True),
        shelve("Throat Drops", "tablets", "cold", composition=["Amylmetacresol"]),
        shelve("Throat Spray", "tablets", "cold", brand="B", composition=["Chlorobutol benzoate"]),
    ]
    return {product.name: product for product in rows}


@pytest.mark.parametrize(
    ("name", "similar"),
    [
        ("Paracetamol Tablets", {"Calpol", "Paracetamol Gel"}),
        ("Calpol", {"Paracetamol Tablets", "Paracetamol Gel"}),
        ("Cold Tablets", set()),
        ("Amlodipine Tablets", {"Amlong"}),
        ("Atenolol Tablets", set()),
        ("Heartex", set()),
        ("Throat Drops", set()),
    ],
)
def test_a_medicine_is_similar_to_the_same_substance_alone(medicines, beside, name, similar):
    assert set(beside(medicines[name])[0]) == similar


def test_staff_cannot_set_another_substance_beside_a_medicine(medicines, beside):
    medicines["Amlodipine Tablets"].related_products.set([medicines["Atenolol Tablets"], medicines["Calpol"]])
    assert beside(medicines["Amlodipine Tablets"]) == (["Amlong"], [])


def test_prescription_and_over_the_counter_are_never_similar(medicines, beside):
    Product.objects.filter(name="Amlong").update(is_prescription=False)
    assert beside(medicines["Amlodipine Tablets"])[0] == []


def test_beside_a_medicine_stand_goods_and_no_herbs(medicines, shelve, beside):
    shelve("Pressure Monitor", "home", "heart", ingredients="Cuff, Sensor")
    shelve("Arjuna Powder", "powders", "heart")
    shelve("Calm Powder", "powders", "heart", ingredients="Arjuna bark")
    assert beside(medicines["Amlodipine Tablets"])[1] == ["Pressure Monitor"]


def test_a_product_that_visitors_cannot_see_has_similar_ones(shelve, india):
    gone = shelve("Neem Capsules", "capsules", "skin")
    powder = shelve("Neem Powder", "powders", "skin")
    Product.objects.filter(pk=gone.pk).update(is_published=False)
    found = related_products(Product.objects.get(pk=gone.pk), india)
    assert found.similar == (powder.pk,)


def test_without_an_index_category_and_concern_decide_and_substances_still_do(medicines, shelve, beside, monkeypatch):
    powder = shelve("Neem Powder", "powders", "pain")
    shelve("Neem Leaf Powder", "powders", brand="B")
    shelve("Heat Pad", "home", "pain")
    for store in (facet_store, word_store):
        monkeypatch.setattr(store, "small", 1)
        store._on_changes(None)
    assert beside(powder) == (["Neem Leaf Powder"], ["Heat Pad"])
    assert beside(medicines["Paracetamol Tablets"]) == (["Calpol"], ["Heat Pad"])


def test_it_takes_two_queries_however_many_there_are(shelve, beside, india, django_assert_num_queries):
    own = shelve("Neem Capsules", "capsules", "skin")
    shelve("Loofah", "home", "skin")
    for number in range(20):
        shelve(f"Neem Powder {number}", "powders", "skin")
    assert [len(names) for names in beside(own)] == [12, 1]
    page = read_product(own.slug, india)
    with django_assert_num_queries(2):
        related_products(page, india)
