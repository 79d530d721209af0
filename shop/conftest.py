"""Fixtures for every test of the shop: a world of markets, and bakers of the usual rows."""

import json
import os
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test import Client, TransactionTestCase

import shop.urls  # noqa: F401 (with it, the staff's screens that tests go through are there)
from shop.accounts.staff import sessions
from shop.invalidation import subscriptions
from shop.markets.queries import market_registry
from shop.reports import waiting
from shop.startup import warm_up
from shop.tests.buckets.server import use_buckets
from shop.tests.kept_files import forget_kept_files
from shop.tests.migrated import MigratedDatabase
from shop.tests.rows import keep_rows, restore_rows
from shop.tests.support.needs import real_data_folder, require_database

WHOLE_SHOP = Path(__file__).parent / "tests"


def pytest_configure(config):
    require_database()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """The tests of the whole shop are the long ones: all processes would wait for one that began last. Those that
    share a running shop follow one another."""
    items.sort(key=lambda item: (WHOLE_SHOP not in item.path.parents, "shared_shop" not in item.fixturenames))


def pytest_collection_finish():
    """As in the served shop, the garbage collector leaves alone what was loaded: it is more than any test makes."""
    warm_up()


def pytest_runtest_logreport(report):
    """Keep what a proof reached for the table of `make prove` (shop/tests/support/figures.py); one of several processes
    hands its reports on to the one that started them."""
    is_last = "PYTEST_XDIST_WORKER" not in os.environ
    if is_last and (file := os.environ.get("PROOF_FIGURES")) and (report.when == "call" or report.failed):
        figures = [value for name, value in report.user_properties if name == "figure"]
        row = {"test": report.nodeid, "outcome": report.outcome, "database": connection.vendor, "figures": figures}
        with Path(file).open("a") as kept:
            kept.write(json.dumps(row) + "\n")


@pytest.fixture
def figure(record_property):
    """figure("0 lost of 1,000", "0 lost"): what this proof reached and what was promised."""
    return lambda reached, promised: record_property("figure", (reached, promised))


@pytest.fixture
def test_data():
    """The folder of real files that SHOP_TEST_DATA names."""
    return real_data_folder()


@pytest.fixture(scope="session")
def migrated_database(django_db_modify_db_settings, django_db_blocker):
    database = MigratedDatabase()
    with django_db_blocker.unblock():
        database.copy()
    return database


@pytest.fixture(scope="session")
def django_db_keepdb(migrated_database):
    """Whether there is a test database already, of which pytest-django takes no further care."""
    return migrated_database.is_copied


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker, migrated_database):
    """Every test finds the rows that migrations load, whatever those before it committed."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch:
        if not migrated_database.is_copied:
            migrated_database.keep()
        keep_rows()
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda case: restore_rows())
        yield
        if migrated_database.is_copied:
            migrated_database.drop_copy()


@pytest.fixture(autouse=True)
def own_subscriptions(request):
    """What a process remembers of the database is forgotten before a test that reads it."""
    fixtures = {"db", "transactional_db", "live_server"} & set(request.fixturenames)
    if not fixtures and not request.node.get_closest_marker("django_db"):
        return
    request.getfixturevalue("transactional_db" if fixtures - {"db"} else "db")
    subscriptions.reset()


@pytest.fixture(autouse=True)
def no_clock_in_query_counts(monkeypatch):
    """News are asked for after this process changed something, not also each second; what waits for
    staff is counted once, and that one of them was here is noted once."""
    monkeypatch.setattr(subscriptions, "EVERY_SECONDS", 3600.0)
    monkeypatch.setattr(waiting, "KEPT_SECONDS", 3600)
    monkeypatch.setattr(sessions, "NOTED_EVERY", timedelta(minutes=30))


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    """A real hash takes a good part of a second; the tests of timing ask for it (`real_passwords`)."""
    hashers = settings.PASSWORD_HASHERS
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *hashers]
    return hashers


@pytest.fixture(autouse=True)
def staff_without_second_factor(settings):
    """As in the demo; the tests of the second factor ask for it."""
    settings.STAFF_SECOND_FACTOR = False


@pytest.fixture
def real_passwords(settings, quick_passwords):
    settings.PASSWORD_HASHERS = quick_passwords


@pytest.fixture(autouse=True)
def fresh_cache():
    from django.core.cache import cache

    cache.clear()
    forget_kept_files()


@pytest.fixture(scope="session")
def s3_server():
    """The address of a server that speaks S3's API."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    yield "http://{}:{}".format(*server.get_host_and_port())
    server.stop()


