"""Telling every process what changed, so that each forgets in time what it remembered."""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from .models import Change
from .subscriptions import check_at_once, on_commit_of

KEPT = timedelta(hours=1)


def invalidate(kind: str, ids: Iterable[int] = ()) -> None:
    """Write a change into the caller's transaction; every process reads it within two seconds of
    the commit, this one at its next request (of stock, like the others).

    `kind` is "product" or "stock" with ids of products (none: nothing is announced), or "shop".
    """
    found = sorted(set(ids))
    if not found and kind != Change.Kind.SHOP:
        return
    change = Change.objects.create(kind=kind, ids=found)
    transaction.on_commit(lambda: on_commit_of(change))
    if kind != Change.Kind.STOCK:
        check_at_once()


def delete_old_changes() -> None:
    """Delete old changes, as a scheduled job. A process that slept for longer knows that it missed some."""
    Change.objects.filter(at__lt=timezone.now() - KEPT).delete()
