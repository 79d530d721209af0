"""The one generated stylesheet: each category's own colour as the class `tint-{pk}`.

A page may carry no inline styles, so colours that editors choose reach it as a file. Its address
holds a digest of its content and may be kept for ever.
"""

import colorsys
import hashlib
from dataclasses import dataclass

from shop.changes.following import remembered

from .models import Category

LIGHTEST_INK = 0.24
DARKEST_TINT = 0.86


@dataclass(frozen=True)
class TintSheet:
    css: str
    digest: str


@remembered("shop")
def tint_sheet() -> TintSheet:
    """The stylesheet of now."""
    classes_of: dict[str, list[str]] = {}
    for pk, color in Category.objects.order_by("pk").values_list("pk", "color"):
        classes_of.setdefault(color, []).append(f".tint-{pk}")
    css = "\n".join(f"{','.join(classes)}{{{_tones(color)}}}" for color, classes in classes_of.items())
    return TintSheet(css, hashlib.sha256(css.encode()).hexdigest()[:12])


def _tones(color: str) -> str:
    """A soft ground and an ink of the same hue, far enough apart to be read whatever colour was chosen."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*(int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)))
    tint = _hex(hue, max(lightness, DARKEST_TINT), saturation)
    ink = _hex(hue, LIGHTEST_INK, min(saturation, 0.45))
    return f"--tint:{tint};--tint-ink:{ink}"


def _hex(hue: float, lightness: float, saturation: float) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in colorsys.hls_to_rgb(hue, lightness, saturation))
