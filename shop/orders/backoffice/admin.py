"""The desk's own pages beside the list of orders: the board, one order, its parcels, what is to be packed."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from unfold.decorators import action as detail_action

from shop.accounts.auth.forms import explain
from shop.backoffice.actors import staff_actor
from shop.backoffice.admin import ReadOnlyAdmin, row_number, send_table
from shop.backoffice.confirmation import MAX_ROWS, TOO_MANY, NotConfirmed, ask, seen_of
from shop.errors import ShopError

from ..models import Courier, Order
from ..placing.address_change import TOO_LATE, change_address
from ..placing.forms import NO_NUMBER, OrderAddressForm, ParcelForm
from ..shipping.packing import MAX_PACKED, picks_of, slips_of
from ..shipping.services import deliver, left_to_ship, partly_delivered, ship
from ..states import Status
from . import board as desk
from .export import orders_between, rows_of
from .forms import ExportForm, StepForm
from .order_page import order_for_page, page_of, parcel_rows
from .steps import STEPS, require_open, take_step

MAX_SEARCH_LENGTH = 100


class OrderPages(ReadOnlyAdmin):
    """What OrderAdmin shows besides its list."""

    actions_detail = ("parcels",)

    def has_orders_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Orders are not edited, so the form stays closed; the steps are open to the desk."""
        return request.user.has_perm("orders.change_order")

    def get_urls(self) -> list[URLPattern]:
        pages = {
            "board": ("board/", self.board),
            "packing": ("packing/", self.packing),
            "export": ("export/", self.export),
            "step": ("<int:pk>/step/<slug:name>/", self.step),
            "address": ("<int:pk>/address/", self.address),
        }
        own = [
            path(route, self.admin_site.admin_view(view), name=f"orders_order_{name}")
            for name, (route, view) in pages.items()
        ]
        return [*own, *super().get_urls()]

    # --- The board ----------------------------------------------------------------------------

    def board(self, request: HttpRequest) -> HttpResponse:
        self._require(self.has_view_permission(request))
        return self._show_board(request, request.GET.get("q", ""))

    def _show_board(self, request: HttpRequest, words: str) -> HttpResponse:
        words = words[:MAX_SEARCH_LENGTH]
        context = self._context(request, gettext("Order desk")) | {
            "words": words,
            "board_url": _board_url(words),
            "stacks": desk.board(words),
            "steps": STEPS,
            "couriers": list(Courier.objects.filter(is_active=True)),
            "may_step": self.has_orders_permission(request),
        }
        part = "_board" if request.htmx else "board"  # type: ignore[attr-defined]
        return TemplateResponse(request, f"orders/backoffice/{part}.html", context)

    # --- One order ----------------------------------------------------------------------------

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        self._require(self.has_view_permission(request) and request.method in ("GET", "HEAD"))
        return self._show_order(request, row_number(object_id))

    def _show_order(self, request: HttpRequest, pk: int, refused: Any = None) -> HttpResponse:
        order = order_for_page(pk)
        if order is None:
            raise Http404
        context = self._context(request, order.number) | page_of(order, request.user, refused)  # type: ignore[arg-type]
        context |= {"may_step": self.has_orders_permission(request), "refused": refused}
        context["may_decide"] = request.user.has_perm("orders.change_returnrequest")
        status = 422 if refused else 200
        return TemplateResponse(request, "orders/backoffice/order.html", context, status=status)

    def step(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """Take a step, from the board or from the order's page; where it is refused, what was typed stays."""
        self._require(self.has_orders_permission(request))
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if name not in STEPS:
            raise Http404
        step = STEPS[name]
        self._require(not step.permission or request.user.has_perm(step.permission))
        order = get_object_or_404(Order.objects.with_lines().with_returns(), pk=pk)
        form = step.form(request.POST, order=order, step=name)
        if not form.is_valid() and form.has_error("parcel"):
            raise Http404
        is_closed = step.has_page and bool(step.closed(order))
        if not form.is_valid() and step.has_page and not is_closed:
            return self._ask(request, [order], name, form)
        is_done = False
        try:
            if is_closed:
                require_open(order, name)
            if is_done := form.is_valid():
                data = form.cleaned_data | {"confirmed": seen_of(request.POST, order)}
                done = take_step(order, name, actor=staff_actor(request.user), data=data)
                self.message_user(request, done, messages.SUCCESS)
        except NotConfirmed:
            return self._ask(request, [order], name, form)
        except ShopError as refusal:
            is_done = False
            for field, words in refusal.fields.items() or [(None, [refusal.message])]:
                form.add_error(field if field in form.fields else None, words)
        if "board" not in request.POST:
            return redirect(_order_url(pk)) if is_done else self._show_order(request, pk, form)
        if name == "ship" and form.has_error("tracking_number"):
            return self._show_parcels(request, order, self._whole_parcel(order, request.POST))
        if not is_done:
            said = " ".join(str(words) for field in form.errors.values() for words in field)
            self.message_user(request, f"{order.number}: {said}", messages.ERROR)
        searched = request.POST.get("board", "")
        if request.htmx:  # type: ignore[attr-defined]
            return self._show_board(request, searched)
        return redirect(_board_url(searched))

    def address(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Another address or phone on behalf of the customer, until the order is packed."""
        self._require(self.has_orders_permission(request))
        order = get_object_or_404(Order.objects.select_related("location"), pk=pk)
        if not order.is_address_open:
            self.message_user(request, gettext(TOO_LATE), messages.WARNING)
            return redirect(_order_url(pk))
        form = OrderAddressForm(request.POST if request.method == "POST" else None, order=order)
        if form.is_bound and form.is_valid():
            try:
                given, seen = form.address_fields(), form.cleaned_data["seen"] or None
                is_new = change_address(order, given, actor=staff_actor(request.user), by_shop=True, seen=seen)
                new = gettext("{number} has a new address. We'll notify the customer.")
                done = new if is_new else gettext("{number} has this address already.")
                self.message_user(request, done.format(number=order.number), messages.SUCCESS)
                return redirect(_order_url(pk))
            except ShopError as refusal:
                explain(form, refusal)
        form.label_suffix = ""
        for field in form.visible_fields():
            if field.name != "address_type":
                field.field.widget.attrs["class"] = "desk-input"
        context = self._context(request, gettext("Address of {number}").format(number=order.number)) | {
            "order": order,
            "form": form,
        }
        return TemplateResponse(request, "orders/backoffice/address.html", context, status=422 if form.errors else 200)

    def take_each(self, request: HttpRequest, orders: QuerySet[Order], name: str) -> HttpResponse | None:
        """A step of the list, each order for itself: one that may not move says so at once and does not stop the
        others. What is to be asked first is asked once for all that may."""
        chosen = list(orders[: MAX_ROWS + 1])
        if len(chosen) > MAX_ROWS:
            self.message_user(request, TOO_MANY, messages.ERROR)
            return None
        step, data = STEPS[name], {}
        chosen = self._open_ones(request, chosen, name)
        if chosen and step.effects(chosen, {}):
            form = step.form(request.POST, order=chosen[0], step=name) if step.has_page else None
            is_first = any(seen_of(request.POST, order) is None for order in chosen)
            if is_first or (form is not None and not form.is_valid()):
                return self._ask(request, chosen, name, form)
            data = form.cleaned_data if form else {}
        moved = 0
        for order in chosen:
            try:
                take_step(
                    order,
                    name,
                    actor=staff_actor(request.user),
                    data=data | {"confirmed": seen_of(request.POST, order)},
                )
                moved += 1
            except ShopError as refusal:
                self.message_user(request, f"{order.number}: {refusal.message}", messages.WARNING)
        if moved:
            self.message_user(
                request,
                ngettext("{count} order moved.", "{count} orders moved.", moved).format(count=moved),
                messages.SUCCESS,
            )
        return None

    def _open_ones(self, request: HttpRequest, orders: list[Order], name: str) -> list[Order]:
        prefetch_related_objects(orders, "shipments")
        found = []
        for order in orders:
            try:
                require_open(order, name)
                found.append(order)
            except ShopError as refusal:
                self.message_user(request, f"{order.number}: {refusal.message}", messages.WARNING)
        return found

    def _ask(self, request: HttpRequest, orders: list[Order], name: str, form: StepForm | None) -> HttpResponse:
        """What a step would do to these orders; without complaints about a form that nobody has filled in yet."""
        step = STEPS[name]
        data = form.cleaned_data if form is not None and form.errors is not None else {}
        if form is not None and not any(field.name in request.POST for field in form.visible_fields()):
            initial = {field.name: field.data for field in form.hidden_fields() if field.data is not None}
            form = step.form(order=orders[0], step=name, initial=initial)
        effects = step.effects(orders, data)
        is_one = len(orders) == 1 and "action" not in request.POST
        return ask(
            request,
            self._context(request, str(step.label)),
            [(order, effects.get(order.pk)) for order in orders],
            title=f"{step.label}: {orders[0].number if is_one else len(orders)}",
            button=str(step.label) if step.has_page or form else effects[orders[0].pk].words,
            back=_order_url(orders[0].pk) if is_one else request.get_full_path(),
            form=form,
        )

    # --- Parcels ------------------------------------------------------------------------------

    @detail_action(description=gettext_lazy("Ship and parcels"), url_path="parcels", permissions=["orders"])
    def parcels(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Ship a parcel with chosen units, and say of each parcel how it arrived."""
        order = get_object_or_404(Order.objects.with_lines().with_parcels(), pk=row_number(object_id))
        form = self._parcel_form(request, order)
        if request.method == "POST" and self._act(request, order, form):
            return redirect(_order_url(order.pk))
        return self._show_parcels(request, order, form)

    def _show_parcels(self, request: HttpRequest, order: Order, form: ParcelForm | None) -> HttpResponse:
        context = self._context(request, gettext("Parcels of {number}").format(number=order.number)) | {
            "order": order,
            "form": form,
            "rows": form.rows() if form else [],
            "asks_for_number": form is not None and form.is_bound and form.has_error("tracking_number", NO_NUMBER),
            "parcels": parcel_rows(order, Courier.objects.all()),
            "partly_delivered": partly_delivered(order),
        }
        status = 422 if form is not None and form.is_bound and form.errors else 200
        return TemplateResponse(request, "orders/backoffice/parcels.html", context, status=status)

    def _whole_parcel(self, order: Order, sent: QueryDict) -> ParcelForm | None:
        """The form of a parcel with all that is left, as it was sent from the board."""
        blank = self._parcel_form_of(order)
        if blank is None:
            return None
        left = {bound.html_name: str(bound.field.initial) for bound, _ in blank.rows()}
        return self._parcel_form_of(order, sent.dict() | left)

    def _parcel_form(self, request: HttpRequest, order: Order) -> ParcelForm | None:
        """None where nothing can be shipped (any more)."""
        return self._parcel_form_of(order, request.POST if request.POST.get("do") == "ship" else None)

    def _parcel_form_of(self, order: Order, data: Mapping[str, Any] | None = None) -> ParcelForm | None:
        left = left_to_ship(order)
        if not left or order.status not in (Status.PLACED, Status.PROCESSING, Status.SHIPPED):
            return None
        initial = {"after": len(order.shipments.all())}
        return ParcelForm(data, lines=list(order.lines.all()), left=left, initial=initial)

    def _act(self, request: HttpRequest, order: Order, form: ParcelForm | None) -> bool:
        """Do what was asked for; says whether that ended (with success or a refusal that was shown)."""
        what = request.POST.get("do")
        if what == "ship" and form is not None and not form.is_valid():
            return False
        try:
            if what == "ship" and form is not None:
                given = form.cleaned_data
                ship(
                    order,
                    form.quantities(),
                    courier=given["courier"],
                    tracking_number=given["tracking_number"],
                    actor=staff_actor(request.user),
                    after=given["after"],
                )
                self.message_user(
                    request, gettext("The parcel is on its way. We'll notify the customer."), messages.SUCCESS
                )
            elif what == "deliver":
                parcel = get_object_or_404(order.shipments, pk=row_number(request.POST.get("parcel", "")))
                deliver(parcel, actor=staff_actor(request.user))
                self.message_user(request, gettext("Noted."), messages.SUCCESS)
        except ShopError as refusal:
            if what == "ship" and form is not None:
                form.add_error(None, refusal.message)
                return False
            self.message_user(request, refusal.message, messages.ERROR)
        return True

    # --- Packing ------------------------------------------------------------------------------

    def packing(self, request: HttpRequest) -> HttpResponse:
        """A pick list and a slip for each order: of `order=1&order=2`, or of a column (`to_do=pack`)."""
        self._require(self.has_view_permission(request))
        chosen = [row_number(pk) for pk in request.GET.getlist("order")]
        if column := request.GET.get("to_do"):
            waiting = desk.orders_to_do(Order.objects.search(request.GET.get("q", "")), column)
            chosen = list(waiting.order_by("created_at", "pk").values_list("pk", flat=True)[:MAX_PACKED])
        slips = slips_of(chosen)
        context = self._context(request, gettext("Packing list")) | {"slips": slips, "picks": picks_of(slips)}
        return TemplateResponse(request, "orders/backoffice/packing.html", context)

    # --- Export -------------------------------------------------------------------------------

    def export(self, request: HttpRequest) -> HttpResponseBase:
        """Orders of a period for spreadsheets; without a whole question the form that asks for it."""
        self._require(self.has_view_permission(request))
        today = timezone.localdate()
        form = ExportForm(request.GET or None, initial={"first": today.replace(day=1), "last": today})
        if form.is_valid():
            cleaned = form.cleaned_data
            orders = orders_between(cleaned["first"], cleaned["last"], cleaned["status"])
            name = f"orders-{cleaned['first']}-{cleaned['last']}"
            return send_table(request, cleaned["format"], name, rows_of(orders))
        context = self._context(request, gettext("Export orders")) | {"form": form}
        return TemplateResponse(request, "orders/backoffice/export.html", context, status=422 if form.is_bound else 200)

    # --- What they share ----------------------------------------------------------------------

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        return self.admin_site.each_context(request) | {"title": title, "opts": self.opts}

    @staticmethod
    def _require(is_allowed: bool) -> None:
        if not is_allowed:
            raise PermissionDenied


def packing_url(pks: list[int]) -> str:
    query = QueryDict(mutable=True)
    query.setlist("order", [str(pk) for pk in pks])
    return f"{reverse('admin:orders_order_packing')}?{query.urlencode()}"


def _order_url(pk: int) -> str:
    return reverse("admin:orders_order_change", args=[pk])


def _board_url(words: str) -> str:
    address = reverse("admin:orders_order_board")
    return f"{address}?{urlencode({'q': words})}" if words else address
