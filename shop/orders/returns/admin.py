"""Returns for the order desk: the request with its photos, and one action for each step."""

from datetime import date
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import FileResponse, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from shop.backoffice.admin import WordsForm, row_number
from shop.backoffice.confirmation import Effect, RowStep, SteppedAdmin

from ..models import Courier, ReturnPhoto, ReturnRequest
from ..shipping.services import REFUSED_ON_DELIVERY
from . import services as returns
from .views import photo_answer


def _courier(sent: QueryDict) -> Courier | None:
    return Courier.objects.filter(pk=row_number(sent.get("courier", ""))).first()


def _received(sent: QueryDict) -> dict[str, str]:
    return {"note": sent.get("words", ""), "batch": sent.get("batch", "")}


def _money(row: ReturnRequest, stage: str, kind: str = ReturnRequest.Kind.REFUND) -> Effect | None:
    """What goes back at once with a request of this kind when it leaves this stage; locks its order."""
    order, locked = returns.lock_order_of(row)
    waits = stage == ReturnRequest.Status.REQUESTED and locked.reason.is_sent_back
    if (locked.status, locked.kind) != (stage, kind) or waits:
        return None
    words = f"{order.number}: {locked.quantity} × {locked.line.product_name}"
    if locked.reason.slug == REFUSED_ON_DELIVERY and order.method.is_collected_on_delivery:
        return Effect(words=gettext("{items}: nobody paid for it, so nothing is refunded").format(items=words))
    inr, with_shipping = returns.refund_for(order, locked.line, locked.quantity, locked.reason)
    return Effect(inr, gettext("{items}, shipping included").format(items=words) if with_shipping else words)


def _unnumbered(row: ReturnRequest, sent: QueryDict) -> Effect | None:
    return None if sent.get("words", "").strip() else Effect(words=gettext("Sent without a tracking number"))


class ReplacementForm(forms.Form):
    words = forms.CharField(
        label=gettext_lazy("Tracking number"), required=False, max_length=60, widget=UnfoldAdminTextInputWidget
    )


STEPS = {
    "approve": RowStep(
        gettext_lazy("Approve (your message goes to the customer)"),
        lambda row, sent, actor: returns.approve(row, actor=actor, decision=sent.get("words", "")),
        lambda row, sent: _money(row, ReturnRequest.Status.REQUESTED),
    ),
    "reject": RowStep(
        gettext_lazy("Reject (enter a reason)"),
        lambda row, sent, actor: returns.reject(row, actor=actor, decision=sent.get("words", "")),
    ),
    "receive_to_shelf": RowStep(
        gettext_lazy("Received: back in stock"),
        lambda row, sent, actor: returns.receive(row, actor=actor, is_restocked=True, **_received(sent)),
        lambda row, sent: _money(row, ReturnRequest.Status.APPROVED),
    ),
    "receive_written_off": RowStep(
        gettext_lazy("Received: written off"),
        lambda row, sent, actor: returns.receive(row, actor=actor, is_restocked=False, **_received(sent)),
        lambda row, sent: _money(row, ReturnRequest.Status.APPROVED),
    ),
    "refund_instead": RowStep(
        gettext_lazy("Refund instead of a replacement"),
        lambda row, sent, actor: returns.refund_instead(row, actor=actor, note=sent.get("words", "")),
        lambda row, sent: _money(row, ReturnRequest.Status.RECEIVED, ReturnRequest.Kind.REPLACEMENT),
    ),
    "send_replacement": RowStep(
        gettext_lazy("Replacement sent (courier, tracking number)"),
        lambda row, sent, actor: returns.send_replacement(
            row, actor=actor, courier=_courier(sent), tracking_number=sent.get("words", "")
        ),
        _unnumbered,
        ReplacementForm,
    ),
}


class StepForm(WordsForm):
    courier = forms.ModelChoiceField(
        Courier.objects.filter(is_active=True),
        label="",
        required=False,
        empty_label=gettext_lazy("Courier"),
        widget=UnfoldAdminSelectWidget({"aria-label": gettext_lazy("Courier of a replacement")}),
    )

    batch = forms.CharField(
        label="",
        required=False,
        max_length=40,
        widget=UnfoldAdminTextInputWidget(
            {"placeholder": gettext_lazy("Batch on the pack"), "aria-label": gettext_lazy("Batch on the pack")}
        ),
    )


class OverdueFilter(admin.SimpleListFilter):
    title = gettext_lazy("due")
    parameter_name = "due"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("open", gettext("Waiting for staff")),
            ("owed", gettext("Refund or replacement due")),
            ("overdue", gettext("Overdue")),
        ]

    def queryset(self, request: HttpRequest, requests: QuerySet[ReturnRequest]) -> QuerySet[ReturnRequest]:
        owed = returns.to_settle(requests)
        match self.value():
            case "open":
                return requests.filter(status=ReturnRequest.Status.REQUESTED)
            case "owed":
                return owed
            case "overdue":
                return owed.filter(received_at__lt=returns.overdue_since(timezone.now()))
        return requests


@admin.register(ReturnRequest)
class ReturnRequestAdmin(SteppedAdmin):
    list_display = ("what", "status", "order", "reason", "created_at", "due")
    list_filter = ("status", OverdueFilter, "kind", "reason")
    list_select_related = ("line__order", "reason")
    search_fields = ("line__order__number", "line__product_name", "line__sku")
    ordering = ("-id",)
    fields = (
        "order", "article", "kind", "quantity", "reason", "note", "pickup_wish", "pictures", "status", "decision",
        "created_at", "decided_at", "received_at", "is_restocked", "refund_inr", "with_shipping", "due", "closed_at",
    )  # fmt: skip
    action_form = StepForm
    steps = STEPS
    step_permission = "orders.change_returnrequest"

    def page_of(self, row: ReturnRequest) -> str:
        return f"{reverse('admin:orders_order_change', args=[row.line.order_id])}#returns"

    @admin.display(description=gettext_lazy("order"), ordering="line__order__number")
    def order(self, request: ReturnRequest) -> SafeString:
        order = request.line.order
        return format_html('<a href="{}">{}</a>', reverse("admin:orders_order_change", args=[order.pk]), order.number)

    @admin.display(description=gettext_lazy("request"), ordering="pk")
    def what(self, request: ReturnRequest) -> str:
        return str(request)

    @admin.display(description=gettext_lazy("item"))
    def article(self, request: ReturnRequest) -> str:
        return f"{request.line.product_name} ({request.line.sku})"

    @admin.display(description=gettext_lazy("pickup asked for"))
    def pickup_wish(self, request: ReturnRequest) -> str:
        return request.pickup_words

    @admin.display(description=gettext_lazy("due"))
    def due(self, request: ReturnRequest) -> date | None:
        return returns.due_on(request)

    @admin.display(description=gettext_lazy("photos"))
    def pictures(self, request: ReturnRequest) -> SafeString:
        rows = [
            (reverse("admin:orders_return_photo", args=[photo.pk]), gettext("Photo %(number)s") % {"number": photo.pk})
            for photo in request.photos.all()
        ]
        return format_html_join(" ", '<a href="{0}"><img src="{0}" alt="{1}" width="240"></a>', rows)

    def get_urls(self) -> list[URLPattern]:
        photo = path("photo/<int:pk>/", self.admin_site.admin_view(self.photo), name="orders_return_photo")
        return [photo, *super().get_urls()]

    def photo(self, request: HttpRequest, pk: int) -> FileResponse | HttpResponse:
        if not self.has_view_permission(request):
            return HttpResponse(status=403)
        return photo_answer(get_object_or_404(ReturnPhoto, pk=pk))
