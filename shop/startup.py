"""What must be true before a process answers its first request."""

import gc
import logging
from collections.abc import Callable, Iterator
from typing import Any
from wsgiref.util import setup_testing_defaults

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections
from django.urls import get_resolver

from shop.catalog.models import Product
from shop.company.facts import REQUIRED_FACTS, company_facts
from shop.markets.queries import market_registry
from shop.ops import configuration
from shop.orders.tax.rule import HOME

logger = logging.getLogger(__name__)
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


def answer_first_pages(application: Callable[..., Any]) -> None:
    """Answer a page of each kind that visitors open, so that none of them waits until templates, indexes and what every
    page needs are read. Whatever goes wrong is in the log and keeps no process from starting. With DEBUG nothing of it
    would be kept."""
    if settings.DEBUG:
        return
    try:
        for path in _first_pages():
            _ask(application, path)
    except Exception:
        logger.exception("the first pages cannot be answered")
    finally:
        connections.close_all()  # this thread answers no request


def _first_pages() -> Iterator[str]:
    markets = market_registry()
    market = markets.market(markets.by_code.get(HOME) or markets.default).prefix
    yield market
    if product := Product.objects.published().select_related("category").order_by("pk").first():
        yield f"{market}products/{product.category.path}/"
        yield f"{market}product/{product.slug}/"


def _ask(application: Callable[..., Any], path: str) -> None:
    environ: dict[str, Any] = {"PATH_INFO": path, "HTTP_HOST": settings.SHOP_HOST, "REMOTE_ADDR": "127.0.0.1"}
    environ["wsgi.url_scheme"] = "https" if settings.HTTPS else "http"
    setup_testing_defaults(environ)  # the rest of what WSGI requires
    application(environ, lambda *_: None).close()


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
