"""The database between two tests that commit: the rows that migrations load come back, all others go.

Django's flush does the same in a second: it empties a hundred tables one by one, and content types, permissions, roles
and the world are made anew. Most tests fill a few tables and change none of those rows.
"""

from django.db import OperationalError, connection, transaction

KEPT = "kept_rows_of_"
TRIES = 5  # processes of a shop that still runs may lock rows the other way round

_tables: list[str] = []
_kept: dict[str, str] = {}  # columns, by table


def keep_rows() -> None:
    """Copy all rows as they are now; they come back with `restore_rows`."""
    _tables[:] = set(connection.introspection.django_table_names(only_existing=True)) - {"django_migrations"}
    _kept.clear()
    with transaction.atomic(), connection.cursor() as cursor:
        for table in _filled(cursor):
            cursor.execute(f'DROP TABLE IF EXISTS "{KEPT}{table}"')
            cursor.execute(f'CREATE TABLE "{KEPT}{table}" AS SELECT * FROM "{table}"')
            names = [column.name for column in connection.introspection.get_table_description(cursor, table)]
            _kept[table] = ", ".join(f'"{name}"' for name in names)


def restore_rows() -> None:
    for tries_left in reversed(range(TRIES)):
        try:
            _restore()
            return
        except OperationalError:
            if not tries_left:
                raise


def _restore() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        changed = [table for table in {*_filled(cursor), *_kept} if table not in _kept or _differs(cursor, table)]
        for table in changed:
            cursor.execute(f'DELETE FROM "{table}"')
        for table in _kept.keys() & changed:
            columns = _kept[table]
            cursor.execute(f'INSERT INTO "{table}" ({columns}) SELECT {columns} FROM "{KEPT}{table}"')


def _filled(cursor) -> list[str]:
    cursor.execute(" UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM \"{name}\")" for name in _tables))
    return [row[0] for row in cursor.fetchall()]


def _differs(cursor, table: str) -> bool:
    now, then = (f'SELECT {_kept[table]} FROM "{name}"' for name in (table, KEPT + table))
    cursor.execute(f"SELECT EXISTS ({now} EXCEPT {then}) OR EXISTS ({then} EXCEPT {now})")
    return cursor.fetchone()[0]
