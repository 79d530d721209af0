"""The message with the link that pays a draft."""

from typing import Any

from django.conf import settings
from django.utils import translation
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from shop.cart.totals import CartView
from shop.messaging.languages import spoken
from shop.messaging.services import queue_mail, queue_sms
from shop.money import INR, display

from ..models import OrderDraft
from ..placing.snapshot import charged_inr

KIND = "payment_link"


def queue_payment_link(draft: OrderDraft, view: CartView, url: str, *, phone: str, email: str) -> None:
    """By SMS, by mail or by both, where an address is given, in the customer's language; inside the transaction that
    made the link. The outbox forgets it with the link's end."""
    language = spoken(draft.customer.language)
    with translation.override(language):
        context = _context(draft, view, url)
    key = f"{KIND}:{draft.pk}:{draft.revision}"
    if email:
        subject = format_lazy(
            _("Your order at {shop}: {total} to pay"), shop=settings.SHOP_NAME, total=context["total"]
        )
        queue_mail(
            kind=KIND, to=email, subject=subject, template=KIND, context=context, key=f"{key}:mail",
            stale_after=draft.expires_at, language=language,
        )  # fmt: skip
    if phone:
        queue_sms(
            kind=KIND, to=phone, template=KIND, context=context, key=f"{key}:sms", stale_after=draft.expires_at,
            language=language,
        )  # fmt: skip


def _context(draft: OrderDraft, view: CartView, url: str) -> dict[str, Any]:
    show = view.market.display
    return {
        "name": draft.address["full_name"],
        "pay_url": url,
        "location_id": draft.location_id,
        "until": draft.expires_at,
        "lines": [
            {"name": line.product.translated.name, "quantity": line.quantity, "amount": show(line.line_total)}
            for line in view.lines
        ],
        "shipping": str(view.shipping_text),
        "discount": show(view.coupon_amt + view.points_amt) if view.coupon_amt or view.points_amt else "",
        "total": show(view.total),
        "charged": "" if view.currency == INR else display(charged_inr(view), INR),
        "city": draft.address["city"],
    }
