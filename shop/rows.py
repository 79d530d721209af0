"""Many rows: read page by page, and written together.

Each page is a query of its own, so that memory holds one of them. A cursor kept open on the server would do the same in
one query; behind a pooler in transaction mode the next piece is asked of another connection, which does not know it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from django.db import connections, router
from django.db.models import Model, Q, QuerySet
from django.db.models.query import ValuesListIterable

PAGE = 500
Row = TypeVar("Row")


def each_row(rows: QuerySet[Any, Row], size: int = PAGE, *, by: tuple[str, ...] = ("pk",)) -> Iterator[Row]:
    """The rows of `pages_of`, one after the other."""
    for page in pages_of(rows, size, by=by):
        yield from page


def pages_of(rows: QuerySet[Any, Row], size: int = PAGE, *, by: tuple[str, ...] = ("pk",)) -> Iterator[list[Row]]:
    """Lists of at most `size` rows, ordered by these columns, ascending; fewer than `size` rows cost one query.

    The columns are the row's own, never null, and together say which row it is; tuples of `values_list` begin with
    them. What changes in between is read as it is when its page comes. Raises TypeError for others.
    """
    _check(rows, by)
    rows = rows.order_by(*by)
    page = list(rows[:size])
    while page:
        yield page
        if len(page) < size:
            return
        page = list(rows.filter(_after(by, _place_of(page[-1], by)))[:size])


def update_rows(rows: Sequence[Model], names: Sequence[str]) -> None:
    """Write these fields of rows that are there, each with its own values (no expressions), in a tenth of the time of
    bulk_update(), which builds a CASE of all rows for each field. One statement, sent for each row; all or none of them
    are written where the caller has begun a transaction."""
    meta: Any = rows[0]._meta
    connection = connections[router.db_for_write(type(rows[0]))]
    fields = [*(meta.get_field(name) for name in names), meta.pk]
    columns = [f"{connection.ops.quote_name(field.column)} = %s" for field in fields]
    table = connection.ops.quote_name(meta.db_table)
    statement = f"UPDATE {table} SET {', '.join(columns[:-1])} WHERE {columns[-1]}"  # nosec B608 (names of our models)
    values = [[field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields] for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(statement, values)


def _check(rows: QuerySet[Any, Any], by: tuple[str, ...]) -> None:
    """Here, as what has more than a page is seldom small enough for a test."""
    fields = rows._fields  # type: ignore[attr-defined]
    is_tuple = issubclass(rows._iterable_class, ValuesListIterable)
    if fields is not None and not (is_tuple and fields[: len(by)] == by):
        raise TypeError(f"Rows that are not models are tuples of values_list, and begin with {by}.")
    of_row = rows.model._meta
    if nullable := [name for name in by if name != "pk" and of_row.get_field(name).null]:
        raise TypeError(f"These columns may be null: {nullable}.")


def _place_of(row: Any, by: tuple[str, ...]) -> list[Any]:
    return list(row[: len(by)]) if isinstance(row, tuple) else [getattr(row, name) for name in by]


def _after(by: tuple[str, ...], place: list[Any]) -> Q:
    """Rows behind a place in the order of `by`. The first column is bound by itself, too: an index finds it so."""
    *earlier, (name, value) = zip(by, place, strict=True)
    after = Q(**{f"{name}__gt": value})
    for name, value in reversed(earlier):
        after = Q(**{f"{name}__gt": value}) | (Q(**{name: value}) & after)
    return after & Q(**{f"{by[0]}__gte": place[0]}) if earlier else after
