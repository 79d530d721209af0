"""{% icon "cart" %}: one drawing of static/icons/sprite.svg. {% flag "IN" %}: a country's flag. Both are decoration."""

from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


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
@lru_cache(maxsize=200)
def flag(country_code: str, width: int = 16) -> SafeString:
    return format_html(
        '<img class="flag" src="{}" alt="" width="{}" height="{}" loading="lazy">',
        static(f"flags/{country_code.lower()}.svg"),
        width,
        width * 3 // 4,
    )
