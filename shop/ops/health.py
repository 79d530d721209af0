"""What programs ask of a process: whether it lives, whether it can serve, and what it counts.

They come before everything else: whatever Host they name is good (a probe knows an address, not the
shop's name), no session is read, nothing is logged or cached.
"""

import hmac
import tempfile
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.core.files.storage import storages
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse

from shop.invalidation.cdn.purging import purge_trouble
from shop.invalidation.replica import replica
from shop.invalidation.subscriptions import look_at_replica
from shop.search.engines.services import server_trouble
from shop.search.snapshots import index_trouble

from . import metrics

Handler = Callable[[HttpRequest], HttpResponse]


class ProbeMiddleware:
    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        probe = PROBES.get(request.path_info)
        if probe is None or (probe is show_metrics and not _may_see_metrics(request)):
            return self.get_response(request)
        response = probe() if request.method in ("GET", "HEAD") else HttpResponseNotAllowed(["GET", "HEAD"])
        response["Cache-Control"] = "no-store"
        return response


def is_alive() -> HttpResponse:
    """This process answers; it asks nobody else, so that a database that is away restarts no process."""
    return HttpResponse("ok\n", content_type="text/plain")


def is_ready() -> HttpResponse:
    """What it needs to serve is there: 200, or 503. Says what is wrong in words, also of what it does without."""
    checks = CHECKS | ({"read replica": _replica} if settings.HAS_REPLICA else {})
    found = {name: check() for name, check in checks.items()}
    fine = not any(words for name, words in found.items() if name not in DISPENSABLE)
    return JsonResponse(
        {"ready": fine, **{name: words or "ok" for name, words in found.items()}}, status=200 if fine else 503
    )


def show_metrics() -> HttpResponse:
    return HttpResponse(metrics.exposition(), content_type=metrics.CONTENT_TYPE)


def _may_see_metrics(request: HttpRequest) -> bool:
    """Without the token it is an address like any other that does not exist."""
    if not settings.METRICS_TOKEN:
        return False
    given = request.META.get("HTTP_AUTHORIZATION", "")
    return hmac.compare_digest(given.encode("utf-8", "replace"), f"Bearer {settings.METRICS_TOKEN}".encode())


# --- What must be there: words about what is wrong, or none ---------------------------------------

_known = {"migrated": False}  # it stays so while this process lives


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if not _known["migrated"]:
            executor = MigrationExecutor(connection)
            waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
            if waiting:
                return f"Migrations not applied yet: {', '.join(str(migration) for migration, _ in waiting[:5])}."
            _known["migrated"] = True
    except DatabaseError as error:
        return f"The database is not responding ({type(error).__name__})."
    return ""


def _cache() -> str:
    if not settings.REDIS_URL:
        return ""
    cache.set("readyz", "here", 10)
    return "" if cache.get("readyz") == "here" else "Redis isn't keeping the data written to it."


def _data_folder() -> str:
    try:
        with tempfile.TemporaryFile(dir=settings.DATA_DIR) as file:
            file.write(b"here")
    except OSError as error:
        return f"The data folder is not writable ({error.strerror})."
    return ""


def _cdn() -> str:
    try:
        return purge_trouble()
    except DatabaseError:  # the check of the database says so
        return ""


def _replica() -> str:
    look_at_replica()
    return f"{replica.trouble} Visitors' pages are read from the primary." if replica.trouble else ""


def _buckets() -> str:
    """Pages hold the addresses of pictures alone, and do without."""
    found = [storage.trouble() for alias in ("default", "private") if hasattr(storage := storages[alias], "trouble")]
    return " ".join(filter(None, found))


CHECKS = {
    "database": _database,
    "cache": _cache,
    "data folder": _data_folder,
    "buckets": _buckets,
    "search server": server_trouble,
    "indexes": index_trouble,
    "cdn": _cdn,
}
# Else all machines were taken out at once when one of these is away.
DISPENSABLE = {"cache", "buckets", "search server", "indexes", "cdn", "read replica"}
PROBES = {"/healthz": is_alive, "/readyz": is_ready, "/metrics": show_metrics}
