"""What is still English on a page of another language says so: each text of the catalogue and of the shop's content is
in the language of the element around it. The shop's own texts are in the pseudo language, so that what is in Latin
letters comes from rows."""

import re

import pytest

from shop.cart.models import Coupon
from shop.catalog.models import Attribute, Product, Variant
from shop.catalog.services import refresh_products
from shop.content.models import Faq, Page, Post
from shop.invalidation import subscriptions
from shop.markets.models import Location
from shop.search.models import Need

from ..support.access import Who, all_entries
from ..support.belongings import belongings_of, furnish
from ..walks.walking import ask
from . import spoken_as
from .plain import plain_in

pytestmark = pytest.mark.django_db
# The shop's name, and what a customer called themselves and their things; numbers and codes are capitals or digits.
NAMES = {"Aushadhi", "Asha", "Rao", "Road", "Gate", "Bengaluru", "Karnataka", "Aadhaar", "phone", "tablet", "client"}
CODES = re.compile(r"\b[A-Z0-9]{2,}(?:-[A-Z0-9]+)*\b")


@pytest.fixture
def asha(india, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")
    Location.objects.update(languages=["en", "hi", "ar"])
    shelf = furnish()
    Attribute.objects.update(
        translations={"hi": {"name": "आकार"}, "ar": {"name": "الحجم"}}
    )  # part of a text of options
    own = belongings_of("Asha", shelf, india, phone="+919876500001")
    Product.objects.update(
        maker="Vanamitra, Nashik", importer="Ocean Traders", licence_number="Drug Mfg. Lic. 9", cautions="Keep dry.",
        highlight="Made by hand", dosage="Twice daily", storage="In the shade", suited_for="Everybody",
    )  # fmt: skip
    facts = {"nutritional_info_json": {"NutritionalFacts": {"Energy": "9 kcal"}}, "ingredients": "Neem, Water"}
    Variant.objects.update(composition_json={"Composition": {"Neem leaf": "9 mg"}}, description="<p>Soap.</p>", **facts)
    Attribute.objects.update(
        translations={"hi": {"name": "आकार"}, "ar": {"name": "الحجم"}}
    )  # part of a text of options
    refresh_products(Product.objects.values_list("pk", flat=True))
    return own


def english_in(body: str) -> list[str]:
    """Texts in Latin letters within an element of the page's language. An attribute, such as "Add to cart: Neem Soap",
    has only one."""
    body = re.sub(
        r"<title>.*?</title>|\b(?:aria-label|placeholder|alt|title|data-[\w-]+)=\"[^\"]*\"", "", body, flags=re.DOTALL
    )
    return [text for text in plain_in(body, NAMES) if set(re.findall("[A-Za-z]{3,}", CODES.sub("", text))) - NAMES]


@pytest.mark.parametrize("language", ["hi", "ar"])
def test_each_text_of_a_row_says_in_which_language_it_is(asha, language):
    found, read = [], 0
    entries = [entry for entry in all_entries() if entry.who in (Who.ANYONE, Who.CUSTOMER) and "GET" in entry.methods]
    with spoken_as(language):
        for entry in (entry for entry in entries if not entry.is_api and "staff/" not in entry.route):
            answer = ask(entry, "GET", asha, asha.cookies | {"language": language})
            if answer.status == 200 and answer.headers.get("Content-Type", "").startswith("text/html"):
                read += 1
                found += [f"{entry.route}: {text!r}" for text in english_in(answer.body.decode())]
    assert read > 60 and Page.objects.exists() and Faq.objects.exists() and Post.objects.exists()
    assert not found, "\n".join(found)


def test_a_need_and_what_a_coupon_gives_are_in_the_language_of_the_page(client, asha):
    Need.objects.filter(name="Clean hands").update(translations={"hi": {"name": "साफ़ हाथ"}})
    said = {"hi": {"description": "पहले ऑर्डर पर छूट"}}
    Coupon.objects.update(description="A present", translations=said, is_listed=True)
    subscriptions.reset()
    page = client.get(f"/hi-in/product/{asha.shelf.product}/").text
    assert "पहले ऑर्डर पर छूट" in page and "A present" not in page
    assert '<bdi lang="en" dir="ltr">A present</bdi>' in client.get(f"/ar-in/product/{asha.shelf.product}/").text
    assert "साफ़ हाथ" in client.get("/hi-in/search/clean%20hands/").text
