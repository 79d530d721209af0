import gzip
import re

import brotli
import pytest
from django.conf import settings
from django.test import Client

from ..models import Category
from ..stylesheet import styles_url, tint_rules

pytestmark = pytest.mark.django_db


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("color", ["#e7f0ea", "#000000", "#ffffff", "#ff0000", "#1f5a41", "#ffff00", "#777777"])
def test_words_on_a_tint_can_be_read_whatever_colour_was_chosen(color):
    row = Category.objects.create(name="Oils", slug="oils", color=color)
    rule = tint_rules().partition(f".tint-{row.pk}{{")[2]
    tint, ink = rule.removeprefix("--tint:")[:7], rule.partition("--tint-ink:")[2][:7]
    assert (luminance(tint) + 0.05) / (luminance(ink) + 0.05) >= 4.5


def test_the_current_sheet_may_be_kept_for_ever_and_an_old_one_not():
    Category.objects.create(name="Oils", slug="oils", color="#f7e3dc")
    current = Client().get(styles_url())
    assert current["Content-Type"].startswith("text/css")
    assert "immutable" in current["Cache-Control"] and "public" in current["Cache-Control"]
    old = Client().get("/styles-0000.css")
    assert old.content == current.content
    assert "immutable" not in old["Cache-Control"]


def test_one_file_holds_the_built_styles_and_the_colours_in_each_encoding():
    row = Category.objects.create(name="Oils", slug="oils", color="#f7e3dc")
    plain = Client().get(styles_url()).text
    assert f".tint-{row.pk}{{--tint:#f7e3dc" in plain and "../" not in plain
    zipped = Client().get(styles_url(), headers={"accept-encoding": "gzip"})
    small = Client().get(styles_url(), headers={"accept-encoding": "gzip, br"})
    assert gzip.decompress(zipped.content).decode() == brotli.decompress(small.content).decode() == plain
    assert (zipped["Content-Encoding"], small["Content-Encoding"], small["Vary"]) == ("gzip", "br", "Accept-Encoding")


def test_another_colour_is_another_address():
    row = Category.objects.create(name="Oils", slug="oils", color="#f7e3dc")
    before = styles_url()
    row.color = "#1f5a41"
    row.save()
    assert styles_url() != before


BESIDE = ["reviews/_product_section.html", "catalog/products/options.html", "cart/added.html", "cart/preview.html"]
FIRST_PAGES = ["content/home/home.html", "search/listing/listing.html", "catalog/products/product.html", *BESIDE]
CLASS = re.compile(r"\.(-?[a-zA-Z_][\w-]*)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
INCLUDED = re.compile(r"""["']([\w./-]+\.html)["']""")
TAG = re.compile(r"{[{%#].*?[%#}]}")
GIVEN = re.compile(r"""class(?:Name)?="([^"]*)\"""")


def classes_of(sheet: str) -> set[str]:
    """Class names that the sheets which `sheet` imports have rules for."""
    css = settings.BASE_DIR / "static/css"
    imported = re.findall(r'@import "(.+?)"', (css / sheet).read_text())
    return {name for file in imported for name in CLASS.findall(COMMENT.sub("", (css / file).read_text()))}


def given_by(template: str, seen: set[str]) -> set[str]:
    """Class names of a template and of those that it names, its base and what it includes."""
    file = settings.BASE_DIR / "templates" / template
    if template in seen or not file.exists():
        return set()
    seen.add(template)
    text = file.read_text()
    own = {word for value in GIVEN.findall(TAG.sub(" ", text)) for word in value.split()}
    return own.union(*(given_by(name, seen) for name in INCLUDED.findall(text)))


@pytest.mark.parametrize("template", FIRST_PAGES)
def test_home_listing_and_product_need_one_sheet_alone(template):
    elsewhere = classes_of("pages.css") - classes_of("shop.css")
    assert "pay-way" in elsewhere
    assert given_by(template, set()) & elsewhere == set()
    if template not in BESIDE:
        assert "{% block page_styles %}{% endblock %}" in (settings.BASE_DIR / "templates" / template).read_text()


def test_islands_of_these_pages_need_one_sheet_alone():
    elsewhere = classes_of("pages.css") - classes_of("shop.css")
    of_other_pages = {"Cart.tsx", "Reductions.tsx", "place.ts", "passkeys.ts"}
    sources = [path for path in (settings.BASE_DIR / "islands").glob("*/*.ts*") if ".test." not in path.name]
    texts = [path.read_text() for path in sources if path.name not in of_other_pages]
    assert {word for text in texts for value in GIVEN.findall(text) for word in value.split()} & elsewhere == set()


def test_other_pages_have_both_sheets(client):
    assert client.get("/en-in/cart/").text.count('rel="stylesheet"') == 2
    assert client.get("/en-in/").text.count('rel="stylesheet"') == 1
