import gzip

import brotli
import pytest
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
