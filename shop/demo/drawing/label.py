"""Labels. A brand keeps one style and palette; the product brings its name, plant and small print."""

from collections.abc import Callable
from dataclasses import dataclass

from .ink import darken, is_dark, lighten, mix
from .marks import mark, motif
from .text import BOLD, SANS, SERIF, draw, fit, spaced_line


@dataclass(frozen=True, slots=True)
class Print:
    """What stands on a pack, and in which brand's hand. Colours are #rrggbb."""

    brand: str
    name: str
    detail: str
    size: str
    style: str
    mark: str
    motif: str
    main: str
    accent: str
    paper: str
    tint: str  # the plant's own colour


@dataclass(frozen=True, slots=True)
class Box:
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    def inset(self, x: float, y: float) -> "Box":
        return Box(self.x + x, self.y + y, self.width - 2 * x, self.height - 2 * y)

    def rect(self, fill: str, **more: str) -> str:
        extra = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
        return f'<rect x="{self.x:.1f}" y="{self.y:.1f}" width="{self.width:.1f}" height="{self.height:.1f}" fill="{fill}"{extra}/>'


def label(p: Print, box: Box) -> str:
    """The whole label, inside the box."""
    return STYLES[p.style](p, box)


def paper_of(p: Print) -> str:
    """The colour of the pack where nothing is printed."""
    return p.main if p.style == "bold" else p.paper


def _mark(p: Print, x: float, y: float, size: float, main: str = "", accent: str = "") -> str:
    drawn = mark(p.mark, main or p.main, accent or p.accent)
    return f'<g transform="translate({x:.1f} {y:.1f}) scale({size / 100:.3f})">{drawn}</g>'


def plant(p: Print, x: float, y: float, size: float, *, turn: float = 0, opacity: float = 1) -> str:
    place = f"translate({x:.1f} {y:.1f}) rotate({turn}) scale({size / 100:.3f})"
    return f'<g transform="{place}" opacity="{opacity}">{motif(p.motif, p.tint)}</g>'


def column(p: Print, box: Box, ink: str, *, with_mark: bool = True, font: str = SERIF) -> str:
    """Mark, brand, name and small print, centred one above the other."""
    unit = min(box.height / 10, box.width / 8.4)
    parts, y = [], box.y
    if with_mark:
        parts.append(_mark(p, box.middle, y + unit * 0.95, unit * 1.9))
        y += unit * 2.1
    parts.append(spaced_line(p.brand, box.middle, y + unit * 0.72, box.width, unit * 0.68, ink))
    foot = _small_print(p, box, ink, unit)
    y += unit * 1.15
    room = box.y + box.height - y - unit * 1.9
    name = fit(
        p.name, font, width=box.width, height=room, largest=unit * (2.3 if box.width > box.height * 1.6 else 1.62)
    )
    return "".join(parts) + draw(name, box.middle, y + (room - name.height) / 2, ink) + foot


def _small_print(p: Print, box: Box, ink: str, unit: float) -> str:
    """Kind and size at the foot, clear of what grows in the corners."""
    bottom = box.y + box.height
    unit *= 1.18 if box.width > box.height * 1.6 else 1
    detail = fit(p.detail, SANS, width=box.width * 0.76, height=unit, largest=unit * 0.64, lines=1)
    size = fit(p.size, BOLD, width=box.width, height=unit, largest=unit * 0.7, lines=1)
    return draw(detail, box.middle, bottom - unit * 1.62, ink) + draw(size, box.middle, bottom - unit * 0.82, ink)


def _classic(p: Print, box: Box) -> str:
    """Bands in the brand's colour, a line in the plant's, the plant pale in both lower corners."""
    band = box.height * 0.05
    bottom = box.y + box.height
    bands = Box(box.x, box.y, box.width, band).rect(p.main) + Box(box.x, bottom - band, box.width, band).rect(p.main)
    lines = Box(box.x, box.y + band * 1.35, box.width, band * 0.32).rect(p.accent)
    lines += Box(box.x, bottom - band * 1.9, box.width, band * 0.55).rect(p.tint)
    inner = box.inset(box.width * 0.09, box.height * 0.115)
    return box.rect(p.paper) + _corner_plants(p, box, 0.36) + bands + lines + column(p, inner, darken(p.main, 0.45))


