"""An invoice in the pseudo language: each word that is English has its marked one beside it, and what is drawn stays on
the sheet, in its column and off its neighbours."""

import itertools
import re

import pypdfium2
import pytest
from django.db import transaction

from shop.orders.conftest import new_buyer, order_of  # noqa: F401 (fixtures)
from shop.orders.invoices import pdf
from shop.orders.invoices.pdf import LABELS, MARGIN, draw_invoice
from shop.orders.invoices.services import credit_rest
from shop.orders.placing.services import confirm_order

from . import pseudo, spoken_as

pytestmark = pytest.mark.django_db
POINTS = 72 / 25.4  # a millimetre
# What the font of invoices lacks of the marked letters.
LACKING = re.compile("[⟦⟧ʋɱ?]")


@pytest.fixture(params=["hi", "ar"])
def sheets(request, settings, monkeypatch, make_product, make_variant, new_buyer, order_of):  # noqa: F811
    """(invoice, its PDF, its texts), (credit note, …) of one order."""
    settings.SHOP_LANGUAGES = ("en", "hi", "ar")
    name = "Forest Honey with turmeric, long pepper and holy basil, cold pressed"
    bought = {make_variant("12500", product=make_product(name)): 4, make_variant("99"): 1}
    with spoken_as(request.param):
        order = order_of(new_buyer(bought))
        order.language = request.param
        order.save(update_fields=["language"])
        confirm_order(order, actor="provider")
        with transaction.atomic():
            credit_rest(order, reason="Not needed.")
        return [_drawn(invoice, monkeypatch) for invoice in order.invoices.order_by("pk")]


def _drawn(invoice, monkeypatch):
    texts = []
    for name, place in (("multi_cell", 2), ("cell", 2)):
        draw = getattr(pdf.FPDF, name)

        def drawing(self, *args, draw=draw, place=place, **more):
            texts.append(str(args[place]) if len(args) > place else str(more.get("text", "")))
            return draw(self, *args, **more)

        monkeypatch.setattr(pdf._Sheet, name, drawing)
    return invoice, draw_invoice(invoice), texts


def test_every_label_of_the_shop_is_marked(sheets):
    assert [invoice.kind for invoice, _, _ in sheets] == ["invoice", "credit"]
    for _, _, texts in sheets:
        said = LACKING.sub("", "\n".join(texts))
        marked = {label: LACKING.sub("", pseudo(label)) for label in LABELS}
        used = {label for label in marked if label in said}
        assert [label for label in used if marked[label] not in said] == []
        heads = [head for head, _, _, _ in (*pdf.COLUMNS, pdf.LAST) if len(head) > 3 and f"\n{head}" in said]
        assert heads and [head for head in heads if LACKING.sub("", pseudo(head)) not in said] == []


def test_what_is_drawn_stays_on_its_sheet_and_off_its_neighbours(sheets):
    for _, drawn, _ in sheets:
        document = pypdfium2.PdfDocument(drawn)
        for page in document:
            words = _rectangles(page)
            assert len(words) > 30
            left, right = MARGIN * POINTS - 1, page.get_width() - MARGIN * POINTS + 1
            outside = [
                text for text, (x, y, x2, y2) in words if x < left or x2 > right or y < 0 or y2 > page.get_height()
            ]
            assert not outside
            over = [
                (one, other)
                for (one, a), (other, b) in itertools.combinations(words, 2)
                if min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1
            ]
            assert not over


def _rectangles(page) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Each run of text with its edges in points: left, bottom, right, top."""
    text = page.get_textpage()
    rects = (text.get_rect(number) for number in range(text.count_rects()))
    return [(text.get_text_bounded(*rect), rect) for rect in rects]
