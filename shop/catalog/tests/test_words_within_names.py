"""PostgreSQL finds words within the names of products by an index, and does without where it may not have one."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from shop.catalog.models import Product
from shop.catalog.queries import products_named

pytestmark = [
    pytest.mark.database,
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="An index that PostgreSQL has"),
]
INDEX = "product_words_within_name"
migration = import_module("shop.catalog.migrations.0029_words_within_names")


def plan() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    return Product.objects.filter(products_named("neem oil")).order_by().explain()


def test_words_within_names_are_found_by_their_index():
    assert plan().count(INDEX) == 1


def test_a_role_that_may_create_no_extension_does_without(make_product, caplog):
    with connection.cursor() as cursor:
        cursor.execute("DROP EXTENSION pg_trgm CASCADE")
        cursor.execute("CREATE ROLE shop_without_rights")
        cursor.execute("GRANT USAGE ON SCHEMA public TO shop_without_rights")
        cursor.execute("SET LOCAL ROLE shop_without_rights")
    with connection.schema_editor(atomic=False) as editor:
        migration.create(apps, editor)
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")
    assert "no index of words within names: permission denied" in caplog.text
    assert INDEX not in plan()
    make_product("Neem Oil")
    assert Product.objects.filter(products_named("oil neem")).count() == 1
