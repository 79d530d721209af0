"""Loads one set of real products into the database that DATABASE_URL names, and asks every engine for them.

Runs as a process of its own: `python -m shop.bench.search_measures relevance|medicines FOLDER`; prints JSON.
"""

import csv
import gzip
import json
import math
import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
django.setup()

from django.core.management import call_command
from django.db import connection

from shop.catalog.models import Brand, Category, Product
from shop.search.models import Document
from shop.search.text.matching import find_products
from shop.search.text.normalization import plain_words, words_of
from shop.search.text.spelling import remember_words

Search = Callable[[str], list[int]]
Fields = dict[str, str]  # of a document: name, brand, tags, body
BEST = 10
ASKED = 300
# The engines as they come: all words of a document in one index, the shop's rules left out.
PLAIN = {
    "sqlite": [
        "CREATE VIRTUAL TABLE plain_words USING fts5(name, brand, tags, body)",
        "INSERT INTO plain_words(rowid, name, brand, tags, body)"
        " SELECT product_id, name, brand, tags, body FROM search_document",
    ],
    "postgresql": [
        "CREATE TABLE plain_words AS SELECT product_id,"
        " to_tsvector('english', concat_ws(' ', name, brand, tags, body)) AS words FROM search_document",
        "CREATE INDEX ON plain_words USING gin (words)",
        "ANALYZE",
    ],
}
PLAIN_MATCH = {
    "sqlite": "SELECT rowid FROM plain_words WHERE plain_words MATCH %s ORDER BY bm25(plain_words), rowid LIMIT 12",
    "postgresql": "SELECT product_id FROM plain_words, to_tsquery('english', %s) AS wanted WHERE words @@ wanted"
    " ORDER BY ts_rank(words, wanted) DESC, product_id LIMIT 12",
}
PLAIN_NAME = {"sqlite": "FTS5 bm25", "postgresql": "PostgreSQL ts_rank"}


def main(kind: str, files: Path) -> dict:
    call_command("migrate", verbosity=0)
    rows = _judged_products(files) if kind == "relevance" else _medicines(files)
    if not Product.objects.exists():
        _load(rows)
    return _relevance(files) if kind == "relevance" else _speed()


def _judged_products(files: Path) -> Iterator[tuple[int, Fields]]:
    with gzip.open(files / "relevance/chorus-icecat-products.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield (
                int(row["id"]),
                {
                    "name": f"{row['name']} {row['title']}",
                    "brand": row["supplier"],
                    "tags": str(row.get("attr_t_product_type") or ""),
                    "body": row.get("short_description") or "",
                },
            )


def _medicines(files: Path) -> Iterator[tuple[int, Fields]]:
    with gzip.open(files / "medicines/medplus-brand-names-44k.csv.gz", "rt", encoding="utf-8") as lines:
        for number, row in enumerate(csv.DictReader(lines), 1):
            yield number, {"name": row["medicine_name"], "brand": row["mfg_name"], "tags": "", "body": ""}


def _load(rows: Iterable[tuple[int, Fields]]) -> None:
    """Products with their documents, written as the shop writes them but without variants."""
    category = Category.objects.create(name="All", slug="all")
    brand = Brand.objects.create(name="All", slug="all")
    for batch in _batches(rows, 2000):
        Product.objects.bulk_create(
            Product(pk=pk, name=row["name"][:200], slug=str(pk), brand=brand, category=category, is_published=True)
            for pk, row in batch
        )
        documents = [
            Document(product_id=pk, **{field: plain_words(text) for field, text in row.items()}) for pk, row in batch
        ]
        Document.objects.bulk_create(documents)
        remember_words(text for row in documents for text in (row.name, row.brand, row.tags))
    with connection.cursor() as cursor:
        for statement in PLAIN[connection.vendor]:
            cursor.execute(statement)


def _batches(rows: Iterable[tuple[int, Fields]], size: int) -> Iterator[list[tuple[int, Fields]]]:
    remaining = iter(rows)
    while batch := list(islice(remaining, size)):
        yield batch


def _plain(query: str, joiner: str) -> list[int]:
    words = words_of(query)
    if connection.vendor == "sqlite":
        wanted = {"&": " AND ", "|": " OR "}[joiner].join(f'"{word}"' for word in words)
    else:
        wanted = f" {joiner} ".join(f"'{word}'" for word in words)
    with connection.cursor() as cursor:
        cursor.execute(PLAIN_MATCH[connection.vendor], [wanted])
        return [pk for (pk,) in cursor.fetchall()]


def _engines() -> dict[str, Search]:
    plain = PLAIN_NAME[connection.vendor]
    return {
        f"the shop on {'SQLite' if connection.vendor == 'sqlite' else 'PostgreSQL'}": lambda q: find_products(q).ids,
        f"plain {plain}, any word": lambda query: _plain(query, "|"),
        f"plain {plain}, all words": lambda query: _plain(query, "&"),
    }


def _relevance(files: Path) -> dict:
    judged: dict[str, dict[int, int]] = defaultdict(dict)
    with (files / "relevance/chorus-judgments-dev.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            judged[row["query"]][int(row["docid"])] = int(row["final_rating"])
    answerable = {query: ratings for query, ratings in judged.items() if any(ratings.values())}
    figures = {}
    for name, search in _engines().items():
        scores = {query: _ndcg(search(query), ratings) for query, ratings in answerable.items()}
        found = sum(score > 0 for score in scores.values())
        figures[name] = {"ndcg": sum(scores.values()) / len(scores), "found": found, "queries": len(scores)}
        if os.environ.get("EACH_QUERY"):
            print(name, {query: round(score, 2) for query, score in scores.items()}, file=sys.stderr)
    return figures


def _ndcg(ids: list[int], ratings: dict[int, int]) -> float:
    """Of the first ten; what nobody rated counts nothing."""
    ideal = _gain(sorted(ratings.values(), reverse=True))
    return _gain([ratings.get(pk, 0) for pk in ids]) / ideal


def _gain(ratings: list[int]) -> float:
    return sum((2**rating - 1) / math.log2(rank + 2) for rank, rating in enumerate(ratings[:BEST]))


def _speed() -> dict:
    """Milliseconds, median and 95th percentile, of whole names, of beginnings while typing, of typing errors."""
    names = list(Document.objects.order_by("pk").values_list("name", flat=True))
    chosen = random.Random(7).sample([name for name in names if len(name.split()[0]) > 5], ASKED)
    kinds = {
        "names": chosen,
        "beginnings of 3 letters": [name[:3] for name in chosen],
        "beginnings of 5 letters": [name[:5] for name in chosen],
        "typing errors": [name.split()[0][:2] + name.split()[0][3:] for name in chosen],
    }
    return {
        engine: {kind: _timed(search, queries) for kind, queries in kinds.items()}
        for engine, search in _engines().items()
        if "any" not in engine
    }


def _timed(search: Search, queries: list[str]) -> tuple[float, float]:
    for query in queries[:20]:
        search(query)
    took = []
    for query in queries:
        start = time.perf_counter()
        search(query)
        took.append(1000 * (time.perf_counter() - start))
    took.sort()
    return took[len(took) // 2], took[len(took) * 95 // 100]


if __name__ == "__main__":
    json.dump(main(sys.argv[1], Path(sys.argv[2])), sys.stdout)
