"""What the lists promise, counted without drawing anything."""

import re
from collections import Counter

import pytest

from ..catalogue import home, reading
from ..stocking import product_paintings

CURES = re.compile(r"\b(cures?|heals?|guaranteed|miracle|prevents?|permanent)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def plans():
    return reading.products()


def test_there_is_enough_to_look_like_a_shop(plans):
    assert len(plans) >= 420
    assert sum(len(plan.variants) for plan in plans) >= 950
    assert len(reading.brands()) == 30
    assert len(reading.concerns()) == 24
    assert sum("/" not in category.path for category in reading.categories()) >= 8
    assert any(category.path.count("/") == 2 for category in reading.categories())


def test_the_drawings_are_distinct(plans):
    fronts = {views[0].digest for plan in plans for views in product_paintings(plan).values()}
    assert len(fronts) >= len(plans)


def test_the_same_lists_give_the_same_shop(plans):
    before = [(plan, _names(plan)) for plan in plans[:20]]
    reading.products.cache_clear()
    assert [(plan, _names(plan)) for plan in reading.products()[:20]] == before


def _names(plan) -> list[str]:
    return [painting.digest for views in product_paintings(plan).values() for painting in views]


def test_slugs_and_skus_are_unique(plans):
    skus = Counter(variant.sku for plan in plans for variant in plan.variants)
    assert max(skus.values()) == 1
    assert len({plan.slug for plan in plans}) == len(plans)


def test_nothing_sells_above_its_mrp(plans):
    assert all(0 < variant.selling <= variant.mrp for plan in plans for variant in plan.variants)


def test_every_product_says_what_it_is(plans):
    for plan in plans:
        assert plan.about and plan.highlight and plan.dosage and plan.ingredients, plan.slug
        assert plan.description.startswith("<p>"), plan.slug
        assert plan.hsn in home.TAX, plan.slug


def test_no_text_claims_a_cure(plans):
    assert [plan.slug for plan in plans if CURES.search(f"{plan.about} {plan.dosage} {plan.highlight}")] == []


def test_every_shelf_and_concern_exists_and_holds_something(plans):
    paths = {category.path for category in reading.categories()}
    assert {plan.category for plan in plans} <= paths
    assert {slug for plan in plans for slug in plan.concerns} == {concern.slug for concern in reading.concerns()}
    assert all(any(plan.category.startswith(path) for plan in plans) for path in paths)


def test_the_cases_a_shop_must_show_are_there(plans):
    assert any(plan.is_prescription for plan in plans)
    assert any(plan.barred for plan in plans)
    assert any(plan.origin != "IN" for plan in plans)
    assert any(plan.has_fixed_prices for plan in plans)
    assert any(all(variant.units == 0 for variant in plan.variants) for plan in plans)
    assert any(len(plan.variants[0].attributes) == 2 for plan in plans)
    assert {0, 40} <= {_discount(variant) for plan in plans for variant in plan.variants}


def _discount(variant) -> int:
    return int((variant.mrp - variant.selling) * 100 / variant.mrp)


def test_banners_and_shelves_name_things_that_are_sold(plans):
    shown = [*(banner.things for banner in home.BANNERS), *home.SHELVES.values()]
    assert {slug for things in shown for slug in things} <= {plan.slug for plan in plans}
