"""SVG to pixels."""

from functools import lru_cache
from io import BytesIO

import resvg_py
from PIL import Image

from .scene import Scene, wall
from .text import FILES, FONTS

FONT_PATHS = [str(FONTS / name) for name in FILES.values()]


def paint(scene: Scene) -> Image.Image:
    """The scene before its wall. Walls are few and large, so each is drawn once."""
    canvas = _wall(scene.tint, scene.size).copy()
    things = rasterise(scene.svg, scene.size)
    canvas.paste(things, mask=things.getchannel("A"))
    return canvas


def rasterise(svg: str, width: int) -> Image.Image:
    """An RGBA picture, `width` pixels wide."""
    png = resvg_py.svg_to_bytes(svg_string=svg, width=width, skip_system_fonts=True, font_files=FONT_PATHS)
    image = Image.open(BytesIO(bytes(png)))
    return image.convert("RGBA")


@lru_cache(maxsize=128)
def _wall(tint: str, size: int) -> Image.Image:
    return rasterise(wall(tint), size).convert("RGB")
