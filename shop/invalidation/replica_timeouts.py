"""How long a connection to the replica waits for an answer.

A server that was stopped, or whose disk hangs, goes on acknowledging what it is sent: no setting of the network ends a
wait for it, and it does not end its own queries. So the waiting side does; the connection is closed then.
"""

from contextvars import ContextVar
from typing import Any

import psycopg
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.pq import TransactionStatus

ALIAS = "replica"
QUERY_SECONDS = 5.0  # after which the server ends a query
PROBE_SECONDS = 2.0  # for a query that has nothing to do

# For one answer of the present thread.
answer_seconds: ContextVar[float] = ContextVar("answer_seconds", default=QUERY_SECONDS + 1)


def limit_waits(sender: Any, connection: BaseDatabaseWrapper, **about: Any) -> None:
    """Of each new connection to the replica; called when it is there.

    The server's own limit is set by a query: behind a pooler options of a connection may be dropped.
    """
    if connection.alias != ALIAS or connection.vendor != "postgresql":
        return
    own: psycopg.Connection[Any] = connection.connection
    wait = own.wait

    def limited(gen: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return wait(gen, *args, **{"timeout": answer_seconds.get()} | kwargs)
        except psycopg.OperationalError:
            if own.info.transaction_status == TransactionStatus.ACTIVE:
                own.close()  # what it would still answer belongs to nobody
            raise

    own.wait = limited  # type: ignore[method-assign]
    with connection.cursor() as cursor:
        cursor.execute(f"SET statement_timeout = {round(QUERY_SECONDS * 1000)}")
