"""Until when a delivered article may come back: the windows by reason, and what shortens them."""

from typing import Any

from django.utils.translation import gettext_noop

from shop.invalidation.subscriptions import remembered

from ..models import Product, ReturnReason

# slug, name, days, is our fault, is sent back, needs a photo
FIRST_REASONS = [
    ("wrong-item", gettext_noop("Wrong item or size"), 7, True, True, False),
    ("missing", gettext_noop("Missing item"), 2, True, False, False),
    ("damaged", gettext_noop("Damaged, defective or expired"), 2, True, True, True),
]


def load_return_reasons(apps: Any) -> None:
    """What the shop begins with; `apps` is the registry or a migration's."""
    reasons = apps.get_model("catalog", "ReturnReason")
    for position, (slug, name, days, ours, sent_back, photo) in enumerate(FIRST_REASONS):
        facts = {"name": name, "days": days, "is_our_fault": ours, "is_sent_back": sent_back, "needs_photo": photo}
        reasons.objects.get_or_create(slug=slug, defaults=facts | {"position": position})


def return_windows(*, is_returnable: bool, max_days: int | None) -> list[tuple[ReturnReason, int]]:
    """(reason, days from delivery) in the order of the form; empty for what never comes back."""
    if not is_returnable or max_days == 0:
        return []
    return [(reason, reason.days if max_days is None else min(reason.days, max_days)) for reason in _reasons()]


@remembered("shop")
def _reasons() -> list[ReturnReason]:
    return list(ReturnReason.objects.filter(is_active=True))


def windows_of(product: Product) -> list[tuple[ReturnReason, int]]:
    return return_windows(is_returnable=product.is_returnable, max_days=product.category.max_return_days)
