"""`make bench-search`: how well and how fast the shop's search finds, beside plain SQLite FTS5 and PostgreSQL.

Relevance is nDCG@10 over a catalogue with human judgments, speed is measured on 44,000 medicine names, both
of the real files that SHOP_TEST_DATA names. They are loaded into databases of their own.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import psycopg
import psycopg.sql
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")

POSTGRES = os.environ.get("TEST_POSTGRES_URL", "postgres://postgres@127.0.0.1:5432/postgres")
SETS = ("relevance", "medicines")


def main() -> None:
    files = os.environ.get("SHOP_TEST_DATA", "")
    if not Path(files).is_dir():
        raise SystemExit("SHOP_TEST_DATA names no folder of real files.")
    figures: dict[str, dict] = {}
    for kind in SETS:
        for database in _databases(kind):
            figures.setdefault(kind, {}).update(_measure(kind, Path(files).resolve(), database))
    _show(figures)


def _databases(kind: str) -> list[str]:
    """SQLite, and PostgreSQL where one answers."""
    name = f"shop_bench_{kind}"
    home = settings.DATA_DIR / "bench" / "search"
    home.mkdir(parents=True, exist_ok=True)
    found = [f"sqlite:///{home / name}.sqlite3"]
    try:
        with psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3) as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                connection.execute(psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name)))
    except psycopg.OperationalError:
        print("PostgreSQL does not answer at TEST_POSTGRES_URL: left out")
        return found
    return [*found, f"{POSTGRES.rpartition('/')[0]}/{name}"]


def _measure(kind: str, files: Path, database: str) -> dict:
    command = [sys.executable, "-m", "shop.bench.search_measures", kind, str(files)]
    environment = os.environ | {"DATABASE_URL": database, "SHOP_DEMO": "1", "LOG_LEVEL": "WARNING"}
    done = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def _show(figures: dict[str, dict]) -> None:
    queries = next(iter(figures["relevance"].values()))["queries"]
    print(f"\n{f'relevance: {queries} queries over 19,406 products':<52}{'nDCG@10':>9}{'found':>8}")
    for engine, found in figures["relevance"].items():
        print(f"{engine:<52}{found['ndcg']:>9.3f}{found['found']:>8}")
    print(f"\n{'44,000 medicine names, ms':<52}{'median':>9}{'p95':>8}")
    for engine, asked in figures["medicines"].items():
        for kind, (median, p95) in asked.items():
            print(f"{f'{engine}: {kind}':<52}{median:>9.2f}{p95:>8.2f}")


if __name__ == "__main__":
    main()
