"""Texts of products as HTML: staff write them in an editor, imports and the demo also as plain lines."""

import re

from django import template
from django.utils.html import format_html, format_html_join, linebreaks
from django.utils.safestring import SafeString

from shop.html import clean_html

register = template.Library()
BLOCKS = re.compile(r"<(?:p|ul|ol|dl|div|h[2-5]|table|blockquote)\b")


@register.filter
def as_paragraphs(text: str) -> SafeString:
    """Clean HTML; plain lines become paragraphs."""
    cleaned = clean_html(text)
    return _safe(cleaned if BLOCKS.search(cleaned) else linebreaks(cleaned))


@register.filter
def as_list(text: str) -> SafeString:
    """Clean HTML; plain lines become the items of a list."""
    cleaned = clean_html(text)
    if BLOCKS.search(cleaned):
        return _safe(cleaned)
    items = format_html_join("", "<li>{}</li>", ((_safe(line),) for line in cleaned.splitlines() if line.strip()))
    return format_html('<ul class="highlights">{}</ul>', items)


def _safe(cleaned: str) -> SafeString:
    return SafeString(cleaned)  # nosec B703 B308 (by clean_html)
