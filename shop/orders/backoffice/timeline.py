"""What this app adds to a customer's timeline: orders, returns, messages about orders."""

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, ngettext

from shop.accounts.customers.registry import Shown, TimelineSource, register
from shop.accounts.models import Customer
from shop.cart.models import CartLine
from shop.money import INR, display

from ..models import Order, OrderDraft, OrderNote, ReturnRequest
from ..returns.present import TONES
from ..shipping.services import partly_delivered


def _url(order_id: int, place: str = "") -> str:
    return reverse("admin:orders_order_change", args=[order_id]) + (f"#{place}" if place else "")


def _units(number: int) -> str:
    return ngettext("{number} unit", "{number} units", number).format(number=number)


def _orders(customer: Customer) -> QuerySet[Order]:
    return customer.orders.prefetch_related("lines", "events", "shipments__lines")


def _show_order(order: Order) -> Shown:
    units = order.unit_count
    words = f"{order.number}: {_units(units)}, {display(order.due_inr, INR)}"
    state = partly_delivered(order) or order.status_words
    return Shown(words, _url(order.pk), state, order.tone)


def _returns(customer: Customer) -> QuerySet[ReturnRequest]:
    return ReturnRequest.objects.filter(line__order__customer=customer).select_related("line__order", "reason")


def _show_return(row: ReturnRequest) -> Shown:
    words = f"{row.get_kind_display()}: {row.quantity} × {row.line.product_name}, {row.reason}"
    state = row.get_status_display()
    tone = TONES.get(ReturnRequest.Status(row.status), "other")
    return Shown(words, _url(row.line.order_id, "returns"), state, tone, row.line.order.number)


def _messages(customer: Customer) -> QuerySet[OrderNote]:
    sent = OrderNote.objects.filter(order__customer=customer, kind=OrderNote.Kind.MESSAGE)
    return sent.select_related("order")


def _show_message(note: OrderNote) -> Shown:
    return Shown(
        gettext("To the customer, about {number}").format(number=note.order.number),
        _url(note.order_id),
        detail=note.text,
        actor=note.author,
    )


DRAFT_TONES = {OrderDraft.State.PAID: "good", OrderDraft.State.SENT: "warn", OrderDraft.State.EXPIRED: "bad"}


def _drafts(customer: Customer) -> QuerySet[OrderDraft]:
    lines = CartLine.objects.filter(cart=OuterRef("cart")).order_by().values("cart")
    units = Subquery(lines.annotate(units=Sum("quantity")).values("units"))
    return customer.order_drafts.with_state().annotate(units=Coalesce(units, 0))


def _show_draft(draft: Any) -> Shown:
    units = draft.units
    state = OrderDraft.State(draft.state)
    words = f"{draft}: {_units(units)}"
    url = reverse("admin:orders_orderdraft_change", args=[draft.pk])
    return Shown(words, url, str(state.label), DRAFT_TONES.get(state, "other"), actor=draft.author)


def register_sources() -> None:
    register(
        TimelineSource(
            "draft",
            gettext_lazy("Draft order"),
            gettext_lazy("Draft orders"),
            "orders.view_orderdraft",
            _drafts,
            _show_draft,
        )
    )
    register(
        TimelineSource(
            "order", gettext_lazy("Order"), gettext_lazy("Orders"), "orders.view_order", _orders, _show_order
        )
    )
    register(
        TimelineSource(
            "return",
            gettext_lazy("Return"),
            gettext_lazy("Returns"),
            "orders.view_returnrequest",
            _returns,
            _show_return,
        )
    )
    register(
        TimelineSource(
            "order_message",
            gettext_lazy("Message"),
            gettext_lazy("Messages about orders"),
            "orders.view_order",
            _messages,
            _show_message,
            "at",
        )
    )
