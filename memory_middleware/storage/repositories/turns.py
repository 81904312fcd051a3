"""The turns of agents: what each injected and referenced, kept so that a replayed turn is known."""

from __future__ import annotations

import json
from datetime import datetime

from memory_middleware.schemas.dialogue import Turn
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.owners import digest
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["TurnRepository"]

_ADD = Statement(
    "INSERT INTO memory_turns (owner, entry, thread, document, happened_at)"
    " VALUES (:owner, :entry, :thread, :document, :happened_at) ON CONFLICT (owner, entry) DO NOTHING"
)
_KNOWN = Statement("SELECT 1 FROM memory_turns WHERE owner = :owner AND entry = :entry")
_NEWEST = Statement(
    "SELECT document FROM memory_turns WHERE owner = :owner ORDER BY happened_at DESC, seq DESC LIMIT :limit"
)
_OF_THREAD = Statement(
    "SELECT document FROM memory_turns WHERE owner = :owner AND thread = :thread ORDER BY seq DESC LIMIT :limit"
)
_COUNT = Statement("SELECT count(*) FROM memory_turns WHERE owner = :owner AND thread = :thread")
_FORGET = Statement("DELETE FROM memory_turns WHERE owner = :owner AND happened_at < :before")
_DROP_THREAD = Statement("DELETE FROM memory_turns WHERE owner = :owner AND thread = :thread")


class TurnRepository:
    """Appends turns and reads them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, scope: Scope, turn: Turn) -> bool:
        """Note a turn and tell whether it is new; one that is known changes nothing."""
        with self._database.writing() as session:
            added = session.run(
                _ADD,
                owner=digest(scope.owner_id),
                entry=digest(turn.id),
                thread=digest(turn.session_id),
                document=json.dumps(turn.to_dict()),
                happened_at=microseconds(turn.happened_at),
            )
        return added == 1

    def knows(self, scope: Scope, turn_id: str) -> bool:
        """Tell whether a turn was noted before."""
        with self._database.reading() as session:
            return session.one(_KNOWN, owner=digest(scope.owner_id), entry=digest(turn_id)) is not None

    def newest(self, scope: Scope, *, limit: int = 20) -> list[Turn]:
        """List the last turns, the newest first; those of the scope's thread if it names one."""
        owner = digest(scope.owner_id)
        with self._database.reading() as session:
            if scope.thread_id:
                rows = session.all(_OF_THREAD, owner=owner, thread=digest(scope.thread_id), limit=limit)
            else:
                rows = session.all(_NEWEST, owner=owner, limit=limit)
        return [Turn.model_validate(json.loads(row[0])) for row in rows]

    def count(self, scope: Scope) -> int:
        """Count the turns of the scope's thread."""
        with self._database.reading() as session:
            return int(session.one(_COUNT, owner=digest(scope.owner_id), thread=digest(scope.thread_id))[0])

    def forget(self, scope: Scope, before: datetime) -> int:
        """Drop the turns before a moment and tell how many."""
        with self._database.writing() as session:
            return session.run(_FORGET, owner=digest(scope.owner_id), before=microseconds(before))

    def forget_thread(self, scope: Scope) -> int:
        """Drop the turns of the scope's thread and tell how many."""
        with self._database.writing() as session:
            return session.run(_DROP_THREAD, owner=digest(scope.owner_id), thread=digest(scope.thread_id))
