"""Invoices in Hindi and Arabic: their words beside the English ones, in letters that join as they should."""

import pytest

from ...placing.services import confirm_order
from .. import pdf
from ..pdf import draw_invoice

DEVANAGARI, ARABIC = b"NotoSansDevanagari", b"NotoNaskhArabic"


@pytest.fixture
def invoice(make_variant, new_buyer, order_of):
    """invoice("hi", full_name=…): the first one of an order in a language."""

    def make(language="en", **address):
        order = order_of(new_buyer({make_variant("250"): 2}))
        order.language, order.address = language, order.address | address
        order.save(update_fields=["language", "address"])
        confirm_order(order, actor="provider")
        return order.invoices.get()

    return make


@pytest.fixture(autouse=True)
def languages(settings):
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")


@pytest.fixture
def written(monkeypatch):
    """The texts that go onto the sheet."""
    lines = []
    draw = pdf._Sheet.multi_cell
    monkeypatch.setattr(
        pdf._Sheet, "multi_cell", lambda self, w, h, text, **more: lines.append(text) or draw(self, w, h, text, **more)
    )
    return lines


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "address", "fonts"),
    [
        ("en", {}, []),
        ("hi", {}, [DEVANAGARI]),
        ("ar", {}, [ARABIC]),
        ("en", {"full_name": "आशा राव"}, [DEVANAGARI]),
        ("en", {"full_name": "محمد"}, [ARABIC]),
        ("hi", {"full_name": "محمد"}, [DEVANAGARI, ARABIC]),
        ("ta", {}, []),
    ],
)
def test_an_invoice_takes_the_fonts_that_it_has_letters_of(invoice, language, address, fonts):
    drawn = draw_invoice(invoice(language, **address))
    assert drawn.startswith(b"%PDF-")
    assert [name for name in (DEVANAGARI, ARABIC) if name in drawn] == fonts


@pytest.mark.django_db
def test_labels_are_in_both_languages_and_the_total_in_words(invoice, written):
    draw_invoice(invoice("hi"))
    assert "बिल और डिलीवरी का पता / Billed and shipped to" in written
    assert "इनवॉइस" in written[0] and "nvoice" in written[1]
    words = next(line for line in written if "In words" in line)
    assert words.startswith("शब्दों में / In words: Five hundred") and words.endswith("रुपये मात्र")


@pytest.mark.django_db
def test_an_english_invoice_says_everything_once(invoice, written):
    draw_invoice(invoice())
    assert "Billed and shipped to" in written and not [line for line in written if " / " in line]


@pytest.mark.django_db
def test_values_stand_behind_a_latin_word(invoice, written):
    """Behind an Arabic one their digits would change places."""
    draw_invoice(invoice("ar"))
    dated = next(line for line in written if "Date" in line)
    assert dated.startswith("التاريخ / Date: ")
    assert not [line for line in written if pdf.DIRECTIONS.search(line)]


def test_letters_join():
    sheet = pdf._Sheet("x", ["devanagari", "arabic"])
    sheet.set_font("devanagari", "", 10)
    apart = sum(sheet.get_string_width(letter) for letter in "क्ष")
    assert sheet.get_string_width("क्ष") < apart
    sheet.set_font("arabic", "", 10)
    assert sheet.get_string_width("محمد") < sum(sheet.get_string_width(letter) for letter in "محمد")


def test_only_letters_that_no_font_has_are_replaced():
    assert pdf._Sheet("x", ["devanagari", "arabic"]).drawable("आशा محمد 李") == "आशा محمد ?"
    assert pdf._Sheet("x", []).drawable("Asha 李") == "Asha ?"
