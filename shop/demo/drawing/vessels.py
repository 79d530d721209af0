"""Round things: bottles, jars, tins. Each stands on (0, 0), centred; the label's box comes with it."""

from dataclasses import dataclass

from .ink import across, darken, gleam, lighten, roundness
from .label import Box, Print, label, paper_of


@dataclass(frozen=True, slots=True)
class Thing:
    """A drawn thing: its SVG, its outer size, and where its label is."""

    svg: str
    width: float
    height: float
    label: Box


def bottle(p: Print, glass: str, cap: str) -> Thing:
    """A shouldered bottle with a ribbed screw cap: capsules, tablets, juices, syrups."""
    box = Box(-222, -478, 444, 400)
    body = "M-80 -742C-80 -690 -222 -668 -222 -560V-34Q-222 0 -188 0H188Q222 0 222 -34V-560C222 -668 80 -690 80 -742Z"
    return Thing(
        _glass(body, glass, Box(-222, -700, 444, 700)) + _wrap(p, box) + _screw_cap(cap, 0, -722, 214, 158),
        444,
        880,
        box,
    )


def slim_bottle(p: Print, glass: str, cap: str) -> Thing:
    """A tall round-shouldered bottle for oils, waters and tonics."""
    box = Box(-172, -470, 344, 400)
    body = "M-52 -800C-52 -700 -172 -700 -172 -580V-30Q-172 0 -142 0H142Q172 0 172 -30V-580C172 -700 52 -700 52 -800Z"
    return Thing(
        _glass(body, glass, Box(-172, -760, 344, 760)) + _wrap(p, box) + _screw_cap(cap, 0, -786, 138, 134),
        344,
        920,
        box,
    )


def dropper(p: Print, glass: str, cap: str) -> Thing:
    box = Box(-190, -434, 380, 352)
    body = "M-66 -606C-66 -568 -190 -556 -190 -468V-34Q-190 0 -156 0H156Q190 0 190 -34V-468C190 -556 66 -568 66 -606Z"
    bulb_ink, bulb = across(cap)
    teat = f'<defs>{bulb_ink}</defs><path d="M-44 -730V-850Q-44 -894 0 -894Q44 -894 44 -850V-730Z" fill="{bulb}"/>{gleam(-28, -860, 13, 110, strength=0.3)}'
    return Thing(
        _glass(body, glass, Box(-190, -560, 380, 560)) + _wrap(p, box) + teat + _screw_cap(cap, 0, -596, 176, 140),
        380,
        894,
        box,
    )


def pump_bottle(p: Print, body_colour: str, cap: str) -> Thing:
    """A straight bottle with a pump: shampoo, lotion, hand wash."""
    box = Box(-176, -520, 352, 420)
    body = "M-70 -646C-120 -640 -176 -616 -176 -556V-36Q-176 0 -140 0H140Q176 0 176 -36V-556C176 -616 120 -640 70 -646Z"
    ink, fill = across(cap)
    pump = (
        f'<defs>{ink}</defs><rect x="-78" y="-716" width="156" height="82" rx="12" fill="{fill}"/><rect x="-18" y="-800" width="36" height="90" fill="{fill}"/>'
        f'<path d="M-60 -862H78Q150 -862 150 -806V-786H118V-800Q118 -812 96 -812H-60Q-78 -812 -78 -837Q-78 -862 -60 -862Z" fill="{fill}"/>'
    )
    return Thing(pump + _plastic(body, body_colour) + _wrap(p, box), 352, 862, box)


def jar(p: Print, glass: str, cap: str) -> Thing:
    """A wide jar with a domed lid: jams, honey, creams."""
    box = Box(-290, -372, 580, 284)
    body = "M-240 -470Q-290 -460 -290 -404V-44Q-290 0 -246 0H246Q290 0 290 -44V-404Q290 -460 240 -470Z"
    return Thing(
        _glass(body, glass, Box(-290, -460, 580, 460)) + _wrap(p, box) + _screw_cap(cap, 0, -456, 524, 142),
        580,
        598,
        box,
    )


def tub(p: Print, body_colour: str, cap: str) -> Thing:
    """A tall canister: protein and other powders by the kilogram."""
    box = Box(-262, -590, 524, 500)
    body = "M-236 -690Q-262 -684 -262 -650V-40Q-262 0 -222 0H222Q262 0 262 -40V-650Q262 -684 236 -690Z"
    return Thing(_plastic(body, body_colour) + _wrap(p, box) + _screw_cap(cap, 0, -680, 500, 130), 524, 810, box)


