"""The notes of an order's events: kept in English, read by its customer in the language of the page.

Whoever writes one fills in a template of this list; what follows it is free text.
"""

from collections.abc import Mapping

from django.utils.translation import gettext, gettext_noop

from shop.kept_texts import own_text, read_back

from ..models import Order

CANCELLED = gettext_noop("Cancelled: %(units)s × %(name)s, %(amount)s.")
ADDRESS_MOVED = gettext_noop("Delivery address changed: %(before)s → %(after)s.")
ADDRESS_CHANGED = gettext_noop("Delivery address or phone changed.")
REFUND_REQUESTED = gettext_noop("Refund requested: %(units)s × %(name)s.")
REPLACEMENT_REQUESTED = gettext_noop("Replacement requested: %(units)s × %(name)s.")
RETURN_APPROVED = gettext_noop("Return approved: %(units)s × %(name)s.")
RETURN_REJECTED = gettext_noop("Return rejected: %(units)s × %(name)s.")
RETURN_RECEIVED = gettext_noop("Return received: %(units)s × %(name)s.")
RETURN_OF_BATCH = gettext_noop("Batch of the returned items: %(batch)s.")
REFUND_GRANTED = gettext_noop("Refund granted by the shop: %(units)s × %(name)s (%(reason)s).")
REFUND_INSTEAD = gettext_noop("Refund instead of a replacement: %(units)s × %(name)s.")
REPLACEMENT_SENT = gettext_noop("Replacement sent: %(units)s × %(name)s.")
REPLACEMENT_REFUSED = gettext_noop("The replacement was refused at the door.")
SENT_WITHOUT_NUMBER = gettext_noop("A parcel was sent without a tracking number.")
TRACKING_CORRECTED = gettext_noop("Tracking of a parcel: %(now)s (before: %(before)s).")
REFUSED = gettext_noop("Refused at the door: %(reason)s")
REFUNDED = gettext_noop("%(amount)s refunded.")
NOT_COLLECTED = gettext_noop("%(amount)s was not collected at the door.")
REFUNDED_BY_HAND = gettext_noop("Refunded by hand: %(reference)s")
REFUND_RETRIED = gettext_noop("Refund of %(amount)s tried again.")
SHIPPING_REFUNDED = gettext_noop("Refund of %(amount)s (shipping): %(reason)s")
PART_REFUNDED = gettext_noop("Refund of %(amount)s: %(reason)s")
PAID_WITH = gettext_noop("Paid with %(reference)s.")
DRAFT_CHECKED_OUT = gettext_noop("Checked out from draft %(draft)s.")
UNITS_CANCELLED = gettext_noop("Cancelled: %(units)s × %(name)s.")
UNITS_RETURNED = gettext_noop("Returned: %(units)s × %(name)s.")
TEMPLATES = (
    CANCELLED, ADDRESS_MOVED, ADDRESS_CHANGED, REFUND_REQUESTED, REPLACEMENT_REQUESTED, RETURN_APPROVED,
    RETURN_REJECTED, RETURN_RECEIVED, RETURN_OF_BATCH, REFUND_GRANTED, REFUND_INSTEAD, REPLACEMENT_SENT,
    REPLACEMENT_REFUSED, SENT_WITHOUT_NUMBER, TRACKING_CORRECTED, REFUSED, REFUNDED, NOT_COLLECTED, REFUNDED_BY_HAND,
    REFUND_RETRIED, SHIPPING_REFUNDED, PART_REFUNDED, PAID_WITH, DRAFT_CHECKED_OUT, UNITS_CANCELLED,
    UNITS_RETURNED,
)  # fmt: skip

OWN_TEXTS = {"reason", "now", "before"}  # what fills them may be a text of the shop


def translated_note(note: str, names: Mapping[str, str] | None = None) -> str:
    """A note, or the reason of a refund, as it is read; what no template has is left as it was written, unless it is a
    text of the shop. `names` are those of the order's products: English to the reader's (`names_in`)."""
    for template in TEMPLATES:
        if read := read_back(template, note):
            values, rest = read
            for name in OWN_TEXTS & values.keys():
                values[name] = own_text(values[name])
            if "name" in values:
                values["name"] = (names or {}).get(values["name"], values["name"])
            return f"{gettext(template) % values} {translated_note(rest, names)}".rstrip()
    return own_text(note)


def names_in(order: Order) -> dict[str, str]:
    """What the products of an order are called in English, and in the active language."""
    return {line.product_name: line.translated.product_name for line in order.lines.all()}
