"""Edits of records by hand: which fields changed, from what and to what, so that each can be taken back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NamedTuple

from memory_middleware.schemas import times
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.owners import digest
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["KEPT", "EditRepository", "RecordEdit"]

KEPT = 50
"""How many edits of a record are kept."""

_OF_RECORD = "owner = :owner AND memory = (SELECT id FROM memory_records WHERE owner = :owner AND record = :record)"
_ADD = Statement(
    "INSERT INTO record_edits (memory, version, owner, document, changed_at)"
    " SELECT r.id, coalesce((SELECT max(e.version) FROM record_edits e WHERE e.memory = r.id), 0) + 1, r.owner,"
    " :document, :changed_at FROM memory_records r WHERE r.owner = :owner AND r.record = :record RETURNING version"
)
_LIST = Statement(
    f"SELECT version, document, changed_at FROM record_edits WHERE {_OF_RECORD} ORDER BY version DESC LIMIT :limit"
)
_DROP = Statement(f"DELETE FROM record_edits WHERE {_OF_RECORD} AND version <= :version")
_OWNED = Statement("SELECT memory, version, document FROM record_edits WHERE owner = :owner ORDER BY memory, version")
_FORGET = Statement("DELETE FROM record_edits WHERE owner = :owner AND memory = :memory AND version <= :version")


class RecordEdit(NamedTuple):
    """One edit: the fields it changed as they were before, as they were after, and when.

    Edits of a record are numbered from 1.
    """

    version: int
    before: dict[str, Any]
    after: dict[str, Any]
    changed_at: datetime


class EditRepository:
    """Keeps the last edits of each record; they go with it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, scope: Scope, record_id: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """Note an edit, inside the transaction that does it."""
        mine = {"owner": digest(scope.owner_id), "record": digest(record_id)}
        document = json.dumps({"before": dict(before), "after": dict(after)})
        with self._database.writing() as session:
            made = session.one(_ADD, document=document, changed_at=microseconds(times.utc_now()), **mine)
            if made is not None and made[0] > KEPT:
                session.run(_DROP, version=made[0] - KEPT, **mine)

    def newest(self, scope: Scope, record_id: str, *, limit: int = KEPT) -> list[RecordEdit]:
        """List the edits of a record, the newest first."""
        mine = {"owner": digest(scope.owner_id), "record": digest(record_id)}
        with self._database.reading() as session:
            rows = session.all(_LIST, limit=limit, **mine)
        return [_edit(*row) for row in rows]

    def told(self, scope: Scope) -> list[tuple[str, int, dict[str, Any]]]:
        """List the item, the number, and what it was before and after, of all edits of an owner, in their order."""
        with self._database.reading() as session:
            rows = session.all(_OWNED, owner=digest(scope.owner_id))
        return [(item, version, json.loads(document)) for item, version, document in rows]

    def forget(self, scope: Scope, item: str, version: int) -> None:
        """Drop an edit of a record with all before it; what is left can still be taken back in its order."""
        with self._database.writing() as session:
            session.run(_FORGET, owner=digest(scope.owner_id), memory=item, version=version)


def _edit(version: int, document: str, changed_at: int) -> RecordEdit:
    told = json.loads(document)
    return RecordEdit(version, told["before"], told["after"], datetime.fromtimestamp(changed_at / 1e6, UTC))
