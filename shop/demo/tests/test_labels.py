"""No line of type runs over the edge of its label."""

import re

import pytest

from ..catalogue import reading
from ..drawing import scene
from ..drawing.label import STYLES, Box, Print, label
from ..drawing.raster import paint, rasterise
from ..drawing.text import BOLD, SERIF, fit, width_of

LINE = re.compile(
    r'<text x="([\d.-]+)" y="([\d.-]+)" font-family="([^"]+)" font-size="([\d.]+)" [^>]*?text-anchor="(\w+)"'
    r'(?: letter-spacing="([\d.]+)")?>([^<]*)<'
)
LONG = "Manjistha & Sandalwood Brightening Overnight Face Cream"


def edges(svg: str) -> list[tuple[float, float]]:
    """Left and right edge of each line."""
    found = []
    for x, _, font, size, anchor, spacing, text in LINE.findall(svg):
        width = width_of(text.replace("&amp;", "&"), float(size), font, float(spacing or 0))
        left = float(x) - (width / 2 if anchor == "middle" else 0)
        found.append((left, left + width))
    return found


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("size", [(444, 400), (580, 284), (256, 340), (336, 400)])
def test_the_longest_name_stays_on_its_label(style, size):
    box = Box(0, 0, *size)
    p = Print("Unani Dawakhana of Old Delhi", LONG, "With saffron, sandalwood and sixteen herbs", "6 x 125 g", style,
              "sun", "sprig", "#1f5a41", "#c98a3a", "#fbf5e6", "#8a6a3c")  # fmt: skip
    found = edges(label(p, box))
    assert len(found) >= 4
    assert min(left for left, _ in found) >= 0
    assert max(right for _, right in found) <= box.width + 1


def test_every_label_of_the_catalogue_holds_its_text():
    for plan in reading.products():
        for shot in plan.looks.values():
            box = shot.thing().label
            over = [
                edge for edge in edges(label(shot.print, box)) if edge[0] < box.x - 1 or edge[1] > box.x + box.width + 1
            ]
            assert not over, plan.slug


def test_text_that_fits_keeps_its_size():
    assert fit("Amla", SERIF, width=400, height=100, largest=60).size == 60


def test_lines_are_even():
    lines = fit("Ashwagandha Root Extract Capsules", BOLD, width=400, height=200, largest=40).lines
    assert len(lines) == 2
    assert abs(width_of(lines[0], 40, BOLD) - width_of(lines[1], 40, BOLD)) < 160


def test_the_same_drawing_gives_the_same_pixels():
    shot = next(iter(reading.products()[0].looks.values()))
    first, second = paint(scene.front(shot)), paint(scene.front(shot))
    assert first.size == (1200, 1200)
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("shape", scene.SHAPES)
def test_every_shape_stands_within_its_frame(shape):
    """Nothing is cut off: the edges of the rasterised frame are empty."""
    shot = next(iter(reading.products()[0].looks.values()))
    drawn = scene.front(scene.Packshot(shape, "#7a4516", "#23302a", shot.tint, shot.print))
    edge = rasterise(drawn.svg, 300).getchannel("A")
    assert max(edge.crop((0, 0, 300, 2)).tobytes()) == 0
    assert max(edge.crop((0, 0, 2, edge.height - 60)).tobytes()) < 40
