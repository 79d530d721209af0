"""Who takes care of what waits in the inbox, and the texts that answers begin with."""

import logging
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils.translation import gettext, gettext_lazy

from shop.accounts.models import Customer
from shop.errors import Changed, Invalid
from shop.messaging.safe_templates import render_text

from ..models import Assignment, ReplyTemplate
from .queries import staff_for
from .registry import InboxSource

logger = logging.getLogger(__name__)
TAKEN = gettext_lazy("This has just been assigned to someone else: {}.")


def assign(source: InboxSource, pk: int, person: Customer | None, *, seen: int | None) -> bool:
    """Give a thing to a member of staff, or to nobody; False where it is so already.

    `seen` is the id of whom the caller saw there: Changed where it is somebody else by now. Locks the one row, and
    writes `assignee` only. Raises Invalid for a person who may not see such things.
    """
    if person and not staff_for(source).filter(pk=person.pk).exists():
        raise Invalid(
            gettext("%(person)s doesn't have access to this.") % {"person": person},
            fields={"assignee": [gettext("Choose someone else.")]},
        )
    try:
        return _assign(source, pk, person, seen=seen)
    except IntegrityError:  # somebody was first, and can be seen now
        return _assign(source, pk, person, seen=seen)


@transaction.atomic
def _assign(source: InboxSource, pk: int, person: Customer | None, *, seen: int | None) -> bool:
    rows = Assignment.objects.select_for_update().filter(source=source.key, object_id=pk)
    row = rows.select_related(None).first()
    now = row.assignee_id if row else None
    if now == (person.pk if person else None):
        return False
    if now != seen:
        raise Changed(TAKEN.format(row.assignee if row else "nobody"))
    if person is None:
        rows.delete()
    elif row:
        rows.update(assignee=person)
    else:
        Assignment.objects.create(source=source.key, object_id=pk, assignee=person)
    return True


def fill_reply(template: ReplyTemplate, *, name: str, order: str, agent: Any) -> str:
    """The text of a template, as it stands in the field of the answer; as it was written where it cannot be filled
    in, for whoever answers to correct."""
    shop = {"shop_name": settings.SHOP_NAME, "shop_url": settings.SHOP_URL, "shop_email": settings.SHOP_EMAIL}
    try:
        return render_text(template.text, shop | {"name": name, "order": order, "agent": str(agent)})
    except Exception:
        logger.exception("the reply template %s cannot be filled in", template.pk)
        return template.text
