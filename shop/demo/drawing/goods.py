"""Things without a pack: mats, bottles, instruments. Each stands on (0, 0), centred."""

from .ink import across, darken, flat, gleam, gradient, is_dark, lighten
from .label import Box, Print
from .marks import mark
from .text import spaced_line
from .vessels import Thing


def mat(p: Print, colour: str, _cap: str) -> Thing:
    """A rolled mat, standing, with its strap."""
    ink, fill = across(colour)
    rings = "".join(
        f'<ellipse cx="0" cy="-800" rx="{radius}" ry="{radius * 0.27:.0f}" fill="none" stroke="{darken(colour, 0.3)}" stroke-width="5"/>'
        for radius in range(24, 190, 24)
    )
    top = f'<ellipse cx="0" cy="-800" rx="190" ry="52" fill="{lighten(colour, 0.22)}"/>{rings}'
    body = f'<path d="M-190 -800V-40Q-190 12 0 12Q190 12 190 -40V-800Z" fill="{fill}"/>'
    edge = f'<path d="M92 -756V-2" stroke="{darken(colour, 0.4)}" stroke-width="5"/>'
    straps = "".join(
        f'<path d="M-192 {y}Q0 {y + 60} 192 {y}V{y + 40}Q0 {y + 100} -192 {y + 40}Z" fill="{p.accent}"/>'
        for y in (-650, -190)
    )
    return Thing(
        f"<defs>{ink}</defs>{body}{top}{edge}{straps}{_badge(p, -20, -400, 150, lighten(colour, 0.85))}",
        380,
        850,
        Box(-170, -520, 340, 260),
    )


def block(p: Print, colour: str, _cap: str) -> Thing:
    """Two yoga blocks, one on the other."""
    one = _brick(colour, 560, 170, p, big=True)
    two = _brick(lighten(colour, 0.3), 420, 170, p, big=False)
    return Thing(f'{one}<g transform="translate(-30 -212)">{two}</g>', 640, 420, Box(-280, -170, 560, 170))


def _brick(colour: str, width: float, height: float, p: Print, *, big: bool) -> str:
    ink, fill = flat(colour)
    left = -width / 2
    face = f'<rect x="{left}" y="{-height}" width="{width}" height="{height}" rx="16" fill="{fill}"/>'
    top = f'<path d="M{left + 10} {-height + 4}L{left + 70} {-height - 46}H{left + width + 50}L{left + width - 10} {-height + 4}Z" fill="{lighten(colour, 0.28)}"/>'
    side = f'<path d="M{left + width - 8} {-height + 6}L{left + width + 50} {-height - 46}V-56L{left + width - 8} -4Z" fill="{darken(colour, 0.25)}"/>'
    name = spaced_line(p.brand, 0, -height / 2 + 14, width * 0.7, 40 if big else 30, lighten(colour, 0.75))
    return f"<defs>{ink}</defs>{side}{top}{face}{name}"


def bands(p: Print, colour: str, _cap: str) -> Thing:
    """Three loops of rubber in three strengths, stacked."""
    loops = ""
    for number, tone in enumerate((darken(colour, 0.3), colour, lighten(colour, 0.4))):
        ink, fill = across(tone)
        y = -60 - number * 128
        turn, rx = (number - 1) * 5, 300 - number * 18
        loops += (
            f'<defs>{ink}</defs><g transform="translate({(number - 1) * 14} {y}) rotate({turn})">'
            f'<path d="M{-rx} -50A{rx} 62 0 0 1 {rx} -50V22A{rx} 62 0 0 0 {-rx} 22Z" fill="{darken(tone, 0.45)}"/>'
            f'<path d="M{-rx} -50A{rx} 62 0 0 0 {rx} -50V40A{rx} 62 0 0 1 {-rx} 40Z" fill="{fill}"/>'
            f"{spaced_line(p.brand, 0, 62, 260, 34, lighten(tone, 0.8))}</g>"
        )
    return Thing(f'<g transform="translate(0 -42)">{loops}</g>', 620, 470, Box(-220, -240, 440, 200))


def flask(p: Print, colour: str, cap: str) -> Thing:
    """A metal bottle: copper or steel."""
    ink, fill = across(colour)
    cap_ink, cap_fill = across(cap)
    body = "M-84 -740C-84 -660 -168 -660 -168 -560V-40Q-168 0 -128 0H128Q168 0 168 -40V-560C168 -660 84 -660 84 -740Z"
    dents = "".join(
        f'<ellipse cx="{-120 + column * 60 + (row % 2) * 30}" cy="{-120 - row * 66}" rx="18" ry="22" fill="{lighten(colour, 0.4)}" fill-opacity=".28"/>'
        for row in range(3) for column in range(5)
    )  # fmt: skip
    lid = f'<rect x="-92" y="-860" width="184" height="128" rx="20" fill="{cap_fill}"/><rect x="-92" y="-744" width="184" height="12" fill="#000" fill-opacity=".2"/>'
    light = gleam(-132, -560, 26, 500) + gleam(138, -540, 9, 460, strength=0.3)
    return Thing(
        f'<defs>{ink}{cap_ink}</defs><path d="{body}" fill="{fill}"/>{dents}{lid}{light}{_badge(p, 0, -420, 120, darken(colour, 0.55))}',
        336,
        860,
        Box(-150, -540, 300, 240),
    )


