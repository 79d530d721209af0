"""Brand marks, and the plants and signs printed on labels. Each is drawn within a circle of radius 50."""

from .ink import darken, lighten

LEAF = "M0 0C-6 -34 -34 -44 -50 -42C-48 -14 -28 2 0 0Z"
TURNED = '<g transform="rotate({})">{}</g>'


def mark(kind: str, main: str, accent: str) -> str:
    """The sign of a brand."""
    return MARKS[kind](main, accent)


def motif(kind: str, colour: str) -> str:
    """What is inside, as a small print in two tones of one colour."""
    return MOTIFS[kind](colour, lighten(colour, 0.35), darken(colour, 0.25))


def _around(shape: str, count: int, start: float = 0) -> str:
    return "".join(TURNED.format(round(start + number * 360 / count, 1), shape) for number in range(count))


def _leaves(main: str, accent: str) -> str:
    return (
        f'<path d="{LEAF}" transform="translate(-1 24)" fill="{accent}"/>'
        f'<path d="{LEAF}" transform="translate(1 24) scale(-1.15 1.15)" fill="{main}"/>'
    )


def _lotus(main: str, accent: str) -> str:
    petal = "M0 30C-20 10 -16 -22 0 -40C16 -22 20 10 0 30Z"
    side = "".join(TURNED.format(f"{turn} 0 30", f'<path d="{petal}" fill="{accent}"/>') for turn in (-56, 56, -28, 28))
    return f'{side}<path d="{petal}" fill="{main}"/>'


def _sun(main: str, accent: str) -> str:
    ray = f'<path d="M-6 -28L0 -48L6 -28Z" fill="{accent}"/>'
    return f'{_around(ray, 12)}<circle r="22" fill="{main}"/>'


def _drop(main: str, accent: str) -> str:
    return (
        f'<path d="M0 -46C22 -14 32 2 32 18A32 30 0 0 1 -32 18C-32 2 -22 -14 0 -46Z" fill="{main}"/>'
        f'<path d="M0 42C-2 18 10 0 24 -2C28 18 20 36 0 42Z" fill="{accent}"/>'
    )


def _peak(main: str, accent: str) -> str:
    return (
        f'<path d="M-48 34L-10 -34L14 8L24 -8L48 34Z" fill="{main}"/>'
        f'<path d="M-10 -34L-24 -9L-12 -16L-6 -8L2 -13Z" fill="#fff"/><circle cx="26" cy="-28" r="10" fill="{accent}"/>'
    )


def _star(main: str, accent: str) -> str:
    square = '<rect x="-30" y="-30" width="60" height="60" rx="3" fill="{}"/>'
    return (
        square.format(main) + TURNED.format(45, square.format(main)) + f'<circle r="21" fill="{accent}"/>'
        f'<circle r="12" fill="{main}"/>'
    )


def _sprout(main: str, accent: str) -> str:
    return (
        f'<path d="M-3 42V-6H3V42Z" fill="{main}"/><path d="{LEAF}" transform="translate(-1 2) scale(.9)" fill="{main}"/>'
        f'<path d="{LEAF}" transform="translate(1 -4) scale(-.8 .8)" fill="{accent}"/>'
    )


def _wave(main: str, accent: str) -> str:
    curve = "M-46 {0}C-30 {1} -16 {1} 0 {0}S30 {2} 46 {0}"
    return "".join(
        f'<path d="{curve.format(y, y - 18, y + 18)}" fill="none" stroke="{colour}" stroke-width="9" stroke-linecap="round"/>'
        for y, colour in ((-20, accent), (2, main), (24, main))
    )


def _hexagon(main: str, accent: str) -> str:
    return (
        f'<path d="M0 -46L40 -23V23L0 46L-40 23V-23Z" fill="{main}"/>'
        f'<path d="M-6 -24H6V-6H24V6H6V24H-6V6H-24V-6H-6Z" fill="{accent}"/>'
    )


def _bolt(main: str, accent: str) -> str:
    return f'<circle r="44" fill="{main}"/><path d="M8 -34L-20 6H-2L-8 34L20 -6H2Z" fill="{accent}"/>'


def _moon(main: str, accent: str) -> str:
    return f'<path d="M18 -42A44 44 0 1 0 40 22A36 36 0 0 1 18 -42Z" fill="{main}"/><circle cx="30" cy="-14" r="8" fill="{accent}"/>'


def _heart(main: str, accent: str) -> str:
    return (
        f'<path d="M0 40C-60 0 -44 -40 -20 -38C-8 -37 0 -26 0 -20C0 -26 8 -37 20 -38C44 -40 60 0 0 40Z" fill="{main}"/>'
        f'<circle cx="-17" cy="-16" r="8" fill="{accent}"/>'
    )


