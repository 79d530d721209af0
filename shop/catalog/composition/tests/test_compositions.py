"""Compositions of products: what follows from them, what the product's page shows, and what an import may say."""

import re
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from shop.invalidation import subscriptions
from shop.search.facets.store import current_index
from shop.tests.backoffice.test_back_office import form_of

from ...import_export.formats.shop_export import product_rows
from ...models import Component, Product, Substance, Variant
from ...products.page import ProductPage, read_product
from ...services import change_market_prices, publish_products, refresh_products
from ...stock import services as stock
from ..alternatives import MAX_SHOWN, same_composition
from ..dosage import DosageForm

pytestmark = [pytest.mark.django_db, pytest.mark.database]
PARACETAMOL = [["Paracetamol", "500 mg"]]


@pytest.fixture
def medicine(make_product, make_variant):
    """A tablet of 500 mg paracetamol, ten in a strip, whose composition somebody confirmed."""

    def make(name, price="20", units=5, quantity=10, **fields):
        stated = {"active_ingredients": PARACETAMOL, "dosage_form": DosageForm.TABLET, "is_composition_confirmed": True}
        product = make_product(name, **(stated | fields))
        make_variant(product=product, price=price, units=units, net_quantity=quantity, net_unit="tablets")
        refresh_products([product.pk])
        return Product.objects.get(pk=product.pk)

    return make


@pytest.fixture
def beside(india):
    """Names of the products with the same composition."""
    return lambda product: [card.product.name for card in same_composition(product, india, "tablets")]


# --- Substances and components --------------------------------------------------------------------------------


def test_names_of_one_substance_are_one_substance_and_salts_are_not(medicine):
    names = ["Paracetamol", "Acetaminophen", "Paracetamol/Acetaminophen", "Diclofenac", "Diclofenac sodium"]
    product = medicine("Mixture", active_ingredients=[[name, "5 mg"] for name in names])
    substances = [component.substance_id for component in product.components.all()]
    assert len(set(substances[:3])) == 1 and len(set(substances[2:])) == 3


def test_components_say_number_unit_and_measure_under_the_name_of_the_label(medicine):
    product = medicine("Syrup", active_ingredients=[["Acetaminophen", "120 mg/5 ml"], ["Caffeine", ""]])
    first, second = product.components.all()
    assert (first.name, first.amount, first.unit, first.per_amount, first.per_unit) == (
        "Acetaminophen",
        120,
        "mg",
        5,
        "ml",
    )
    assert (second.name, second.amount, second.strength) == ("Caffeine", None, "")


def test_components_follow_the_ingredients_and_are_not_written_twice(medicine):
    product = medicine("Dolo")
    before = set(Component.objects.values_list("pk", flat=True))
    refresh_products([product.pk])
    assert set(Component.objects.values_list("pk", flat=True)) == before
    Product.objects.filter(pk=product.pk).update(active_ingredients=[["Ibuprofen", "200 mg"]])
    refresh_products([product.pk])
    assert [str(row) for row in Component.objects.all()] == ["Ibuprofen 200 mg"]
    Product.objects.filter(pk=product.pk).update(active_ingredients=[])
    refresh_products([product.pk])
    assert not Component.objects.exists() and Substance.objects.count() == 2


def test_more_medicines_take_no_more_queries(medicine):
    def queries(number):
        products = [
            medicine(f"P{number}-{at}", active_ingredients=[[f"Salt{number}x{at}", "5 mg"]]) for at in range(number)
        ]
        Product.objects.update(components_digest="")
        with CaptureQueriesContext(connection) as asked:
            refresh_products([product.pk for product in products])
        return len(asked)

    assert queries(8) == queries(2)


def test_what_states_no_ingredients_takes_no_query_more(make_variant):
    variant = make_variant()
    with CaptureQueriesContext(connection) as asked:
        refresh_products([variant.product_id])
    assert not [
        query for query in asked.captured_queries if "component" in query["sql"].replace("components_digest", "")
    ]


# --- The same composition -------------------------------------------------------------------------------------


