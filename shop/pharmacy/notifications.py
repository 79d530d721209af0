"""Notifications of a prescription to customer, pharmacist and owner. No message names a medicine's buyer to staff, and
none carries a picture."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db.models import Q
from django.urls import reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from shop.accounts.models import Customer
from shop.accounts.staff.roles import OWNER, PHARMACIST
from shop.messaging.services import queue_mail, queue_sms
from shop.orders.models import Order
from shop.orders.notifications import in_language_of, notify_customer
from shop.orders.shipping.tracking_links import site_of, tracking_url

from .models import OrderPrescription, PrescriptionLine


def queue_receipt(checked: OrderPrescription) -> None:
    """The prescription of a placed order is with the pharmacist now."""
    order = checked.order
    subject = format_lazy(_("We're checking your prescription for order {number}"), number=order.number)
    _notify(order, "prescription_received", subject, {"name": order.address["full_name"], "number": order.number})
    _notify_staff(
        _members(Q(groups__name=PHARMACIST)),
        kind="desk_prescription",
        subject=f"Prescription to check: {order.number}",
        key=f"desk_prescription:{order.number}",
        checked=checked,
    )


def queue_decisions(order: Order, lines: list[PrescriptionLine]) -> None:
    """What was decided about each line, and why it was refused."""
    with in_language_of(order):
        rows = [
            {
                "name": one.line.translated.product_name,
                "quantity": one.quantity,
                "reason": one.get_reason_display() if one.reason else "",
            }
            for one in lines
        ]
    context = {
        "name": order.address["full_name"],
        "number": order.number,
        "rows": rows,
        "is_refused": not any(one.quantity for one in lines),
        "is_cut": any(not one.quantity or one.line.cancelled for one in lines),
    }
    subject = format_lazy(_("Your prescription for order {number} has been checked"), number=order.number)
    _notify(order, "prescription_decided", subject, context)


def warn_owner(checked: OrderPrescription) -> None:
    """A prescription has waited for four hours."""
    _notify_staff(
        _members(Q(groups__name=OWNER) | Q(is_superuser=True)),
        kind="desk_prescription_late",
        subject=f"No answer for four hours: prescription for {checked.order.number}",
        key=f"desk_prescription_late:{checked.order.number}",
        checked=checked,
    )


def _notify(order: Order, kind: str, subject: Any, context: dict[str, Any]) -> None:
    """By mail, and by SMS too where the customer has a phone: they wait for it."""
    notify_customer(order, kind=kind, subject=subject, context=context, key=f"{kind}:{order.number}")
    if order.email and order.customer.phone:
        links = {"shop_url": site_of(order), "track_url": tracking_url(order)}
        queue_sms(
            to=order.customer.phone,
            kind=kind,
            template=kind,
            context={**context, **links},
            key=f"{kind}_sms:{order.number}",
            language=order.language,
        )


def _members(role: Q) -> list[str]:
    people = Customer.objects.filter(role, is_staff=True, is_active=True).exclude(email=None).exclude(email="")
    return sorted({str(email) for email in people.values_list("email", flat=True)}) or [settings.ORDER_DESK_EMAIL]


def _notify_staff(addresses: Iterable[str], *, kind: str, subject: str, key: str, checked: OrderPrescription) -> None:
    page = settings.SHOP_URL + reverse("admin:pharmacy_orderprescription_change", args=[checked.pk])
    for address in addresses:
        queue_mail(
            kind=kind,
            to=address,
            subject=subject,
            template=kind,
            context={"number": checked.order.number, "page": page},
            key=f"{key}:{address}",
        )
