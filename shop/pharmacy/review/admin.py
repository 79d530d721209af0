"""The pharmacist's queue: prescriptions that wait, the oldest first, and one page for each. The pharmacist's role alone
opens it; no permission does, a superuser's neither."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext, gettext_lazy
from unfold.decorators import display

from shop.backoffice import history
from shop.backoffice.actors import staff_actor
from shop.backoffice.admin import BackOfficeAdmin, FoundByNumber, ReadOnly, row_number
from shop.care.inbox.registry import SOURCES, Item
from shop.errors import ShopError

from ..access import is_pharmacist, page_key
from ..models import OrderPrescription, PrescriptionPage
from ..queries import ANSWER_WITHIN, units_approvable
from ..views import picture_answer
from .forms import ReviewForm
from .services import decide


class PharmacistOnly:
    """Opens to the pharmacist's role and to nobody else."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return is_pharmacist(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return is_pharmacist(request.user)


class WaitingFilter(admin.SimpleListFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("all", gettext("All"))]

    def choices(self, changelist: Any) -> Any:
        first, *more = super().choices(changelist)
        yield first | {"display": gettext("Waiting")}
        yield from more

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "all" or request.resolver_match.url_name != "pharmacy_orderprescription_changelist":  # type: ignore[union-attr]
            return queryset
        return queryset.waiting().order_by("order__placed_at", "pk")  # type: ignore[attr-defined]


@admin.register(OrderPrescription)
class OrderPrescriptionAdmin(PharmacistOnly, ReadOnly, FoundByNumber, BackOfficeAdmin):
    list_display = ("number", "placed", "clock", "decided_at")
    list_filter = (WaitingFilter,)
    list_select_related = ("order",)
    search_fields = ("order__number",)
    search_help_text = gettext_lazy("A full order number")

    @admin.display(description=gettext_lazy("order"), ordering="order__number")
    def number(self, row: OrderPrescription) -> str:
        return row.order.number

    @admin.display(description=gettext_lazy("placed"), ordering="order__placed_at")
    def placed(self, row: OrderPrescription) -> Any:
        return row.order.placed_at

    @display(description=gettext_lazy("state"), label={"late": "danger", "waiting": "warning", "done": "success"})
    def clock(self, row: OrderPrescription) -> tuple[str, str]:
        return clock_of(row, is_waiting=row.is_waiting)  # type: ignore[attr-defined]

    def get_queryset(self, request: HttpRequest) -> QuerySet[OrderPrescription]:
        waiting = OrderPrescription.objects.waiting().filter(pk=OuterRef("pk"))
        rows: QuerySet[OrderPrescription] = super().get_queryset(request)
        return rows.annotate(is_waiting=Exists(waiting))

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("next/", wrap(self.next_one), name="pharmacy_orderprescription_next"),
            path("page/<int:pk>/", wrap(self.page), name="pharmacy_prescription_page"),
        ]
        return [*own, *super().get_urls()]

    def next_one(self, request: HttpRequest) -> HttpResponse:
        """Open what has waited longest, besides one that was just left."""
        self._require(request)
        rows = OrderPrescription.objects.waiting().exclude(pk=row_number(request.GET.get("after", "")))
        row = rows.order_by("order__placed_at", "pk").first()
        if row is None:
            self.message_user(request, gettext("No other prescription is waiting."), messages.SUCCESS)
            return redirect("admin:pharmacy_orderprescription_changelist")
        return redirect("admin:pharmacy_orderprescription_change", row.pk)

    def page(self, request: HttpRequest, pk: int) -> HttpResponseBase:
        """One picture, for as long as its address is good; the history keeps who read which, and when."""
        self._require(request)
        page = get_object_or_404(PrescriptionPage.objects.select_related("prescription"), pk=pk)
        answer = picture_answer(page, key=request.GET.get("key", ""), viewer_id=request.user.pk or 0)
        history.note(request.user, page.prescription, why=f"Read page {page.position}")  # type: ignore[arg-type]
        return answer

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        self._require(request)
        if object_id is None:
            raise PermissionDenied
        rows = OrderPrescription.objects.select_related("order", "prescription")
        row = get_object_or_404(rows, pk=row_number(object_id))
        if request.method == "POST":
            return self._decide(request, row)
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "POST"])
        return self._show(request, row, self._form(row))

    def _form(self, row: OrderPrescription, data: Any = None) -> ReviewForm:
        lines = list(row.lines.waiting().select_related("line__variant"))
        written = {item.variant_id: item.quantity for item in row.prescription.items.all()}
        left = units_approvable(row.prescription, order_id=row.order_id)
        return ReviewForm(data, prescription=row.prescription, lines=lines, written=written, left=left)

    def _decide(self, request: HttpRequest, row: OrderPrescription) -> HttpResponse:
        form = self._form(row, request.POST)
        if form.is_valid():
            try:
                done = decide(row, form.decisions(), facts=form.facts(), actor=staff_actor(request.user))
            except ShopError as refusal:
                form.explain(refusal)
            else:
                for one in done:
                    why = (
                        f"{one.line.product_name}: {one.get_state_display()} {one.quantity or one.get_reason_display()}"
                    )
                    history.note(request.user, row, why=why)  # type: ignore[arg-type]
                words = gettext("{number}: decided.") if done else gettext("{number}: nothing was decided.")
                level = messages.SUCCESS if done else messages.WARNING
                self.message_user(request, words.format(number=row.order.number), level)
                return redirect(f"{reverse('admin:pharmacy_orderprescription_next')}?after={row.pk}")
        return self._show(request, row, form)

    def _show(self, request: HttpRequest, row: OrderPrescription, form: ReviewForm) -> HttpResponse:
        viewer = request.user.pk or 0
        pages = [
            (page, f"{reverse('admin:pharmacy_prescription_page', args=[page.pk])}?key={page_key(page, viewer)}")
            for page in row.prescription.pages.all()
        ]
        state, words = clock_of(row, is_waiting=OrderPrescription.objects.waiting().filter(pk=row.pk).exists())
        context = self.admin_site.each_context(request) | {
            "title": gettext("Prescription for {number}").format(number=row.order.number),
            "row": row,
            "order": row.order,
            "pages": pages,
            "form": form,
            "lines": row.lines.select_related("line"),
            "clock": words,
            "is_late": state == "late",
            "opts": self.opts,
        }
        answer = TemplateResponse(
            request, "pharmacy/review.html", context, status=422 if form.is_bound and form.errors else 200
        )
        answer["Cache-Control"] = "private, no-store"
        return answer

    def _require(self, request: HttpRequest) -> None:
        if not is_pharmacist(request.user):
            raise PermissionDenied


def clock_of(row: OrderPrescription, *, is_waiting: bool) -> tuple[str, str]:
    """Whether it is late, waiting or done, and that in words."""
    since = row.order.placed_at
    if not is_waiting or since is None:
        return "done", gettext("Nothing to do")
    item = Item(SOURCES["prescription"], row, since, since + ANSWER_WITHIN)
    return ("late" if item.is_late else "waiting"), item.clock
