"""What was forgotten, as digests: enough to know it again, too little to read it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import clock
from memory_middleware.storage.database import Database, Insert, Statement
from memory_middleware.storage.in_list import InList
from memory_middleware.storage.owners import digest
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["TombstoneRepository"]

_ADD = Insert(
    "memory_tombstones",
    ("owner", "mark", "made_at"),
    "ON CONFLICT (owner, mark) DO UPDATE SET made_at = excluded.made_at",
)
_AMONG = InList("SELECT mark FROM memory_tombstones WHERE owner = :owner AND mark IN (:listed)")
_FORGET = Statement("DELETE FROM memory_tombstones WHERE owner = :owner AND made_at < :before")


class TombstoneRepository:
    """Keeps marks of what must not come back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, scope: Scope, marks: Iterable[str]) -> None:
        """Set marks; the texts themselves are not kept."""
        owner, now = digest(scope.owner_id), clock.now()
        rows = [(owner, name, now) for name in {digest(mark) for mark in marks}]
        with self._database.writing() as session:
            session.insert(_ADD, rows)

    def among(self, scope: Scope, marks: Iterable[str]) -> set[str]:
        """Tell which of these marks are set."""
        names = {digest(mark): mark for mark in marks}
        with self._database.reading() as session:
            return {names[row[0]] for row in _AMONG.rows(session, list(names), owner=digest(scope.owner_id))}

    def expire(self, scope: Scope, before: datetime) -> int:
        """Drop the marks set before a moment and tell how many."""
        with self._database.writing() as session:
            return session.run(_FORGET, owner=digest(scope.owner_id), before=microseconds(before))
