"""`make bench-search`: how well and how fast the shop's search finds, beside plain SQLite FTS5 and PostgreSQL.

The judged questions (cases.py) are asked of the demo and of 21,000 real products. Relevance is nDCG@10 over a
catalogue with human judgments, speed is measured on 44,000 medicine names, both of the real files that SHOP_TEST_DATA
names. They are loaded into databases of their own. "Cross-validated" is what the shop reaches on queries that took no
part in choosing its numbers (tuning.py).
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import psycopg
import psycopg.sql
from django.conf import settings

from .cases import GOALS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")

POSTGRES = os.environ.get("TEST_POSTGRES_URL", "postgres://postgres@127.0.0.1:5432/postgres")
NDCG_GOAL = 0.82
SETS = ("demo", "real", "relevance", "medicines")


def main() -> None:
    files = os.environ.get("SHOP_TEST_DATA", "")
    if not files or not Path(files).is_dir():
        raise SystemExit("SHOP_TEST_DATA names no folder of real files.")
    figures: dict[str, dict] = {}
    for kind in SETS:
        for database in _databases(kind):
            measured = _measure(kind, Path(files).resolve(), database)
            figures.setdefault(kind, {}).update(measured["engines"])
            figures.setdefault("index", {})[f"{kind}, {database.partition(':')[0]}"] = measured["index"]
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
    command = [sys.executable, "-m", "shop.bench.search.measures", kind, str(files)]
    environment = os.environ | {"DATABASE_URL": database, "SHOP_DEMO": "1", "LOG_LEVEL": "WARNING"}
    done = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def _show_cases(title: str, engines: dict[str, dict]) -> None:
    """Of each kind of question the part that each engine answers, with the 95 % interval of the shop's."""
    print(f"\n{f'answered, {title}':<30}{'goal':>6}" + "".join(f"{name:>34}" for name in engines))
    for kind, goal in GOALS.items():
        if kind not in next(iter(engines.values())):
            continue
        shares = [
            f"{share:.2f} ({low:.2f}-{high:.2f})" for share, low, high in (found[kind] for found in engines.values())
        ]
        print(f"{kind:<30}{goal:>6.2f}" + "".join(f"{share:>34}" for share in shares))


def _show(figures: dict[str, dict]) -> None:
    for kind, title in (("demo", "the demo"), ("real", "21,000 real products")):
        _show_cases(title, figures[kind])
    queries = next(iter(figures["relevance"].values()))["queries"]
    print(f"\n{f'relevance (goal {NDCG_GOAL}): {queries} queries over 19,406 products':<62}{'nDCG@10':>9}{'found':>8}")
    for engine, found in figures["relevance"].items():
        print(f"{engine:<62}{found['ndcg']:>9.3f}{found['found']:>8}")
    print(f"\n{'44,000 medicine names, ms':<52}{'median':>9}{'p95':>8}")
    for engine, asked in figures["medicines"].items():
        for kind, (median, p95) in asked.items():
            print(f"{f'{engine}: {kind}':<52}{median:>9.2f}{p95:>8.2f}")
    print(f"\n{'the word index':<52}{'made, s':>9}{'read, s':>9}{'MB':>8}")
    for name, size in figures["index"].items():
        print(f"{name:<52}{size['made_s']:>9.1f}{size['loaded_s']:>9.2f}{size['megabytes']:>8.1f}")


if __name__ == "__main__":
    main()