def test_the_cheapest_by_unit_comes_first_and_what_is_sold_out_last(medicine, beside):
    product = medicine("Dolo")
    medicine("Dear strip", price="60", quantity=10)
    medicine("Cheap big strip", price="30", quantity=30)
    medicine("Cheapest, sold out", price="1", quantity=30, units=0)
    medicine("Pack of unknown size", price="2", quantity=None)
    assert beside(product) == ["Cheap big strip", "Dear strip", "Pack of unknown size", "Cheapest, sold out"]


@pytest.mark.parametrize(
    "different",
    [
        {"active_ingredients": [["Paracetamol", "650 mg"]]},
        {"active_ingredients": [["Ibuprofen", "500 mg"]]},
        {"active_ingredients": [*PARACETAMOL, ["Caffeine", "65 mg"]]},
        {"dosage_form": DosageForm.TABLET_MODIFIED},
        {"is_prescription": True},
        {"is_composition_confirmed": False},
    ],
    ids=["strength", "substance", "one more", "form", "prescription", "unconfirmed"],
)
def test_what_differs_is_not_the_same(medicine, beside, different):
    product = medicine("Dolo")
    other = medicine("Other", **different)
    assert beside(product) == [] and beside(other) == []


def test_other_words_for_the_same_are_the_same(medicine, beside):
    product = medicine("Dolo", active_ingredients=[["Paracetamol", "0.5 g"], ["Caffeine", "65 mg"]])
    medicine("Crocin", active_ingredients=[["Caffeine", "65 mg"], ["Acetaminophen", "500 mg"]])
    assert beside(product) == ["Crocin"]


def test_a_bottle_is_compared_by_measure_alone(medicine):
    """5 mg in a vial of 1 ml is not 5 mg in one of 10 ml."""
    vial = medicine("Vial", dosage_form=DosageForm.INJECTION, active_ingredients=[["Midazolam", "5 mg"]])
    measured = medicine("Syrup", dosage_form=DosageForm.SYRUP, active_ingredients=[["Cetirizine", "5 mg/5 ml"]])
    no_form = medicine("Form?", dosage_form=DosageForm.UNKNOWN)
    no_strength = medicine("Strength?", active_ingredients=[["Paracetamol", ""]])
    assert measured.composition_key
    assert [vial.composition_key, no_form.composition_key, no_strength.composition_key] == ["", "", ""]


def test_what_is_barred_from_the_country_is_absent(medicine, beside):
    product, barred = medicine("Dolo"), medicine("Barred")
    barred.barred_locations.add(1)
    assert beside(product) == []


def test_at_most_twelve_are_shown(medicine, beside):
    product = medicine("Dolo")
    for number in range(MAX_SHOWN + 2):
        medicine(f"P{number:02}", price=str(50 - number))
    assert len(beside(product)) == MAX_SHOWN and beside(product)[0] == f"P{MAX_SHOWN + 1}"


@pytest.fixture
def many(medicine):
    """250 strips of ten at 20."""
    first = medicine("P000")
    numbers = range(1, 250)
    fields = {name: getattr(first, name) for name in ("brand_id", "category_id", "composition_key", "in_stock")}
    products = Product.objects.bulk_create(
        Product(name=f"P{number:03}", slug=f"p{number:03}", is_published=True, **fields) for number in numbers
    )
    money = {"selling_price": 20, "actual_price": 20, "net_quantity": 10, "net_unit": "tablets"}
    variants = Variant.objects.bulk_create(
        Variant(product=product, sku=product.slug, received=5, on_hand=5, **money) for product in products
    )
    for product, variant in zip(products, variants, strict=True):
        product.first_variant = variant
    Product.objects.bulk_update(products, ["first_variant"])


@pytest.mark.usefixtures("many")
def test_the_cheapest_by_unit_is_found_among_many_that_cost_less_a_pack(medicine, beside):
    medicine("Hundred", price="30", quantity=100)
    assert beside(medicine("Dolo"))[:2] == ["Hundred", "P000"]


@pytest.fixture
def pack(make_variant):
    """pack(product, price, tablets, units=5): another pack of it."""

    def make(product, price, tablets, units=5):
        return make_variant(
            product=product, price=price, units=units, net_quantity=tablets, net_unit="tablets", position=1
        )

    return make


