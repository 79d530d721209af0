"""Loads one set of real products into the database that DATABASE_URL names, and asks every engine for them.

Runs as a process of its own: `python -m shop.bench.search.measures demo|real|relevance|medicines FOLDER`; prints JSON.
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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "shop.settings")
django.setup()

import tantivy
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import F

from shop.catalog.models import Brand, Category, Product, Variant
from shop.demo.services import load_catalogue
from shop.invalidation.services import invalidate
from shop.search.text import store as word_store
from shop.search.text.matching import explain, find_products
from shop.search.text.normalization import plain_words, words_of
from shop.search.text.query import split_prices
from shop.search.text.reading import read_entries

from .cases import answers, real_products
from .tuning import cross_validated

Search = Callable[[str], list[int]]
Fields = dict[str, str]  # of a product: name, title, brand, tags, body
NAMES = ("name", "title", "brand", "tags", "options", "ingredients", "body")
BEST = 10
ASKED = 300
BATCH = 2000
# The engines as they come: all words of a product in one index, the shop's rules left out.
PLAIN = {
    "sqlite": ["CREATE VIRTUAL TABLE plain_words USING fts5(name, title, brand, tags, options, ingredients, body)"],
    "postgresql": [
        "CREATE TABLE plain_words (product_id bigint, name text, title text, brand text, tags text,"
        " options text, ingredients text, body text,"
        " words tsvector GENERATED ALWAYS AS (to_tsvector('english',"
        " name || ' ' || title || ' ' || brand || ' ' || tags || ' ' || options || ' ' || ingredients || ' ' || body))"
        " STORED)",
        "CREATE INDEX ON plain_words USING gin (words)",
    ],
}
PLAIN_KEY = {"sqlite": "rowid", "postgresql": "product_id"}
PLAIN_MATCH = {
    "sqlite": "SELECT rowid FROM plain_words WHERE plain_words MATCH %s ORDER BY bm25(plain_words), rowid LIMIT 12",
    "postgresql": "SELECT product_id FROM plain_words, to_tsquery('english', %s) AS wanted WHERE words @@ wanted"
    " ORDER BY ts_rank(words, wanted) DESC, product_id LIMIT 12",
}
PLAIN_NAME = {"sqlite": "FTS5 bm25", "postgresql": "PostgreSQL ts_rank"}


def main(kind: str, files: Path) -> dict:
    call_command("migrate", verbosity=0)
    rows = _rows(kind, files)
    if not Product.objects.exists():
        _load(rows)
    if not _has_plain_words():
        _fill_plain_words(rows)
    began = time.perf_counter()
    word_store.keep_snapshot()
    made = time.perf_counter() - began
    began = time.perf_counter()
    index = word_store.current_words()
    loaded = time.perf_counter() - began
    if index is None:
        raise SystemExit("There is no word index.")
    size = {"products": len(index), "made_s": made, "loaded_s": loaded, "megabytes": index.base.size / 1e6}
    return {"engines": _figures(kind, files, rows), "index": size}


def _rows(kind: str, files: Path) -> list[tuple[int, Fields]]:
    if kind == "demo":
        if not Product.objects.exists():
            with transaction.atomic():
                load_catalogue()
        return [
            (pk, {name: said.get(name, "") for name in NAMES} | {"codes": said.get("codes", "")})
            for pk, said in read_entries()
        ]
    if kind == "real":
        return real_products(files)
    return list(_judged_products(files) if kind == "relevance" else _medicines(files))


def _figures(kind: str, files: Path, rows: Sequence[tuple[int, Fields]]) -> dict:
    if kind == "relevance":
        return _relevance(files, rows)
    if kind == "medicines":
        return _speed(rows)
    names = ("name", "brand", "tags", "options", "codes") if kind == "demo" else ("name", "brand", "title", "tags")
    texts = {pk: " ; ".join(row.get(name, "") for name in names) for pk, row in rows}
    found = {}
    for name, search in _engines(rows).items():
        answered = answers(lambda query, search=search: search(split_prices(query).rest), texts, kind)
        found[name] = {one: (said.share, *said.interval) for one, said in answered.items()}
    return found


def _judged_products(files: Path) -> Iterator[tuple[int, Fields]]:
    with gzip.open(files / "relevance/chorus-icecat-products.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield (
                int(row["id"]),
                {
                    "name": row["name"],
                    "title": row["title"],
                    "brand": row["supplier"],
                    "tags": str(row.get("attr_t_product_type") or ""),
                    "options": "",
                    "ingredients": _facts(row),
                    "body": row.get("short_description") or "",
                },
            )


def _facts(row: dict[str, Any]) -> str:
    """What a product consists of and fits, which of medicines and food is their composition."""
    named = (str(value) for name, value in row.items() if name.startswith("attr_t_") and name != "attr_t_product_type")
    return " ; ".join(named)


def _medicines(files: Path) -> Iterator[tuple[int, Fields]]:
    with gzip.open(files / "medicines/medplus-brand-names-44k.csv.gz", "rt", encoding="utf-8") as lines:
        for number, row in enumerate(csv.DictReader(lines), 1):
            yield number, dict.fromkeys(NAMES, "") | {"name": row["medicine_name"], "brand": row["mfg_name"]}


def _load(rows: Sequence[tuple[int, Fields]]) -> None:
    """Products with one variant each, written in bulk."""
    brands = {
        name: Brand(name=name[:80] or "None", slug=f"brand-{number}") for number, name in _distinct(rows, "brand")
    }
    Brand.objects.bulk_create(brands.values())
    kinds = {
        name: Category(name=name[:80] or "None", slug=f"kind-{number}", path=f"kind-{number}")
        for number, name in _distinct(rows, "tags")
    }
    Category.objects.bulk_create(kinds.values())
    for start in range(0, len(rows), BATCH):
        batch = rows[start : start + BATCH]
        Product.objects.bulk_create(
            Product(
                pk=pk, name=row["name"][:200], title=row["title"][:200], slug=str(pk), brand=brands[row["brand"][:80]],
                category=kinds[row["tags"][:80]], is_published=True, in_stock=True,
            )
            for pk, row in batch
        )  # fmt: skip
        Variant.objects.bulk_create(
            Variant(
                pk=pk, product_id=pk, sku=f"SKU-{pk}", selling_price=1, actual_price=1, description=row["body"],
                ingredients=row["ingredients"],
            )
            for pk, row in batch
        )  # fmt: skip
    Product.objects.update(first_variant_id=F("id"))
    invalidate("shop")


def _has_plain_words() -> bool:
    return "plain_words" in connection.introspection.table_names()


def _fill_plain_words(rows: Sequence[tuple[int, Fields]]) -> None:
    texts = [(pk, *(plain_words(row[name]) for name in NAMES)) for pk, row in rows]
    with connection.cursor() as cursor:
        for statement in PLAIN[connection.vendor]:
            cursor.execute(statement)
        places = ", ".join(["%s"] * (1 + len(NAMES)))
        columns = ", ".join([PLAIN_KEY[connection.vendor], *NAMES])
        cursor.executemany(f"INSERT INTO plain_words ({columns}) VALUES ({places})", texts)  # nosec B608
        cursor.execute("ANALYZE")


def _distinct(rows: Sequence[tuple[int, Fields]], field: str) -> Iterator[tuple[int, str]]:
    """Different values, by their first 80 characters, which is what a name holds."""
    return enumerate(dict.fromkeys(row[field][:80] for _, row in rows))


class Tantivy:
    """Its defaults: English stems, all fields, any of the words."""

    def __init__(self, rows: Sequence[tuple[int, Fields]]) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_integer_field("id", stored=True)
        for name in NAMES:
            builder.add_text_field(name, tokenizer_name="en_stem")
        self._index = tantivy.Index(builder.build())
        writer = self._index.writer()
        for pk, row in rows:
            writer.add_document(tantivy.Document(id=pk, **{name: plain_words(row[name]) for name in NAMES}))
        writer.commit()
        self._index.reload()
        self._searcher = self._index.searcher()

    def __call__(self, query: str) -> list[int]:
        parsed = self._index.parse_query(" ".join(words_of(query)), list(NAMES))
        hits = self._searcher.search(parsed, 12).hits
        return [self._searcher.doc(address)["id"][0] for _, address in hits]


def _plain(query: str, joiner: str) -> list[int]:
    words = words_of(query)
    if connection.vendor == "sqlite":
        wanted = {"&": " AND ", "|": " OR "}[joiner].join(f'"{word}"' for word in words)
    else:
        wanted = f" {joiner} ".join(f"'{word}'" for word in words)
    with connection.cursor() as cursor:
        cursor.execute(PLAIN_MATCH[connection.vendor], [wanted])
        return [pk for (pk,) in cursor.fetchall()]


def _engines(rows: Sequence[tuple[int, Fields]]) -> dict[str, Search]:
    plain = PLAIN_NAME[connection.vendor]
    return {
        _shop_name(): lambda query: find_products(query).ids,
        f"plain {plain}, any word": lambda query: _plain(query, "|"),
        f"plain {plain}, all words": lambda query: _plain(query, "&"),
        "tantivy": Tantivy(rows),
    }


def _shop_name() -> str:
    return f"the shop on {'SQLite' if connection.vendor == 'sqlite' else 'PostgreSQL'}"


def _relevance(files: Path, rows: Sequence[tuple[int, Fields]]) -> dict:
    judged: dict[str, dict[int, int]] = defaultdict(dict)
    with (files / "relevance/chorus-judgments-dev.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            judged[row["query"]][int(row["docid"])] = int(row["final_rating"])
    answerable = {query: ratings for query, ratings in judged.items() if any(ratings.values())}
    figures = {}
    for name, search in _engines(rows).items():
        scores = {query: _ndcg(search(query), ratings) for query, ratings in answerable.items()}
        found = sum(score > 0 for score in scores.values())
        figures[name] = {"ndcg": _mean(scores), "found": found, "queries": len(scores)}
        if os.environ.get("EACH_QUERY"):
            print(name, {query: round(score, 2) for query, score in scores.items()}, file=sys.stderr)
    shop = _shop_name()
    # By `explain`, which remembers nothing of the numbers that were tried before.
    anew = cross_validated(lambda: {query: _ndcg(explain(query)[0].ids, judged[query]) for query in answerable})
    figures[f"{shop}, cross-validated"] = {**figures[shop], "ndcg": anew}
    return figures


def _mean(scores: dict[str, float]) -> float:
    return sum(scores.values()) / len(scores)


def _ndcg(ids: list[int], ratings: dict[int, int]) -> float:
    """Of the first ten; what nobody rated counts nothing."""
    ideal = _gain(sorted(ratings.values(), reverse=True))
    return _gain([ratings.get(pk, 0) for pk in ids]) / ideal


def _gain(ratings: list[int]) -> float:
    return sum((2**rating - 1) / math.log2(rank + 2) for rank, rating in enumerate(ratings[:BEST]))


def _speed(rows: Sequence[tuple[int, Fields]]) -> dict:
    """Milliseconds, median and 95th percentile, of whole names, of beginnings while typing, of typing errors."""
    names = [plain_words(row["name"]) for _, row in rows]
    chosen = random.Random(7).sample([name for name in names if len(name.split()[0]) > 5], ASKED)
    kinds = {
        "names": chosen,
        "beginnings of 3 letters": [name[:3] for name in chosen],
        "beginnings of 5 letters": [name[:5] for name in chosen],
        "typing errors": [name.split()[0][:2] + name.split()[0][3:] for name in chosen],
    }
    return {
        engine: {kind: _timed(search, queries) for kind, queries in kinds.items()}
        for engine, search in _engines(rows).items()
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
