"""Figures for Prometheus: what this machine's processes counted, and how the shop stands by its rows.

The processes of one machine count in one folder (`serve` names it in PROMETHEUS_MULTIPROC_DIR, before any of
them starts); whichever is asked adds all up. Without METRICS_TOKEN nothing is counted.
"""

import logging
import time
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DatabaseError
from django.db.models import Count, Min
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from prometheus_client.values import ValueClass

from shop.backoffice.actors import SHOP
from shop.invalidation.cdn.purging import seconds_behind
from shop.invalidation.models import PurgeState
from shop.invalidation.replica import replica
from shop.invalidation.subscriptions import look_at_replica
from shop.messaging.models import Message
from shop.orders.models import Order, OrderEvent
from shop.payments.models import LostCapture, Payment, Refund

from .models import Chore

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS = (0.01, 0.05, 0.1, 0.3, 1, 3, 10)  # seconds
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}

requests = Counter("shop_requests", "Responses", ["route", "method", "status"])
durations = Histogram("shop_request_seconds", "Response time", ["route"], buckets=BUCKETS)
database_errors = Counter("shop_database_errors", "Logged database errors", ["kind"])


class MetricsMiddleware:
    """Counts each answer under the name of its route; a path would be a name without end."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response = get_response
        self._known: dict[tuple[str, str, int], Any] = {}
        self._timed: dict[str, Any] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start = time.perf_counter()
        response = self.get_response(request)
        route = _route(request)
        key = (route, request.method if request.method in METHODS else "other", response.status_code)
        # Looking a label up costs more than counting.
        counted = self._known.get(key) or self._known.setdefault(key, requests.labels(*key))
        timed = self._timed.get(route) or self._timed.setdefault(route, durations.labels(route))
        counted.inc()
        timed.observe(time.perf_counter() - start)
        return response


def _route(request: HttpRequest) -> str:
    match = request.resolver_match
    if match is not None:
        return match.view_name or match.route
    return "static" if request.path_info.startswith(settings.STATIC_URL) else "kept or unknown"


class DatabaseErrorCounter(logging.Handler):
    """Hears of every error that is logged, in pages, calls, tasks and jobs."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, DatabaseError):
            database_errors.labels(type(error).__name__).inc()


def count_database_errors() -> None:
    if settings.METRICS_TOKEN:
        logging.getLogger().addHandler(DatabaseErrorCounter(logging.WARNING))


def exposition() -> bytes:
    registry = CollectorRegistry()
    if ValueClass.__name__ == "MmapedValue":
        MultiProcessCollector(registry)
    else:
        for counted in (requests, durations, database_errors):
            registry.register(counted)
    registry.register(Rows())
    return generate_latest(registry)


class Rows(Collector):
    """How the shop stands, whichever machine is asked; `shop_rows_readable` is 0 while the database is away."""

    def collect(self) -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
        try:
            yield from list(_figures())
        except DatabaseError:
            yield GaugeMetricFamily("shop_rows_readable", "The database is responding", value=0)
        else:
            yield GaugeMetricFamily("shop_rows_readable", "The database is responding", value=1)

    def describe(self) -> list[Any]:
        return []


def _figures() -> Iterator[CounterMetricFamily | GaugeMetricFamily]:
    now = timezone.now()
    pending = Message.objects.pending().aggregate(count=Count("pk"), oldest=Min("created_at"))
    age = (now - pending["oldest"]).total_seconds() if pending["oldest"] else 0
    yield GaugeMetricFamily("shop_outbox_waiting", "Messages waiting", value=pending["count"])
    yield GaugeMetricFamily("shop_outbox_oldest_seconds", "Age of the oldest waiting message", value=age)
    placed = Order.objects.exclude(placed_at=None).count()
    yield CounterMetricFamily("shop_orders_placed", "Orders placed", value=placed)
    captured = Payment.objects.filter(status=Payment.Status.CAPTURED).count()
    yield CounterMetricFamily("shop_payments_captured", "Payments captured", value=captured)
    waiting = {"status__in": [Refund.Status.REQUESTED, Refund.Status.FAILED]}
    refunds = Refund.objects.filter(**waiting).count() + LostCapture.objects.filter(**waiting).count()
    yield GaugeMetricFamily("shop_refunds_owed", "Refunds not yet with the provider", value=refunds)
    expired = OrderEvent.objects.filter(status_to=Order.Status.CANCELLED, actor=SHOP).count()
    yield CounterMetricFamily("shop_holds_expired", "Unpaid orders that expired", value=expired)
    if settings.CDN:
        behind = seconds_behind(PurgeState.objects.filter(pk=1).first())
        yield GaugeMetricFamily("shop_cdn_purge_behind_seconds", "Since all changes were purged", value=behind)
    yield from _waiting_tasks()
    succeeded = GaugeMetricFamily("shop_chore_succeeded_timestamp_seconds", "Last success", labels=["chore"])
    for name, at in (
        Chore.objects.filter(name__in=settings.SCHEDULED_JOBS)
        .exclude(succeeded_at=None)
        .values_list("name", "succeeded_at")
    ):
        succeeded.add_metric([name], at.timestamp() if at else 0)
    yield succeeded
    if settings.HAS_REPLICA:
        look_at_replica()
        yield GaugeMetricFamily("shop_replica_in_use", "Visitors read the replica", value=replica.is_usable)
        yield GaugeMetricFamily("shop_replica_lag_seconds", "Lag of the replica, at most", value=replica.lag)


def _waiting_tasks() -> Iterator[GaugeMetricFamily]:
    ready = DBTaskResult.objects.ready().order_by().values_list("queue_name")
    waiting = dict(ready.annotate(count=Count("pk")))
    yield GaugeMetricFamily("shop_tasks_waiting", "Tasks waiting for a worker", value=sum(waiting.values()))
    by_queue = GaugeMetricFamily("shop_queue_tasks_waiting", "Tasks waiting for a worker", labels=["queue"])
    for queue in settings.TASK_QUEUES:
        by_queue.add_metric([queue], waiting.get(queue, 0))
    yield by_queue
