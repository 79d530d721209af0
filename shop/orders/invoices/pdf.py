"""An invoice or a credit note as a PDF of A4 pages, drawn from the copy that was issued.

It is in English, which offices of tax and customs read, and in the order's language beside it: a label is
"आपूर्ति का स्थान / Place of supply". Declarations that a rule words stand in English alone.
"""

import json
import re
import unicodedata
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import translation
from django.utils.dateparse import parse_date
from django.utils.translation import gettext, gettext_noop
from fpdf import FPDF
from fpdf.enums import Align, TableBordersLayout, TableCellFillMode, XPos, YPos
from fpdf.fonts import FontFace

from shop.messaging.languages import spoken
from shop.money import INR, display

from ..batches.copies import batch_words
from ..batches.queries import batches_of_lines
from ..models import Invoice
from ..tax.gst import LAYOUTS, Supply
from .amount_words import amount_words

FONTS = Path(__file__).parent / "fonts"
# Of scripts whose letters take their shapes from their neighbours: drawn only where a text has some of them.
SHAPED = {
    "devanagari": ("\u0900", "\u097f", "NotoSansDevanagari"),
    "arabic": ("\u0600", "\u06ff", "NotoNaskhArabic"),
}
DIRECTIONS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")  # of texts for screens; a line here has one
INK, MUTED, LEAF, LINE, TINT = (29, 35, 32), (91, 100, 94), (31, 90, 65), (230, 224, 212), (231, 240, 234)
MARGIN = 15
WIDTH = 210 - 2 * MARGIN
HALF = WIDTH / 2 - 4

# heading, width in mm, right-aligned, key of the row
COLUMNS: list[tuple[str, float, bool, str]] = [
    ("#", 7, True, "place"),
    (gettext_noop("Item"), 0, False, "name"),
    ("HSN", 16, False, "hsn"),
    (gettext_noop("Qty"), 12, True, "quantity"),
    (gettext_noop("Amount"), 19, True, "gross"),
    (gettext_noop("Off"), 16, True, "off"),
    (gettext_noop("Taxable"), 19, True, "taxable"),
]
LAST: tuple[str, float, bool, str] = (gettext_noop("Total"), 20, True, "total")

# The labels and titles that _both() takes.
LABELS = (
    gettext_noop("Billed and shipped to"),
    gettext_noop("Computer-generated document. No signature required."),
    gettext_noop("Credit note"),
    gettext_noop("Date"),
    gettext_noop("Discount"),
    gettext_noop("Export invoice"),
    gettext_noop("For invoice"),
    gettext_noop("In words"),
    gettext_noop("Invoice"),
    gettext_noop("Order"),
    gettext_noop("Place of supply"),
    gettext_noop("Prices include the taxes shown. Tax is not payable on reverse charge."),
    gettext_noop("Questions"),
    gettext_noop("Reason"),
    gettext_noop("Shown as"),
    gettext_noop("Tax invoice"),
    gettext_noop("Taxable value"),
    gettext_noop("Total in INR"),
)


def draw_invoice(invoice: Invoice) -> bytes:
    content = invoice.content
    with translation.override(spoken(invoice.order.language)):
        sheet = _Sheet(f"{_title(invoice)} {invoice.number}", _scripts_of(content))
        _draw_head(sheet, invoice)
        _draw_parties(sheet, content)
        _draw_rows(sheet, content | {"rows": _with_batches(invoice)})
        _draw_totals(sheet, content)
        _draw_notes(sheet, invoice)
    return bytes(sheet.output())


def _both(english: str, between: str = " / ") -> str:
    """A label in the order's language and in English, which stands last: digits after an Arabic word change places."""
    own = DIRECTIONS.sub("", gettext(english))
    return english if own == english else f"{own}{between}{english}"


def _scripts_of(content: dict[str, Any]) -> list[str]:
    """Those of SHAPED that this invoice has letters of: in its own language, and in names and addresses."""
    text = gettext("Date") + json.dumps(content, ensure_ascii=False, cls=DjangoJSONEncoder)
    return [name for name, (first, last, _) in SHAPED.items() if any(first <= letter <= last for letter in text)]


def _title(invoice: Invoice) -> str:
    if invoice.kind == Invoice.Kind.CREDIT:
        return "Credit note"
    return str(_layout(invoice.content)["title"])


