"""The desk's own pages of drafts: the list, whom to open one for, and one draft with everything that can be done."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext, gettext_lazy

from shop.accounts.addresses.address_book import address_book
from shop.accounts.auth.forms import explain, new_address_form
from shop.accounts.models import Customer
from shop.backoffice import history
from shop.backoffice.actors import shown_actor, staff_actor
from shop.backoffice.admin import MAX_SEARCH_LENGTH, ReadOnlyAdmin, row_number
from shop.errors import Changed, Invalid, OutOfStock, ShopError
from shop.markets.queries import market_registry
from shop.orders.drafts import services as drafts
from shop.orders.drafts.links import link_of
from shop.orders.drafts.queries import HOME, found_variants, phone_of, priced, submitted_of
from shop.orders.models import OrderDraft
from shop.orders.placing.values import SubmittedTotals

from ..checkout.page import changes, draft_page
from .forms import CallerForm, DraftPayForm, EmailForm, TypedAddressForm
from .services import order_draft, stop_payment

MAX_PEOPLE = 20
MAX_UNITS = 9_999
EMAIL_IDS: Any = {"auto_id": "mail-%s", "label_suffix": ""}  # an address form beside it has an email, too


class StateFilter(admin.SimpleListFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(state.value, str(state.label)) for state in OrderDraft.State]

    def queryset(self, request: HttpRequest, rows: QuerySet[OrderDraft]) -> QuerySet[OrderDraft]:
        return rows.in_state(self.value() or "") if self.value() else rows  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Action:
    """What the desk does with a draft: `act` takes the draft, what was sent, the revision that was seen and the actor,
    and answers words for the person who did it; `label` is what the history says."""

    label: str
    act: Callable[[OrderDraft, QueryDict, int, str], str]


def _units(sent: Mapping[str, str]) -> int:
    units = row_number(sent.get("quantity", ""))
    if units > MAX_UNITS:
        raise Invalid(gettext("Choose a smaller quantity."))
    return units


def _add(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    drafts.add_line(draft, variant_id=row_number(sent.get("variant", "")), quantity=_units(sent) or 1, seen=seen)
    return gettext("Added.")


def _set_units(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    units = 0 if "remove" in sent else _units(sent)
    drafts.change_line(draft, variant_id=row_number(sent.get("variant", "")), quantity=units, seen=seen)
    return gettext("Quantity changed.") if units else gettext("Removed.")


def _reduce(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    drafts.change_reductions(
        draft, code=sent.get("code", "").strip()[:40], use_points="use_points" in sent, seen=seen
    )  # fmt: skip
    return gettext("Discounts changed.")


def _move(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    drafts.change_location(draft, location_id=row_number(sent.get("location", "")), seen=seen)
    return gettext("Country changed. Prices and delivery were updated.")


def _choose(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    address = get_object_or_404(
        draft.customer.addresses.select_related("country"), pk=row_number(sent.get("address_id", ""))
    )
    drafts.choose_address(draft, address, seen=seen)
    return gettext("Address chosen.")


def _type(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    form = TypedAddressForm(sent, country_code=draft.location.code)
    if not form.is_valid():
        raise WrongForm("address_form", form)
    try:
        drafts.type_address(draft, form.address_fields(), keep=form.cleaned_data["keep"], seen=seen)
    except Invalid as refusal:
        explain(form, refusal)
        raise WrongForm("address_form", form) from refusal
    return gettext("Address saved.")


def _mail_to(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    try:
        drafts.change_email(draft, sent.get("email", "")[:254], seen=seen)
    except Invalid as refusal:
        form = EmailForm(sent, **EMAIL_IDS)
        form.add_error("email", refusal.message)
        raise WrongForm("email_form", form) from refusal
    return gettext("Email saved.")


def _send(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    ways = {"by_sms": "by_sms" in sent, "by_mail": "by_mail" in sent}
    drafts.make_link(draft, **ways, seen=seen)
    return (
        gettext("The link is on its way.")
        if any(ways.values())
        else gettext("The link is ready. Read it out or copy it below.")
    )


def _renew(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    drafts.make_link(draft, is_new=True, seen=seen)
    return gettext("There is a new link. The one before no longer works.")


def _place(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    """With a method whose money is collected on delivery, or where nothing is to pay."""
    if seen != draft.revision:
        raise Changed(drafts.MEANWHILE)
    page = draft_page(draft)
    ways = [way.method.payment_method for way in page.ways if way.method.is_collected_on_delivery]
    if not ways and page.view.total:
        raise ShopError(gettext("Cash on delivery isn't available for this order. Send a payment link."))
    more = {"payment_method": ways[0]} if ways else {}
    order, _ = order_draft(draft, _submitted(sent), actor=actor, **more)
    return gettext("%(number)s is placed.") % {"number": order.number}


def _submitted(sent: QueryDict) -> SubmittedTotals:
    """What the desk's page showed, as the payer's page sends it."""
    form = DraftPayForm(sent)
    if not form.is_valid():
        raise Changed(drafts.MEANWHILE)
    return form.submitted_totals(sent.getlist("line"))


def _stop(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    return (
        gettext("The payment is stopped.")
        if stop_payment(draft, actor=actor)
        else gettext("There was nothing to stop.")
    )


def _withdraw(draft: OrderDraft, sent: QueryDict, seen: int, actor: str) -> str:
    drafts.withdraw_draft(draft, seen=seen)
    return gettext("Withdrawn. Its link no longer works.")


ACTIONS = {
    "add": Action("Added a product", _add),
    "units": Action("Changed a quantity", _set_units),
    "reduce": Action("Changed discounts", _reduce),
    "country": Action("Changed the country", _move),
    "choose-address": Action("Chose an address", _choose),
    "type-address": Action("Typed an address", _type),
    "email": Action("Changed the email", _mail_to),
    "send": Action("Sent or opened the payment link", _send),
    "renew": Action("Made a new payment link", _renew),
    "place": Action("Placed the order", _place),
    "stop": Action("Stopped a payment", _stop),
    "withdraw": Action("Withdrew the draft", _withdraw),
}


class WrongForm(ShopError):
    """A form of the page with its errors; `name` is what the template calls it."""

    def __init__(self, name: str, form: Any) -> None:
        super().__init__(gettext("Please check the form."))
        self.name, self.form = name, form


@admin.register(OrderDraft)
class OrderDraftAdmin(ReadOnlyAdmin):
    """Drafts are changed by their own steps alone, so Django's form stays closed."""

    list_display = ("__str__", "state_words", "customer", "location", "sent_at", "expires_at", "created_at")
    list_filter = (StateFilter, "location", "created_at")
    list_select_related = ("customer", "location")
    search_fields = ("customer__name", "customer__phone", "customer__email", "email")
    search_help_text = gettext_lazy("Number (D-12), name, phone or email")
    ordering = ("-id",)
    found_as = ("state_words", "customer", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[OrderDraft]:
        return super().get_queryset(request).with_state()

    @admin.display(description=gettext_lazy("State"))
    def state_words(self, draft: OrderDraft) -> str:
        return str(OrderDraft.State(draft.state).label)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[OrderDraft], search_term: str
    ) -> tuple[QuerySet[OrderDraft], bool]:
        words = search_term.strip()
        if words[:2].upper() == "D-" and (pk := row_number(words[2:])):
            return queryset.filter(pk=pk), False
        return super().get_search_results(request, queryset, search_term)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("orders.add_orderdraft"))

    def has_steps_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("orders.change_orderdraft"))

    def get_urls(self) -> list[URLPattern]:
        pages = {"do": ("<int:pk>/do/<slug:name>/", self.do), "duplicate": ("<int:pk>/duplicate/", self.duplicate)}
        own = [
            path(route, self.admin_site.admin_view(view), name=f"orders_orderdraft_{name}")
            for name, (route, view) in pages.items()
        ]
        return [*own, *super().get_urls()]

    # --- Whom it is for -----------------------------------------------------------------------

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Find the caller among the customers, or note a new one; a button opens the draft."""
        self._require(self.has_add_permission(request))
        form = CallerForm(request.POST if "mobile" in request.POST else None, label_suffix="")
        if request.method == "POST" and (customer := self._caller(request, form)):
            try:
                draft = drafts.open_draft(customer, author=staff_actor(request.user))
                history.note(request.user, draft, why="Opened the draft")  # type: ignore[arg-type]
                return redirect(_url(draft.pk))
            except ShopError as refusal:
                self.message_user(request, refusal.message, messages.ERROR)
        words = request.GET.get("q", "").replace("\x00", "").strip()[:MAX_SEARCH_LENGTH]
        people = self._people(request, words)
        context = self._context(request, gettext("New draft order")) | {"words": words, "people": people, "form": form}
        status = 422 if form.is_bound and form.errors else 200
        return TemplateResponse(request, "payments/drafts/caller.html", context, status=status)

    def _caller(self, request: HttpRequest, form: CallerForm) -> Customer | None:
        """Chosen, or made of what was typed; None where that is wrong, which its form says."""
        if "customer" in request.POST:
            found = Customer.objects.filter(pk=row_number(request.POST["customer"]), deleted_at=None).first()
            if found is None:
                raise Http404
            return found
        if not form.is_valid():
            return None
        try:
            customer, is_new = drafts.open_customer(**form.cleaned_data, country_code=HOME)
        except Invalid as refusal:
            explain(form, refusal)
            return None
        if not is_new:
            self.message_user(
                request,
                gettext("This mobile number is %(customer)s's already.") % {"customer": customer},
                messages.INFO,
            )
        return customer

    def _people(self, request: HttpRequest, words: str) -> list[Customer]:
        """As the list of customers finds them."""
        if not words:
            one = row_number(request.GET.get("customer", ""))
            return list(Customer.objects.filter(pk=one, deleted_at=None))
        customers: Any = self.admin_site._registry[Customer]
        found, _ = customers.get_search_results(request, Customer.objects.filter(deleted_at=None), words)
        digits = "".join(sign for sign in words if sign.isdigit())
        if len(digits) >= 5 and not any(sign.isalpha() for sign in words):  # 98765 43210, however it is spaced
            found = Customer.objects.filter(Q(pk__in=found.values("pk")) | Q(phone__contains=digits), deleted_at=None)
        return list(found.order_by("-id")[:MAX_PEOPLE])

    # --- One draft ----------------------------------------------------------------------------

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        self._require(self.has_view_permission(request) and request.method in ("GET", "HEAD"))
        return self._show(request, row_number(object_id))

    def do(self, request: HttpRequest, pk: int, name: str) -> HttpResponse:
        """One of ACTIONS; what is refused is said on the page, with what was typed."""
        self._require(self.has_steps_permission(request))
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if name not in ACTIONS:
            raise Http404
        draft, action = self._draft(pk), ACTIONS[name]
        seen = row_number(request.POST.get("seen", ""))
        try:
            done = action.act(draft, request.POST, seen, staff_actor(request.user))
        except WrongForm as wrong:
            return self._show(request, pk, forms={wrong.name: wrong.form})
        except ShopError as refusal:
            return self._show(request, pk, refusals=self._refusals(draft, request.POST, refusal))
        history.note(request.user, draft, why=action.label)  # type: ignore[arg-type]
        self.message_user(request, done, messages.SUCCESS)
        return redirect(_url(pk))

    def _refusals(self, draft: OrderDraft, sent: QueryDict, refusal: ShopError) -> list[str]:
        """With the old and the new figures where prices or stock are others than the page showed."""
        form = DraftPayForm(sent)
        if not (isinstance(refusal, (Changed, OutOfStock)) and form.is_valid()):
            return [refusal.message]
        return [refusal.message, *changes(form.submitted_totals(sent.getlist("line")), priced(draft))]

    def duplicate(self, request: HttpRequest, pk: int) -> HttpResponse:
        self._require(self.has_add_permission(request))
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        source, seen = self._draft(pk), row_number(request.POST.get("seen", ""))
        try:
            copy = drafts.duplicate_draft(source, author=staff_actor(request.user), seen=seen)
        except ShopError as refusal:
            return self._show(request, pk, refusals=[refusal.message])
        history.note(request.user, copy, why=f"Duplicated {source}")  # type: ignore[arg-type]
        self.message_user(
            request, gettext("This is a copy of %(source)s, at today's prices.") % {"source": source}, messages.SUCCESS
        )
        return redirect(_url(copy.pk))

    def _draft(self, pk: int) -> OrderDraft:
        return get_object_or_404(OrderDraft.objects.select_related("customer", "location", "cart"), pk=pk)

    def _show(
        self,
        request: HttpRequest,
        pk: int,
        *,
        forms: dict[str, Any] | None = None,
        refusals: list[str] | None = None,
    ) -> HttpResponse:
        draft = self._draft(pk)
        words = request.GET.get("q", "").replace("\x00", "").strip()[:MAX_SEARCH_LENGTH]
        may_step = self.has_steps_permission(request)
        context = self._context(request, str(draft)) | _shown(draft, words) | (forms or {})
        context |= {"may_step": may_step and context["is_open"], "may_add": self.has_add_permission(request)}
        context |= {"refusals": refusals or [], "may_stop": may_step}
        is_wrong = bool(forms or refusals) and not request.htmx  # type: ignore[attr-defined]  # htmx shows no refusals
        return TemplateResponse(request, "payments/drafts/draft.html", context, status=422 if is_wrong else 200)

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        return self.admin_site.each_context(request) | {"title": title, "opts": self.opts}

    @staticmethod
    def _require(is_allowed: bool) -> None:
        if not is_allowed:
            raise PermissionDenied


def _shown(draft: OrderDraft, words: str) -> dict[str, Any]:
    order, live, page = draft.order, draft.live_order, draft_page(draft)
    is_open = not (order or live or draft.withdrawn_at)
    state = OrderDraft.State(draft.state)
    typed: Any = new_address_form(draft.customer, country_code=draft.location.code)
    return {
        "draft": draft,
        "state": state,
        "tone": {"paid": "good", "sent": "warn", "expired": "bad"}.get(state, "other"),
        "order": order,
        "live": live,
        "is_open": is_open,
        "page": page,
        "view": page.view,
        "author": shown_actor(draft.author),
        "words": words,
        "found": found_variants(words, draft) if words and is_open else [],
        "book": address_book(draft.customer) if is_open else [],
        "locations": market_registry().listed() if is_open else [],
        "address_form": TypedAddressForm(initial=typed.initial, country_code=draft.location.code),
        "email_form": EmailForm(initial={"email": draft.email}, **EMAIL_IDS),
        "link": link_of(draft),
        "phone": phone_of(draft),
        "since_sent": changes(submitted_of(draft.seen), page.view) if draft.seen and is_open else [],
        "collected": [way for way in page.ways if way.method.is_collected_on_delivery],
        "may_be_ordered": bool(page.chosen and page.view.lines and page.may_be_paid),
    }


def _url(pk: int) -> str:
    return reverse("admin:orders_orderdraft_change", args=[pk])
