"""{% icon "cart" %}: one drawing of static/icons/sprite.svg. {% flag "IN" %}: a country's flag. Both are decoration."""

from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()
MAX_INLINE = 1500  # characters
SAFE_IN_ADDRESS = " =:/;,()'"


@register.simple_tag
@lru_cache(maxsize=200)
def icon(name: str, size: int = 24) -> SafeString:
    return format_html(
        '<svg class="icon" width="{0}" height="{0}" aria-hidden="true" focusable="false"><use href="{1}#{2}"/></svg>',
        size,
        static("icons/sprite.svg"),
        name,
    )


@register.simple_tag
@lru_cache(maxsize=400)
def flag(country_code: str, width: int = 20, *, inline: bool = False) -> SafeString:
    """`inline` for one that every page shows: a small drawing is no request of its own then."""
    name = f"flags/{country_code.lower()}.svg"
    return format_html(
        '<img class="flag" src="{}" alt="" width="{}" height="{}" loading="lazy">',
        drawing(name) if inline else static(name),
        width,
        width * 3 // 4,
    )


@register.simple_tag
@lru_cache(maxsize=400)
def drawing(name: str) -> str:
    """The address of an SVG of static/; it holds the drawing itself where that is small."""
    path = finders.find(name)
    text = Path(path).read_text() if path else ""
    if not text or len(text) > MAX_INLINE:
        return static(name)
    return f"data:image/svg+xml,{quote(text.strip(), safe=SAFE_IN_ADDRESS)}"
