"""Tubes, cartons, pouches, strips, soaps: what is flat or folded. Each stands on (0, 0), centred."""

from .ink import across, darken, flat, gleam, gradient, lighten, mix
from .label import Box, Print, column, label, paper_of, plant
from .marks import motif
from .text import BOLD, draw, fit, line, spaced_line
from .vessels import Thing


def tube(p: Print, body_colour: str, cap: str) -> Thing:
    """A squeezed tube standing on its cap."""
    ink, fill = across(body_colour)
    cap_ink, cap_fill = across(cap)
    box = Box(-168, -812, 336, 400)
    body = "M-222 -880H222L170 -170Q168 -150 148 -150H-148Q-168 -150 -170 -170Z"
    crimp = f'<rect x="-226" y="-900" width="452" height="44" rx="6" fill="{darken(body_colour, 0.08)}"/>' + "".join(
        f'<rect x="{-214 + number * 18}" y="-894" width="3" height="32" fill="#000" fill-opacity=".1"/>'
        for number in range(24)
    )
    band = f'<path d="M-187 -392L-170 -170Q-168 -150 -148 -150H148Q168 -150 170 -170L187 -392Z" fill="{p.main}" fill-opacity=".16"/>'
    lid = f'<rect x="-132" y="-152" width="264" height="152" rx="16" fill="{cap_fill}"/><rect x="-132" y="-152" width="264" height="14" fill="#000" fill-opacity=".18"/>'
    text = label(_on(p, body_colour), box) if p.style in {"bold"} else _printed(p, box, body_colour)
    return Thing(
        f'<defs>{ink}{cap_ink}</defs>{lid}<path d="{body}" fill="{fill}"/>{band}{crimp}{text}{gleam(-160, -820, 22, 620, strength=0.3)}',
        452,
        900,
        box,
    )


def carton(p: Print, _body: str, _cap: str) -> Thing:
    """A folding box, its right side in shade."""
    box = Box(-250, -780, 400, 780)
    face_ink, face = flat(paper_of(p))
    side_ink, side = gradient("s" + p.main[1:], [(0, darken(p.main, 0.3)), (1, darken(p.main, 0.52))])
    flank = f'<path d="M150 -780L262 -748V-34L150 0Z" fill="{side}"/>'
    lid = f'<path d="M-250 -780L-140 -806H248L262 -748L150 -780Z" fill="{lighten(p.main, 0.16)}"/>'
    turned = f'<g transform="translate(206 -390) rotate(-90)">{spaced_line(p.brand, 0, 10, 560, 30, mix(p.main, "#ffffff", 0.72))}</g>'
    seam = '<rect x="146" y="-780" width="6" height="780" fill="#000" fill-opacity=".12"/>'
    art = _framed(p, box)
    return Thing(f"<defs>{face_ink}{side_ink}</defs>{flank}{lid}{box.rect(face)}{art}{seam}{turned}", 512, 806, box)


def pouch(p: Print, body_colour: str, _cap: str) -> Thing:
    """A stand-up pouch with a tear line and a zip."""
    ink, fill = across(body_colour)
    box = Box(-192, -610, 384, 430)
    body = "M-262 -800H262L286 -70Q288 -6 216 0Q0 22 -216 0Q-288 -6 -286 -70Z"
    seal = f'<path d="M-262 -800H262L264 -736H-264Z" fill="{darken(body_colour, 0.22)}" fill-opacity=".75"/>'
    zip_line = f'<path d="M-262 -712H262" stroke="{lighten(body_colour, 0.5)}" stroke-width="4" stroke-dasharray="10 9" opacity=".8"/>'
    gusset = f'<path d="M-284 -66Q0 -8 284 -66" fill="none" stroke="{darken(body_colour, 0.5)}" stroke-width="4" opacity=".45"/>'
    fold = '<path d="M-236 -720C-226 -480 -246 -260 -256 -90" stroke="#fff" stroke-width="14" fill="none" stroke-opacity=".2" stroke-linecap="round"/>'
    shade = '<path d="M238 -720C228 -480 250 -260 258 -90" stroke="#000" stroke-width="18" fill="none" stroke-opacity=".16" stroke-linecap="round"/>'
    face = Box(box.x + 3, box.y + 6, box.width, box.height).rect("#000", opacity=".2", rx="12") + label(p, box)
    return Thing(
        f'<defs>{ink}</defs><path d="{body}" fill="{fill}"/>{seal}{zip_line}{gusset}{fold}{shade}{face}', 574, 806, box
    )


