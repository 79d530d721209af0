"""What a page says to those who share and read it by machine: Open Graph tags and JSON-LD blocks.

A block of type application/ld+json is data: it is not run, so the content policy allows it.
"""

from typing import Any

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from shop.catalog.models import Picture
from shop.catalog.pictures.services import picture_url
from shop.catalog.products.page import ProductPage

from ..faq.queries import Section
from ..models import Post
from ..seo.structured_data import (
    describe_article,
    describe_breadcrumb,
    describe_faq,
    describe_organization,
    describe_product,
)
from .islands import inert_json

register = template.Library()


@register.simple_tag(takes_context=True)
def open_graph(
    context: RequestContext, title: str, description: str = "", picture: Picture | None = None, kind: str = "website"
) -> SafeString:
    """What a link to this page shows where it is shared; `kind` is website, product or article.

    A missing picture may come as the empty text that templates make of it.
    """
    facts = [
        ("og:site_name", settings.SHOP_NAME),
        ("og:type", kind),
        ("og:title", title),
        ("og:description", Truncator(strip_tags(description).strip()).chars(200)),
        ("og:url", f"{settings.SHOP_URL}{context['request'].path}"),
        ("og:image", picture_url(picture or None, 1200)),
    ]
    return format_html_join("", '<meta property="{}" content="{}">', ((name, fact) for name, fact in facts if fact))


@register.simple_tag
def product_data(page: ProductPage) -> SafeString:
    return _block(describe_product(page))


@register.simple_tag
def breadcrumb_data(trail: list[tuple[str, str]]) -> SafeString:
    return _block(describe_breadcrumb(trail))


@register.simple_tag
def organization_data() -> SafeString:
    return _block(describe_organization())


@register.simple_tag
def faq_data(sections: list[Section]) -> SafeString:
    return _block(describe_faq(sections))


@register.simple_tag
def article_data(post: Post) -> SafeString:
    return _block(describe_article(post))


def _block(data: dict[str, Any]) -> SafeString:
    return format_html('<script type="application/ld+json">{}</script>', inert_json(data))
