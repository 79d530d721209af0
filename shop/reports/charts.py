"""Bars, drawn by the server: an SVG that stretches to its place, with its words beside it in the page."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

WIDTH, HEIGHT = 1000, 200  # of the drawing; the page stretches it
GAP = 0.25  # of a bar's place
MARKS = (1, 2, Decimal("2.5"), 5, 10)


@dataclass(frozen=True, slots=True)
class Bar:
    label: str
    amount: Decimal
    value: str  # the amount as people read it
    note: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    bar: Bar
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Chart:
    bars: list[Drawn]
    top: Decimal  # what the upper edge stands for
    is_empty: bool
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def ends(self) -> list[str]:
        """What stands under it: the first, the middle and the last label."""
        labels = [drawn.bar.label for drawn in self.bars]
        return labels if len(labels) < 3 else [labels[0], labels[len(labels) // 2], labels[-1]]

    @property
    def best(self) -> Bar:
        return max((drawn.bar for drawn in self.bars), key=lambda bar: bar.amount)


def draw_bars(bars: Sequence[Bar]) -> Chart:
    """At least one bar."""
    top = round_up(max(bar.amount for bar in bars))
    place = WIDTH / len(bars)
    drawn = []
    for at, bar in enumerate(bars):
        height = float(bar.amount / top) * HEIGHT
        drawn.append(
            Drawn(bar, round((at + GAP / 2) * place, 2), round(HEIGHT - height, 2), round((1 - GAP) * place, 2),
                  round(height, 2))
        )  # fmt: skip
    return Chart(drawn, top, is_empty=not any(bar.amount for bar in bars))


def round_up(amount: Decimal) -> Decimal:
    """The next number at which an axis may end: 1, 2, 2.5 or 5 and zeros."""
    if amount <= 0:
        return Decimal(1)
    power = Decimal(10) ** amount.adjusted()
    return next(mark * power for mark in MARKS if mark * power >= amount)
