"""An invoice or a credit note as a PDF of A4 pages, drawn from the copy that was issued."""

import unicodedata
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.dateparse import parse_date
from fpdf import FPDF
from fpdf.enums import Align, TableBordersLayout, TableCellFillMode, XPos, YPos
from fpdf.fonts import FontFace

from shop.money import INR, display

from ..models import Invoice
from ..tax.gst import LAYOUTS, Supply

FONTS = Path(__file__).parent / "fonts"
INK, MUTED, LEAF, LINE, TINT = (29, 35, 32), (91, 100, 94), (31, 90, 65), (230, 224, 212), (231, 240, 234)
MARGIN = 15
WIDTH = 210 - 2 * MARGIN
HALF = WIDTH / 2 - 4

# heading, width in mm, right-aligned, key of the row
COLUMNS: list[tuple[str, float, bool, str]] = [
    ("#", 7, True, "place"),
    ("Item", 0, False, "name"),
    ("HSN", 16, False, "hsn"),
    ("Qty", 12, True, "quantity"),
    ("Amount", 19, True, "gross"),
    ("Off", 16, True, "off"),
    ("Taxable", 19, True, "taxable"),
]
LAST: tuple[str, float, bool, str] = ("Total", 20, True, "total")


def draw_invoice(invoice: Invoice) -> bytes:
    content = invoice.content
    sheet = _Sheet(f"{_title(invoice)} {invoice.number}")
    _draw_head(sheet, invoice)
    _draw_parties(sheet, content)
    _draw_rows(sheet, content)
    _draw_totals(sheet, content)
    _draw_notes(sheet, invoice)
    return bytes(sheet.output())


def _title(invoice: Invoice) -> str:
    if invoice.kind == Invoice.Kind.CREDIT:
        return "Credit note"
    return str(_layout(invoice.content)["title"])


def _layout(content: dict[str, Any]) -> dict[str, Any]:
    """What the tax rule said of the columns; invoices from before name their kind of supply only."""
    return content.get("layout") or asdict(LAYOUTS[Supply(content["supply"])])


class _Sheet(FPDF):
    """A4 pages with the shop's look, and a foot that counts them."""

    def __init__(self, title: str) -> None:
        super().__init__("P", "mm", "A4")
        self.foot = title
        self.set_title(title)
        self.set_creator(settings.SHOP_NAME)
        self.set_margin(MARGIN)
        self.set_auto_page_break(True, 18)
        self.add_font("sans", "", FONTS / "DejaVuSans.ttf")
        self.add_font("sans", "B", FONTS / "DejaVuSans-Bold.ttf")
        self.alias_nb_pages()
        self.add_page()

    def footer(self) -> None:
        self.set_y(-13)
        self.pen(7, MUTED)
        self.cell(WIDTH / 2, 4, self.foot)
        self.cell(WIDTH / 2, 4, f"Page {self.page_no()} of {{nb}}", align=Align.R)

    def pen(self, size: float, colour: tuple[int, int, int] = INK, *, bold: bool = False) -> None:
        self.set_font("sans", "B" if bold else "", size)
        self.set_text_color(*colour)

    def write_lines(
        self, text: str, *, x: float, width: float, size: float = 8, bold: bool = False,
        colour: tuple[int, int, int] = INK, align: Align = Align.L,
    ) -> None:  # fmt: skip
        """Text of some lines in a column; the pen stands below it afterwards."""
        if not text:
            return
        self.set_x(x)
        self.pen(size, colour, bold=bold)
        self.multi_cell(width, size * 0.5, _drawable(text), align=align, new_x=XPos.LMARGIN, new_y=YPos.NEXT)

    def rule(self) -> None:
        self.set_draw_color(*LINE)
        self.line(MARGIN, self.get_y(), MARGIN + WIDTH, self.get_y())


