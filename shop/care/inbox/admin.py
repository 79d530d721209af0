"""The inbox: one list of what waits, and a page for each thing in it. The texts that answers begin with."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.text import Truncator
from django.utils.translation import gettext, gettext_lazy

from shop.accounts.auth.forms import explain
from shop.backoffice.actors import staff_actor
from shop.backoffice.admin import BackOfficeAdmin, row_number
from shop.errors import ShopError

from ..complaints.services import acknowledge_complaint, resolve_complaint
from ..enquiries.services import answer_enquiry, close_enquiry
from ..models import ReplyTemplate
from .forms import AssignForm, ChooseReply, ComplaintReplyForm, MessageReplyForm
from .queries import find_item, inbox_page, is_waiting, sources_for, staff_for
from .registry import Item
from .services import assign, fill_reply

DONE = gettext_lazy("This has already been done.")
REPLY_FORMS = {"message": MessageReplyForm, "complaint": ComplaintReplyForm}


class InboxPages(BackOfficeAdmin):
    """What the admin of messages shows besides its list."""

    def get_urls(self) -> list[URLPattern]:
        pages = {
            "inbox": ("inbox/", self.inbox),
            "inbox_item": ("inbox/<slug:section>/<int:pk>/", self.inbox_item),
            "inbox_assign": ("inbox/<slug:section>/<int:pk>/assign/", self.inbox_assign),
        }
        own = [
            path(route, self.admin_site.admin_view(view), name=f"care_{name}") for name, (route, view) in pages.items()
        ]
        return [*own, *super().get_urls()]

    def inbox(self, request: HttpRequest) -> HttpResponse:
        if not sources_for(request.user):
            raise PermissionDenied
        kind, mine = request.GET.get("kind", ""), request.GET.get("mine") == "1"
        page = inbox_page(request.user, kind=kind, mine=mine, number=row_number(request.GET.get("page", "1")))
        context = self._context(request, gettext("Inbox")) | {"page": page, "kind": kind, "mine": mine}
        part = "_list" if request.htmx else "list"  # type: ignore[attr-defined]
        return TemplateResponse(request, f"care/inbox/{part}.html", context)

    def inbox_item(self, request: HttpRequest, section: str, pk: int) -> HttpResponse:
        item = self._find(request, section, pk)
        if request.method == "POST":
            return self._answer(request, item)
        return self._show(request, item, self._new_form(request, item))

    def inbox_assign(self, request: HttpRequest, section: str, pk: int) -> HttpResponse:
        item = self._find(request, section, pk)
        self._require_change(request, item)
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        form = AssignForm(request.POST, people=staff_for(item.source))
        try:
            if form.is_valid():
                given = form.cleaned_data
                person: Any = request.user if "me" in request.POST else given["assignee"]
                assign(item.source, pk, person, seen=given["seen"])
                who = "you" if person == request.user else person or "nobody"
                self.message_user(request, gettext("Assigned to %(who)s.") % {"who": who}, messages.SUCCESS)
            else:
                self.message_user(request, gettext("Choose someone from the list."), messages.ERROR)
        except ShopError as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
        return redirect("admin:care_inbox_item", section, pk)

    # --- One thing --------------------------------------------------------------------------------

    def _find(self, request: HttpRequest, section: str, pk: int) -> Item:
        if not sources_for(request.user):
            raise PermissionDenied
        item = find_item(request.user, section, pk)
        if item is None:
            raise Http404
        return item

    def _require_change(self, request: HttpRequest, item: Item) -> None:
        if not request.user.has_perm(item.source.change_permission):
            raise PermissionDenied

    def _new_form(self, request: HttpRequest, item: Item) -> Any:
        """With the chosen template below what was typed; None for things that are answered by forms of their own."""
        form_class = REPLY_FORMS.get(item.source.key)
        if form_class is None:
            return None
        words = request.GET.get("words", "")[:8000]
        choice = ChooseReply(request.GET)
        if choice.is_valid() and (template := choice.cleaned_data["template"]):
            facts = {"name": item.row.name, "order": item.row.order_number, "agent": str(request.user)}
            words = "\n\n".join(filter(None, [words.strip(), fill_reply(template, **facts)]))
        return form_class(row=item.row, initial={"words": words})

    def _show(self, request: HttpRequest, item: Item, form: Any) -> HttpResponse:
        context = self._context(request, f"{item.source.label}: {Truncator(item.shown.who).chars(40)}")
        context |= item.source.context(item.row) | {
            "item": item,
            "row": item.row,
            "reply": form,
            "choose": ChooseReply(auto_id="choose-%s"),
            "is_waiting": is_waiting(item),
            "may_change": request.user.has_perm(item.source.change_permission),
            "assign": AssignForm(
                people=staff_for(item.source),
                initial={"assignee": item.assignee, "seen": item.assignee.pk if item.assignee else None},
            ),
        }
        context["may_decide"] = context["may_change"]
        status = 422 if form is not None and form.errors else 200
        return TemplateResponse(request, "care/inbox/item.html", context, status=status)

    def _answer(self, request: HttpRequest, item: Item) -> HttpResponse:
        self._require_change(request, item)
        form_class = REPLY_FORMS.get(item.source.key)
        if form_class is None:
            raise Http404
        if request.POST.get("do") == "close" and item.source.key == "message":
            close_enquiry(item.row, actor=staff_actor(request.user))
            self.message_user(request, gettext("Closed."), messages.SUCCESS)
            return redirect("admin:care_inbox")
        form = form_class(request.POST, row=item.row)
        if form.is_valid():
            try:
                done = self._act(request, item, form.cleaned_data)
                level = messages.SUCCESS if done else messages.WARNING
                self.message_user(request, f"{item.shown.who}: {done or DONE}", level)
                return redirect("admin:care_inbox")
            except ShopError as refusal:
                fields = {"words": refusal.fields.get("answer", [])} if "answer" in refusal.fields else refusal.fields
                explain(form, type(refusal)(refusal.message, fields=fields))
        return self._show(request, item, form)

    def _act(self, request: HttpRequest, item: Item, given: dict[str, Any]) -> str:
        """What was done in words; empty where it had been done before."""
        actor, row, words = staff_actor(request.user), item.row, given["words"]
        if item.source.key == "message":
            return "answered." if answer_enquiry(row, words, actor=actor, after=given["after"]) else ""
        if request.POST.get("do") == "resolve":
            return "resolved." if resolve_complaint(row, words, actor=actor) else ""
        return "acknowledged." if acknowledge_complaint(row, actor=actor, words=words) else ""

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        return self.admin_site.each_context(request) | {"title": title}


@admin.register(ReplyTemplate)
class ReplyTemplateAdmin(BackOfficeAdmin):
    list_display = ("name", "beginning", "is_active")
    list_filter = ("is_active",)
    search_fields = ("name", "text")
    fields = ("name", "text", "is_active")

    @admin.display(description=gettext_lazy("text"))
    def beginning(self, template: ReplyTemplate) -> str:
        return Truncator(template.text).chars(80)
