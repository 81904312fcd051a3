"""The dialogue buffer: rounds that wait for the extractor."""

from __future__ import annotations

import json
from collections.abc import Sequence

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.dialogue import Dialogue
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.owners import digest

__all__ = ["DialogueRepository"]

_APPEND = Statement(
    "INSERT INTO dialogue_buffer (owner, entry, session, document) VALUES (:owner, :entry, :session, :document)"
    " ON CONFLICT (owner, entry) DO NOTHING"
)
_READ = Statement(
    "SELECT document FROM dialogue_buffer WHERE owner = :owner AND session = :session ORDER BY seq LIMIT :limit"
)
_COUNT = Statement("SELECT count(*) FROM dialogue_buffer WHERE owner = :owner AND session = :session")
_SETTLE = Statement("DELETE FROM dialogue_buffer WHERE owner = :owner AND entry = :entry")


class DialogueRepository:
    """Keeps rounds in the order they came, until exactly those that were read are settled."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(self, scope: Scope, dialogue: Dialogue) -> bool:
        """Add a round and tell whether it is new; one that is there already changes nothing.

        Raises:
            InvalidInputError: The round is another owner's.
        """
        if dialogue.owner_id != scope.owner_id:
            raise InvalidInputError(f"the round belongs to {dialogue.owner_id!r}, the scope to {scope.owner_id!r}")
        with self._database.writing() as session:
            added = session.run(
                _APPEND,
                entry=digest(dialogue.id),
                owner=digest(scope.owner_id),
                session=digest(dialogue.session_id),
                document=json.dumps(dialogue.to_dict()),
            )
        return added == 1

    def batch(self, scope: Scope, session_id: str, limit: int) -> list[Dialogue]:
        """Give the oldest rounds of a session."""
        with self._database.reading() as session:
            rows = session.all(_READ, owner=digest(scope.owner_id), session=digest(session_id), limit=limit)
        return [Dialogue.model_validate(json.loads(row[0])) for row in rows]

    def count(self, scope: Scope, session_id: str) -> int:
        """Count the rounds of a session that wait."""
        with self._database.reading() as session:
            return int(session.one(_COUNT, owner=digest(scope.owner_id), session=digest(session_id))[0])

    def settle(self, scope: Scope, rounds: Sequence[Dialogue]) -> int:
        """Remove exactly these rounds and tell how many were still there; later ones stay."""
        with self._database.writing() as session:
            return sum(session.run(_SETTLE, entry=digest(entry.id), owner=digest(scope.owner_id)) for entry in rounds)