def test_a_product_stands_by_the_pack_that_costs_least_a_unit(client, medicine, pack, beside):
    product, crocin = medicine("Dolo"), medicine("Crocin", price="30")
    medicine("Calpol", price="25")
    assert beside(product) == ["Calpol", "Crocin"]
    hundred = pack(crocin, "100", 100)
    pack(crocin, "45", 15)
    assert beside(product) == ["Crocin", "Calpol"]
    row = section(page_of(client, product)).partition("</li>")[0]
    assert "100 tablets" in row and "<strong>₹1.00 per tablet</strong>" in row and "₹100" in row
    assert f'href="/en-in/product/crocin/?variant={hundred.sku}"' in row
    assert 'href="/en-in/product/calpol/"' in section(page_of(client, product))


def test_a_pack_that_cannot_be_bought_does_not_count(client, medicine, pack, beside):
    product, crocin = medicine("Dolo"), medicine("Crocin", price="30")
    medicine("Calpol", price="25")
    hundred = pack(crocin, "100", 100)
    assert "100 tablets" in page_of(client, product)
    stock.hold({hundred.pk: 5}, reference="ORD-1")
    subscriptions.check_at_once()  # the second is over in which nobody asks
    assert beside(product) == ["Calpol", "Crocin"] and "100 tablets" not in page_of(client, product)
    Variant.objects.filter(pk=hundred.pk).update(is_active=False, on_hand=5, held=0)
    assert beside(product) == ["Calpol", "Crocin"]


def test_the_price_of_the_country_decides(medicine, india, usa):
    product, dear = medicine("Dolo"), medicine("Dear at home", price="30")
    medicine("Cheap at home", price="20")
    change_market_prices(dear.first_variant, {usa.location_id: (Decimal("0.10"), Decimal("0.10"))})
    names = {
        market.country_code: [card.product.name for card in same_composition(product, market, "tablets")]
        for market in (india, usa)
    }
    assert names == {"IN": ["Cheap at home", "Dear at home"], "US": ["Dear at home", "Cheap at home"]}


# --- The product's page ---------------------------------------------------------------------------------------


def page_of(client, product):
    return client.get(f"/en-in/product/{product.slug}/").text


def section(page):
    return page.partition('id="same-composition"')[2].partition("</section>")[0]


def test_the_page_shows_the_composition_and_others_with_their_unit_prices(client, medicine):
    product = medicine("Dolo", price="30", active_ingredients=[*PARACETAMOL, ["Caffeine", "65 mg"]])
    medicine("Crocin", price="20", active_ingredients=[["Caffeine", "65 mg"], *PARACETAMOL])
    page = page_of(client, product)
    assert re.search(r'<th scope="row">Paracetamol</th><td dir="ltr">500 mg</td>', page)
    assert re.search(r'<th scope="row">Dosage form</th><td>Tablet</td>', page)
    assert "This product: <strong>₹3.00 per tablet</strong>" in section(page)
    assert "Crocin" in section(page) and "<strong>₹2.00 per tablet</strong>" in section(page)
    assert 'aria-label="Similar products"' not in page, "what has the same composition stands there once"


def test_a_page_without_others_has_no_such_section(client, medicine):
    assert "Same composition" not in page_of(client, medicine("Dolo"))


def test_what_is_published_or_sells_out_changes_the_pages_of_the_others(client, medicine):
    product, other = medicine("Dolo"), medicine("Crocin")
    publish_products([other.pk], is_published=False)
    assert "Crocin" not in page_of(client, product)
    publish_products([other.pk], is_published=True)
    assert "Crocin" in page_of(client, product) and "Sold out" not in section(page_of(client, product))
    stock.hold({Product.objects.get(pk=other.pk).first_variant_id: 5}, reference="ORD-1")
    assert "Sold out" in section(page_of(client, product))


def test_the_page_of_a_medicine_takes_three_queries_more_however_many_there_are(medicine, india):
    """Its components, those of the same composition, and their prices; a page of anything else takes none more."""

    def queries(product):
        ProductPage(read_product(product.slug, india), india).shows  # noqa: B018 (indexes are brought up to date)
        with CaptureQueriesContext(connection) as asked:
            page = ProductPage(read_product(product.slug, india), india)
            assert len(page.components) == len(product.active_ingredients) and product.pk in page.shows
        return [query["sql"] for query in asked.captured_queries]

    soap = queries(medicine("Soap", active_ingredients=[], is_composition_confirmed=False))
    assert not [sql for sql in soap if "catalog_component" in sql or '"composition_key" =' in sql]
    product = medicine("Dolo")
    medicine("P0")
    few = queries(product)
    assert len([sql for sql in few if "catalog_component" in sql or '"composition_key" =' in sql]) == 2
    for number in range(1, 4):
        medicine(f"P{number}")
    assert len(queries(product)) == len(few)


