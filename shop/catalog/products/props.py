"""What the islands of the product page are given: display strings only, so that no script prices anything."""

from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse

from .page import Choice, ProductPage


@lru_cache(maxsize=500)  # a page is remembered too, and never changes
def buy_box_props(page: ProductPage) -> dict[str, Any]:
    """For islands/buy-box: every variant with its price block and its total for each quantity."""
    return {
        "chosen": page.chosen.variant.pk,
        "cart_url": reverse("cart"),
        "attributes": [{"name": name, "labels": labels} for name, labels in page.attributes.items()],
        "variants": [_variant(page, choice) for choice in page.choices],
    }


def _variant(page: ProductPage, choice: Choice) -> dict[str, Any]:
    show = page.market.display
    return {
        "id": choice.variant.pk,
        "sku": choice.variant.sku,
        "attributes": choice.attributes,
        "price_html": render_to_string("catalog/products/_buy_price.html", {"choice": choice}),
        "totals": [show(choice.price.selling * quantity) for quantity in choice.quantities],
        "problem": page.problem_with(choice),
    }
