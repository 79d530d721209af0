"""Reviews, questions and answers in the inbox until staff have decided."""

from datetime import timedelta
from typing import Any

from django.db.models import DateTimeField, ExpressionWrapper, F, QuerySet, Value
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext, gettext_lazy

from shop.care.inbox.registry import InboxSource, Shown, register
from shop.messaging.languages import LazyText

from ..models import Answer, Moderated, Question, Review

DECIDE_WITHIN = timedelta(days=2)
LENGTH = 140


def register_sources() -> None:
    for source in (
        _source("review", gettext_lazy("Review"), gettext_lazy("Reviews"), Review, ("product", "line__order")),
        _source("question", gettext_lazy("Question"), gettext_lazy("Questions"), Question, ("product",)),
        _source("answer", gettext_lazy("Answer"), gettext_lazy("Answers"), Answer, ("question__product",)),
    ):
        register(source)


def _source(key: str, label: LazyText, plural: LazyText, model: type[Any], related: tuple[str, ...]) -> InboxSource:
    def waiting() -> QuerySet[Any]:
        due = ExpressionWrapper(F("submitted_at") + Value(DECIDE_WITHIN), output_field=DateTimeField())
        rows: QuerySet[Any] = model.objects.waiting().annotate(since=F("submitted_at"), due=due)
        return rows

    def rows() -> QuerySet[Any]:
        found: QuerySet[Any] = model.objects.select_related("author", *related)
        return found.prefetch_related("photos") if model is Review else found

    return InboxSource(key, label, plural, f"reviews.{key}", waiting, rows, _show, "reviews/inbox/_text.html", _context)


def _show(row: Any) -> Shown:
    words = f"{row.stars}★ {row.title}: {row.text}" if isinstance(row, Review) else row.text
    url = reverse(f"admin:reviews_{row._meta.model_name}_change", args=[row.pk])
    who = row.author_name or gettext("Deleted account")
    return Shown(who, f"{row.product.name}: {Truncator(words).chars(LENGTH)}", url)


def _context(row: Any) -> dict[str, Any]:
    return {
        "reasons": Moderated.Reason.choices,
        "decide": reverse(f"admin:reviews_{row._meta.model_name}_decide", args=[row.pk]),
        "is_review": isinstance(row, Review),
        "is_question": isinstance(row, Question),
        "question": row.question if isinstance(row, Answer) else None,
    }
