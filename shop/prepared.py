"""Queries whose SQL the ORM writes once.

Django writes the statement of a query anew each time it is asked, which takes ten times as long as a small answer of
the database (0.1 of 1.0 ms for what is to be known of a variant before it is added to a cart). Worth it only where
many requests ask the same.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)
STANDS_FOR = 2_000_000_000  # the first of the numbers that stand for arguments; a column of 32 bits holds them, too
LARGEST = 2**63 - 1  # that a key can be


class PreparedQuery(Generic[Row]):
    """`find = PreparedQuery(build)`, then `find(7, 1)`: the rows of `build(7, 1)`, with its annotations.

    `build` takes keys, or numbers that their columns can hold, and hands them to the database as they are; it may not
    decide by them. What it selects are columns of one model and annotations (`select_related` is not read).
    """

    def __init__(self, build: Callable[..., QuerySet[Row]]) -> None:
        self._build = build
        self._statement: tuple[type[Row], str, list[Any]] | None = None

    def __call__(self, *values: int) -> list[Row]:
        if not all(abs(value) <= LARGEST for value in values):
            return []  # as the ORM answers
        model, sql, parameters = self._statement or self._write(len(values))
        arguments = {STANDS_FOR + place: value for place, value in enumerate(values)}
        return list(model._default_manager.raw(sql, [arguments.get(each, each) for each in parameters]))

    def _write(self, count: int) -> tuple[type[Row], str, list[Any]]:
        stand_ins = range(STANDS_FOR, STANDS_FOR + count)
        rows = self._build(*stand_ins)
        sql, parameters = rows.query.sql_with_params()
        if missing := set(stand_ins) - {each for each in parameters if isinstance(each, int)}:
            raise ValueError(f"{len(missing)} arguments of {self._build} do not reach the database.")
        self._statement = rows.model, sql, list(parameters)
        return self._statement
