"""The first stylesheet of every page: what islands/build.mjs made of static/css/shop.css, and behind it each
category's own colour as the class `tint-{pk}`.

A page may carry no inline styles, so colours that editors choose reach it as a file; in one file with
the rest they cost a slow phone no request of their own. Its address holds a digest of its content and
may be kept for ever. As the template library `styles`: {% styles_url %}.
"""

import colorsys
import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import brotli
from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage

from shop.invalidation.subscriptions import remembered

from .models import Category

register = template.Library()
BUILT = "islands/shop.css"
ABOVE = re.compile(r"""(url\(["']?)\.\./""")
LIGHTEST_INK = 0.24
DARKEST_TINT = 0.86


@dataclass(frozen=True)
class StyleSheet:
    css: str
    digest: str

    @cached_property
    def bodies(self) -> dict[str, bytes]:
        """As it travels, by Content-Encoding; made once, so as small as can be."""
        plain = self.css.encode()
        return {"br": brotli.compress(plain, mode=brotli.MODE_TEXT), "gzip": gzip.compress(plain, mtime=0), "": plain}


def style_sheet() -> StyleSheet:
    """The stylesheet of now; while styles are being worked on, with the file as it is."""
    return _write_sheet() if settings.DEBUG else _kept_sheet()


@register.simple_tag
def styles_url() -> str:
    """The same for every market: without its prefix, so that a browser keeps one copy."""
    return f"/styles-{style_sheet().digest}.css"


@remembered("shop")
def _kept_sheet() -> StyleSheet:
    return _write_sheet()


def _write_sheet() -> StyleSheet:
    css = f"{_built_styles()}\n{tint_rules()}"
    return StyleSheet(css, hashlib.sha256(css.encode()).hexdigest()[:12])


def _built_styles() -> str:
    """static/islands/shop.css with addresses that hold at the root; empty before the first build."""
    if settings.WHITENOISE_USE_FINDERS:
        found = str(finders.find(BUILT) or "")
    else:
        found = str(settings.STATIC_ROOT / staticfiles_storage.url(BUILT).removeprefix(settings.STATIC_URL))
    return ABOVE.sub(rf"\1{settings.STATIC_URL}", Path(found).read_text()) if found else ""


def tint_rules() -> str:
    classes_of: dict[str, list[str]] = {}
    for pk, color in Category.objects.order_by("pk").values_list("pk", "color"):
        classes_of.setdefault(color, []).append(f".tint-{pk}")
    return "\n".join(f"{','.join(classes)}{{{_tones(color)}}}" for color, classes in classes_of.items())


def _tones(color: str) -> str:
    """A soft ground and an ink of the same hue, far enough apart to be read whatever colour was chosen."""
    hue, lightness, saturation = colorsys.rgb_to_hls(*(int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)))
    tint = _hex(hue, max(lightness, DARKEST_TINT), saturation)
    ink = _hex(hue, LIGHTEST_INK, min(saturation, 0.45))
    return f"--tint:{tint};--tint-ink:{ink}"


def _hex(hue: float, lightness: float, saturation: float) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in colorsys.hls_to_rgb(hue, lightness, saturation))