def blister(p: Print, pill: str, _cap: str) -> Thing:
    """A box with a strip of tablets leaning before it."""
    face = Box(-340, -610, 580, 520)
    box = Box(face.x, face.y, face.width, 370)
    side_ink, side = gradient("b" + p.main[1:], [(0, darken(p.main, 0.22)), (1, darken(p.main, 0.46))])
    flank = f'<path d="M240 -610L312 -586V-116L240 -90Z" fill="{side}"/>'
    lid = f'<path d="M-340 -610L-276 -636H308L312 -586L240 -610Z" fill="{lighten(p.main, 0.3)}"/>'
    front = face.rect(p.main) + label(p, box)
    back = f'<g transform="translate(14 40)">{flank}{lid}{front}</g>'
    return Thing(
        f"<defs>{side_ink}</defs>{back}{_strip(p, pill)}", 690, 596, Box(box.x + 14, box.y + 40, box.width, box.height)
    )


def _strip(p: Print, pill: str) -> str:
    foil_ink, foil = gradient("foil", [(0, "#e9ebec"), (0.3, "#ffffff"), (0.55, "#cfd3d6"), (1, "#aeb4b8")])
    pill_ink, pill_fill = across(pill)
    rows = "".join(
        f'<ellipse cx="{-216 + column * 108}" cy="{-46 + row * 84}" rx="41" ry="29" fill="#8d949a" fill-opacity=".5"/>'
        f'<ellipse cx="{-218 + column * 108}" cy="{-50 + row * 84}" rx="39" ry="27" fill="{pill_fill}"/>'
        f'<path d="M{-240 + column * 108} {-62 + row * 84}q14 -12 34 -8" stroke="#fff" stroke-opacity=".75" stroke-width="6" fill="none" stroke-linecap="round"/>'
        for column in range(5) for row in range(2)
    )  # fmt: skip
    print_ = spaced_line(p.brand, 0, 72, 420, 20, mix(p.main, "#ffffff", 0.15))
    return (
        f'<defs>{foil_ink}{pill_ink}</defs><g transform="translate(6 -92) rotate(-4)"><rect x="-286" y="-98" width="576" height="196" rx="20" fill="#2a2118" fill-opacity=".22" transform="translate(8 8)"/>'
        f'<rect x="-290" y="-102" width="580" height="196" rx="20" fill="{foil}"/>{rows}{print_}</g>'
    )


def soap(p: Print, bar: str, _cap: str) -> Thing:
    """A wrapped bar with an unwrapped one before it."""
    face = Box(-320, -480, 570, 400)
    box = Box(face.x, face.y, face.width, 320)
    side_ink, side = gradient("w" + p.main[1:], [(0, darken(p.main, 0.2)), (1, darken(p.main, 0.5))])
    flank = f'<path d="M250 -480L316 -456V-104L250 -80Z" fill="{side}"/>'
    lid = f'<path d="M-320 -480L-262 -504H310L316 -456L250 -480Z" fill="{lighten(p.main, 0.25)}"/>'
    wrapped = f'<g transform="translate(0 30)">{flank}{lid}{face.rect(p.main)}{label(p, box)}</g>'
    return Thing(
        f"<defs>{side_ink}</defs>{wrapped}{_bar(p, bar)}", 690, 474, Box(box.x, box.y + 30, box.width, box.height)
    )


def _bar(p: Print, colour: str) -> str:
    ink, fill = gradient(
        "bar" + colour[1:], [(0, lighten(colour, 0.35)), (0.6, colour), (1, darken(colour, 0.18))], upright=True
    )
    stamp = fit(p.brand, BOLD, width=230, height=40, largest=30, lines=1)
    carved = line(stamp.lines[0], 0, -62, stamp.size, BOLD, darken(colour, 0.35))
    carved += line(stamp.lines[0], 0, -60, stamp.size, BOLD, lighten(colour, 0.5))
    return (
        f'<defs>{ink}</defs><g transform="translate(150 6) scale(.94)"><ellipse cx="10" cy="-2" rx="206" ry="16" fill="#2a2118" fill-opacity=".25"/>'
        f'<rect x="-190" y="-138" width="380" height="136" rx="58" fill="{darken(colour, 0.22)}"/>'
        f'<rect x="-190" y="-146" width="380" height="128" rx="56" fill="{fill}"/>'
        f'<rect x="-150" y="-118" width="300" height="76" rx="36" fill="none" stroke="{darken(colour, 0.25)}" stroke-opacity=".45" stroke-width="4"/>'
        f'{carved}<path d="M-150 -128Q0 -142 120 -130" stroke="#fff" stroke-width="8" opacity=".5" fill="none" stroke-linecap="round"/></g>'
    )


