"""Where the simulator keeps its rows: in memory (the server) or in the shop's database (in-process).

Nothing rolls back in memory: whoever writes checks everything before the first write.
"""

from collections import defaultdict
from contextlib import AbstractContextManager
from dataclasses import dataclass
from threading import RLock
from typing import Any, Protocol

from django.db import transaction

Body = dict[str, Any]


@dataclass(slots=True)
class Row:
    """An order, payment, refund, dispute, event, delivery, task or fault. Members of the body that
    start with _ are the simulator's own and are never answered."""

    id: str
    kind: str
    account: str
    body: Body
    parent: str = ""  # a payment's order, a refund's payment
    mark: str = ""  # receipt, idempotency key, or how far an event is

    @property
    def public(self) -> Body:
        return {name: value for name, value in self.body.items() if not name.startswith("_")}

    @property
    def expanded(self) -> Body:
        """With the card, which an API answer leaves out unless it is asked for."""
        return self.public | ({"card": self.body["_card"]} if "_card" in self.body else {})


class Store(Protocol):
    def atomic(self) -> AbstractContextManager[Any]: ...

    def add(self, row: Row) -> Row: ...

    def get(self, kind: str, row_id: str) -> Row | None:
        """The row, locked until the end of `atomic`."""

    def save(self, row: Row) -> None: ...

    def drop(self, row: Row) -> None: ...

    def find(self, kind: str, **fields: str) -> list[Row]:
        """Newest first; `fields` are account, parent and mark."""


class MemoryStore:
    """One lock, and an index for each field that is searched for."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._rows: dict[str, Row] = {}
        self._index: defaultdict[tuple[str, str, str], dict[str, Row]] = defaultdict(dict)
        self._places: dict[str, list[tuple[str, str, str]]] = {}

    def atomic(self) -> AbstractContextManager[Any]:
        return self._lock

    def add(self, row: Row) -> Row:
        self._rows[row.id] = row
        self.save(row)
        return row

    def get(self, kind: str, row_id: str) -> Row | None:
        row = self._rows.get(row_id)
        return row if row is not None and row.kind == kind else None

    def save(self, row: Row) -> None:
        places = [(row.kind, name, getattr(row, name)) for name in ("mark", "parent", "account")]
        before = self._places.get(row.id, [])
        if places != before:
            self._leave(row, before)
            for place in places:
                self._index[place][row.id] = row
            self._places[row.id] = places

    def drop(self, row: Row) -> None:
        self._leave(row, self._places.pop(row.id, []))
        self._rows.pop(row.id, None)

    def _leave(self, row: Row, places: list[tuple[str, str, str]]) -> None:
        for place in places:
            self._index[place].pop(row.id, None)
            if not self._index[place]:
                del self._index[place]

    def find(self, kind: str, **fields: str) -> list[Row]:
        if not fields:
            return [row for row in reversed(self._rows.values()) if row.kind == kind]
        narrow = next(name for name in ("mark", "parent", "account") if name in fields)
        rows = [*reversed(self._index.get((kind, narrow, fields.pop(narrow)), {}).values())]
        for name, value in fields.items():
            rows = [row for row in rows if getattr(row, name) == value]
        return rows


class TableStore:
    """Rows of `SimulatedRecord`, so that every process of a shop without keys sees one provider."""

    def atomic(self) -> AbstractContextManager[Any]:
        return transaction.atomic()

    def add(self, row: Row) -> Row:
        self._table.create(
            id=row.id, kind=row.kind, account=row.account, body=row.body, parent=row.parent, mark=row.mark
        )
        return row

    def get(self, kind: str, row_id: str) -> Row | None:
        record = self._table.select_for_update().filter(kind=kind, id=row_id).first()
        return self._row(record) if record else None

    def save(self, row: Row) -> None:
        self._table.filter(pk=row.id).update(body=row.body, mark=row.mark)

    def drop(self, row: Row) -> None:
        self._table.filter(pk=row.id).delete()

    def find(self, kind: str, **fields: str) -> list[Row]:
        return [self._row(record) for record in self._table.filter(kind=kind, **fields).order_by("-created_at", "-id")]

    @property
    def _table(self) -> Any:
        from ..models import SimulatedRecord  # the server needs no table

        return SimulatedRecord.objects

    @staticmethod
    def _row(record: Any) -> Row:
        return Row(record.id, record.kind, record.account, record.body, record.parent, record.mark)
