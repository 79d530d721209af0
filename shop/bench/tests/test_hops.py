"""A request is followed through no more modules than today; programs and staff pass by what is for shoppers."""

import pytest

from shop.text import one_line

from ..hops import LIMITS, count_modules, modules_entered

FOR_SHOPPERS = {"markets/caching/page_cache.py", "markets/geography/detection.py", "markets/queries.py"}


@pytest.fixture
def entered(transactional_db, customer, address, make_variant):
    return count_modules(customer, make_variant(price="250", units=20))


def test_a_kind_of_request_enters_no_module_more(entered):
    assert {kind: sorted(modules) for kind, modules in entered.items() if len(modules) > LIMITS[kind]} == {}


def test_webhook_probe_and_admin_pass_by_markets_and_page_cache(entered):
    passing = {kind: entered[kind] & FOR_SHOPPERS for kind in ("webhook", "health probe", "admin")}
    assert passing == {"webhook": set(), "health probe": set(), "admin": set()}
    assert {"markets/caching/page_cache.py", "markets/queries.py"} <= entered["category page"]


def test_modules_are_counted_where_their_code_runs():
    assert modules_entered(lambda: one_line("a")) == {"text.py"}
    assert modules_entered(lambda: len("a")) == set()
