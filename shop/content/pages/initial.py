"""The pages that the shop comes with: their addresses, and the words they start from.

The words stand in page_texts/<slug>.html and are loaded once; from then on they are the editors'.
"""

from hashlib import sha256
from pathlib import Path
from typing import Any

from django.utils import timezone

TEXTS = Path(__file__).parent / "texts"
# slug, which is the address: title, summary
STARTING_PAGES = {
    "about": ("About us", "Who runs this shop, how we choose our products, and where to find us."),
    "shippingpolicy": ("Shipping Policy", "How long delivery takes, what it costs and where we deliver."),
    "returnspolicy": (
        "Returns & Replacement Policy",
        "What you can return, how long you have, and how you get your refund or a replacement.",
    ),
    "cancellationpolicy": ("Cancellation Policy", "How to cancel an order, and when you get your refund."),
    "privacypolicy": ("Privacy Policy", "What data we keep about you, why, and what you can ask us to do."),
    "terms_conditions": ("Terms & Conditions", "The rules for using this shop and buying from it."),
}


def load_pages(apps: Any) -> None:
    """Add the pages that are missing, each with its first version."""
    page_model, version_model = apps.get_model("content", "Page"), apps.get_model("content", "PageVersion")
    now = timezone.now()
    for position, (slug, (title, summary)) in enumerate(STARTING_PAGES.items()):
        words = {"title": title, "summary": summary, "text": (TEXTS / f"{slug}.html").read_text().strip()}
        page, is_new = page_model.objects.get_or_create(
            slug=slug, defaults={**words, "position": position, "changed_at": now}
        )
        if is_new:
            version_model.objects.create(page=page, created_at=now, **words)


def renew_pages(apps: Any, former: dict[str, str]) -> None:
    """Give pages the words that the shop comes with now, where no editor has changed the former ones.

    `former` holds, by slug, the SHA-256 of the text that the shop came with before.
    """
    page_model, version_model = apps.get_model("content", "Page"), apps.get_model("content", "PageVersion")
    now = timezone.now()
    for page in page_model.objects.filter(slug__in=former):
        if sha256(page.text.encode()).hexdigest() == former[page.slug]:
            page.text, page.changed_at = (TEXTS / f"{page.slug}.html").read_text().strip(), now
            page.save(update_fields=["text", "changed_at"])
            version_model.objects.create(
                page=page, created_at=now, title=page.title, summary=page.summary, text=page.text
            )