@pytest.fixture
def buckets(s3_server, settings, monkeypatch):
    """The shop's files in two empty buckets, and a third for backups."""
    with use_buckets(s3_server, settings, monkeypatch) as used:
        yield used


@pytest.fixture
def kept_in(request):
    """Where private files are: @KEPT_IN_BOTH gives a test the folder, then the bucket."""
    if getattr(request, "param", "folder") == "bucket":
        request.getfixturevalue("buckets")


@pytest.fixture
def india(db):
    return market_registry().market(market_registry().by_code["IN"])


@pytest.fixture
def usa(db):
    return market_registry().market(market_registry().by_code["US"])


@pytest.fixture
def browser_client():
    """A test client that proves its origin as a browser does."""
    return Client(headers={"sec-fetch-site": "same-origin"})


@pytest.fixture
def make_product(db):
    """make_product("Neem Soap", category=…): a published product without variants."""
    from django.utils.text import slugify

    from shop.catalog.models import Brand, Category, Product

    def make(name, **fields):
        fields.setdefault("brand", Brand.objects.get_or_create(name="Vanamitra", slug="vanamitra")[0])
        if "category" not in fields:
            ayurveda = {"name": "Ayurveda", "slug": "ayurveda"}
            fields["category"] = Category.objects.get_or_create(path="ayurveda", defaults=ayurveda)[0]
        return Product.objects.create(name=name, slug=slugify(name), is_published=True, **fields)

    return make


@pytest.fixture
def make_variant(db, make_product):
    """make_variant(price="100", stock=5, product=…): a published product with one variant in stock."""
    from shop.catalog.models import StockMovement, Variant
    from shop.catalog.services import refresh_products

    @transaction.atomic
    def make(price="100", actual=None, units=5, product=None, **fields):
        number = Variant.objects.count() + 1
        product = product or make_product(f"Product {number}")
        variant = Variant.objects.create(
            product=product,
            sku=f"SKU-{number}",
            selling_price=Decimal(price),
            actual_price=Decimal(actual or price),
            received=units,  # as stock.services.receive does it, which refreshes the product once more
            on_hand=units,
            **fields,
        )
        if units:
            StockMovement.objects.create(variant=variant, kind=StockMovement.Kind.RECEIVED, quantity=units)
        refresh_products([product.pk])
        variant.refresh_from_db()
        return variant

    return make


@pytest.fixture
def sold_on_prescription(settings):
    """The company has named its pharmacy licence and its pharmacist."""
    settings.COMPANY = settings.COMPANY | {"pharmacy_licence": "KA-20-123", "pharmacist": "K. Nair, KPC 1"}


@pytest.fixture
def customer(db):
    from shop.accounts.models import Customer

    return Customer.objects.create_user("asha@example.com", "correct horse battery", name="Asha Rao")


@pytest.fixture
def address(customer):
    from shop.accounts.models import Address

    return Address.objects.create(
        customer=customer,
        full_name="Asha Rao",
        phone_number="9876543210",
        alt_phone_number="9876543211",
        address="12 Temple Road",
        city="Bengaluru",
        state="Karnataka",
        pincode="560001",
        country_id=1,
        is_default=True,
    )


@pytest.fixture
def make_coupon(db):
    """make_coupon("SAVE10", percent=10) or make_coupon("OFF50", amount=50), without limits of use; `kind`, and
    products, categories, brands and locations where it is for some only."""
    from shop.cart.models import Coupon

    def make(code, percent=None, amount=None, **fields):
        kind = Coupon.Kind.AMOUNT if percent is None else Coupon.Kind.PERCENT
        many = {name: fields.pop(name) for name in ("products", "categories", "brands", "locations") if name in fields}
        fields = {"customer_limit": None, "kind": kind} | fields
        coupon = Coupon.objects.create(code=code, percent=percent, amount_inr=amount, **fields)
        for name, rows in many.items():
            getattr(coupon, name).set(rows)
        return coupon

    return make