MARKS = {"leaves": _leaves, "lotus": _lotus, "sun": _sun, "drop": _drop, "peak": _peak, "star": _star, "sprout": _sprout,
         "wave": _wave, "hexagon": _hexagon, "bolt": _bolt, "moon": _moon, "heart": _heart}  # fmt: skip


def _sprig(c: str, pale: str, deep: str) -> str:
    stem = f'<path d="M0 50C4 10 -4 -10 0 -46" fill="none" stroke="{deep}" stroke-width="4" stroke-linecap="round"/>'
    leaf = '<path d="M0 0C10 -14 26 -18 40 -14C32 2 16 8 0 0Z" fill="{}" transform="translate(0 {}) scale({} 1)"/>'
    spots = [(40, 1, c), (30, -1, pale), (12, 1, pale), (2, -1, c), (-16, 1, c), (-24, -1, pale)]
    top = f'<path d="M0 -50C9 -40 9 -28 0 -18C-9 -28 -9 -40 0 -50Z" fill="{c}"/>'
    return stem + "".join(leaf.format(colour, y, side) for y, side, colour in spots) + top


def _root(c: str, pale: str, deep: str) -> str:
    return (
        f'<path d="M-14 -20C-20 6 -8 24 -2 50C6 24 20 8 14 -20Z" fill="{pale}"/><path d="M2 -20C4 8 2 24 -2 50C6 24 20 8 14 -20Z" fill="{c}"/>'
        f'<path d="M-12 2C-28 10 -34 26 -38 42M12 4C26 12 30 26 36 38M-4 22C-14 30 -16 38 -18 48" fill="none" stroke="{c}" stroke-width="5" stroke-linecap="round"/>'
        f'<path d="{LEAF}" transform="translate(-2 -20) scale(.7)" fill="{deep}"/><path d="{LEAF}" transform="translate(2 -20) scale(-.7 .7)" fill="{deep}"/>'
        f'<path d="M0 -18C-8 -30 -6 -42 0 -50C6 -42 8 -30 0 -18Z" fill="{deep}"/>'
    )


def _flower(c: str, pale: str, deep: str) -> str:
    petal = f'<path d="M0 -8C-18 -20 -14 -42 0 -50C14 -42 18 -20 0 -8Z" fill="{pale}"/>'
    inner = f'<path d="M0 -4C-11 -13 -9 -26 0 -32C9 -26 11 -13 0 -4Z" fill="{c}"/>'
    return f'{_around(petal, 8)}{_around(inner, 8, 22.5)}<circle r="11" fill="{deep}"/>'


def _berries(c: str, pale: str, deep: str) -> str:
    spots = [(-22, 14, 22, c), (20, 20, 24, pale), (0, -14, 23, c)]
    fruit = "".join(
        f'<circle cx="{x}" cy="{y}" r="{r}" fill="{colour}"/><path d="M{x - r * 0.5} {y - r * 0.5}q{r * 0.2} {-r * 0.3} {r * 0.6} {-r * 0.3}" '
        f'stroke="#fff" stroke-opacity=".6" stroke-width="4" fill="none" stroke-linecap="round"/>'
        for x, y, r, colour in spots
    )
    return f'<path d="M0 -34C2 -44 8 -48 14 -50" stroke="{deep}" stroke-width="4" fill="none"/><path d="{LEAF}" transform="translate(0 -32) scale(.8)" fill="{deep}"/>{fruit}'


def _saffron(c: str, pale: str, deep: str) -> str:
    petal = f'<path d="M0 40C-26 14 -20 -24 0 -46C20 -24 26 14 0 40Z" fill="{pale}"/>'
    threads = "".join(
        f'<path d="M0 30C{x} 4 {x} -14 {x * 1.6} -34" stroke="{deep}" stroke-width="5" fill="none" stroke-linecap="round"/>'
        for x in (-10, 0, 10)
    )
    sides = "".join(TURNED.format(f"{turn} 0 40", petal) for turn in (-44, 44))
    return f'{sides}<path d="M0 40C-26 14 -20 -24 0 -46C20 -24 26 14 0 40Z" fill="{c}"/>{threads}'


def _seeds(c: str, pale: str, deep: str) -> str:
    seed = "M0 -16C9 -8 9 8 0 16C-9 8 -9 -8 0 -16Z"
    spots = [(-30, -18, 20, c), (0, -30, -10, pale), (28, -14, 30, c), (-16, 12, -24, deep), (14, 16, 12, pale), (38, 22, -30, c), (-38, 24, 40, pale), (0, 38, 80, c)]  # fmt: skip
    return "".join(
        f'<path d="{seed}" transform="translate({x} {y}) rotate({turn})" fill="{colour}"/>'
        for x, y, turn, colour in spots
    )


