"""What the admin of customers shows above an account: facts, tags, notes and the timeline."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext, gettext_lazy

from shop.backoffice.actors import shown_actors, staff_actor
from shop.backoffice.admin import BackOfficeAdmin, row_number
from shop.errors import Invalid, ShopError

from ..models import Customer, CustomerTag
from ..points.services import balance_of
from .forms import CustomerNoteForm, CustomerTagForm
from .queries import timeline_of
from .services import add_note, add_tag, remove_tag, tag_of

NEWEST_NOTES = 3
MAX_OFFERED = 100


class TagFilter(admin.SimpleListFilter):
    title = gettext_lazy("tag")
    parameter_name = "tag"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(word, word) for word in known_tags()]

    def queryset(self, request: HttpRequest, customers: QuerySet[Customer]) -> QuerySet[Customer]:
        if not (typed := self.value()):
            return customers
        try:
            return customers.filter(pk__in=CustomerTag.objects.filter(word=tag_of(typed)).values("customer"))
        except Invalid:
            return customers.none()


def known_tags() -> list[str]:
    words = CustomerTag.objects.order_by("word").values_list("word", flat=True).distinct()
    return list(words[:MAX_OFFERED])


class CustomerPages(BackOfficeAdmin):
    """Of the admin of customers: its page, and what staff write there."""

    change_form_outer_before_template = "accounts/customers/customer.html"

    def get_urls(self) -> list[URLPattern]:
        pages = {"note": self.note, "tag": self.tag, "untag": self.untag}
        own = [
            path(f"<int:pk>/{name}/", self.admin_site.admin_view(view), name=f"accounts_customer_{name}")
            for name, view in pages.items()
        ]
        return [*own, *super().get_urls()]

    def facts_of(self, request: HttpRequest, customer: Customer) -> list[tuple[str, str]]:
        """(words, address or "") above a customer's page; the app that registers this admin adds its own."""
        return [(gettext("Loyalty points: %(points)s") % {"points": balance_of(customer)}, "")]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        customer = self.get_object(request, object_id)
        shown = {}
        if customer is not None and self.has_view_permission(request, customer):
            shown = self._shown(request, customer)
        return super().change_view(request, object_id, form_url, (extra_context or {}) | shown)

    def _shown(self, request: HttpRequest, customer: Customer) -> dict[str, Any]:
        user, asked = request.user, request.GET
        may_note = user.has_perm("accounts.view_customernote")
        newest = list(customer.notes.all()[:NEWEST_NOTES]) if may_note else []
        names = shown_actors(note.author for note in newest)
        return {
            "person": customer,
            "facts": self.facts_of(request, customer),
            "tags": list(customer.tags.all()),
            "known_tags": known_tags(),
            "newest_notes": [(note, names[note.author]) for note in newest],
            "may_see_notes": may_note,
            "may_note": customer.deleted_at is None and user.has_perm("accounts.add_customernote"),
            "may_tag": customer.deleted_at is None and user.has_perm("accounts.add_customertag"),
            "may_untag": user.has_perm("accounts.delete_customertag"),
            "note_form": CustomerNoteForm(),
            "tag_form": CustomerTagForm(),
            "timeline": timeline_of(
                customer, user, kind=asked.get("kind", ""), number=row_number(asked.get("page", "1"))
            ),
        }

    # --- What staff write -------------------------------------------------------------------------

    def note(self, request: HttpRequest, pk: int) -> HttpResponse:
        def write(customer: Customer) -> str:
            form = CustomerNoteForm(data=request.POST)
            if not form.is_valid():
                raise Invalid(_words_of(form))
            given = form.cleaned_data
            add_note(customer, given["text"], author=staff_actor(request.user), key=given["key"])
            return gettext("The note is saved.")

        return self._write(request, pk, "accounts.add_customernote", write, "notes")

    def tag(self, request: HttpRequest, pk: int) -> HttpResponse:
        def write(customer: Customer) -> str:
            form = CustomerTagForm(data=request.POST)
            if not form.is_valid():
                raise Invalid(_words_of(form))
            return gettext("Tagged “%(word)s”.") % {"word": add_tag(customer, form.cleaned_data["word"])}

        return self._write(request, pk, "accounts.add_customertag", write, "tags")

    def untag(self, request: HttpRequest, pk: int) -> HttpResponse:
        def write(customer: Customer) -> str:
            word = tag_of(request.POST.get("word", ""))
            remove_tag(customer, word)
            return gettext("The tag “%(word)s” is removed.") % {"word": word}

        return self._write(request, pk, "accounts.delete_customertag", write, "tags")

    def _write(
        self, request: HttpRequest, pk: int, permission: str, write: Callable[[Customer], str], place: str
    ) -> HttpResponse:
        if not (self.has_view_permission(request) and request.user.has_perm(permission)):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        customer = get_object_or_404(Customer, pk=pk)
        try:
            self.message_user(request, write(customer), messages.SUCCESS)
        except ShopError as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
        return redirect(f"{reverse('admin:accounts_customer_change', args=[pk])}#{place}")


def _words_of(form: Any) -> str:
    return " ".join(str(words) for field in form.errors.values() for words in field)
