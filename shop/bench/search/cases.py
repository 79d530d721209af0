"""Judged searches (shop/bench/data/search_cases.csv), and which of them an engine answers well.

A case names words, a catalogue (the demo's, or real products put together from public files) and a rule: a product
fits if it holds all words of an alternative of `fits` and of none of `unless`. It is answered if one of the first five
fits; of a substance that the catalogue lacks (`absent`) if nothing of `unless` is among the results.
"""

import csv
import gzip
import io
import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

FILE = Path(__file__).parents[1] / "data" / "search_cases.csv"
FIRST = 5
# Of the questions of each kind, what part must be answered.
GOALS = {
    "name": 1.0, "typo1": 0.97, "typo2": 0.75, "unfinished": 0.8, "joined": 0.95, "split": 0.95, "sound": 0.95,
    "brandform": 0.95, "size": 0.95, "sku": 1.0, "need": 0.95, "herb": 0.95, "script": 0.8, "unknownword": 0.95,
    "limit": 0.95, "absent": 1.0,
}  # fmt: skip
RUN = re.compile(r"[^\W_]+")
PART = re.compile(r"\d+|[^\W\d_]+")

Fields = dict[str, str]  # of a product: name, title, brand, tags, body, ingredients
Search = Callable[[str], list[int]]


@dataclass(frozen=True)
class Case:
    kind: str
    catalogue: str
    query: str
    fits: str
    unless: str


@dataclass(frozen=True)
class Answered:
    """How many cases of a kind were answered, with the 95 % interval of the share (Wilson)."""

    good: int
    total: int
    missed: tuple[str, ...]

    @property
    def share(self) -> float:
        return self.good / self.total

    @property
    def interval(self) -> tuple[float, float]:
        z, n, p = 1.96, self.total, self.share
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - half), min(1.0, middle + half)


def cases(catalogue: str) -> list[Case]:
    with FILE.open(encoding="utf-8", newline="") as lines:
        rows = [Case(**row) for row in csv.DictReader(lines)]
    return [row for row in rows if row.catalogue == catalogue]


def answers(search: Search, texts: Mapping[int, str], catalogue: str) -> dict[str, Answered]:
    """By kind, what `search` answers; `texts` are what each product says of itself."""
    good, total, missed = Counter[str](), Counter[str](), dict[str, list[str]]()
    for case in cases(catalogue):
        ids = search(case.query)
        total[case.kind] += 1
        if _is_answered(case, [texts[pk] for pk in ids]):
            good[case.kind] += 1
        else:
            missed.setdefault(case.kind, []).append(case.query)
    return {kind: Answered(good[kind], total[kind], tuple(missed.get(kind, ()))) for kind in GOALS if total[kind]}


def _is_answered(case: Case, texts: list[str]) -> bool:
    if case.kind == "absent":
        return not any(_holds_any(text, case.unless) for text in texts)
    return any(_holds_any(text, case.fits) and not _holds_any(text, case.unless) for text in texts[:FIRST])


def _holds_any(text: str, alternatives: str) -> bool:
    words = _words(text)
    return any(_holds(words, alternative) for alternative in alternatives.split("|") if alternative.strip())


def _holds(words: frozenset[str], alternative: str) -> bool:
    """Every word occurs: digits and single letters as they are, others as a beginning."""
    return all(
        word in words if word.isdigit() or len(word) == 1 else any(one.startswith(word) for one in words)
        for word in RUN.findall(_folded(alternative))
    )


@lru_cache(50_000)
def _words(text: str) -> frozenset[str]:
    """Runs of letters and digits, their parts, and a number with what follows it ("2 kg" is "2kg" too)."""
    runs = RUN.findall(_folded(text))
    found = {*runs, *(part for run in runs for part in PART.findall(run))}
    found |= {one + other for one, other in pairwise(runs) if one.isdigit() and other[0].isalpha()}
    return frozenset(found)


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).lower().replace("ı", "i")
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def real_products(files: Path) -> list[tuple[int, Fields]]:
    """Some 21,000 products of public files, each name of a brand once."""
    found: dict[tuple[str, str], Fields] = {}
    for name, brand, sizes, tags, ingredients in _rows(files):
        name = " ".join(re.sub("[\ufffd\xa0]", " ", name).split())
        if name:
            fields = {
                "name": name,
                "title": sizes,
                "brand": brand,
                "tags": tags,
                "body": "",
                "options": "",
                "ingredients": ingredients,
            }
            found.setdefault((name.lower(), brand), fields)
    return list(enumerate(found.values(), 1))


def text_of(fields: Fields) -> str:
    return " ; ".join(fields[name] for name in ("name", "brand", "title", "tags"))


def _rows(files: Path) -> Iterator[tuple[str, str, str, str, str]]:
    """Name, brand, sizes, categories, ingredients."""
    for kind in ("ayush", "fitness", "personal-care", "diabetes", "devices"):
        with (files / f"wellness/netmeds-{kind}.csv").open(encoding="utf-8-sig", newline="") as lines:
            for row in list(csv.reader(lines))[1:]:
                yield row[0], row[1].replace("Mfr: ", ""), "", kind, ""
    for row in _csv(files / "wellness/bigbasket-products-27k.csv.gz"):
        if row["category"] in ("Beauty & Hygiene", "Baby Care"):
            yield row["product"], row["brand"], "", f"{row['category']} ; {row['sub_category']} ; {row['type']}", ""
    for row in _csv(files / "wellness/nykaa-skincare-ingredients.csv.gz"):
        yield row["name"], row["brand"], "", f"{row['category_l2']} ; {row['category_l3']}", ""
    for row in _csv(files / "wellness/patanjali-ayurved-scrape.csv.gz"):
        sizes = " ".join(row["Size"].split())[:200]
        yield row["Heading"], "Patanjali", f"{row['Tags']} {' '.join(row['lastbreadcrumb'].split())} {sizes}", "", ""
    for one in _json(files / "medicines/az-medicines-india-first-3221.json.gz"):
        composition = f"{one['short_composition1']} {one['short_composition2']}"
        yield one["name"], one["manufacturer_name"], one["pack_size_label"], "", composition
    for row in _csv(files / "medicines/1mg-prescription-drugs-2021.csv.gz"):
        yield row["Drug Name"], row["Manufacturer"], row["Packaging"], "", row["Composition"]
    for row in _csv(files / "medicines/jan-aushadhi-price-list.csv.gz"):
        name = row["Generic Name"]
        yield name, "Jan Aushadhi", f"{row['Unit Size']} {row['Group Name']}", "", name
    for one in _json(files / "medicines/az-medicines-india-5000-by-top-makers.json.gz"):
        yield one["name"], one["manufacturer"], one["pack_size"], "", one["composition"]


def _csv(file: Path) -> Iterator[dict[str, str]]:
    with gzip.open(file) as raw:
        rows = csv.DictReader(io.TextIOWrapper(raw, encoding="utf-8-sig", errors="replace", newline=""))
        yield from ({name: text or "" for name, text in row.items() if isinstance(name, str)} for row in rows)


def _json(file: Path) -> list[dict[str, str]]:
    with gzip.open(file, "rt", encoding="utf-8-sig", errors="replace") as lines:
        rows = json.load(lines)
    return [{name: str(text or "") for name, text in row.items()} for row in rows]
