"""Labels for the packs of a batch, 24 to an A4 sheet: product, batch, expiry and a code that `read_scan` reads.

The bars are Code 128 in its set B, as GS1-128 where the variant has a trade item number: 01 the number, 17 the expiry,
10 the batch. Without one they are the SKU.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING

from django.utils.text import Truncator

from ..models import Batch
from ..products.barcodes import gtin_of

if TYPE_CHECKING:
    from fpdf import FPDF

ACROSS, DOWN = 3, 8
WIDTH, HEIGHT = 70, 37  # mm; 24 to a sheet
MAX_LABELS = 240
START_B, FNC1, STOP = 104, 102, 106
PRINTED = re.compile("[ -~]+")  # what set B has bars for
# The widths of bars and spaces, in modules, by value.
PATTERNS = re.findall(
    r"\d+",
    "212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 "
    "113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 "
    "212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 "
    "113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 "
    "314111 221411 431111 111224 111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 "
    "241211 221114 413111 241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 "
    "214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412 211214 "
    "211232 2331112",
)


def code_of(batch: Batch) -> tuple[str, str]:
    """What the bars hold without separators, and how people read it; the batch is last, as its length varies."""
    gtin = gtin_of(batch.variant.barcode)
    if not gtin:
        return batch.variant.sku, batch.variant.sku
    parts = [("01", gtin.zfill(14))]
    if batch.expires:
        parts.append(("17", f"{batch.expires:%y%m%d}"))
    if _fits(batch.number):
        parts.append(("10", batch.number))
    return "".join(key + value for key, value in parts), "".join(f"({key}){value}" for key, value in parts)


def _fits(number: str) -> bool:
    return 0 < len(number) <= 20 and all("!" <= sign <= "z" for sign in number)


def bars_of(text: str, *, is_gs1: bool) -> list[int]:
    """Widths of bar, space, bar, … in modules. Raises ValueError for signs that the set has not."""
    if not PRINTED.fullmatch(text):
        raise ValueError(f"No bars for {text!r}.")
    values = [START_B, *([FNC1] if is_gs1 else []), *(ord(sign) - 32 for sign in text)]
    check = (values[0] + sum(place * value for place, value in enumerate(values))) % 103
    return [int(width) for value in [*values, check, STOP] for width in PATTERNS[value]]


def draw_labels(batches: Iterable[tuple[Batch, int]]) -> bytes:
    """A PDF with so many labels of each batch. Reads the variant with its product."""
    from fpdf import FPDF  # a library of fonts and shapes that few processes ever need

    sheet = FPDF("P", "mm", "A4")
    sheet.set_auto_page_break(False)
    at = 0
    for batch, count in batches:
        for _ in range(count):
            if at % (ACROSS * DOWN) == 0:
                sheet.add_page()
            place = at % (ACROSS * DOWN)
            _draw(sheet, batch, x=place % ACROSS * WIDTH, y=place // ACROSS * HEIGHT)
            at += 1
    return bytes(sheet.output())


def _draw(sheet: FPDF, batch: Batch, *, x: float, y: float) -> None:
    text, read = code_of(batch)
    lines = [
        Truncator(batch.variant.product.name).chars(42, truncate="..."),
        f"Batch {batch.number}{_until(batch.expires)}",
    ]
    for place, line in enumerate(lines):
        sheet.set_font("helvetica", size=8)
        sheet.text(x + 4, y + 6 + place * 4.5, _latin(line))
    bars = bars_of(text, is_gs1=text != read) if PRINTED.fullmatch(text) else []  # a SKU may hold any letters
    module = min(0.4, (WIDTH - 12) / sum(bars)) if bars else 0
    left = x + 6
    for place, width in enumerate(bars):
        if place % 2 == 0:
            sheet.rect(left, y + 13, width * module, 15, style="F")
        left += width * module
    sheet.set_font("helvetica", size=6)
    sheet.text(x + 6, y + 32, _latin(read))


def _latin(text: str) -> str:
    """The letters that every PDF reader has a font for; names of products are kept in English."""
    return text.encode("latin-1", "replace").decode("latin-1")


def _until(expires: date | None) -> str:
    return f"   EXP {expires:%d %b %Y}" if expires else ""
