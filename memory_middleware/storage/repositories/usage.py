"""The usage log: which records were injected, and which of them the answers used."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from memory_middleware.schemas.dialogue import UsageEntry
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.owners import digest
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["UsageCount", "UsageEvent", "UsageRepository"]

# A record that was deleted meanwhile has no use to log.
_LOG = Statement(
    "INSERT INTO memory_usage_log (memory, owner, turn, document, was_referenced, used_at)"
    " SELECT id, owner, :turn, :document, :referenced, :used_at FROM memory_records"
    " WHERE owner = :owner AND record = :record ON CONFLICT (memory, turn) DO NOTHING"
)
_OF_RECORD = (
    " FROM memory_usage_log u JOIN memory_records r ON r.id = u.memory WHERE r.owner = :owner AND r.record = :record"
)
_HISTORY = Statement(f"SELECT u.document{_OF_RECORD} ORDER BY u.used_at DESC, u.seq DESC LIMIT :limit")
_COUNT = Statement(f"SELECT count(*), coalesce(sum(u.was_referenced), 0){_OF_RECORD}")
_NEWEST = Statement(
    "SELECT document FROM memory_usage_log WHERE owner = :owner ORDER BY used_at DESC, seq DESC LIMIT :limit"
)
_EVENTS = Statement(
    "SELECT memory, used_at, was_referenced, document FROM memory_usage_log"
    " WHERE owner = :owner AND used_at < :before ORDER BY used_at, seq"
)
_FORGET = Statement("DELETE FROM memory_usage_log WHERE owner = :owner AND used_at < :before")


_NEVER = 2**62


class UsageCount(NamedTuple):
    """How often a record was injected, and how often the answer used it."""

    injected: int
    referenced: int


class UsageEvent(NamedTuple):
    """What the log says of one item at one moment; ``delta`` is a change by hand."""

    item: str
    moment: datetime
    referenced: bool
    delta: float


class UsageRepository:
    """Appends to the log and reads it; the rows of a deleted record go with it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def log(self, scope: Scope, turn_id: str, entries: Sequence[UsageEntry]) -> int:
        """Log what happened to records in one turn, and tell how many rows are new.

        The same turn logged again changes nothing.
        """
        owner, turn = digest(scope.owner_id), digest(turn_id)
        rows = [
            {
                "owner": owner,
                "record": digest(entry.memory_id),
                "turn": turn,
                "document": json.dumps(entry.to_dict()),
                "referenced": int(entry.was_referenced),
                "used_at": microseconds(entry.used_at),
            }
            for entry in entries
        ]
        with self._database.writing() as session:
            return session.many(_LOG, rows)

    def history(self, scope: Scope, record_id: str, *, limit: int = 100) -> list[UsageEntry]:
        """Give the uses of a record, the newest first."""
        with self._database.reading() as session:
            rows = session.all(_HISTORY, owner=digest(scope.owner_id), record=digest(record_id), limit=limit)
        return [UsageEntry.model_validate(json.loads(row[0])) for row in rows]

    def newest(self, scope: Scope, *, limit: int = 100) -> list[UsageEntry]:
        """Give the newest uses of all records."""
        with self._database.reading() as session:
            rows = session.all(_NEWEST, owner=digest(scope.owner_id), limit=limit)
        return [UsageEntry.model_validate(json.loads(row[0])) for row in rows]

    def count(self, scope: Scope, record_id: str) -> UsageCount:
        """Count the uses of a record."""
        with self._database.reading() as session:
            injected, referenced = session.one(_COUNT, owner=digest(scope.owner_id), record=digest(record_id))
        return UsageCount(int(injected), int(referenced))

    def events(self, scope: Scope, *, before: datetime | None = None) -> Iterator[UsageEvent]:
        """Go through the whole log in its order, or through what it says of the time before a moment."""
        until = microseconds(before) if before else _NEVER
        with self._database.reading() as session:
            rows = session.all(_EVENTS, owner=digest(scope.owner_id), before=until)
        for item, used_at, referenced, document in rows:
            delta = json.loads(document).get("delta", 0.0) if '"delta"' in document else 0.0
            yield UsageEvent(item, datetime.fromtimestamp(used_at / 1e6, UTC), bool(referenced), float(delta))

    def forget(self, scope: Scope, before: datetime) -> int:
        """Drop the uses before a moment and tell how many."""
        with self._database.writing() as session:
            return session.run(_FORGET, owner=digest(scope.owner_id), before=microseconds(before))
