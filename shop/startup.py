"""What must be true before a process answers its first request."""

import gc

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.urls import get_resolver

from shop.company.facts import REQUIRED_FACTS, company_facts
from shop.ops import configuration

# New objects between two looks of the garbage collector: a request makes tens of thousands, and
# Python's own 700 makes it look dozens of times at each.
GARBAGE = 20_000
SQLITE_PRAGMAS = {"journal_mode": "wal", "synchronous": 2}


def assert_ready_to_serve() -> None:
    assert_configured()
    assert_durable_database()


def warm_up() -> None:
    """Load every view before the first request asks for one, and let the garbage collector look only at
    what comes after: the code and its schemas stay for good."""
    get_resolver().reverse_dict  # noqa: B018 (reading it builds it)
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE)


def assert_configured() -> None:
    """Outside demo and debug the settings are complete, and the shop names its company.

    Raises ImproperlyConfigured with every missing name at once.
    """
    configuration.assert_configured()
    if settings.DEMO or settings.DEBUG or settings.TESTING:
        return
    if missing := _missing_facts():
        raise ImproperlyConfigured(f"Set {', '.join(missing)} before serving, or use `make serve` for the demo shop.")


def _missing_facts() -> list[str]:
    """Company facts that neither the environment nor the staff gave."""
    if all(settings.COMPANY[fact] for fact in REQUIRED_FACTS):
        return []
    company = company_facts()
    return [f"COMPANY_{fact.upper()}" for fact in REQUIRED_FACTS if not getattr(company, fact)]


def assert_durable_database() -> None:
    """The embedded database must keep what was answered, over kill -9 and power loss."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for pragma, expected in SQLITE_PRAGMAS.items():
            found = cursor.execute(f"PRAGMA {pragma}").fetchone()[0]
            if found != expected:
                raise ImproperlyConfigured(f"SQLite {pragma} is {found!r}, the shop needs {expected!r}.")
