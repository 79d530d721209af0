"""What PostgreSQL is to assume of the shop's queries, kept with its role in its database.

A pooler between passes no options of a connection on; what is kept there holds for every connection.
"""

import logging
from typing import Any

from django.db import DatabaseError, connections, transaction

logger = logging.getLogger(__name__)
# PostgreSQL would compile a report of 70 ms for 400 ms before it runs it, and read a whole table rather than some
# thousand of its rows by an index, as was right for disks that turn.
ASSUMPTIONS = {"jit": "off", "random_page_cost": "1.1"}


def keep_assumptions(*, using: str, **about: Any) -> None:
    """After each `migrate`; also for the connection that runs it. One query where they are kept already."""
    connection = connections[using]
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name, setting, current_database() FROM pg_settings WHERE name = ANY(%s)", [list(ASSUMPTIONS)]
        )
        for name, found, database in cursor.fetchall():
            if found == (value := ASSUMPTIONS[name]):
                continue
            try:
                with transaction.atomic(using):
                    database_name = connection.ops.quote_name(database)
                    cursor.execute(f"ALTER ROLE CURRENT_USER IN DATABASE {database_name} SET {name} = {value}")
                    cursor.execute(f"SET {name} = {value}")
            except DatabaseError:
                logger.warning("PostgreSQL keeps no %s = %s for the shop's role", name, value, exc_info=True)
