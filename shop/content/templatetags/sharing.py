"""What a page says to those who share and read it by machine: Open Graph tags and JSON-LD blocks.

A block of type application/ld+json is data: it is not run, so the content policy allows it.
"""

from typing import Any

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import get_language, gettext

from shop.catalog.models import Picture, Product
from shop.catalog.pictures.services import picture_url
from shop.catalog.products.barcodes import gtin_of
from shop.catalog.products.page import Choice, ProductPage
from shop.company.facts import company_facts
from shop.reviews.models import MAX_STARS
from shop.reviews.present import product_reviews
from shop.translated import ENGLISH, Fallback

from ..faq.queries import Section
from ..models import Post
from .islands import inert_json

register = template.Library()
VOCABULARY = "https://schema.org"


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
        ("og:image", picture_url(picture, 1200) if picture else ""),
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


# --- In the words of schema.org ---------------------------------------------------


def describe_product(page: ProductPage) -> dict[str, Any]:
    """A product and an offer for each of its variants; without offers where it is not sold."""
    product = page.product
    about: dict[str, Any] = {
        "@context": VOCABULARY,
        "@type": "Product",
        "name": page.title,
        "url": _whole(reverse("product", args=[product.slug])),
        "description": strip_tags(product.shown_meta_desc).strip(),
        "image": [picture_url(picture, 1200) for picture in page.pictures],
        "sku": page.chosen.variant.sku,
        "gtin": gtin_of(page.chosen.variant.barcode),
        "category": page.categories[-1].translated.name if page.categories else "",
        "brand": {"@type": "Brand", "name": product.brand.translated.name},
        "countryOfOrigin": {"@type": "Country", "name": page.made_in},
    }
    if not product.is_prescription and page.is_deliverable:
        about["offers"] = [_describe_offer(page, choice) for choice in page.choices]
    about |= _describe_reviews(product)
    return {name: value for name, value in about.items() if value}


def _describe_reviews(product: Product) -> dict[str, Any]:
    """The average, and the reviews that the page shows; nothing for a product without any."""
    if not product.review_count:
        return {}
    return {
        "aggregateRating": {
            "@type": "AggregateRating",
            "ratingValue": f"{product.rating / 100:.1f}",
            "reviewCount": product.review_count,
            "bestRating": MAX_STARS,
        },
        "review": [
            {
                "@type": "Review",
                "name": review.title,
                "reviewBody": review.text,
                "datePublished": review.created_at.date().isoformat(),
                "author": {"@type": "Person", "name": review.author_name or gettext("Former customer")},
                "reviewRating": {"@type": "Rating", "ratingValue": review.stars, "bestRating": MAX_STARS},
            }
            for review in product_reviews(product).reviews
        ],
    }


def _describe_offer(page: ProductPage, choice: Choice) -> dict[str, Any]:
    address = _whole(reverse("product", args=[page.product.slug]))
    return {
        "@type": "Offer",
        "url": f"{address}?variant={choice.variant.sku}" if len(page.choices) > 1 else address,
        "sku": choice.variant.sku,
        "price": f"{choice.price.selling:f}",
        "priceCurrency": choice.price.currency,
        "availability": f"{VOCABULARY}/{'InStock' if choice.allowed else 'OutOfStock'}",
        "itemCondition": f"{VOCABULARY}/NewCondition",
        "seller": {"@type": "Organization", "name": settings.SHOP_NAME},
    }


def describe_breadcrumb(trail: list[tuple[str, str]]) -> dict[str, Any]:
    """The way from the home page to this one; `trail` is (name, path) of every step after it."""
    steps = [(gettext("Home"), reverse("home")), *trail]
    return {
        "@context": VOCABULARY,
        "@type": "BreadcrumbList",
        "itemListElement": [
            {"@type": "ListItem", "position": place, "name": name} | ({"item": _whole(path)} if path else {})
            for place, (name, path) in enumerate(steps, start=1)
        ],
    }


def describe_organization() -> dict[str, Any]:
    """Who runs the shop."""
    company = company_facts()
    about = {
        "@context": VOCABULARY,
        "@type": "Organization",
        "name": settings.SHOP_NAME,
        "legalName": company.legal_name,
        "url": _whole("/"),
        "logo": _whole(static("icons/favicon.svg")),
        "email": settings.SHOP_EMAIL,
        "telephone": company.phone,
        "address": company.address,
        "sameAs": list(company.social_links.values()),
    }
    return {name: value for name, value in about.items() if value}


def describe_faq(sections: list[Section]) -> dict[str, Any]:
    """Every question with its answer, whose HTML is part of this vocabulary."""
    return {
        "@context": VOCABULARY,
        "@type": "FAQPage",
        "mainEntity": [
            {
                "@type": "Question",
                "name": answer.question,
                "acceptedAnswer": {"@type": "Answer", "text": answer.text},
            }
            for section in sections
            for answer in section.answers
        ],
    }


def describe_article(post: Post) -> dict[str, Any]:
    """An article of the blog; without a named author the shop itself has written it."""
    address = _whole(reverse("post", args=[post.slug]))
    about = {
        "@context": VOCABULARY,
        "@type": "BlogPosting",
        "headline": post.translated.title,
        "description": post.translated.excerpt,
        "inLanguage": ENGLISH if isinstance(post.translated.text, Fallback) else get_language(),
        "url": address,
        "mainEntityOfPage": address,
        "image": [picture_url(post.picture, 1200)] if post.picture else [],
        "datePublished": post.published_at.isoformat(timespec="seconds"),
        "dateModified": max(post.published_at, post.changed_at).isoformat(timespec="seconds"),
        "author": {"@type": "Person" if post.author else "Organization", "name": post.by},
        "publisher": {"@type": "Organization", "name": settings.SHOP_NAME, "logo": _whole(static("icons/favicon.svg"))},
        "articleSection": [category.translated.name for category in post.categories.all()],
    }
    return {name: value for name, value in about.items() if value}


def _whole(path: str) -> str:
    return f"{settings.SHOP_URL}{path}"
