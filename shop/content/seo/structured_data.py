"""What pages tell machines about themselves, in the words of schema.org (JSON-LD)."""

from typing import Any

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import strip_tags

from shop.catalog.pictures.services import picture_url
from shop.catalog.products.barcodes import gtin_of
from shop.catalog.products.page import Choice, ProductPage
from shop.company.facts import company_facts

from ..faq.queries import Section
from ..models import Post

VOCABULARY = "https://schema.org"


def describe_product(page: ProductPage) -> dict[str, Any]:
    """A product and an offer for each of its variants; without offers where it is not sold."""
    product = page.product
    about: dict[str, Any] = {
        "@context": VOCABULARY,
        "@type": "Product",
        "name": product.title or product.name,
        "url": _whole(reverse("product", args=[product.slug])),
        "description": strip_tags(product.meta_desc or product.highlight).strip(),
        "image": [picture_url(picture, 1200) for picture in page.pictures],
        "sku": page.chosen.variant.sku,
        "gtin": gtin_of(page.chosen.variant.barcode),
        "category": page.categories[-1].name if page.categories else "",
        "brand": {"@type": "Brand", "name": product.brand.name},
        "countryOfOrigin": {"@type": "Country", "name": page.made_in},
    }
    if not product.is_prescription and page.is_deliverable:
        about["offers"] = [_describe_offer(page, choice) for choice in page.choices]
    return {name: value for name, value in about.items() if value}


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
    steps = [("Home", reverse("home")), *trail]
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
        "headline": post.title,
        "description": post.excerpt,
        "url": address,
        "mainEntityOfPage": address,
        "image": [picture_url(post.picture, 1200)] if post.picture else [],
        "datePublished": post.published_at.isoformat(timespec="seconds"),
        "dateModified": max(post.published_at, post.changed_at).isoformat(timespec="seconds"),
        "author": {"@type": "Person" if post.author else "Organization", "name": post.by},
        "publisher": {"@type": "Organization", "name": settings.SHOP_NAME, "logo": _whole(static("icons/favicon.svg"))},
        "articleSection": [category.name for category in post.categories.all()],
    }
    return {name: value for name, value in about.items() if value}


def _whole(path: str) -> str:
    return f"{settings.SHOP_URL}{path}"
