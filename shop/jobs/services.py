"""How scheduled jobs go through rows: each for itself, so that one which cannot be handled keeps no other waiting."""

import logging
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import TypeVar

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from shop.errors import is_passing

from .models import FailedRow

logger = logging.getLogger(__name__)
REMEMBERED = timedelta(days=1)  # after the job met it last
Row = TypeVar("Row", bound=models.Model)


def for_each(
    job: str, rows: Iterable[Row], act: Callable[[Row], object], *, stop_on: tuple[type[Exception], ...] = ()
) -> int:
    """Do `act` for each row, in transactions of its own, and add up the numbers it returns.

    A row for which it raises is logged, marked for staff and passed over. `stop_on` names what ends the run, such
    as a provider that does not answer; so does what the shop itself stands on. Both are raised.
    """
    done = 0
    handled: list[models.Model] = []
    for row in rows:
        try:
            answer = act(row)
        except stop_on:
            _clear(job, handled)
            raise
        except Exception as error:
            if is_passing(error):
                raise
            logger.exception("%s could not handle %s %s", job, row._meta.verbose_name, row.pk)
            _mark(job, row, error)
        else:
            handled.append(row)
            done += answer if isinstance(answer, int) else 0
    _clear(job, handled)
    return done


def _mark(job: str, row: models.Model, error: Exception) -> None:
    now, words = timezone.now(), f"{type(error).__name__}: {error}"[:300]
    kind, row_id, name = str(row._meta.verbose_name)[:60], str(row.pk), str(row)[:120]
    known = FailedRow.objects.filter(chore=job, kind=kind, row_id=row_id)
    if not known.update(error=words, last_at=now, times=F("times") + 1):
        facts = {"name": name, "error": words}
        FailedRow.objects.get_or_create(chore=job, kind=kind, row_id=row_id, defaults=facts)


def _clear(job: str, handled: list[models.Model]) -> None:
    """What was handled at last, and what the job does not meet any more."""
    old = Q(last_at__lt=timezone.now() - REMEMBERED)
    marked = FailedRow.objects.filter(chore=job)
    if marked.exists():
        kind = str(handled[0]._meta.verbose_name)[:60] if handled else ""
        marked.filter(old | Q(kind=kind, row_id__in=[str(row.pk) for row in handled])).delete()
