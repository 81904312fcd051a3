"""What was forgotten, as digests: enough to know it again, too little to read it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import clock
from memory_middleware.storage.database import Database, Insert, Statement
from memory_middleware.storage.owners import digest
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["TombstoneRepository"]

_ADD = Insert(
    "memory_tombstones",
    ("owner", "mark", "made_at"),
    "ON CONFLICT (owner, mark) DO UPDATE SET made_at = excluded.made_at",
)
_FORGET = Statement("DELETE FROM memory_tombstones WHERE owner = :owner AND made_at < :before")
_AT_ONCE = 200


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
        listed = list(names)
        found: set[str] = set()
        for at in range(0, len(listed), _AT_ONCE):
            # Digests are hexadecimal, so they can stand in the text.
            wanted = ", ".join(f"'{name}'" for name in listed[at : at + _AT_ONCE])
            statement = Statement(f"SELECT mark FROM memory_tombstones WHERE owner = :owner AND mark IN ({wanted})")
            with self._database.reading() as session:
                found |= {names[row[0]] for row in session.all(statement, owner=digest(scope.owner_id))}
        return found

    def expire(self, scope: Scope, before: datetime) -> int:
        """Drop the marks set before a moment and tell how many."""
        with self._database.writing() as session:
            return session.run(_FORGET, owner=digest(scope.owner_id), before=microseconds(before))