def _drawable(text: str) -> str:
    """Letters that the font does not have lose their marks, or become a question mark."""
    known = _characters()
    return "".join(
        character if character in known or character == "\n" else _plain(character, known) for character in text
    )


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
    sheet.write_lines(_title(invoice), x=right, width=HALF, size=17, bold=True, colour=LEAF, align=Align.R)
    sheet.ln(1)
    sheet.write_lines(invoice.number, x=right, width=HALF, size=11, bold=True, align=Align.R)
    facts = [
        f"Date: {_date(invoice.content['issued_on'])}",
        f"Order: {invoice.content['order']}, {_date(invoice.content['ordered_on'])}",
    ]
    if original := invoice.content.get("original"):
        facts.append(f"For invoice {original['number']} of {_date(original['issued_on'])}")
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
    sheet.write_lines("Billed and shipped to", x=MARGIN, width=HALF, size=7, colour=MUTED)
    sheet.ln(0.5)
    sheet.write_lines(buyer["name"], x=MARGIN, width=HALF, size=9, bold=True)
    sheet.write_lines(f"{buyer['address']}\n{buyer['country']}", x=MARGIN, width=HALF)
    sheet.write_lines(buyer["phone"], x=MARGIN, width=HALF, colour=MUTED)
    bottom = sheet.get_y()
    sheet.set_y(top)
    sheet.write_lines("Place of supply", x=right, width=HALF, size=7, colour=MUTED)
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
        table.row([heading for heading, _, _, _ in columns])
        for place, row in enumerate(content["rows"], start=1):
            table.row([_cell(row | {"place": place}, key) for _, _, _, key in columns])
    sheet.ln(4)


def _cell(row: dict[str, Any], key: str) -> str:
    if key in ("place", "name", "hsn"):
        return _drawable(str(row[key]))
    if key == "quantity":
        return f"{row[key]} {row['unit']}"
    if key == "percent":
        return f"{Decimal(row[key]).normalize():f}"
    return _money(row[key]).removeprefix("₹")


def _draw_totals(sheet: _Sheet, content: dict[str, Any]) -> None:
    totals = content["totals"]
    lines = [("Taxable value", totals["taxable"])]
    lines += [(label, totals[tax]) for tax, label in _layout(content)["taxes"] if Decimal(totals[tax])]
    if sheet.will_page_break(6 * len(lines) + 14):
        sheet.add_page()
    label = MARGIN + WIDTH - 80
    for name, amount in lines:
        _draw_total(sheet, label, name, amount, size=8)
    sheet.set_draw_color(*LINE)
    sheet.line(label, sheet.get_y() + 1, MARGIN + WIDTH, sheet.get_y() + 1)
    sheet.ln(2)
    _draw_total(sheet, label, "Total in INR", totals["total"], size=11)
    if shown := content.get("shown"):
        words = f"Shown as {display(Decimal(shown['total']), shown['currency'])}"
        rate = f"at ₹{Decimal(shown['rate']).normalize():f} for 1 {shown['currency']}"
        sheet.write_lines(f"{words}, {rate}", x=label, width=80, colour=MUTED, align=Align.R)
    sheet.ln(6)


def _draw_total(sheet: _Sheet, x: float, name: str, amount: Any, *, size: float) -> None:
    is_last = size > 8
    sheet.set_x(x)
    sheet.pen(size, INK if is_last else MUTED, bold=is_last)
    sheet.cell(40, size * 0.6, name)
    sheet.pen(size, bold=is_last)
    sheet.cell(40, size * 0.6, _money(amount), align=Align.R, new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def _draw_notes(sheet: _Sheet, invoice: Invoice) -> None:
    notes = [f"Reason: {invoice.content['reason']}"] if invoice.content.get("reason") else []
    notes += [
        "Prices include the taxes shown. Tax is not payable on reverse charge.",
        "Computer-generated document. No signature required.",
        f"Questions: {settings.SHOP_EMAIL}",
    ]
    sheet.write_lines("\n".join(notes), x=MARGIN, width=WIDTH, size=7, colour=MUTED)


def _money(amount: Any) -> str:
    return display(Decimal(amount), INR)


def _date(written: Any) -> str:
    day = parse_date(str(written))
    return f"{day:%d %b %Y}" if day else ""
