"""Pictures that are not of one product: banners, menu pictures, concerns, logos. No text on banners:
the page lays its own over the free half."""

from dataclasses import dataclass

from .ink import darken, is_dark, lighten, mix
from .marks import mark, motif
from .scene import Packshot, thing_at
from .signs import SIGNS
from .text import SERIF, draw, fit

LEAF_DARK = "#143d2c"


@dataclass(frozen=True, slots=True)
class Art:
    """A finished drawing and its size in pixels."""

    svg: str
    width: int
    height: int


def still_life(shots: list[Packshot], colour: str, width: int, height: int) -> Art:
    """Three things under an arch, drawn as `shots`. In a wide picture they stand right of the middle, in a tall one below it."""
    tall = height > width * 0.9
    middle = width * (0.5 if tall else 0.74)
    floor = height * (0.93 if tall else 0.9)
    unit = min(width * 0.54, height * 0.46) if tall else min(height * 0.78, width * 0.3)
    room = width * 0.9 if tall else (width - middle) * 1.92
    parts = _arch(middle, height, unit, colour) + _plant(shots[0], width, height, colour)
    return Art(_sheet(width, height, colour, parts + _row(shots, middle, floor, unit, room)), width, height)


def concern(sign: str, tint: str) -> Art:
    """A line drawing in a round field of soft colour (the page crops the circle)."""
    ink = mix(LEAF_DARK, tint, 0.08)
    blob = f'<circle cx="270" cy="270" r="150" fill="{lighten(tint, 0.5)}" fill-opacity=".8"/>'
    lines = (
        f'<g transform="translate(320 320) scale(2.5)" fill="none" stroke="{ink}" stroke-width="4.6" '
        f'stroke-linecap="round" stroke-linejoin="round">{SIGNS[sign]}</g>'
    )
    return Art(_svg(640, 640, f'<rect width="640" height="640" fill="{tint}"/>{blob}{lines}'), 640, 640)


def concern_icon(sign: str, tint: str) -> Art:
    """The same sign alone, for small chips."""
    lines = (
        f'<g transform="translate(100 100) scale(1.5)" fill="none" stroke="#1f5a41" stroke-width="5" '
        f'stroke-linecap="round" stroke-linejoin="round">{SIGNS[sign]}</g>'
    )
    return Art(_svg(200, 200, f'<rect width="200" height="200" fill="{tint}"/>{lines}'), 200, 200)


def icon(shot: Packshot, tint: str) -> Art:
    """A category in one thing."""
    thing = shot.thing()
    height = min(440, 440 * thing.height / max(thing.width, thing.height) * 1.05)
    body = thing_at(shot, 320, 560 if height > 330 else 500, height)
    return Art(
        _svg(
            640,
            640,
            f'<rect width="640" height="640" fill="{tint}"/><circle cx="320" cy="330" r="240" fill="#ffffff" fill-opacity=".4"/>{body}',
        ),
        640,
        640,
    )


def logo(name: str, sign: str, main: str, accent: str) -> Art:
    """Mark above name, on white."""
    block = fit(name, SERIF, width=500, height=120, largest=74, lines=2)
    top = 192 - block.height / 2 + 40
    text = draw(block, 320, top, main)
    signed = f'<g transform="translate(320 {top - 62:.0f}) scale(.95)">{mark(sign, main, accent)}</g>'
    return Art(_svg(640, 360, f'<rect width="640" height="360" fill="#ffffff"/>{signed}{text}'), 640, 360)


def _row(shots: list[Packshot], middle: float, floor: float, unit: float, room: float) -> str:
    """The second in the middle and behind, the others before it on both sides, within `room` pixels."""
    gap = unit * 0.05
    heights = [unit * _share(shot) for shot in shots]
    things = [shot.thing() for shot in shots]
    widths = [thing.width * height / thing.height for thing, height in zip(things, heights, strict=True)]
    reach = widths[1] / 2 + gap + max(widths[0], widths[2])
    if 2 * reach > room:
        return _row(shots, middle, floor, unit * room / (2 * reach) * 0.99, room)
    return (
        thing_at(shots[1], middle, floor - unit * 0.04, heights[1])
        + thing_at(shots[0], middle - widths[1] / 2 - gap - widths[0] / 2, floor, heights[0])
        + thing_at(shots[2], middle + widths[1] / 2 + gap + widths[2] / 2, floor, heights[2])
    )


def _share(shot: Packshot) -> float:
    """How tall a thing stands beside the others: low jars stay low."""
    thing = shot.thing()
    return min(1.0, thing.height / 880) * (0.94 if thing.width > thing.height else 1.0)


def _arch(middle: float, height: float, unit: float, colour: str) -> str:
    radius = unit * 0.74
    tone = mix(colour, "#e0a45a", 0.26) if is_dark(colour) else lighten(colour, 0.5)
    top = height - unit * 0.42
    return (
        f'<path d="M{middle - radius} {height}V{top}A{radius} {radius * 1.02} 0 0 1 {middle + radius} {top}V{height}Z" '
        f'fill="{tone}" fill-opacity="{0.75 if is_dark(colour) else 0.8}"/>'
    )


def _plant(shot: Packshot, width: int, height: int, colour: str) -> str:
    """What the first thing is made of, large and faint, growing in from the upper right."""
    tone = lighten(colour, 0.14) if is_dark(colour) else darken(colour, 0.07)
    place = f"translate({width * 0.98:.0f} {height * 0.18:.0f}) rotate(30) scale({min(height, width * 0.45) / 190:.2f})"
    return f'<g transform="{place}" opacity=".34">{motif(shot.print.motif, tone)}</g>'


def _sheet(width: int, height: int, colour: str, inner: str) -> str:
    light = (
        f'<linearGradient id="sheet" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="{darken(colour, 0.12) if is_dark(colour) else lighten(colour, 0.25)}"/>'
        f'<stop offset="1" stop-color="{lighten(colour, 0.14) if is_dark(colour) else darken(colour, 0.03)}"/></linearGradient>'
    )
    return _svg(
        width, height, f'<defs>{light}</defs><rect width="{width}" height="{height}" fill="url(#sheet)"/>{inner}'
    )


def _svg(width: int, height: int, inner: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{inner}</svg>'
