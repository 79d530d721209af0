"""What an author reads of a refusal, by mail. Called inside the transaction of the decision."""

from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from shop.messaging.services import queue_mail

from ..models import Answer, Moderated, Question, Review

NOT_PUBLISHED = {
    Review: _("We couldn't publish your review of {name}"),
    Question: _("We couldn't publish your question about {name}"),
    Answer: _("We couldn't publish your answer about {name}"),
}

TAKEN_DOWN = {
    Review: _("We took down your review of {name}"),
    Question: _("We took down your question about {name}"),
    Answer: _("We took down your answer about {name}"),
}


def notify_author(row: Review | Question | Answer) -> None:
    """One mail for each refused text, where its author has an address; a changed text may be refused anew, a
    published one taken down."""
    email = _email_of(row)
    if not email:
        return
    subjects = TAKEN_DOWN if row.is_taken_down else NOT_PUBLISHED
    title = format_lazy(subjects[type(row)], name=row.product.name)
    queue_mail(
        kind="review_refused",
        to=email,
        subject=title,
        language=row.language,
        template="review_refused",
        context={
            "title": title,
            "reason": Moderated.Reason(row.reason).label,
            "text": row.text,
            "is_taken_down": row.is_taken_down,
        },
        key=f"review_refused:{row._meta.model_name}:{row.pk}:{row.revision}{':down' if row.is_taken_down else ''}",
    )


def _email_of(row: Review | Question | Answer) -> str:
    if isinstance(row, Review) and row.line.order.email and row.author_id:
        return row.line.order.email
    return (row.author.email if row.author else "") or ""
