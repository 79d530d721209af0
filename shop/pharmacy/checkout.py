"""The prescription at the checkout: its part of the form, and that no order is placed without one."""

from typing import Any

from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from shop.accounts.models import Customer
from shop.cart.totals import CartView, PricedLine
from shop.errors import NotFound, ShopError
from shop.orders.models import Order, OrderDraft
from shop.orders.placing.values import PlaceOrder
from shop.orders.signals import checking_prescription, prescription_ordered
from shop.payments.signals import checkout_submitted, showing_checkout

from .access import page_key
from .models import MAX_PAGES, OrderPrescription, Prescription, PrescriptionLine, PrescriptionPage
from .services import (
    add_pages,
    begin_new,
    choose_kept,
    chosen_prescription,
    is_used,
    kept_prescriptions,
    problem_with,
    remove_page,
)

FILES, STEP = "prescription", "prescription_step"  # names of the form's fields


class PrescriptionRequired(ShopError):
    code = "prescription_required"


def prescription_lines(view: CartView) -> list[PricedLine]:
    """Lines that can be ordered with a prescription alone."""
    return [line for line in view.lines if line.product.is_prescription and not line.problem]


def page_url(page: PrescriptionPage, viewer_id: int) -> str:
    """Of one picture, for one viewer, for ten minutes."""
    return f"{reverse('prescription_page', args=[page.pk])}?key={page_key(page, viewer_id)}"


# --- The page -------------------------------------------------------------------------------------


@receiver(showing_checkout)
def show_part(
    sender: type, customer: Customer, view: CartView, draft: OrderDraft | None, **kwargs: Any
) -> dict[str, Any] | None:
    """Whoever pays a draft by its link may be somebody else: they add pages, and neither see pictures nor what was
    kept."""
    lines = prescription_lines(view)
    if not lines:
        return None
    chosen = chosen_prescription(customer)
    pages = [(page, "" if draft else page_url(page, customer.pk)) for page in chosen.pages.all()] if chosen else []
    return {
        "template": "pharmacy/_checkout.html",
        "lines": lines,
        "pages": pages,
        "left": MAX_PAGES - len(pages),
        "is_kept": chosen is not None and is_used(chosen),
        "kept": [] if draft else [one for one in kept_prescriptions(customer) if one != chosen],
        "problem": _problem(chosen, lines) if chosen else "",
    }


@receiver(checkout_submitted)
def keep_part(sender: type, request: HttpRequest, customer: Customer, draft: OrderDraft | None, **kwargs: Any) -> bool:
    """Keep uploads, and do what one of the buttons of this part says; whether one was pressed. Behind a draft's link
    pages are added, or a new one begun."""
    files, step = request.FILES.getlist(FILES), request.POST.get(STEP, "")
    if files:
        add_pages(customer, files)
    what, _, number = step.partition(":")
    if draft is not None and what not in ("add", "new"):
        what = ""
    pk = int(number) if number.isascii() and number.isdecimal() and len(number) < 19 else 0
    try:
        if what == "remove":
            remove_page(customer, pk)
        elif what == "choose":
            choose_kept(customer, pk)
        elif what == "new":
            begin_new(customer)
        elif what == "add" and not files:
            raise PrescriptionRequired(gettext("Choose a photo or PDF of your prescription first."))
    except NotFound:
        pass  # it went in another tab; the page shows what is left
    return bool(step)


# --- The order ------------------------------------------------------------------------------------


@receiver(checking_prescription)
def require_prescription(sender: type, request: PlaceOrder, view: CartView, **kwargs: Any) -> None:
    """Refuse an order of prescription medicines without a prescription, or beyond what a kept one covers; the customer
    is locked."""
    lines = prescription_lines(view)
    if not lines:
        return
    chosen = chosen_prescription(request.customer)
    if chosen is None:
        names = ", ".join(line.product.translated.name for line in lines)
        words = ngettext(
            "Add a photo or PDF of your prescription for %(names)s.",
            "Add a photo or PDF of your prescription for these medicines: %(names)s.",
            len(lines),
        )
        raise PrescriptionRequired(words % {"names": names})
    if problem := _problem(chosen, lines):
        raise PrescriptionRequired(problem)


def _problem(chosen: Prescription, lines: list[PricedLine]) -> str:
    quantities = {line.variant.pk: line.quantity for line in lines}
    return problem_with(chosen, quantities, {line.variant.pk: line.product.translated.name for line in lines})


@receiver(prescription_ordered)
def attach_prescription(sender: type, order: Order, request: PlaceOrder, **kwargs: Any) -> None:
    """Note with which prescription an order was placed, and which of its lines wait for the pharmacist."""
    lines = list(order.lines.filter(variant__product__is_prescription=True))
    chosen = chosen_prescription(request.customer) if lines else None
    if chosen is None:
        return
    checked, _ = OrderPrescription.objects.update_or_create(order=order, defaults={"prescription": chosen})
    for line in lines:
        PrescriptionLine.objects.get_or_create(line=line, defaults={"checked": checked})
