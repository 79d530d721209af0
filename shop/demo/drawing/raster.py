"""SVG to pixels."""

from functools import lru_cache
from io import BytesIO

import resvg_py
from PIL import Image

from .ink import channels, darken, lighten, mix
from .scene import SIZE, Scene
from .text import FILES, FONTS

FONT_PATHS = [str(FONTS / name) for name in FILES.values()]
LIGHT = (0.36, 0.34, 0.9)  # where the light falls on a wall, and how far it reaches: x, y, radius


def paint(scene: Scene) -> Image.Image:
    """The scene before its wall."""
    canvas = _wall(scene.tint, scene.size)
    share = scene.size / SIZE
    left, top, width, _ = (round(edge * share) for edge in scene.frame)
    things = rasterise(scene.svg, width)
    canvas.paste(things, (left, top), mask=things.getchannel("A"))
    return canvas


def rasterise(svg: str, width: int) -> Image.Image:
    """An RGBA picture, `width` pixels wide."""
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=FONT_PATHS)
    with Image.open(BytesIO(bytes(png))) as image:
        return image.convert("RGBA")


def _wall(tint: str, size: int) -> Image.Image:
    """Wall and floor in one soft tint, lighter where the light falls: a table of colours over a distance."""
    near, far = lighten(tint, 0.55), darken(tint, 0.06)
    colours = [
        channels(mix(near, tint, step / 153) if step < 153 else mix(tint, far, (step - 153) / 102))
        for step in range(256)
    ]
    distance = _distance(size)
    return Image.merge("RGB", [distance.point([colour[band] for colour in colours]) for band in range(3)])


@lru_cache(maxsize=4)
def _distance(size: int) -> Image.Image:
    """0 to 255 from the light outwards."""
    x, y, radius = LIGHT
    step = 127.5 / (radius * size)
    place = (step, 0, 128 - step * x * size, 0, step, 128 - step * y * size)
    round_ = Image.radial_gradient("L").convert("F")
    return round_.transform((size, size), Image.Transform.AFFINE, place, Image.Resampling.BICUBIC).convert("L")
