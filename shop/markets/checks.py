from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import DatabaseError

from .queries import stale_currencies


@register(Tags.database)
def rates_are_fresh(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Asked with `manage.py check --database default`, and by `migrate`."""
    if "default" not in (databases or []):
        return []
    try:
        old = stale_currencies()
    except DatabaseError:  # before the first migration
        return []
    if not old:
        return []
    return [Warning(f"Rates older than 7 days: {', '.join(old)}.", hint="manage.py refresh_rates", id="markets.W001")]
