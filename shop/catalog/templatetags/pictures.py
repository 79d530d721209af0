"""{% picture product.first_picture alt=product.name sizes="(min-width: 768px) 25vw, 50vw" max_width=640 %}"""

from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from ..models import Picture
from ..pictures.services import rendition_url, widths_of

register = template.Library()
LAZY = SafeString('loading="lazy" decoding="async"')
# Decoded with the frame: the largest picture stands in the first one that is painted once it is there.
EAGER = SafeString('loading="eager" fetchpriority="high" decoding="sync"')


@register.simple_tag(name="picture")
def picture_tag(
    picture: Picture | None,
    alt: str = "",
    sizes: str = "100vw",
    *,
    max_width: int = 0,
    eager: bool = False,
    **attributes: str,
) -> SafeString:
    """A <picture> in every format that is ready, or the placeholder; asks the database nothing.

    Without `alt` it is decoration: it stands beside words that say the same. `max_width` is that of the widest
    rendition that its place can use; `eager` is for the first picture of a page. `class="…"` goes on
    the <img>.
    """
    name = attributes.get("class", "")
    if picture is None:
        source = static("icons/placeholder.svg")
        return format_html('<img src="{}" alt="{}" width="640" height="640" {}>', source, alt, _options(eager, name))
    return _markup(
        str(picture.file), picture.width, picture.height, picture.is_complete, alt, sizes, max_width, eager, name
    )


@lru_cache(maxsize=8192)
def _markup(
    file: str,
    width: int,
    height: int,
    is_complete: bool,
    alt: str,
    sizes: str,
    max_width: int,
    eager: bool,
    name: str,
) -> SafeString:
    """The same picture in the same place always reads the same, and most of a page is pictures.

    Only browsers from before 2020 take the JPEG: one width is enough for them.
    """
    picture = Picture(file=file, width=width, height=height, is_complete=is_complete)
    ready = widths_of(picture)
    widths = [each for each in ready if each <= max_width] or ready[:1] if max_width else ready
    formats = ("avif", "webp") if is_complete else ("webp",)
    return format_html(
        '<picture>{}<img src="{}" alt="{}" width="{}" height="{}" {}></picture>',
        format_html_join(
            "", '<source type="image/{}" {}>', ((each, _candidates(picture, each, widths, sizes)) for each in formats)
        ),
        rendition_url(picture, [each for each in widths if each <= 640 or each == widths[0]][-1], "jpg"),
        alt,
        width,
        height,
        _options(eager, name),
    )


def _options(eager: bool, name: str) -> SafeString:
    return format_html("{}{}", EAGER if eager else LAZY, format_html(' class="{}"', name) if name else "")


def _candidates(picture: Picture, extension: str, widths: list[int], sizes: str) -> SafeString:
    if len(widths) == 1:
        return format_html('srcset="{}"', rendition_url(picture, widths[0], extension))
    return format_html('srcset="{}" sizes="{}"', _srcset(picture, extension, widths), sizes)


@register.simple_tag
def thumbnail(picture: Picture, alt: str = "") -> SafeString:
    """A small picture among many, such as a logo in the menu: one short <img> of the smallest rendition."""
    return _thumbnail(str(picture.file), picture.width, picture.height, alt)


@lru_cache(maxsize=4096)
def _thumbnail(file: str, full_width: int, full_height: int, alt: str) -> SafeString:
    picture = Picture(file=file, width=full_width, height=full_height)
    width = widths_of(picture)[0]
    height = max(1, round(full_height * width / full_width))
    source = rendition_url(picture, width, "webp")
    return format_html('<img src="{}" alt="{}" width="{}" height="{}" {}>', source, alt, width, height, LAZY)


@register.simple_tag
def banner_picture(
    picture: Picture, mobile: Picture | None = None, *, eager: bool = False, until: int = 768
) -> SafeString:
    """A picture across the page, with its own cut for screens up to `until` px (at text of the usual size).

    It is decoration, so without words."""
    cuts = [(mobile, f"(max-width: {until / 16:g}em)"), (picture, "")] if mobile else [(picture, "")]
    sources = (
        (format_html(' media="{}"', media) if media else "", name, _srcset(cut, name, widths_of(cut)))
        for cut, media in cuts
        for name in (("avif", "webp") if cut.is_complete else ("webp",))
    )
    return format_html(
        '<picture>{}<img src="{}" alt="" width="{}" height="{}" {}></picture>',
        format_html_join(
            "", '<source{} type="image/{}" srcset="{}" sizes="(min-width: 1328px) 1280px, 100vw">', sources
        ),
        rendition_url(picture, _middle(picture), "jpg"),
        picture.width,
        picture.height,
        EAGER if eager else LAZY,
    )


def _srcset(picture: Picture, extension: str, widths: list[int]) -> str:
    return ", ".join(f"{rendition_url(picture, width, extension)} {width}w" for width in widths)


def _middle(picture: Picture) -> int:
    """640 pixels where there are that many: what a browser without srcset gets."""
    return [width for width in widths_of(picture) if width <= 640][-1]
