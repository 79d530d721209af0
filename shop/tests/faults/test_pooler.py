"""Behind PgBouncer in transaction mode, with four connections for everybody: whole answers, changes within two seconds,
and no cursor that another connection would have to know."""

import csv
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from xml.etree import ElementTree

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from shop.accounts.models import Customer
from shop.catalog.models import Product, Variant
from shop.catalog.services import refresh_products
from shop.messaging.models import Message
from shop.ops.database.copies import CopyFailed, copy_database
from shop.ops.models import Chore
from shop.rows import each_row

from ..conftest import await_true, database_url, free_port, serving
from ..served import visitors
from ..served.visitors import Visitor
from ..support.buyers import Answered, new_buyers
from ..support.clusters import Pooler, default_database, own_pooler
from ..support.provider import stand_in
from .test_killed_workers import buy

pytestmark = pytest.mark.database
PRODUCTS, ROUNDS = 30, 4
PROMISED_SECONDS = 2.0
PATIENCE = 20.0  # beside other tests, for two cores
PAGES = (
    "/en-in/", "/en-in/products/ayurveda/", "/en-in/product/product-1/", "/en-in/search/product/", "/readyz",
    "/sitemap.xml", "/sitemaps/in/products-1.xml",
)  # fmt: skip


@pytest.fixture
def pooler(transactional_db) -> Iterator[Pooler]:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no pooler")
    with own_pooler() as pooler:
        yield pooler


@pytest.fixture
def pooled(pooler):
    """pooled(DISABLE_SERVER_SIDE_CURSORS=False): this process asks the pooler, too."""
    return lambda **changes: default_database(
        HOST="127.0.0.1", PORT=pooler.port, USER="postgres", PASSWORD="", **changes
    )


def read(visitor: Visitor, path: str) -> bytes:
    answer = visitor.get(visitor.url + path, timeout=visitors.PATIENCE)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.content


def read_feed(visitor: Visitor) -> int:
    """How many items the merchant feed has; it raises where the feed is not whole."""
    return len(ElementTree.fromstring(read(visitor, "/feeds/merchant-in.xml")).findall("channel/item"))


def exported_orders(visitor: Visitor) -> list[list[str]]:
    today = timezone.localdate().isoformat()
    content = read(visitor, f"/admin/orders/order/export/?first={today}&last={today}&format=csv")
    return list(csv.reader(StringIO(content.decode("utf-8-sig"), newline="")))


def change_price(variant: Variant, price: str) -> None:
    Variant.objects.filter(pk=variant.pk).update(selling_price=price, actual_price=price)
    refresh_products([variant.product_id])


@pytest.mark.parametrize(
    "seconds",
    [PATIENCE, pytest.param(PROMISED_SECONDS, marks=[pytest.mark.full, pytest.mark.alone])],
    ids=["short", "long"],
)
def test_the_whole_shop(pooler, tmp_path, make_variant, figure, seconds):
    variants = [make_variant(price=str(100 + number), units=50) for number in range(PRODUCTS)]
    port, answered = free_port(), Answered()
    with (
        stand_in(tmp_path, shop_port=port) as provider,
        serving(tmp_path, port=port, WEB_WORKERS="2", DATABASE_URL=pooler.url, **provider.settings) as shop,
        ThreadPoolExecutor(8) as pool,
    ):
        visitor = Visitor(shop.url)
        pages = [pool.submit(read, Visitor(shop.url), path) for path in PAGES * ROUNDS]
        feed = pool.submit(read_feed, visitor)
        buyers = new_buyers(shop.url, ROUNDS, answered)
        buying = [pool.submit(buy, buyer, provider, variants[:2], ("card",)) for buyer in buyers]
        assert all(one.result() is not None for one in pages)
        assert feed.result() == PRODUCTS
        for one in buying:
            one.result()
        assert len(answered.paid) == ROUNDS and answered.broken == answered.unable.total() == 0

        change_price(variants[5], "4321")
        start = time.monotonic()
        while b"4,321" not in read(visitor, "/en-in/products/ayurveda/?sort=-price"):
            assert time.monotonic() - start < seconds
            time.sleep(0.05)
        took = time.monotonic() - start

        (member,) = new_buyers(shop.url, 1, Answered())
        Customer.objects.filter(pk=member.customer_id).update(is_staff=True, is_superuser=True)
        visitor.cookies.set(settings.SESSION_COOKIE_NAME, member.session)
        assert {row[0] for row in exported_orders(visitor)[1:]} == answered.paid
        await_true(lambda: not Message.objects.pending().exists())
        await_true(lambda: Chore.objects.exclude(succeeded_at=None).exists())
        shop.manage("check_shop")
        log = (tmp_path / "log").read_text()
    assert "Traceback" not in log, log
    figure(f"{took:.2f} s until a listing behind PgBouncer showed a changed price", "2 s")
    assert took < seconds


def read_while_another_begins(rows: Iterator[int], url: str) -> list[int]:
    """Between two pieces somebody else takes the connection that the first one came from."""
    found = [next(rows)]
    with psycopg.connect(url) as another:
        another.execute("SELECT 1")
        return [*found, *rows]


def test_rows_come_whole_whoever_asks_in_between(pooler, pooled, make_variant):
    pks = sorted(make_variant().product_id for _ in range(4))
    with pooled():
        rows = Product.objects.values_list("pk", flat=True)
        assert read_while_another_begins((row[0] for row in each_row(rows.values_list("pk"), 1)), pooler.url) == pks
        assert read_while_another_begins(rows.order_by("pk").iterator(1), pooler.url) == pks


def test_without_client_side_cursors_they_break_off(pooler, pooled, make_variant):
    for _ in range(4):
        make_variant()
    with pooled(DISABLE_SERVER_SIDE_CURSORS=False):
        rows = Product.objects.order_by("pk").values_list("pk", flat=True).iterator(1)
        with pytest.raises(psycopg.errors.InvalidCursorName):
            read_while_another_begins(rows, pooler.url)


def test_what_the_planner_is_to_assume_is_known_behind_it(pooler):
    with psycopg.connect(pooler.url) as asked:
        assert asked.execute("SELECT current_setting('jit'), current_setting('random_page_cost')").fetchone() == (
            "off",
            "1.1",
        )


def test_a_copy_is_made_by_the_direct_address_alone(pooler, pooled, make_variant, settings, tmp_path):
    make_variant()
    direct = database_url()
    with pooled():
        with pytest.raises(CopyFailed, match="set DATABASE_DIRECT_URL"):
            copy_database(tmp_path)
        settings.DATABASE_DIRECT_URL = direct
        assert copy_database(tmp_path)["rows"]["catalog_variant"] == 1
