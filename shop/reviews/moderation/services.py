"""What staff do with reviews, questions and answers: publish, or refuse for a listed reason."""

from typing import TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from shop.errors import Changed, Invalid

from ..models import Answer, Moderated, Question, Review
from ..ratings import count_product, lock_product
from .notifications import notify_author

State = Moderated.State
Row = TypeVar("Row", Review, Question, Answer)
REWRITTEN = gettext_lazy("The author has just changed or withdrawn this. Please read it again.")


def publish(row: Row, *, actor: str, seen: int) -> bool:
    """Let everybody read it; again changes nothing, and returns False. `seen` is the revision that was read: raises
    Changed where there is another by now, or it was withdrawn.

    Locks product, then row; writes state, reason, published_at, decided_at and decided_by, and the product's figures.
    """
    return _decide(row, State.PUBLISHED, "", actor=actor, seen=seen)


def refuse(row: Row, reason: str, *, actor: str, seen: int) -> bool:
    """Keep it from being read, also where it was published, for one of Moderated.Reason; a low rating is none. Its
    author may then change what was never published, and only withdraw the rest.

    Raises Invalid for another reason, Changed as `publish` does; its author is told.
    """
    if reason not in Moderated.Reason.values:
        words = gettext("Choose a reason.")
        raise Invalid(words, fields={"reason": [words]})
    return _decide(row, State.REFUSED, reason, actor=actor, seen=seen)


@transaction.atomic
def _decide(row: Row, state: Moderated.State, reason: str, *, actor: str, seen: int) -> bool:
    lock_product(row.product_id)
    locked = type(row)._default_manager.select_for_update().get(pk=row.pk)
    if (locked.state, locked.reason) == (state, reason):
        return False
    if locked.state == State.WITHDRAWN or locked.revision != seen:
        raise Changed(str(REWRITTEN))
    now = timezone.now()
    if State.PUBLISHED in (state, locked.state):
        first = locked.decided_at if locked.state == State.PUBLISHED else now
        locked.published_at = locked.published_at or first or now
    locked.state, locked.reason = state, reason
    locked.decided_at, locked.decided_by = now, actor
    locked.save(update_fields=["state", "reason", "published_at", "decided_at", "decided_by"])
    count_product(row.product_id)
    if state == State.REFUSED:
        notify_author(locked)
    return True
