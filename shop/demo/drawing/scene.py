"""A thing in its light, on the tint of its kind: 1200 pixels square, as SVG."""

from collections.abc import Callable
from dataclasses import dataclass

from . import goods, packs, vessels
from .ink import darken, floor_shadow, mix
from .label import Print
from .marks import motif
from .text import SANS, SERIF, draw, fit, spaced_line
from .vessels import Thing

SIZE = 1200
SIDE_SIZE = 640  # the views after the first: they are not zoomed into
FLOOR = 1010
WHOLE = (0, 0, SIZE, SIZE)
SHAPES: dict[str, Callable[[Print, str, str], Thing]] = {
    "bottle": vessels.bottle, "slim": vessels.slim_bottle, "dropper": vessels.dropper, "pump": vessels.pump_bottle,
    "jar": vessels.jar, "tub": vessels.tub, "cream": vessels.cream_jar, "tin": vessels.tin, "roll": vessels.roll_on,
    "tube": packs.tube, "carton": packs.carton, "pouch": packs.pouch, "blister": packs.blister, "soap": packs.soap,
    "sachets": packs.sachets, "mat": goods.mat, "block": goods.block, "bands": goods.bands, "flask": goods.flask,
    "shaker": goods.shaker, "dumbbell": goods.dumbbell, "thermometer": goods.thermometer, "monitor": goods.monitor,
    "pot": goods.pot, "comb": goods.comb,
}  # fmt: skip
COMES_IN_A_BOX = frozenset({"dropper", "tube", "cream", "roll", "slim", "bottle"})


@dataclass(frozen=True, slots=True)
class Scene:
    """What stands before a tinted wall, `size` pixels square. Only the part inside `frame` (x, y, width,
    height, of 1200) is rasterised: the rest is wall."""

    svg: str
    tint: str
    size: int
    frame: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Packshot:
    """Everything a product's pictures follow from. `body` and `cap` are the pack's own colours."""

    shape: str
    body: str
    cap: str
    tint: str
    print: Print
    facts: tuple[tuple[str, str], ...] = ()

    def thing(self) -> Thing:
        return SHAPES[self.shape](self.print, self.body, self.cap)


def front(shot: Packshot) -> Scene:
    thing = shot.thing()
    scale = min(850 / thing.height, 720 / thing.width, 1.3)
    floor = FLOOR if thing.height * scale > 640 else FLOOR - 90
    reach = round(min(600, thing.width * scale * 0.9 + 10))
    top = round(floor - thing.height * scale - 24)
    return _scene(_standing(thing, 600, floor, scale), shot.tint, SIZE, (600 - reach, top, 2 * reach, floor + 70 - top))


def company(shot: Packshot) -> Scene:
    """With its carton where it comes in one, else a pair; the plant on the wall behind."""
    boxed = shot.shape in COMES_IN_A_BOX
    thing = shot.thing()
    behind = packs.carton(shot.print, shot.body, shot.cap) if boxed else thing
    scale = min(760 / max(thing.height, behind.height), 560 / max(thing.width, behind.width))
    niche = (
        '<linearGradient id="niche" x1="0" y1="0" x2="0" y2="1"><stop offset=".5" stop-color="#fff" stop-opacity=".42"/>'
        '<stop offset="1" stop-color="#fff" stop-opacity="0"/></linearGradient>'
        f'<path d="M250 {FLOOR}V560A350 350 0 0 1 950 560V{FLOOR}Z" fill="url(#niche)"/>'
        f'<g transform="translate(600 330) scale(2.5)" opacity=".3">{motif(shot.print.motif, shot.print.tint)}</g>'
    )
    if boxed:
        pair = _standing(behind, 790, FLOOR - 50, scale) + _standing(thing, 400, FLOOR + 30, scale)
    else:
        pair = _standing(thing, 850, FLOOR - 120, scale * 0.72) + _standing(thing, 410, FLOOR + 30, scale)
    return _scene(niche + pair, mix(shot.tint, shot.print.tint, 0.16), SIDE_SIZE, (30, 60, 1170, 1080))


def close_up(shot: Packshot) -> Scene:
    """The label, near enough to read, cropped by the picture's edge."""
    thing = shot.thing()
    box = thing.label
    scale = min(900 / box.width, 980 / box.height)
    x, y = 600 - box.middle * scale, 600 - (box.y + box.height / 2) * scale
    inner = f'<g transform="translate({x:.1f} {y:.1f}) scale({scale:.3f})">{thing.svg}</g>'
    return _scene(inner, mix(shot.tint, shot.print.tint, 0.1), SIDE_SIZE, WHOLE)


def facts_card(shot: Packshot) -> Scene:
    """What the pack says of its contents, as a printed card."""
    p = shot.print
    parts = [
        '<rect x="158" y="122" width="900" height="980" rx="28" fill="#2a2118" fill-opacity=".14"/>',
        f'<rect x="150" y="110" width="900" height="980" rx="28" fill="{p.paper}" stroke="{p.main}" stroke-opacity=".25" stroke-width="3"/>',
        f'<g transform="translate(890 255) scale(2)" opacity=".9">{motif(p.motif, p.tint)}</g>',
        spaced_line(p.brand, 220, 216, 500, 30, p.main, anchor="start"),
        draw(
            fit(p.name, SERIF, width=540, height=150, largest=62, lines=2),
            220,
            240,
            darken(p.main, 0.4),
            anchor="start",
        ),
    ]
    for number, (heading, text) in enumerate(shot.facts):
        y = 424 + number * 162
        parts.append(f'<rect x="220" y="{y - 14}" width="760" height="2" fill="{p.main}" fill-opacity=".25"/>')
        parts.append(spaced_line(heading, 220, y + 30, 700, 24, darken(p.main, 0.15), anchor="start"))
        parts.append(
            draw(fit(text, SANS, width=760, height=88, largest=34, lines=2), 220, y + 46, "#2c332f", anchor="start")
        )
    return _scene("".join(parts), shot.tint, SIDE_SIZE, (120, 90, 960, 1040))


def thing_at(shot: Packshot, x: float, floor: float, height: float) -> str:
    """The thing standing in a larger picture, `height` pixels tall at most."""
    thing = shot.thing()
    return _standing(thing, x, floor, height / thing.height)


def _standing(thing: Thing, x: float, floor: float, scale: float) -> str:
    return f'<g transform="translate({x} {floor}) scale({scale:.3f})">{floor_shadow(thing.width)}{thing.svg}</g>'


def _scene(inner: str, tint: str, size: int, frame: tuple[int, int, int, int]) -> Scene:
    return Scene(_canvas(inner, frame), tint, size, frame)


def _canvas(inner: str, frame: tuple[int, int, int, int]) -> str:
    box = " ".join(str(edge) for edge in frame)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{inner}</svg>'
