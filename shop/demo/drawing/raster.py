"""SVG to pixels."""

from functools import lru_cache
from io import BytesIO

import resvg_py
from PIL import Image

from .scene import SIZE, Scene, wall
from .text import FILES, FONTS

FONT_PATHS = [str(FONTS / name) for name in FILES.values()]
WALL = 150


def paint(scene: Scene) -> Image.Image:
    """The scene before its wall."""
    canvas = _wall(scene.tint).resize((scene.size, scene.size), Image.Resampling.BICUBIC)
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


@lru_cache(maxsize=500)
def _wall(tint: str) -> Image.Image:
    """A wall is one soft gradient: drawn small and blown up, it looks the same and costs a tenth."""
    return rasterise(wall(tint), WALL).convert("RGB")