def sachets(p: Print, body_colour: str, _cap: str) -> Thing:
    """Sachets beside their box: oral rehydration salts, tea bags, hair colour."""
    box = Box(-110, -600, 410, 560)
    side_ink, side = gradient("p" + p.main[1:], [(0, darken(p.main, 0.24)), (1, darken(p.main, 0.5))])
    flank = f'<path d="M300 -600L366 -576V-62L300 -40Z" fill="{side}"/>'
    lid = f'<path d="M-110 -600L-54 -624H360L366 -576L300 -600Z" fill="{lighten(p.main, 0.2)}"/>'
    upper = Box(box.x, box.y, box.width, 430)
    back = f'<g transform="translate(0 30)">{flank}{lid}{box.rect(p.main)}{label(p, upper)}</g>'
    ink, fill = flat(body_colour)
    one = _sachet(p, fill, body_colour)
    fan = "".join(
        f'<g transform="translate({x} 6) rotate({turn}) scale(.86)">{one}</g>' for x, turn in ((-258, -10), (-166, 2))
    )
    return Thing(
        f"<defs>{side_ink}{ink}</defs>{back}{fan}", 720, 594, Box(upper.x, upper.y + 30, upper.width, upper.height)
    )


def _sachet(p: Print, fill: str, colour: str) -> str:
    name = fit(p.name, BOLD, width=172, height=92, largest=30)
    return (
        '<rect x="-98" y="-290" width="204" height="296" rx="6" fill="#2a2118" fill-opacity=".22"/>'
        f'<rect x="-104" y="-296" width="208" height="296" rx="6" fill="{fill}"/>'
        '<path d="M-104 -276H104M-104 -20H104" stroke="#fff" stroke-width="3" stroke-dasharray="5 5" opacity=".7"/>'
        f'<g transform="translate(0 -206) scale(.9)">{motif(p.motif, lighten(colour, 0.72))}</g>{draw(name, 0, -132, "#ffffff")}'
    )


def _on(p: Print, paper: str) -> Print:
    return Print(p.brand, p.name, p.detail, p.size, p.style, p.mark, p.motif, p.main, p.accent, paper, p.tint)


def _printed(p: Print, box: Box, paper: str) -> str:
    """Printed straight on the tube: no paper, no frame; the plant below the text."""
    return plant(p, 0, box.y + box.height + 112, 150) + column(p, box.inset(16, 0), darken(p.main, 0.45))


def _framed(p: Print, box: Box) -> str:
    """A tall face: the label above, a field with the plant below."""
    text = Box(box.x, box.y, box.width, box.height * 0.66)
    field = Box(box.x, box.y + box.height * 0.66, box.width, box.height * 0.34)
    ground = mix(p.paper, p.tint, 0.26)
    clip = f"face{round(box.x)}_{round(box.y)}"
    middle = field.y + field.height / 2
    plants = "".join(
        f'<g transform="translate({x} {y}) rotate({turn}) scale({scale})" opacity="{opacity}">{motif(p.motif, p.tint)}</g>'
        for x, y, turn, scale, opacity in (
            (box.middle, middle, 0, 1.9, 1),
            (box.x + 30, middle + 70, 25, 1.3, 0.55),
            (box.x + box.width - 30, middle + 70, -25, 1.3, 0.55),
        )
    )
    return (
        f'<clipPath id="{clip}">{field.rect("#fff")}</clipPath>{label(p, text)}{field.rect(ground)}<g clip-path="url(#{clip})">{plants}</g>'
        f"{Box(box.x, field.y, box.width, 6).rect(p.accent)}"
    )
