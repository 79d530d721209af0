"""Every screen of the staff with 100,000 products and 100,000 orders: time and queries, the worst first.

With 50,000 reviews, batches, a recall of 5,000 parcels, and prescriptions that wait (filling/).

Each list is asked for its first page, a search, each of its filters and its dates once; each form for
a row that is there and for a new one; and the dashboard for its periods. The owner asks, in the
process of the shop, without a server between; the median of five answers counts. Beside it stands the
processor time of that process alone, which a busy machine changes less.
"""

import os
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import django
import psycopg

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")

from django.conf import settings

from .scale import LARGE, POSTGRES
from .serving import REVIEWS, run_module

MAX_MS, MAX_QUERIES = 300, 30
TIMES = 5
SEARCHED = {"orders.order": "ORD-00005", "accounts.customer": "buyer123", "orders.invoice": "INV/"}
WORD = "neem"


def measure(home: Path) -> None:
    """On SQLite, then on a PostgreSQL database of the bench's own (TEST_POSTGRES_URL)."""
    url = os.environ.get("TEST_POSTGRES_URL", POSTGRES)
    name = "shop_bench_admin"
    with psycopg.connect(url, autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connection.execute(f'CREATE DATABASE "{name}"')
    on_postgres = {"DATABASE_URL": f"{url.rpartition('/')[0]}/{name}"}
    for data, variables in ((home / "admin", {}), (home / "admin-postgres", on_postgres)):
        data.mkdir(parents=True, exist_ok=True)
        for size in (
            ["filling.catalogue", LARGE],
            ["filling.orders", LARGE],
            ["filling.reviews", REVIEWS],
            ["filling.medicine"],
            ["admin"],
        ):
            run_module(data, *map(str, size), **variables)


def walk(labels: list[str]) -> None:
    """All screens, or those of these models only: `python -m shop.bench.admin orders.order payments.refund`."""
    from django.db import connection
    from django.test import Client

    from shop.accounts.models import Customer
    from shop.startup import warm_up

    warm_up()  # as each web process does
    client = Client(headers={"host": settings.SHOP_HOST, "sec-fetch-site": "same-origin"})
    client.force_login(Customer.objects.get(email="owner@example.com"))
    _ask(client, "/admin/", 1)  # templates are read
    rows = []
    for url in _addresses(client, labels):
        rows.append((*_ask(client, url, TIMES), url))
        print(f"{url}: {rows[-1][0]:.0f} {rows[-1][1]:.0f} {rows[-1][2]}", file=sys.stderr, flush=True)
    print(f"\n{connection.vendor}: {len(rows)} pages of the staff, limits {MAX_MS} ms and {MAX_QUERIES} queries")
    print(f"{'ms':>8}{'cpu ms':>8}{'queries':>9}")
    for milliseconds, own, queries, url in sorted(rows, reverse=True):
        mark = " !" if milliseconds > MAX_MS or queries > MAX_QUERIES else ""
        print(f"{milliseconds:>8.0f}{own:>8.0f}{queries:>9}  {url}{mark}")


def _addresses(client, labels: list[str]) -> Iterator[str]:
    from django.contrib.admin import site
    from django.urls import reverse

    from shop.reports.tables import REPORTS

    yield from (f"/admin/?period={period}" for period in ("today", "7", "30", "90", "12m"))
    report = reverse("admin:reports_report")
    yield from (f"{report}?report={name}&period={period}" for name in REPORTS for period in ("30", "12m"))
    yield from ("/admin/catalog/variant/grid/", f"/admin/catalog/variant/grid/?q={WORD}")
    yield from (reverse(name) for name in ("admin:orders_order_board", "admin:care_inbox"))
    for model in sorted(site._registry, key=lambda model: model._meta.label):
        if labels and model._meta.label_lower not in labels:
            continue
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        url = reverse(f"{name}_changelist")
        first = client.get(url)
        if first.status_code != 200:
            continue
        yield url
        listed = first.context_data["cl"]
        if listed.search_fields:
            yield f"{url}?q={SEARCHED.get(model._meta.label_lower, WORD)}"
        for spec in listed.filter_specs:
            second = list(spec.choices(listed))[1:2]  # the first one is "all"
            yield from (url + choice["query_string"] for choice in second if "query_string" in choice)
        if listed.date_hierarchy:
            yield f"{url}?{listed.date_hierarchy}__year=2026"
        some = listed.queryset[50:51] or listed.queryset[:1]
        yield from (reverse(f"{name}_change", args=[row.pk]) for row in some)
        if client.get(reverse(f"{name}_add")).status_code == 200:
            yield reverse(f"{name}_add")


def _ask(client, url: str, times: int) -> tuple[float, float, int]:
    """Milliseconds, those of the processor, queries; nothing is remembered from the answer before."""
    from django.core.cache import cache
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    taken, own = [], []
    for _ in range(times):
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            begun = time.perf_counter(), time.process_time()
            answer = client.get(url)
            taken.append(1000 * (time.perf_counter() - begun[0]))
            own.append(1000 * (time.process_time() - begun[1]))
        if answer.status_code != 200:
            raise SystemExit(f"{url} answers {answer.status_code}")
    return statistics.median(taken), statistics.median(own), len(queries)


if __name__ == "__main__":
    django.setup()
    walk(sys.argv[1:])