def shaker(p: Print, colour: str, cap: str) -> Thing:
    """A see-through shaker with a flip lid and a scale."""
    ink, fill = across(lighten(colour, 0.55))
    lid_ink, lid = across(cap)
    body = "M-196 -600L-160 -36Q-156 0 -116 0H116Q156 0 160 -36L196 -600Z"
    fluid = (
        f'<path d="M-182 -380L-160 -36Q-156 0 -116 0H116Q156 0 160 -36L182 -380Z" fill="{colour}" fill-opacity=".55"/>'
    )
    scale = "".join(
        f'<rect x="88" y="{-520 + step * 80}" width="{46 if step % 2 else 30}" height="5" fill="{darken(colour, 0.4)}" fill-opacity=".6"/>'
        for step in range(6)
    )
    top = f'<rect x="-206" y="-690" width="412" height="104" rx="22" fill="{lid}"/><path d="M-120 -690V-742Q-120 -770 -84 -770H20Q52 -770 52 -742V-690Z" fill="{lid}"/><path d="M60 -690C60 -800 190 -800 190 -690" stroke="{cap}" stroke-width="30" fill="none"/>'
    return Thing(
        f'<defs>{ink}{lid_ink}</defs><path d="{body}" fill="{fill}"/>{fluid}{scale}{top}{gleam(-150, -540, 24, 460)}{_badge(p, -30, -250, 130, darken(colour, 0.55))}',
        412,
        800,
        Box(-160, -380, 320, 260),
    )


def dumbbell(p: Print, colour: str, _cap: str) -> Thing:
    """A pair of hexagonal dumbbells."""
    bar_ink, _ = gradient("bar", [(0, "#f4f4f2"), (0.5, "#a9adad"), (1, "#6d7172")], upright=True)
    ends = ""
    for x in (-236, 236):
        ink, fill = across(colour)
        ends += (
            f'<defs>{ink}</defs><path d="M{x - 92} -70L{x - 62} -260H{x + 62}L{x + 92} -166V-70L{x + 62} 0H{x - 62}Z" fill="{fill}"/>'
            f'<path d="M{x - 62} -260H{x + 62}L{x + 74} -224H{x - 68}Z" fill="#fff" fill-opacity=".16"/>'
        )
    grip = '<rect x="-170" y="-168" width="340" height="76" rx="30" fill="url(#bar)"/>' + "".join(
        f'<rect x="{-120 + n * 16}" y="-166" width="4" height="72" fill="#000" fill-opacity=".12"/>' for n in range(16)
    )
    pair = f"<defs>{bar_ink}</defs>{grip}{ends}"
    text = "".join(spaced_line(p.size, x, -110, 120, 38, lighten(colour, 0.75)) for x in (-236, 236))
    return Thing(
        f'<g transform="translate(40 -150) scale(.86)">{pair}</g>{pair}{text}', 656, 400, Box(-300, -260, 600, 260)
    )


def thermometer(p: Print, colour: str, _cap: str) -> Thing:
    """A digital thermometer beside its case."""
    case_ink, case = across(lighten(colour, 0.7))
    reading = f'<g transform="translate(18 -596) rotate(-90)">{spaced_line("36.8", 0, 0, 160, 52, "#26332a")}</g>'
    probe = (
        f'<defs>{case_ink}</defs><g transform="translate(20 -10) rotate(16)"><rect x="-52" y="-830" width="104" height="560" rx="52" fill="{case}"/>'
        f'<path d="M-40 -290L-13 -40Q0 -6 13 -40L40 -290Z" fill="{lighten(colour, 0.5)}"/><path d="M-14 -60Q-14 0 0 8Q14 0 14 -60Z" fill="#b9bec0"/>'
        f'<rect x="-36" y="-690" width="72" height="190" rx="14" fill="#dfe8dc" stroke="#9aa79a" stroke-width="4"/>{reading}<circle cx="0" cy="-752" r="26" fill="{colour}"/></g>'
    )
    ink, fill = across(colour)
    name = f'<g transform="translate(-246 -300) rotate(-90)">{spaced_line(p.brand, 0, 10, 400, 34, "#ffffff")}</g>'
    sheath = f'<defs>{ink}</defs><rect x="-320" y="-620" width="128" height="620" rx="60" fill="{fill}"/>{gleam(-296, -560, 18, 480)}{name}'
    return Thing(f"{sheath}{probe}", 560, 820, Box(-260, -620, 420, 400))


