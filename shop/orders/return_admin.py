"""Returns for the order desk: the request with its photos, and one action for each step."""

from collections.abc import Callable
from datetime import date
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminSelectWidget

from shop.backoffice import ReadOnlyScreen, WordsForm
from shop.errors import ShopError

from . import returns
from .models import Courier, ReturnPhoto, ReturnRequest
from .return_views import photo_answer


class StepForm(WordsForm):
    courier = forms.ModelChoiceField(
        Courier.objects.filter(is_active=True),
        label="",
        required=False,
        empty_label="Courier",
        widget=UnfoldAdminSelectWidget({"aria-label": "Courier of a replacement"}),
    )


class OverdueFilter(admin.SimpleListFilter):
    title = "due"
    parameter_name = "due"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("open", "Waits for the desk"), ("owed", "Refund or replacement owed"), ("overdue", "Overdue")]

    def queryset(self, request: HttpRequest, requests: QuerySet[ReturnRequest]) -> QuerySet[ReturnRequest]:
        owed = requests.filter(status=ReturnRequest.Status.RECEIVED)
        match self.value():
            case "open":
                return requests.filter(status=ReturnRequest.Status.REQUESTED)
            case "owed":
                return owed
            case "overdue":
                return owed.filter(received_at__lt=returns.overdue_since(timezone.now()))
        return requests


@admin.register(ReturnRequest)
class ReturnRequestScreen(ReadOnlyScreen):
    list_display = ("__str__", "order", "article", "reason", "status", "created_at", "due")
    list_filter = ("status", OverdueFilter, "kind", "reason")
    list_select_related = ("line__order", "reason")
    search_fields = ("line__order__number", "line__product_name", "line__sku")
    ordering = ("-id",)
    fields = (
        "order", "article", "kind", "quantity", "reason", "note", "pictures", "status", "decision", "created_at",
        "decided_at", "received_at", "is_restocked", "refund_inr", "with_shipping", "due", "closed_at",
    )  # fmt: skip
    action_form = StepForm
    actions = ("approve", "reject", "receive_to_shelf", "receive_written_off", "refund_instead", "send_replacement")

    def has_desk_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("orders.change_returnrequest")

    @admin.display(description="order", ordering="line__order__number")
    def order(self, request: ReturnRequest) -> SafeString:
        order = request.line.order
        return format_html('<a href="{}">{}</a>', reverse("admin:orders_order_change", args=[order.pk]), order.number)

    @admin.display(description="article")
    def article(self, request: ReturnRequest) -> str:
        return f"{request.line.product_name} ({request.line.sku})"

    @admin.display(description="due")
    def due(self, request: ReturnRequest) -> date | None:
        return returns.due_on(request)

    @admin.display(description="photos")
    def pictures(self, request: ReturnRequest) -> SafeString:
        rows = [(reverse("admin:orders_return_photo", args=[photo.pk]), photo.pk) for photo in request.photos.all()]
        return format_html_join(" ", '<a href="{0}"><img src="{0}" alt="Photo {1}" width="240"></a>', rows)

    # --- Steps ------------------------------------------------------------------------------

    @admin.action(description="Approve (words go to the customer)", permissions=["desk"])
    def approve(self, request: HttpRequest, rows: QuerySet[ReturnRequest]) -> None:
        words = request.POST.get("words", "")
        self._each(request, rows, lambda row, actor: returns.approve(row, actor=actor, decision=words))

    @admin.action(description="Reject (write the reason)", permissions=["desk"])
    def reject(self, request: HttpRequest, rows: QuerySet[ReturnRequest]) -> None:
        words = request.POST.get("words", "")
        self._each(request, rows, lambda row, actor: returns.reject(row, actor=actor, decision=words))

    @admin.action(description="Received: back on the shelf", permissions=["desk"])
    def receive_to_shelf(self, request: HttpRequest, rows: QuerySet[ReturnRequest]) -> None:
        self._each(request, rows, lambda row, actor: returns.receive(row, actor=actor, is_restocked=True))

    @admin.action(description="Received: written off", permissions=["desk"])
    def receive_written_off(self, request: HttpRequest, rows: QuerySet[ReturnRequest]) -> None:
        self._each(request, rows, lambda row, actor: returns.receive(row, actor=actor, is_restocked=False))

    @admin.action(description="Money back instead of a replacement", permissions=["desk"])
    def refund_instead(self, request: HttpRequest, rows: QuerySet[ReturnRequest]) -> None:
        self._each(request, rows, lambda row, actor: returns.refund_instead(row, actor=actor))

    @admin.action(description="Replacement sent (courier, tracking number)", permissions=["desk"])
    def send_replacement(self, request: HttpRequest, rows: QuerySet[ReturnRequest]) -> None:
        chosen, number = request.POST.get("courier", ""), request.POST.get("words", "")
        courier = Courier.objects.filter(pk=int(chosen)).first() if chosen.isascii() and chosen.isdigit() else None
        self._each(
            request,
            rows,
            lambda row, actor: returns.send_replacement(row, actor=actor, courier=courier, tracking_number=number),
        )

    def _each(
        self, request: HttpRequest, rows: QuerySet[ReturnRequest], step: Callable[[ReturnRequest, str], object]
    ) -> None:
        """Each for itself: one that is refused does not stop the others."""
        for row in rows:
            try:
                step(row, str(request.user)[:100])
                self.message_user(request, f"{row}: done.", messages.SUCCESS)
            except ShopError as refusal:
                self.message_user(request, f"{row}: {refusal.message}", messages.WARNING)

    # --- Photos -----------------------------------------------------------------------------

    def get_urls(self) -> list[URLPattern]:
        photo = path("photo/<int:pk>/", self.admin_site.admin_view(self.photo), name="orders_return_photo")
        return [photo, *super().get_urls()]

    def photo(self, request: HttpRequest, pk: int) -> FileResponse | HttpResponse:
        if not self.has_view_permission(request):
            return HttpResponse(status=403)
        return photo_answer(get_object_or_404(ReturnPhoto, pk=pk))