def cream_jar(p: Print, body_colour: str, cap: str) -> Thing:
    """A low cosmetic jar."""
    box = Box(-280, -272, 560, 214)
    body = "M-280 -300V-60Q-280 0 -220 0H220Q280 0 280 -60V-300Z"
    return Thing(
        _plastic(body, body_colour) + _wrap(p, box) + _screw_cap(cap, 0, -292, 572, 172, ribs=False), 572, 464, box
    )


def tin(p: Print, body_colour: str, cap: str) -> Thing:
    """A straight tea or balm tin with a rolled rim."""
    box = Box(-210, -540, 420, 440)
    ink, fill = across(body_colour)
    rim_ink, rim = across("#c9c2b2")
    body = f'<defs>{ink}{rim_ink}</defs><rect x="-210" y="-640" width="420" height="640" rx="14" fill="{fill}"/><rect x="-216" y="-18" width="432" height="18" rx="9" fill="{rim}"/>'
    lid_ink, lid = across(cap)
    top = f'<defs>{lid_ink}</defs><path d="M-218 -632V-712Q-218 -744 -186 -744H186Q218 -744 218 -712V-632Z" fill="{lid}"/><rect x="-222" y="-650" width="444" height="20" rx="10" fill="{rim}"/>'
    return Thing(body + _wrap(p, box) + top, 444, 744, box)


def roll_on(p: Print, body_colour: str, cap: str) -> Thing:
    box = Box(-128, -420, 256, 340)
    ink, fill = across(cap)
    top = f'<defs>{ink}</defs><path d="M-112 -500V-740Q-112 -800 0 -800Q112 -800 112 -740V-500Z" fill="{fill}"/>{gleam(-78, -750, 24, 220, strength=0.3)}'
    body = "M-128 -506V-40Q-128 0 -88 0H88Q128 0 128 -40V-506Z"
    return Thing(_plastic(body, body_colour) + _wrap(p, box) + top, 256, 800, box)


def _glass(path: str, colour: str, box: Box) -> str:
    ink, fill = across(colour)
    rim = f'<path d="{path}" fill="none" stroke="{lighten(colour, 0.35)}" stroke-opacity=".35" stroke-width="4"/>'
    light = gleam(box.x + box.width * 0.1, box.y + box.height * 0.22, box.width * 0.07, box.height * 0.7)
    edge = gleam(
        box.x + box.width * 0.93, box.y + box.height * 0.26, box.width * 0.022, box.height * 0.62, strength=0.22
    )
    return f'<defs>{ink}</defs><path d="{path}" fill="{fill}"/>{rim}{light}{edge}'


def _plastic(path: str, colour: str) -> str:
    ink, fill = across(colour)
    return f'<defs>{ink}</defs><path d="{path}" fill="{fill}"/>'


def _wrap(p: Print, box: Box) -> str:
    """The label around the body: a hair of shadow under it, print, then the light over it."""
    shade = f'<rect x="{box.x}" y="{box.y + 3}" width="{box.width}" height="{box.height + 3}" fill="#000" fill-opacity=".18"/>'
    return shade + box.rect(paper_of(p)) + label(p, box) + roundness(box.x, box.y, box.width, box.height)


def _screw_cap(colour: str, x: float, y: float, width: float, height: float, *, ribs: bool = True) -> str:
    ink, fill = across(colour)
    left, top = x - width / 2, y - height
    grip = ""
    if ribs:
        count = max(7, round(width / 22))
        grip = "".join(
            f'<rect x="{left + width * (number + 0.5) / count - 1.5:.1f}" y="{top + height * 0.28:.1f}" width="3" height="{height * 0.56:.1f}" '
            f'fill="{darken(colour, 0.5)}" fill-opacity=".4"/>'
            for number in range(count)
        )
    rim = f'<rect x="{left}" y="{y - height * 0.1:.1f}" width="{width}" height="{height * 0.1:.1f}" rx="4" fill="{darken(colour, 0.4)}" fill-opacity=".45"/>'
    top_light = f'<rect x="{left + 8}" y="{top + 5}" width="{width - 16}" height="{height * 0.1:.1f}" rx="6" fill="#fff" fill-opacity=".18"/>'
    return f'<defs>{ink}</defs><rect x="{left}" y="{top}" width="{width}" height="{height}" rx="{min(22, height * 0.16)}" fill="{fill}"/>{grip}{rim}{top_light}'