def _corner_plants(p: Print, box: Box, opacity: float) -> str:
    size = min(box.width * 0.3, box.height * 0.42)
    y = box.y + box.height - size * 0.42
    clip = f"plants{round(box.x)}_{round(box.y)}"
    left = plant(p, box.x + size * 0.16, y, size, turn=22, opacity=opacity)
    right = plant(p, box.x + box.width - size * 0.16, y, size, turn=-22, opacity=opacity)
    return f'<clipPath id="{clip}">{box.rect("#fff")}</clipPath><g clip-path="url(#{clip})">{left}{right}</g>'


def _crest(p: Print, box: Box) -> str:
    head = Box(box.x, box.y, box.width, box.height * 0.37)
    ink = darken(p.main, 0.45)
    on_head = "#ffffff" if is_dark(p.main) else ink
    inner = box.inset(box.width * 0.09, 0)
    unit = min(box.height / 10, box.width / 8.4)
    parts = [
        box.rect(p.paper),
        head.rect(p.main),
        Box(box.x, head.y + head.height, box.width, unit * 0.14).rect(p.accent),
    ]
    parts.append(_mark(p, box.middle, head.y + unit * 1.5, unit * 2, lighten(p.main, 0.86), lighten(p.accent, 0.2)))
    parts.append(
        spaced_line(p.brand, box.middle, head.y + head.height - unit * 0.45, inner.width, unit * 0.58, on_head)
    )
    top = head.y + head.height + unit * 0.4
    room = box.y + box.height - unit * (2.75 if box.width > box.height * 1.6 else 2.15) - top
    name = fit(p.name, SERIF, width=inner.width, height=room, largest=unit * 1.55)
    parts.append(draw(name, box.middle, top + (room - name.height) / 2, ink))
    return "".join(parts) + _small_print(p, box.inset(box.width * 0.08, unit * 0.45), ink, unit)


def _arch(p: Print, box: Box) -> str:
    tone = mix(p.paper, p.tint, 0.22)
    arch = box.inset(box.width * 0.07, box.height * 0.05)
    radius = min(arch.width / 2, arch.height * 0.55)
    path = (
        f"M{arch.x} {arch.y + arch.height}V{arch.y + radius}A{arch.width / 2} {radius} 0 0 1 "
        f"{arch.x + arch.width} {arch.y + radius}V{arch.y + arch.height}Z"
    )
    inner = Box(box.x + box.width * 0.13, box.y + box.height * 0.1, box.width * 0.74, box.height * 0.82)
    line = f'<path d="{path}" fill="{tone}" stroke="{p.main}" stroke-width="2.5"/>'
    return box.rect(p.paper) + line + column(p, inner, darken(p.main, 0.4))


def _botanical(p: Print, box: Box) -> str:
    """The plant grows in from both lower corners; the text stands clear above it."""
    size = min(box.width * 0.38, box.height * 0.42)
    clip = f"leaf{round(box.x)}_{round(box.y)}"
    corners = plant(p, box.x + size * 0.2, box.y + box.height - size * 0.2, size, turn=24, opacity=0.9)
    corners += plant(p, box.x + box.width - size * 0.2, box.y + box.height - size * 0.2, size, turn=-24, opacity=0.9)
    corners += plant(p, box.x + box.width * 0.02, box.y + size * 0.1, size * 0.6, turn=140, opacity=0.45)
    corners += plant(p, box.x + box.width * 0.98, box.y + size * 0.1, size * 0.6, turn=-140, opacity=0.45)
    shape = Box(box.x, box.y, box.width, box.height).rect("#fff")
    inner = Box(box.x + box.width * 0.14, box.y + box.height * 0.07, box.width * 0.72, box.height * 0.86)
    return (
        f'<clipPath id="{clip}">{shape}</clipPath>' + box.rect(p.paper) + f'<g clip-path="url(#{clip})">{corners}</g>'
        + column(p, inner, darken(p.main, 0.42))
    )  # fmt: skip


