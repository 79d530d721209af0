"""What PostgreSQL is to assume of the shop's queries holds for every connection of its role, after each migrate."""

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection

from shop.tests.conftest import database_url

from ..database.planner import ASSUMPTIONS, keep_assumptions

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]


@pytest.fixture(autouse=True)
def postgresql():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's planner takes no such settings")


def assumed() -> dict[str, str]:
    """By a new connection, without any options of its own."""
    with psycopg.connect(database_url()) as asked:
        return {name: asked.execute(f"SHOW {name}").fetchone()[0] for name in ASSUMPTIONS}


def test_they_hold_for_new_connections_and_are_set_again_where_they_are_missing():
    assert assumed() == ASSUMPTIONS
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER ROLE CURRENT_USER IN DATABASE {connection.settings_dict['NAME']} RESET jit")
    connection.close()
    assert assumed()["jit"] == "on"
    call_command("migrate", verbosity=0)
    assert assumed() == ASSUMPTIONS


def test_once_kept_they_cost_a_query(django_assert_num_queries):
    connection.close()
    connection.ensure_connection()
    with django_assert_num_queries(1):
        keep_assumptions(using="default")