def _layout(content: dict[str, Any]) -> dict[str, Any]:
    """What the tax rule said of the columns; invoices from before name their kind of supply only."""
    return content.get("layout") or asdict(LAYOUTS[Supply(content["supply"])])


class _Sheet(FPDF):
    """A4 pages with the shop's look, and a foot that counts them."""

    def __init__(self, title: str, scripts: list[str]) -> None:
        super().__init__("P", "mm", "A4")
        self.foot, self.scripts = title, scripts
        self.set_title(title)
        self.set_creator(settings.SHOP_NAME)
        self.set_margin(MARGIN)
        self.set_auto_page_break(True, 18)
        self.add_font("sans", "", FONTS / "DejaVuSans.ttf")
        self.add_font("sans", "B", FONTS / "DejaVuSans-Bold.ttf")
        for name in scripts:
            self.add_font(name, "", FONTS / f"{SHAPED[name][2]}.ttf")
            self.add_font(name, "B", FONTS / f"{SHAPED[name][2]}-Bold.ttf")
        if scripts:
            self.set_fallback_fonts(scripts, exact_match=True)
            self.set_text_shaping(True)
        self.known = _characters().union(*(map(chr, self.fonts[name].cmap) for name in scripts))  # type: ignore[union-attr]
        self.alias_nb_pages()
        self.add_page()

    def footer(self) -> None:
        self.set_y(-13)
        self.pen(7, MUTED)
        self.cell(WIDTH / 2, 4, self.foot)
        self.cell(WIDTH / 2, 4, f"{self.page_no()} / {{nb}}", align=Align.R)

    def set_font(self, *args: Any, **more: Any) -> None:
        """Said to the page at once: fpdf2 2.8 says it within the first line, and where that line also takes letters
        of another font the rest of the page does not hear of it."""
        super().set_font(*args, **more)
        if self.page and self.current_font:
            self._out(self._set_font_for_page(self.current_font, self.font_size_pt))

    def pen(self, size: float, colour: tuple[int, int, int] = INK, *, bold: bool = False) -> None:
        self.set_font("sans", "B" if bold else "", size)
        self.set_text_color(*colour)

    def write_lines(
        self, text: str, *, x: float, width: float, size: float = 8, bold: bool = False,
        colour: tuple[int, int, int] = INK, align: Align = Align.L, sentence: bool = False,
    ) -> None:  # fmt: skip
        """Text of some lines in a column; the pen stands below it afterwards. A sentence runs as its first letter does,
        a label with what it labels from left to right."""
        self.pen(size, colour, bold=bold)
        for line in filter(None, text.split("\n")):
            self.run(None if sentence else "ltr")
            self.set_x(x)
            self.multi_cell(width, size * 0.5, self.drawable(line), align=align, new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def run(self, direction: str | None) -> None:
        if self.scripts:
            self.set_text_shaping(True, direction=direction)

    def drawable(self, text: str) -> str:
        """Letters that no font here has lose their marks, or become a question mark."""
        return "".join(
            character if character in self.known or character == "\n" else _plain(character, self.known)
            for character in text
        )

    def rule(self) -> None:
        self.set_draw_color(*LINE)
        self.line(MARGIN, self.get_y(), MARGIN + WIDTH, self.get_y())


def _plain(character: str, known: frozenset[str]) -> str:
    if unicodedata.combining(character):
        return ""
    first = unicodedata.normalize("NFKD", character)[0]
    return first if first in known else "?"


def _characters() -> frozenset[str]:
    if not _known:
        probe = FPDF()
        probe.add_font("sans", "", FONTS / "DejaVuSans.ttf")
        _known.append(frozenset(map(chr, probe.fonts["sans"].cmap)))  # type: ignore[union-attr]
    return _known[0]


_known: list[frozenset[str]] = []


def _draw_head(sheet: _Sheet, invoice: Invoice) -> None:
    seller, right = invoice.content["seller"], MARGIN + WIDTH - HALF
    top = sheet.get_y()
    sheet.write_lines(_both(_title(invoice), "\n"), x=right, width=HALF, size=17, bold=True, colour=LEAF, align=Align.R)
    sheet.ln(1)
    sheet.write_lines(invoice.number, x=right, width=HALF, size=11, bold=True, align=Align.R)
    facts = [
        f"{_both('Date')}: {_date(invoice.content['issued_on'])}",
        f"{_both('Order')}: {invoice.content['order']}, {_date(invoice.content['ordered_on'])}",
    ]
    if original := invoice.content.get("original"):
        facts.append(f"{_both('For invoice')}: {original['number']}, {_date(original['issued_on'])}")
    sheet.write_lines("\n".join(facts), x=right, width=HALF, colour=MUTED, align=Align.R)
    bottom = sheet.get_y()
    sheet.set_y(top)
    sheet.write_lines(settings.SHOP_NAME, x=MARGIN, width=HALF, size=13, bold=True)
    sheet.ln(1)
    sheet.write_lines(seller["name"], x=MARGIN, width=HALF, bold=True)
    numbers = [f"{name} {seller[key]}" for name, key in (("GSTIN", "gstin"), ("CIN", "cin")) if seller[key]]
    numbers += filter(None, [seller.get("registration")])
    sheet.write_lines("\n".join([seller["address"], *numbers]), x=MARGIN, width=HALF, colour=MUTED)
    sheet.set_y(max(bottom, sheet.get_y()) + 4)
    sheet.rule()
    sheet.ln(4)


def _draw_parties(sheet: _Sheet, content: dict[str, Any]) -> None:
    buyer, right, top = content["buyer"], MARGIN + WIDTH - HALF, sheet.get_y()
    sheet.write_lines(_both("Billed and shipped to"), x=MARGIN, width=HALF, size=7, colour=MUTED)
    sheet.ln(0.5)
    sheet.write_lines(buyer["name"], x=MARGIN, width=HALF, size=9, bold=True, sentence=True)
    sheet.write_lines(f"{buyer['address']}\n{buyer['country']}", x=MARGIN, width=HALF, sentence=True)
    if buyer.get("gstin"):
        sheet.write_lines(f"GSTIN {buyer['gstin']}", x=MARGIN, width=HALF)
    sheet.write_lines(buyer["phone"], x=MARGIN, width=HALF, colour=MUTED)
    bottom = sheet.get_y()
    sheet.set_y(top)
    sheet.write_lines(_both("Place of supply"), x=right, width=HALF, size=7, colour=MUTED)
    sheet.ln(0.5)
    sheet.write_lines(content["place_of_supply"], x=right, width=HALF, size=9, bold=True)
    sheet.write_lines(content["declaration"], x=right, width=HALF)
    sheet.set_y(max(bottom, sheet.get_y()) + 5)


def _columns(content: dict[str, Any]) -> list[tuple[str, float, bool, str]]:
    layout = _layout(content)
    middle = [column for column in COLUMNS if column[3] != "off" or any(Decimal(row["off"]) for row in content["rows"])]
    if layout["percent"]:
        middle.append((layout["percent"], 12, True, "percent"))
    return [*middle, *[(label, 18.0, True, tax) for tax, label in layout["taxes"]], LAST]


def _draw_rows(sheet: _Sheet, content: dict[str, Any]) -> None:
    columns = _columns(content)
    free = WIDTH - sum(width for _, width, _, _ in columns)
    sheet.pen(7)
    sheet.run(None)
    sheet.set_draw_color(*LINE)
    with sheet.table(
        width=WIDTH,
        col_widths=[width or free for _, width, _, _ in columns],
        text_align=[Align.R if is_right else Align.L for _, _, is_right, _ in columns],
        headings_style=FontFace(emphasis="BOLD", color=INK, fill_color=TINT, size_pt=6.5),
        borders_layout=TableBordersLayout.HORIZONTAL_LINES,
        cell_fill_mode=TableCellFillMode.NONE,
        line_height=3.8,
        padding=1,
    ) as table:
        table.row([_both(heading, "\n") for heading, _, _, _ in columns])
        for place, row in enumerate(content["rows"], start=1):
            table.row([sheet.drawable(_cell(row | {"place": place}, key)) for _, _, _, key in columns])
    sheet.ln(4)


def _with_batches(invoice: Invoice) -> list[dict[str, Any]]:
    """The rows of an invoice, which is issued before anything is packed, with the batches that the parcels took."""
    rows: list[dict[str, Any]] = invoice.content["rows"]
    if invoice.kind != Invoice.Kind.INVOICE:
        return rows
    found = batches_of_lines(invoice.order)
    with translation.override("en"):
        words = {str(line_id): batch_words(copies) for line_id, copies in found.items()}
    return [row | {"batches": words.get(row["id"], "")} for row in rows]


def _cell(row: dict[str, Any], key: str) -> str:
    if key == "name":
        return "\n".join(
            filter(None, [row.get("own_name"), row["name"], row.get("batches")])
        )  # in the order's language and in English
    if key in ("place", "hsn"):
        return str(row[key])
    if key == "quantity":
        return f"{row[key]} {row['unit']}" if row[key] else "–"
    if key == "percent":
        return f"{Decimal(row[key]).normalize():f}"
    return _money(row[key]).removeprefix("₹")


def _draw_totals(sheet: _Sheet, content: dict[str, Any]) -> None:
    totals = content["totals"]
    lines = [(_both("Taxable value"), totals["taxable"])]
    lines += [(label, totals[tax]) for tax, label in _layout(content)["taxes"] if Decimal(totals[tax])]
    if sheet.will_page_break(6 * len(lines) + 14):
        sheet.add_page()
    label = MARGIN + WIDTH - 80
    for name, amount in lines:
        _draw_total(sheet, label, name, amount, size=8)
    sheet.set_draw_color(*LINE)
    sheet.line(label, sheet.get_y() + 1, MARGIN + WIDTH, sheet.get_y() + 1)
    sheet.ln(2)
    _draw_total(sheet, label, _both("Total in INR"), totals["total"], size=11)
    if shown := content.get("shown"):
        words = f"{_both('Shown as')}: {display(Decimal(shown['total']), shown['currency'])}"
        rate = f"1 {shown['currency']} = ₹{Decimal(shown['rate']).normalize():f}"
        sheet.write_lines(f"{words}, {rate}", x=label, width=80, colour=MUTED, align=Align.R)
    if discount := content.get("discount"):
        sheet.write_lines(f"{_both('Discount')}: {discount}", x=label, width=80, colour=MUTED, align=Align.R)
    sheet.ln(2)
    _draw_words(sheet, Decimal(totals["total"]))
    sheet.ln(6)


def _draw_words(sheet: _Sheet, total: Decimal) -> None:
    """The total in words, which nobody changes with a stroke of a pen."""
    own = amount_words(total, translation.get_language() or "en")
    words = [amount_words(total)] + ([own] if own and own != amount_words(total) else [])
    sheet.write_lines(f"{_both('In words')}: {' / '.join(words)}", x=MARGIN, width=WIDTH)


def _draw_total(sheet: _Sheet, x: float, name: str, amount: Any, *, size: float) -> None:
    """A label, which may take some lines, and its amount beside the first of them."""
    is_last = size > 8
    sheet.run("ltr")
    sheet.pen(size, INK if is_last else MUTED, bold=is_last)
    top = sheet.get_y()
    sheet.set_x(x)
    sheet.multi_cell(48, size * 0.6, name, align=Align.L, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
    bottom = sheet.get_y()
    sheet.set_xy(x + 48, top)
    sheet.pen(size, bold=is_last)
    sheet.cell(32, size * 0.6, _money(amount), align=Align.R)
    sheet.set_xy(MARGIN, bottom)


def _draw_notes(sheet: _Sheet, invoice: Invoice) -> None:
    if reason := invoice.content.get("reason"):
        sheet.write_lines(f"{_both('Reason')}: {_both(reason)}", x=MARGIN, width=WIDTH, size=7, colour=MUTED)
    notes = [
        _both("Prices include the taxes shown. Tax is not payable on reverse charge.", "\n"),
        _both("Computer-generated document. No signature required.", "\n"),
    ]
    sheet.write_lines("\n".join(notes), x=MARGIN, width=WIDTH, size=7, colour=MUTED, sentence=True)
    questions = f"{_both('Questions')}: {settings.SHOP_EMAIL}"
    sheet.write_lines(questions, x=MARGIN, width=WIDTH, size=7, colour=MUTED)


def _money(amount: Any) -> str:
    return display(Decimal(amount), INR)


def _date(written: Any) -> str:
    day = parse_date(str(written))
    return f"{day:%d %b %Y}" if day else ""