def test_the_call_tells_them_too(browser_client, medicine):
    medicine("Crocin", price="10")
    ask = {"product": medicine("Dolo").slug, "deliver_to": 1, "currency": "INR"}
    answer = browser_client.post("/get-product/", ask, content_type="application/json").json()
    assert answer["active_ingredients"] == [{"name": "Paracetamol", "strength": "500 mg"}]
    assert answer["dosage_form"] == "Tablet"
    assert [(card["name"], card["unit_price"]) for card in answer["same_composition"]] == [
        ("Crocin", "₹1.00 per tablet")
    ]


# --- Facets ---------------------------------------------------------------------------------------------------


def listed(client, query):
    """Names on the cards of a narrowed listing."""
    page = client.get(f"/en-in/products/ayurveda/?{query}").text
    return set(re.findall(r'class="card__name">([^<]+)<', page))


def test_substance_and_form_narrow_a_listing(client, medicine):
    medicine("Dolo", active_ingredients=[["Acetaminophen", "500 mg"]])
    medicine("Brufen", active_ingredients=[["Ibuprofen", "200 mg"]], dosage_form=DosageForm.SUSPENSION)
    medicine("Crocin")
    assert listed(client, "substance=acetaminophen") == {"Dolo", "Crocin"}
    assert listed(client, "substance=ibuprofen&form=suspension") == {"Brufen"}
    assert listed(client, "form=tablet") == {"Dolo", "Crocin"}
    assert listed(client, "form=nonsense") == {"Dolo", "Crocin", "Brufen"}
    page = client.get("/en-in/products/ayurveda/").text
    assert "Active ingredient" in page and "Oral suspension" in page
    assert len(current_index().values_of("substance")) == 2


def test_the_listing_by_sql_is_narrowed_alike(client, medicine, monkeypatch):
    medicine("Dolo")
    medicine("Brufen", active_ingredients=[["Ibuprofen", "200 mg"]], dosage_form=DosageForm.GEL)
    monkeypatch.setattr("shop.search.listing.services.current_index", lambda: None)
    for query in ("substance=ibuprofen", "form=gel"):
        assert listed(client, query) == {"Brufen"}


# --- The back office ------------------------------------------------------------------------------------------


def save(desk, product, names, strengths, **changes):
    url = reverse("admin:catalog_product_change", args=[product.pk])
    sent = form_of(desk.get(url)) | {"active_ingredients_name": names, "active_ingredients_amount": strengths} | changes
    return desk.post(url, sent)


def test_ingredients_are_edited_as_rows(desk, medicine):
    product = medicine("Dolo")
    answer = save(desk, product, ["Paracetamol", "Caffeine", ""], ["650mg", "65 mg", ""])
    assert answer.status_code == 302
    product.refresh_from_db()
    assert product.active_ingredients == [["Paracetamol", "650 mg"], ["Caffeine", "65 mg"]]
    assert [str(row) for row in product.components.all()] == ["Paracetamol 650 mg", "Caffeine 65 mg"]


@pytest.mark.parametrize(
    ("names", "strengths", "words"),
    [
        (["Paracetamol"], ["a lot"], "Write the strength of Paracetamol as 500 mg, 125 mg/5 ml or 2% w/w"),
        ([""], ["5 mg"], "Enter a name for"),
        (["Paracetamol"], [""], "The strength of Paracetamol is missing."),
    ],
)
def test_a_wrong_row_is_said_and_what_was_typed_stays(desk, medicine, names, strengths, words):
    product = medicine("Dolo")
    answer = save(desk, product, names, strengths)
    assert answer.status_code == 200 and words in answer.text
    assert f'value="{strengths[0]}"' in answer.text or not strengths[0]
    assert Product.objects.get(pk=product.pk).active_ingredients == PARACETAMOL


