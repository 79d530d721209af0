"""Rows of a busy shop, for the measurements."""


def settle() -> None:
    """Have the database look at what was filled in, as its autovacuum does in a shop that filled over years."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE" if connection.vendor == "sqlite" else "VACUUM ANALYZE")