def monitor(p: Print, colour: str, _cap: str) -> Thing:
    """A meter with its reading; with three figures (pressure, pressure, pulse) the cuff stands beside it."""
    figures = p.detail.split()
    screen = (
        '<rect x="-150" y="-396" width="300" height="236" rx="16" fill="#cfdccb" stroke="#93a191" stroke-width="4"/>'
    )
    ink, fill = flat("#f5f4f0")
    casing = f'<defs>{ink}</defs><rect x="-190" y="-440" width="380" height="440" rx="46" fill="{fill}" stroke="#d8d4ca" stroke-width="4"/>'
    button = f'<circle cx="0" cy="-84" r="46" fill="{colour}"/><circle cx="0" cy="-84" r="20" fill="none" stroke="#fff" stroke-width="7"/>'
    places = ((-306, 76), (-226, 66), (-174, 36)) if len(figures) > 1 else ((-248, 96),)
    shown = "".join(
        spaced_line(figure, 0, y, 240, size, "#26332a") for figure, (y, size) in zip(figures, places, strict=False)
    )
    device = f"{casing}{screen}{shown}{button}{spaced_line(p.brand, 0, -412, 260, 22, '#5b645e')}"
    if len(figures) < 3:
        return Thing(device, 380, 440, Box(-190, -440, 380, 440))
    return Thing(f'{_cuff(colour)}<g transform="translate(-170 0)">{device}</g>', 700, 470, Box(-360, -440, 380, 440))


def _cuff(colour: str) -> str:
    ink, fill = across(colour)
    rolled = f'<path d="M60 -420H330V-60Q330 -20 290 -20H100Q60 -20 60 -60Z" fill="{fill}"/><ellipse cx="195" cy="-420" rx="135" ry="46" fill="{lighten(colour, 0.3)}"/>'
    hollow = f'<ellipse cx="195" cy="-420" rx="92" ry="28" fill="{darken(colour, 0.45)}"/>'
    hose = '<path d="M120 -40C60 60 -60 30 -40 -100" stroke="#3b3f3e" stroke-width="16" fill="none"/>'
    return f"<defs>{ink}</defs>{rolled}{hollow}{hose}"


def pot(p: Print, colour: str, _cap: str) -> Thing:
    """A neti pot."""
    ink, fill = across(colour)
    spout = f'<path d="M190 -170C300 -190 290 -310 336 -372L384 -350C352 -250 340 -90 190 -70Z" fill="{darken(colour, 0.2)}"/>'
    handle = f'<path d="M-200 -330C-350 -350 -350 -110 -190 -110" stroke="{colour}" stroke-width="40" fill="none"/>'
    body = "M-150 -400C-250 -340 -260 -60 -150 0H150C260 -60 250 -340 150 -400Z"
    lip = f'<ellipse cx="0" cy="-400" rx="152" ry="34" fill="{lighten(colour, 0.3)}"/><ellipse cx="0" cy="-398" rx="126" ry="24" fill="{darken(colour, 0.45)}"/>'
    return Thing(
        f'<defs>{ink}</defs>{spout}{handle}<path d="{body}" fill="{fill}"/>{lip}{gleam(-160, -330, 26, 230)}{_badge(p, 10, -190, 130, darken(colour, 0.5))}',
        740,
        440,
        Box(-170, -320, 340, 260),
    )


def comb(p: Print, colour: str, _cap: str) -> Thing:
    """A wooden comb and a brush head; also tongue cleaners and other hand-held care."""
    ink, fill = flat(colour)
    teeth = "".join(
        f'<path d="M{-286 + n * 26} -330V-118Q{-278 + n * 26} -98 {-270 + n * 26} -118V-330Z" fill="{darken(colour, 0.08 + (n % 2) * 0.06)}"/>'
        for n in range(23)
    )
    back = f'<defs>{ink}</defs><path d="M-310 -310C-310 -470 -190 -520 0 -520S310 -470 310 -310Z" fill="{fill}"/>'
    grain = "".join(
        f'<path d="M-270 {-350 - n * 32}C-120 {-380 - n * 34} 120 {-380 - n * 34} 270 {-350 - n * 32}" stroke="{darken(colour, 0.3)}" stroke-width="3" fill="none" stroke-opacity=".35"/>'
        for n in range(4)
    )
    return Thing(
        f'<g transform="rotate(-7) translate(0 60)">{teeth}{back}{grain}{_badge(p, 0, -420, 96, darken(colour, 0.55))}</g>',
        640,
        470,
        Box(-250, -500, 500, 300),
    )


def _badge(p: Print, x: float, y: float, size: float, ink: str) -> str:
    """The maker's mark and name, printed small on a thing that has no label."""
    sign = f'<g transform="translate({x} {y}) scale({size / 100})">{mark(p.mark, ink, lighten(ink, 0.3) if is_dark(ink) else darken(ink, 0.35))}</g>'
    return f"{sign}{spaced_line(p.brand, x, y + size * 0.85, size * 2, size * 0.24, ink)}"
