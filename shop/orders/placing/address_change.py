"""Another address or phone for an order that is placed and not yet packed."""

import json
from datetime import timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from shop.accounts.addresses.rules import clean_address
from shop.errors import Changed
from shop.markets.queries import service_for
from shop.markets.services import NotServed

from ..invoices.services import renew_invoice
from ..models import Order, OrderEvent
from ..notifications import queue_address_change_notification
from ..shipping.event_notes import ADDRESS_CHANGED, ADDRESS_MOVED
from ..states import WrongState

TOO_LATE = gettext_noop(
    "You can change the address after an order is placed, until we pack it. Please contact us instead."
)
MEANWHILE = gettext_noop("The address has just been changed. Please check it again.")
UNPACKED = {"status": Order.Status.PLACED}
OTHER_STATE = gettext_noop("The delivery address is in a different state.")


def address_key(order: Order) -> str:
    """Names the address that somebody saw."""
    return sha256(json.dumps(order.address, sort_keys=True, default=str).encode()).hexdigest()[:16]


@transaction.atomic
def change_address(
    order: Order, fields: dict[str, Any], *, actor: str, by_shop: bool = False, seen: str | None = None
) -> bool:
    """Give a placed order another address or phone in its country; False where they are the same already.

    What was paid stays; the day it is expected follows the place. Another state of India gets a credit note and a
    new invoice. The customer is notified by email or SMS. `seen` is the `address_key` that the caller saw.

    Locks the order, and writes its address and expected day only, where it is still placed. Raises Invalid naming
    the fields, WrongState once it is packed, NotServed, Changed where somebody else changed the address meanwhile.
    """
    locked = Order.objects.select_for_update().get(pk=order.pk)
    before = locked.address
    kept = {name: before[name] for name in ("country", "country_code")}
    cleaned = clean_address(before | fields, country_code=before["country_code"])
    address = before | cleaned | kept
    if address == before:
        return False
    if not locked.is_address_open:
        raise WrongState(gettext(TOO_LATE))
    if seen is not None and seen != address_key(locked):
        raise Changed(gettext(MEANWHILE))
    locked.expected_delivery = _expected_at(locked, address)
    changes = {"address": address, "expected_delivery": locked.expected_delivery}
    if not Order.objects.filter(pk=order.pk, **UNPACKED).update(**changes):
        raise WrongState(gettext(TOO_LATE))
    locked.address = address
    note = ADDRESS_MOVED % {"before": _place(before), "after": _place(address)}
    if _place(before) == _place(address):
        note = ADDRESS_CHANGED
    event = OrderEvent.objects.create(order=locked, actor=actor, note=note[:300])
    queue_address_change_notification(locked, event.pk, by_shop=by_shop)
    renew_invoice(locked, reason=OTHER_STATE)  # last: its series is locked from there on
    return True


def _expected_at(order: Order, address: dict[str, Any]) -> Any:
    """The expected day at another place; raises NotServed, where its way to pay is not to be had, too."""
    was = service_for(order.location_id, order.address.get("pincode", ""))
    service = service_for(order.location_id, address["pincode"])
    if refusal := service.refusal(address["pincode"]):
        raise NotServed(refusal, fields={"pincode": [refusal]})
    if not order.method.serves(service):
        refusal = gettext(order.method.address_refusal)
        raise NotServed(refusal, fields={"pincode": [refusal]})
    if order.expected_delivery is None:
        return None
    return order.expected_delivery + timedelta(days=service.extra_days - was.extra_days)


def _place(address: dict[str, Any]) -> str:
    parts = (address.get("city"), address.get("state"), address.get("pincode"))
    return ", ".join(part for part in parts if part)
