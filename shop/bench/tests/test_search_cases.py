"""The search answers the judged questions to the demo and to real products; `make bench-search` has other engines
beside it, and both databases."""

import pytest

from shop.demo.catalogue import reading
from shop.search.text import matching
from shop.search.text.index import WordIndex
from shop.search.text.query import split_prices
from shop.search.text.reading import entry_of

from ..search.cases import GOALS, answers, cases, real_products, text_of


@pytest.fixture
def ask(db, monkeypatch):
    """ask(entries) -> a search over these products."""

    def ask(entries):
        index = WordIndex.of(entries)
        monkeypatch.setattr(matching, "current_words", lambda: index)
        matching._kept._kept.clear()
        return lambda query: matching.find_products(split_prices(query).rest).ids

    return ask


def check(found, catalogue):
    bounds = GOALS
    missed = {
        kind: (round(answered.share, 3), answered.missed)
        for kind, answered in found.items()
        if answered.share < bounds[kind] - 0.005
    }
    assert missed == {}


def test_the_demo_answers(ask):
    categories = {plan.path: plan.name for plan in reading.categories()}
    concerns = {plan.slug: plan.name for plan in reading.concerns()}
    entries, texts = [], {}
    for pk, plan in enumerate(reading.products(), 1):
        parts = plan.category.split("/")
        trail = " ; ".join(categories["/".join(parts[: depth + 1])] for depth in range(len(parts)))
        sizes = [f"{name} {amount} {unit}" for one in plan.variants for name, amount, unit in one.attributes]
        sizes += [f"{one.net_quantity} {one.net_unit}" for one in plan.variants]
        codes = " ".join(f"{one.sku} {one.sku.replace('-', '')}" for one in plan.variants)
        tags = f"{trail} ; {' ; '.join(concerns[slug] for slug in plan.concerns)}"
        fields = {
            "name": plan.name,
            "brand": plan.brand.name,
            "tags": tags,
            "options": " ; ".join(sizes),
            "codes": codes,
        }
        entries.append(entry_of(pk, **fields, title=plan.title, ingredients=plan.ingredients, body=plan.about))
        texts[pk] = " ; ".join(fields.values())
    check(answers(ask(entries), texts, "demo"), "demo")


def test_real_products_answer(ask, test_data):
    rows = real_products(test_data)
    texts = {pk: text_of(fields) for pk, fields in rows}
    search = ask(
        entry_of(
            pk, name=row["name"], options=row["title"], brand=row["brand"], tags=row["tags"],
            ingredients=row["ingredients"],
        )
        for pk, row in rows
    )  # fmt: skip
    check(answers(search, texts, "real"), "real")


def test_there_are_cases_of_every_kind():
    rows = [case for catalogue in ("demo", "real") for case in cases(catalogue)]
    assert len(rows) >= 600
    assert {case.kind for case in rows} == {*GOALS}
    assert len({(case.catalogue, case.query) for case in rows}) == len(rows)
