"""Lists of reviews, questions and answers, and what is decided about each. They are read and decided in the inbox."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext, gettext_lazy
from unfold.decorators import display

from shop.backoffice.actors import shown_actor, staff_actor
from shop.backoffice.admin import BackOfficeAdmin, ColouredState, ReadOnly, row_number
from shop.catalog.models import Product
from shop.catalog.queries import products_named
from shop.errors import ShopError
from shop.orders.models import OrderLine

from ..models import Answer, Moderated, Question, Review
from ..questions.services import answer_as_staff
from .services import publish, refuse

DONE = gettext_lazy("This has already been done.")


class ModeratedAdmin(ReadOnly, BackOfficeAdmin):
    """Nobody edits what customers wrote: it is published or refused as it is."""

    ordering = ("-pk",)  # the newest first, as by `created_at`, which no index holds alone
    list_filter: tuple[str, ...] = ("state",)
    search_fields: tuple[str, ...] = ("text", "author_name", "product__name")
    readonly_fields: tuple[str, ...] = ("how_it_stands", "in_inbox", "decider")
    decided: tuple[str, ...] = ("how_it_stands", "reason", "published_at", "decided_at", "decider", "in_inbox")

    @admin.display(description=gettext_lazy("text"))
    def beginning(self, row: Any) -> str:
        return Truncator(row.text).chars(80)

    @display(
        description=gettext_lazy("state"),
        ordering="state",
        label={
            Moderated.State.WAITING: "warning",
            Moderated.State.PUBLISHED: "success",
            Moderated.State.REFUSED: "danger",
            Moderated.State.WITHDRAWN: "info",
        },
    )
    def how_it_stands(self, row: Any) -> ColouredState:
        """The state, of which the colour is, and its words."""
        return ColouredState(row.state, str(row.get_state_display()))

    @admin.display(description=gettext_lazy("decided by"))
    def decider(self, row: Any) -> str:
        return shown_actor(row.decided_by) if row.decided_at else "–"

    @admin.display(description=gettext_lazy("decision"))
    def in_inbox(self, row: Any) -> SafeString:
        url = reverse("admin:care_inbox_item", args=[self.opts.model_name, row.pk])
        link = '<a class="font-medium text-primary-600 underline dark:text-primary-500" href="{}">{}</a>'
        return format_html(link, url, gettext("Publish or reject"))

    def get_urls(self) -> list[URLPattern]:
        name = f"reviews_{self.opts.model_name}_decide"
        own = path("<str:number>/decide/", self.admin_site.admin_view(self.decide), name=name)
        return [own, *super().get_urls()]

    def decide(self, request: HttpRequest, number: str) -> HttpResponse:
        """What the buttons in the inbox do; `seen` is the revision that was read."""
        if not request.user.has_perm(f"reviews.change_{self.opts.model_name}"):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        row = get_object_or_404(self.model, pk=row_number(number))
        try:
            done = self._act(request, row)
        except ShopError as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
            return redirect("admin:care_inbox_item", self.opts.model_name, row.pk)
        level = messages.SUCCESS if done else messages.WARNING
        self.message_user(request, f"{row.author_name or gettext('Deleted account')}: {done or DONE}", level)
        return redirect("admin:care_inbox")

    def _act(self, request: HttpRequest, row: Any) -> str:
        """What was done, in words; empty where it had been done before."""
        actor, seen = staff_actor(request.user), row_number(request.POST.get("seen", ""))
        if request.POST.get("do") == "publish":
            return "published." if publish(row, actor=actor, seen=seen) else ""
        return "rejected." if refuse(row, request.POST.get("reason", ""), actor=actor, seen=seen) else ""


@admin.register(Review)
class ReviewAdmin(ModeratedAdmin):
    list_display = ("product", "stars", "title", "author_name", "created_at", "how_it_stands")
    list_filter = ("state", "stars")
    list_select_related = ("product",)
    search_fields = ("title", "text", "author_name")  # and more: get_search_results
    search_help_text = gettext_lazy("Words in the review, product, author or full order number")
    fields = ("product", "stars", "title", "text", "author_name", "created_at", "helpful", *ModeratedAdmin.decided)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Review], search_term: str
    ) -> tuple[QuerySet[Review], bool]:
        """Products and orders are found first: joined to each review they would be read for each."""
        term = search_term.replace("\x00", "").strip()
        if not term:
            return queryset, False
        found = Q(line__in=OrderLine.objects.filter(order__number=term.upper()).values("pk"))
        found |= Q(product__in=Product.objects.filter(products_named(term)).order_by().values("pk"))
        for name in self.search_fields:
            found |= Q(**{f"{name}__icontains": term})
        return queryset.filter(found), False


@admin.register(Question)
class QuestionAdmin(ModeratedAdmin):
    list_display = ("product", "beginning", "author_name", "created_at", "how_it_stands")
    list_select_related = ("product",)
    fields = ("product", "text", "author_name", "created_at", *ModeratedAdmin.decided)

    def _act(self, request: HttpRequest, row: Any) -> str:
        """An answer publishes the question with it."""
        if request.POST.get("do") != "answer":
            return super()._act(request, row)
        seen = row_number(request.POST.get("seen", ""))
        is_new = answer_as_staff(row, request.POST.get("words", ""), staff=request.user, seen=seen)
        return "answered." if is_new else ""


@admin.register(Answer)
class AnswerAdmin(ModeratedAdmin):
    list_display = ("question", "beginning", "author_name", "is_staff", "created_at", "how_it_stands")
    list_filter = ("state", "is_staff")
    list_select_related = ("question",)
    search_fields = ("text", "author_name", "question__product__name")
    fields = ("question", "text", "author_name", "is_staff", "created_at", *ModeratedAdmin.decided)
