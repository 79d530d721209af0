"""What pages say to machines, checked against the vocabulary of schema.org."""

import json
import re

import pytest

from shop.catalog.models import Attribute, AttributeValue, Product
from shop.catalog.products.barcodes import gtin_of
from shop.company.models import Company

# From schema.org: properties of each type we use (those it inherits included), and what their values are.
THING = {"name": str, "url": str, "description": str, "image": list, "sameAs": list}
SCHEMA = {
    "Product": THING
    | {"sku": str, "gtin": str, "category": str, "brand": "Brand", "countryOfOrigin": "Country", "offers": "Offer"},
    "Offer": THING
    | {"sku": str, "price": str, "priceCurrency": str, "availability": str, "itemCondition": str}
    | {"seller": "Organization"},
    "Brand": THING,
    "Country": THING,
    "Organization": THING | {"legalName": str, "logo": str, "email": str, "telephone": str, "address": str},
    "BreadcrumbList": THING | {"itemListElement": "ListItem"},
    "ListItem": THING | {"position": int, "item": str},
}
TERMS = {f"https://schema.org/{term}" for term in ("InStock", "OutOfStock", "NewCondition")}
NASTY = "Oil </script><b> & \u2028 “new”"


def blocks(html: str) -> dict[str, dict]:
    """Every JSON-LD block of a page by its type."""
    found = [json.loads(text) for text in re.findall(r'<script type="application/ld\+json">(.*?)</script>', html)]
    assert all(block.pop("@context") == "https://schema.org" for block in found)
    return {block["@type"]: block for block in found}


def check(thing: dict) -> None:
    allowed = SCHEMA[thing["@type"]]
    for name, value in thing.items():
        if name == "@type":
            continue
        expected = allowed[name]
        if isinstance(expected, str):
            for part in value if isinstance(value, list) else [value]:
                assert part["@type"] == expected
                check(part)
        else:
            assert isinstance(value, expected), name
        if name in ("availability", "itemCondition"):
            assert value in TERMS


@pytest.fixture
def oil(make_variant, make_product):
    product = make_product("Face Oil", title=NASTY, highlight="<p>For <b>dry</b> skin</p>")
    size = Attribute.objects.create(name="Size", slug="size")
    for position, (value, price, units) in enumerate([("30", "649", 5), ("50", "999", 0)]):
        variant = make_variant(product=product, price=price, actual="1200", units=units, position=position)
        variant.attribute_values.add(AttributeValue.objects.create(attribute=size, value=value, unit="ml"))
    product.variants.filter(position=0).update(barcode="4006381333931")
    return product


def test_a_product_and_its_offers_in_the_prices_of_the_market(client, oil):
    html = client.get("/en-in/product/face-oil/").content.decode()
    product = blocks(html)["Product"]
    check(product)
    assert (product["name"], product["gtin"], product["description"]) == (NASTY, "4006381333931", "For dry skin")
    address = "http://testserver/en-in/product/face-oil/"
    assert [(o["price"], o["priceCurrency"], o["availability"][19:], o["url"]) for o in product["offers"]] == [
        ("649.00", "INR", "InStock", f"{address}?variant=SKU-1"),
        ("999.00", "INR", "OutOfStock", f"{address}?variant=SKU-2"),
    ]
    assert html.count("</script><b>") == 0


def test_what_is_not_sold_has_no_offer(client, oil):
    Product.objects.update(is_prescription=True)
    assert "offers" not in blocks(client.get("/en-in/product/face-oil/").content.decode())["Product"]


@pytest.mark.parametrize("path", ["/product/face-oil/", "/products/ayurveda/", "/brand/vanamitra/"])
def test_the_way_to_a_page_is_told(client, oil, path):
    trail = blocks(client.get(f"/en-in{path}").content.decode())["BreadcrumbList"]
    check(trail)
    steps = trail["itemListElement"]
    assert [step["position"] for step in steps] == list(range(1, len(steps) + 1))
    assert (steps[0]["item"], steps[-1]["item"]) == ("http://testserver/en-in/", f"http://testserver/en-in{path}")


def test_the_home_page_says_who_runs_the_shop(client, db, settings):
    settings.COMPANY = {**settings.COMPANY, "legal_name": "Aushadhi Wellness Private Limited"}
    organization = blocks(client.get("/en-in/").content.decode())["Organization"]
    check(organization)
    assert organization["legalName"] == "Aushadhi Wellness Private Limited"


def test_what_staff_write_of_the_company_is_told_to_machines(client, db):
    Company.objects.create(
        legal_name="Leaf Ltd", phone="+91 80 5550", social_links="Photos=https://photos.example/leaf"
    )
    organization = blocks(client.get("/en-in/").content.decode())["Organization"]
    check(organization)
    told = {name: organization[name] for name in ("legalName", "telephone", "sameAs")}
    assert told == {"legalName": "Leaf Ltd", "telephone": "+91 80 5550", "sameAs": ["https://photos.example/leaf"]}


def test_a_shared_link_shows_title_and_address_escaped(client, oil):
    Product.objects.update(meta_title='Oil "30 ml" <new>')
    html = client.get("/en-in/product/face-oil/?variant=SKU-2").content.decode()
    tags = dict(re.findall(r'<meta property="(og:\w+)" content="([^"]*)">', html))
    assert tags["og:title"] == "Oil &quot;30 ml&quot; &lt;new&gt;"
    assert (tags["og:type"], tags["og:url"]) == ("product", "http://testserver/en-in/product/face-oil/")
    assert tags["og:description"] == "For dry skin"


@pytest.mark.parametrize(
    ("barcode", "gtin"),
    [("4006381333931", "4006381333931"), ("4006381333930", ""), ("96385074", "96385074"), ("12", ""), ("00000000", "")],
)
def test_only_a_right_trade_number_is_a_gtin(barcode, gtin):
    assert gtin_of(barcode) == gtin