def test_a_person_confirms_what_a_file_may_have_cut(desk, medicine, beside):
    medicine("Crocin")
    product = medicine("Dolo", is_composition_confirmed=False)
    assert beside(product) == []
    assert save(desk, product, ["Paracetamol"], ["500 mg"], is_composition_confirmed="on").status_code == 302
    assert beside(Product.objects.get(pk=product.pk)) == ["Crocin"]


# --- Imports --------------------------------------------------------------------------------------------------

HEADER = "name,manufacturer_name,price,pack_size_label,short_composition1,short_composition2\n"
PLAIN = HEADER + "Calpol,Medlekha,15,strip of 15 tablets,Paracetamol (500mg),\n"
CUT = HEADER + "Sinarest,Medlekha,30,strip of 10 tablets,Paracetamol (500mg),Caffeine (30mg)\n"


def imported(name):
    return Product.objects.get(name=name)


def test_an_import_fills_ingredients_form_and_pack(import_text):
    import_text(PLAIN)
    product = imported("Calpol")
    assert (product.active_ingredients, product.dosage_form) == (PARACETAMOL, DosageForm.TABLET)
    assert product.is_composition_confirmed and product.composition_key
    variant = product.variants.get()
    assert (variant.net_quantity, variant.net_unit) == (15, "tablets")


def test_two_full_columns_wait_for_a_person_whose_word_a_second_import_keeps(import_text):
    import_text(CUT)
    product = imported("Sinarest")
    assert len(product.active_ingredients) == 2 and not product.is_composition_confirmed and not product.composition_key
    Product.objects.update(is_composition_confirmed=True)
    assert import_text(CUT)[0] == [0, 0, 1, 0, 0]
    assert imported("Sinarest").is_composition_confirmed


def test_other_ingredients_are_confirmed_anew(import_text):
    import_text(CUT)
    Product.objects.update(is_composition_confirmed=True)
    import_text(CUT.replace("30mg", "65mg"))
    assert not imported("Sinarest").is_composition_confirmed


def test_two_rows_of_one_product_that_disagree_wait_for_a_person(import_text):
    rows = (
        "handle,name,price,size,composition\nc,Calpol,15,15,Paracetamol (500mg)\nc,Calpol,20,20,Paracetamol (650mg)\n"
    )
    _, notes = import_text(rows)
    assert not imported("Calpol").is_composition_confirmed
    assert any("another composition of this product" in reason for _, _, reason in notes)


def test_the_report_says_how_many_were_read_and_wait(import_text):
    rows = PLAIN + CUT.removeprefix(HEADER) + "Rota,Medlekha,30,vial of 1 Injection,Rotavirus (1000ccid50),\n"
    _, notes = import_text(rows)
    words = " ".join(reason for _, _, reason in notes)
    assert "compositions: 2 rows were read; 1 have a strength that could not be read" in words
    assert '1 may be cut off in the file, so they are not listed under "Same composition"' in words
    assert imported("Rota").active_ingredients == [["Rotavirus", "1000ccid50"]]


def test_the_shops_own_file_keeps_all_of_it(medicine, import_text):
    odd = [["Vitamin B6 (Pyridoxine)", ""], ["A | B", "5 mg/ml"], ["Rotavirus", "1000ccid50"]]
    product = medicine("Odd", active_ingredients=odd, is_composition_confirmed=False, dosage_form=DosageForm.EYE_DROPS)
    medicine("Dolo")
    written = [list(map(str, row)) for row in product_rows(Product.objects.all())]
    text = "\n".join(",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in written)
    assert import_text(text)[0][2] == 2, "into the same shop nothing changes"
    Product.objects.all().delete()
    import_text(text)
    product = Product.objects.get(slug=product.slug)
    assert (product.active_ingredients, product.dosage_form) == (odd, DosageForm.EYE_DROPS)
    assert not product.is_composition_confirmed and imported("Dolo").composition_key


def test_a_form_that_nobody_knows_is_said_and_left_out(medicine, import_text):
    medicine("Dolo")
    header, row = ([str(cell) for cell in line] for line in product_rows(Product.objects.all()))
    row[header.index("dosage_form")] = "pellets"
    _, notes = import_text("\n".join(",".join(f'"{cell}"' for cell in line) for line in (header, row)))
    assert any("'pellets' is none that the shop knows" in reason for _, _, reason in notes)
    assert imported("Dolo").dosage_form == DosageForm.TABLET
