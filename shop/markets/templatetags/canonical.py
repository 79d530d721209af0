"""{% canonical_links %}: canonical address, hreflang and robots of a page (shop/markets/canonical.py).

{{ banner.link|in_market }}: a path that staff wrote, under the prefix that this page's links keep.
"""

from django import template
from django.template.context import RequestContext
from django.urls import get_script_prefix
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from ..canonical import bare_path, indexing_of

register = template.Library()


@register.simple_tag(takes_context=True)
def canonical_links(context: RequestContext, path: str = "", noindex: bool = False) -> SafeString:
    found = indexing_of(context["request"], path, noindex=noindex)
    return format_html(
        "{}{}{}",
        format_html('<meta name="robots" content="{}">', found.robots) if found.robots else "",
        format_html('<link rel="canonical" href="{}">', found.canonical) if found.canonical else "",
        format_html_join("", '<link rel="alternate" hreflang="{}" href="{}">', found.alternates),
    )


@register.filter
def in_market(path: str) -> str:
    return get_script_prefix().rstrip("/") + bare_path(path) if path.startswith("/") else path