def _citrus(c: str, pale: str, deep: str) -> str:
    wedge = f'<path d="M0 -6L-12 -32Q0 -40 12 -32Z" fill="{c}"/>'
    return f'<circle r="48" fill="{deep}"/><circle r="43" fill="{lighten(c, 0.75)}"/>{_around(wedge, 8)}'


def _aloe(c: str, pale: str, deep: str) -> str:
    blade = "M-9 46C-13 6 -8 -26 0 -50C8 -26 13 6 9 46Z"
    turns = [(-58, pale), (58, c), (-32, c), (32, pale), (-10, deep), (12, c)]
    return "".join(TURNED.format(f"{turn} 0 46", f'<path d="{blade}" fill="{colour}"/>') for turn, colour in turns)


def _rhizome(c: str, pale: str, deep: str) -> str:
    return (
        f'<path d="M-44 12C-44 -8 -22 -12 -12 -8C-10 -28 -2 -44 12 -42C24 -40 20 -18 18 -8C34 -14 48 -6 46 8C44 22 28 18 20 16C20 34 10 46 -2 42C-12 38 -8 24 -8 18C-22 26 -44 28 -44 12Z" fill="{c}"/>'
        f'<path d="M-30 4Q-26 12 -30 20M-4 -26Q4 -22 12 -26M30 -2Q26 6 30 12M-4 30Q4 34 10 30" stroke="{deep}" stroke-width="4" fill="none" stroke-linecap="round"/>'
        f'<ellipse cx="4" cy="4" rx="12" ry="9" fill="{pale}"/>'
    )


def _oil(c: str, pale: str, deep: str) -> str:
    shape = "M0 -46C22 -12 30 4 30 20A30 28 0 0 1 -30 20C-30 4 -22 -12 0 -46Z"
    return (
        f'<path d="{shape}" fill="{c}"/><path d="M-16 20A16 16 0 0 0 0 36" stroke="#fff" stroke-width="6" fill="none" stroke-linecap="round"/>'
        f'<path d="{shape}" transform="translate(34 -18) scale(.36)" fill="{pale}"/><path d="{shape}" transform="translate(-36 -8) scale(.28)" fill="{deep}"/>'
    )


def _grain(c: str, pale: str, deep: str) -> str:
    kernel = '<path d="M0 0C12 -4 18 -16 16 -26C4 -22 -2 -12 0 0Z" fill="{}" transform="translate(0 {}) scale({} 1)"/>'
    rows = "".join(kernel.format(colour, y, side) for y in (36, 18, 0, -18) for side, colour in ((1, c), (-1, pale)))
    return f'<path d="M0 50V-30" stroke="{deep}" stroke-width="4"/>{rows}<path d="M0 -22C8 -30 8 -42 0 -50C-8 -42 -8 -30 0 -22Z" fill="{c}"/>'


def _pill(c: str, pale: str, deep: str) -> str:
    return (
        f'<g transform="rotate(-38)"><path d="M0 -19H-27A19 19 0 0 0 -27 19H0Z" fill="{c}"/><path d="M0 -19H27A19 19 0 0 1 27 19H0Z" fill="{pale}"/></g>'
        f'<circle cx="30" cy="32" r="13" fill="{deep}"/><circle cx="-32" cy="-32" r="10" fill="{pale}"/>'
    )


def _honey(c: str, pale: str, deep: str) -> str:
    cell = "M0 -22L19 -11V11L0 22L-19 11V-11Z"
    spots = [(0, -33, c), (-20, 1, pale), (20, 1, c), (0, 35, deep), (-40, -33, pale), (40, 35, pale)]
    return (
        '<g transform="scale(.86)">'
        + "".join(f'<path d="{cell}" transform="translate({x} {y})" fill="{colour}"/>' for x, y, colour in spots)
        + "</g>"
    )


def _spark(c: str, pale: str, deep: str) -> str:
    star = "M0 -46C4 -12 12 -4 46 0C12 4 4 12 0 46C-4 12 -12 4 -46 0C-12 -4 -4 -12 0 -46Z"
    return f'<path d="{star}" fill="{c}"/><path d="{star}" transform="translate(32 -32) scale(.34)" fill="{deep}"/><path d="{star}" transform="translate(-32 32) scale(.4)" fill="{pale}"/>'


MOTIFS = {"sprig": _sprig, "root": _root, "flower": _flower, "berries": _berries, "saffron": _saffron, "seeds": _seeds,
          "citrus": _citrus, "aloe": _aloe, "rhizome": _rhizome, "oil": _oil, "grain": _grain, "pill": _pill,
          "honey": _honey, "spark": _spark}  # fmt: skip
