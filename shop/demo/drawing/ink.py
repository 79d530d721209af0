"""Colours and light. One light from the left; every part takes its shading from here."""


def channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mix(first: str, second: str, share: float) -> str:
    """`share` of the second colour in the first; colours are #rrggbb."""
    pairs = zip(channels(first), channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def lighten(colour: str, share: float) -> str:
    return mix(colour, "#ffffff", share)


def darken(colour: str, share: float) -> str:
    return mix(colour, "#0d0a08", share)


def is_dark(colour: str) -> bool:
    red, green, blue = channels(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue < 140


def across(colour: str) -> tuple[str, str]:
    """(definition, fill) of something round: lit on the left third, in shade on the right."""
    stops = [(0, darken(colour, 0.28)), (0.1, lighten(colour, 0.1)), (0.27, lighten(colour, 0.3)),
             (0.42, lighten(colour, 0.06)), (0.7, darken(colour, 0.12)), (1, darken(colour, 0.42))]  # fmt: skip
    return gradient("a" + colour[1:], stops)


def flat(colour: str) -> tuple[str, str]:
    """(definition, fill) of a flat face turned a little to the light."""
    stops = [(0, lighten(colour, 0.12)), (0.5, colour), (1, darken(colour, 0.1))]
    return gradient("f" + colour[1:], stops)


def gradient(name: str, stops: list[tuple[float, str]], *, upright: bool = False) -> tuple[str, str]:
    end = 'x2="0" y2="1"' if upright else 'x2="1" y2="0"'
    inner = "".join(f'<stop offset="{offset}" stop-color="{colour}"/>' for offset, colour in stops)
    return f'<linearGradient id="{name}" x1="0" y1="0" {end}>{inner}</linearGradient>', f"url(#{name})"


def roundness(x: float, y: float, width: float, height: float, *, radius: float = 0) -> str:
    """Laid over something printed on a round body: light on its left, shade to its right edge."""
    return (
        '<linearGradient id="round"><stop offset="0" stop-color="#000" stop-opacity=".2"/>'
        '<stop offset=".12" stop-color="#000" stop-opacity="0"/><stop offset=".27" stop-color="#fff" stop-opacity=".3"/>'
        '<stop offset=".45" stop-color="#fff" stop-opacity="0"/><stop offset=".72" stop-color="#000" stop-opacity=".04"/>'
        '<stop offset="1" stop-color="#000" stop-opacity=".34"/></linearGradient>'
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}" fill="url(#round)"/>'
    )


def gleam(x: float, y: float, width: float, height: float, *, strength: float = 0.4) -> str:
    """The window's reflection on glass: an upright bar that fades to all sides."""
    name = f"gleam{round(strength * 100)}"
    stops = "".join(
        f'<stop offset="{offset}" stop-color="#fff" stop-opacity="{strength * share:.3f}"/>'
        for offset, share in ((0, 1), (0.5, 0.95), (0.8, 0.5), (1, 0))
    )
    middle, half = x + width / 2, y + height / 2
    light = f'<radialGradient id="{name}">{stops}</radialGradient>'
    return f'{light}<ellipse cx="{middle:.1f}" cy="{half:.1f}" rx="{width * 0.85:.1f}" ry="{height * 0.54:.1f}" fill="url(#{name})"/>'


def floor_shadow(width: float) -> str:
    """The soft shadow of something `width` wide that stands on (0, 0), thrown to the right."""
    return (
        f"{_pool('cast', 0.32)}{_pool('foot', 0.56)}"
        f'<ellipse cx="{width * 0.13}" cy="4" rx="{width * 0.72}" ry="{24 + width * 0.05}" fill="url(#cast)"/>'
        f'<ellipse cx="6" cy="-1" rx="{width * 0.5}" ry="13" fill="url(#foot)"/>'
    )


def _pool(name: str, strength: float) -> str:
    stops = "".join(
        f'<stop offset="{offset}" stop-color="#2a2118" stop-opacity="{strength * share:.3f}"/>'
        for offset, share in ((0, 1), (0.55, 0.47), (1, 0))
    )
    return f'<radialGradient id="{name}">{stops}</radialGradient>'