def _bold(p: Print, box: Box) -> str:
    """For sport: the name in heavy capitals on the brand's dark ground, with a slanted stripe."""
    unit = min(box.height / 10, box.width / 8.4)
    x, y, w, h = box.x, box.y, box.width, box.height
    stripe = (
        f'<path d="M{x} {y + h * 0.74}L{x + w} {y + h * 0.64}V{y + h * 0.68}L{x} {y + h * 0.78}Z" fill="{p.accent}"/>'
    )
    foot = f'<path d="M{x} {y + h * 0.8}L{x + w} {y + h * 0.7}V{y + h}H{x}Z" fill="{p.tint}" fill-opacity=".92"/>'
    inner = box.inset(w * 0.09, 0)
    parts = [box.rect(p.main), stripe, foot, _mark(p, box.middle, y + unit * 1.4, unit * 1.7, p.accent, p.main)]
    parts.append(spaced_line(p.brand, box.middle, y + unit * 3.05, inner.width, unit * 0.62, lighten(p.accent, 0.3)))
    top, room = y + unit * 3.4, h * 0.64 - unit * 3.5
    name = fit(p.name.upper(), BOLD, width=inner.width, height=room, largest=unit * 1.5)
    parts.append(draw(name, box.middle, top + (room - name.height) / 2, "#ffffff"))
    foot_ink = "#ffffff" if is_dark(p.tint) else "#1d2320"
    return "".join(parts) + _small_print(p, box.inset(w * 0.08, unit * 0.35), foot_ink, unit)


def _pharma(p: Print, box: Box) -> str:
    """For the medicine chest: white, left-aligned, sober, the strength in a coloured field."""
    unit = min(box.height / 10, box.width / 9)
    x, y, w, h = box.x, box.y, box.width, box.height
    left, room = x + w * 0.13, w * 0.8
    parts = [box.rect("#ffffff"), Box(x, y, w * 0.055, h).rect(p.main), Box(x, y + h * 0.82, w, h * 0.18).rect(p.main)]
    parts.append(
        f'<circle cx="{x + w * 0.9}" cy="{y + h * 0.82}" r="{unit * 1.5}" fill="{p.accent}" fill-opacity=".9"/>'
    )
    parts.append(_mark(p, left + unit * 0.6, y + unit * 1.25, unit * 1.35))
    parts.append(
        spaced_line(p.brand, left + unit * 1.6, y + unit * 1.5, room - unit * 1.7, unit * 0.6, p.main, anchor="start")
    )
    height = h * 0.82 - unit * 4.2
    name = fit(p.name, BOLD, width=room, height=height, largest=unit * 1.35)
    parts.append(draw(name, left, y + unit * 2.55, "#1d2320", anchor="start"))
    detail = fit(p.detail, SANS, width=room * 0.8, height=unit * 1.4, largest=unit * 0.58, lines=2)
    parts.append(draw(detail, left, y + h * 0.82 - unit * 0.45 - detail.height, "#4a544e", anchor="start"))
    size = fit(p.size, BOLD, width=room * 0.75, height=h * 0.15, largest=unit * 0.78, lines=1)
    parts.append(
        draw(size, left, y + h * 0.91 - size.height / 2, "#ffffff" if is_dark(p.main) else "#1d2320", anchor="start")
    )
    return "".join(parts)


def _ornate(p: Print, box: Box) -> str:
    """For the hakim's shelf: a double frame with turned corners and a medallion."""
    frame = box.inset(box.width * 0.045, box.height * 0.045)
    inner_frame = box.inset(box.width * 0.07, box.height * 0.07)
    step = min(box.width, box.height) * 0.05
    corners = "".join(
        f'<g transform="translate({cx:.1f} {cy:.1f}) rotate(45)"><rect x="{-step}" y="{-step}" width="{2 * step}" height="{2 * step}" fill="{p.main}"/>'
        f'<rect x="{-step / 2}" y="{-step / 2}" width="{step}" height="{step}" fill="{p.accent}"/></g>'
        for cx in (frame.x, frame.x + frame.width) for cy in (frame.y, frame.y + frame.height)
    )  # fmt: skip
    lines = frame.rect("none", stroke=p.main, stroke_width="4") + inner_frame.rect(
        "none", stroke=p.accent, stroke_width="2"
    )
    inner = box.inset(box.width * 0.13, box.height * 0.11)
    clip = f"frame{round(box.x)}_{round(box.y)}"
    return (
        f'<clipPath id="{clip}">{box.rect("#fff")}</clipPath>{box.rect(p.paper)}<g clip-path="url(#{clip})">{lines}{corners}</g>'
        + column(p, inner, darken(p.main, 0.4))
    )


STYLES: dict[str, Callable[[Print, Box], str]] = {"classic": _classic, "crest": _crest, "arch": _arch, "botanical": _botanical,
    "bold": _bold, "pharma": _pharma, "ornate": _ornate}  # fmt: skip
