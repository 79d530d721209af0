"""Type on labels: measured with the fonts that draw it, so that nothing runs over an edge.

The fonts are Latin subsets, with ₹, of Fraunces (semi-bold) and Inter (medium and bold), both under
the SIL Open Font License; see fonts/.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from xml.sax.saxutils import escape

from PIL import ImageFont

FONTS = Path(__file__).resolve().parent.parent / "fonts"
FILES = {"Label Serif": "LabelSerif.ttf", "Label Sans": "LabelSans.ttf", "Label Sans Bold": "LabelSansBold.ttf"}
SERIF, SANS, BOLD = FILES
LEADING = 1.16


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one size; `height` is what they take up."""

    lines: tuple[str, ...]
    size: float
    font: str

    @property
    def height(self) -> float:
        return len(self.lines) * self.size * LEADING


@lru_cache
def _font(name: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / FILES[name], 200)


@lru_cache(maxsize=20_000)
def width_of(text: str, size: float, font: str, spacing: float = 0) -> float:
    """The width of a line; `spacing` is added after every letter."""
    return _font(font).getlength(text) * size / 200 + spacing * len(text)


def fit(text: str, font: str, *, width: float, height: float, largest: float, smallest: float = 12,
        lines: int = 3) -> Block:  # fmt: skip
    """The text in the largest size whose wrapped lines stay inside width and height."""
    size = largest
    while True:
        wrapped = _wrap(text, font, size, width)
        fits = len(wrapped) <= lines and len(wrapped) * size * LEADING <= height
        if (fits and all(width_of(line, size, font) <= width for line in wrapped)) or size <= smallest:
            return Block(tuple(wrapped), size, font)
        size -= 1


def draw(block: Block, x: float, y: float, fill: str, *, anchor: str = "middle") -> str:
    """The block with its top edge at y."""
    return "".join(
        line(text, x, y + block.size * (0.9 + number * LEADING), block.size, block.font, fill, anchor=anchor)
        for number, text in enumerate(block.lines)
    )


def line(text: str, x: float, y: float, size: float, font: str, fill: str, *, anchor: str = "middle",
         spacing: float = 0) -> str:  # fmt: skip
    """One line with its baseline at y. Letter-spaced lines are centred without the last space."""
    shift = spacing / 2 if anchor == "middle" else 0
    spaced = f' letter-spacing="{spacing:.2f}"' if spacing else ""
    return (
        f'<text x="{x + shift:.1f}" y="{y:.1f}" font-family="{font}" font-size="{size:.1f}" fill="{fill}" '
        f'text-anchor="{anchor}"{spaced}>{escape(text)}</text>'
    )


def spaced_line(text: str, x: float, y: float, width: float, size: float, fill: str, *, anchor: str = "middle") -> str:
    """Small capitals with wide spacing, made smaller until they fit."""
    text = text.upper()
    while width_of(text, size, BOLD, size * 0.14) > width:
        size -= 0.5
    return line(text, x, y, size, BOLD, fill, anchor=anchor, spacing=size * 0.14)


def _wrap(text: str, font: str, size: float, width: float) -> list[str]:
    """As few lines as possible, then as even as possible."""
    greedy = _fill(text, font, size, width)
    for narrower in range(70, 100, 6):
        even = _fill(text, font, size, width * narrower / 100)
        if len(even) == len(greedy) and all(width_of(part, size, font) <= width for part in even):
            return even
    return greedy


def _fill(text: str, font: str, size: float, width: float) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", size, font) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
