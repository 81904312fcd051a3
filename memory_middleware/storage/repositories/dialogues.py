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
_GET = Statement("SELECT document FROM dialogue_buffer WHERE owner = :owner AND entry = :entry")
_REPLACE = Statement("UPDATE dialogue_buffer SET document = :document WHERE owner = :owner AND entry = :entry")
_WAITING = " FROM dialogue_buffer WHERE owner = :owner AND session = :session AND parked IS NULL"
_READ = Statement(f"SELECT document{_WAITING} ORDER BY seq LIMIT :limit")
_COUNT = Statement(f"SELECT count(*){_WAITING}")
_SETTLE = Statement("DELETE FROM dialogue_buffer WHERE owner = :owner AND entry = :entry")
_EVERY = Statement("SELECT document FROM dialogue_buffer WHERE owner = :owner AND session = :session ORDER BY seq")
_DROP = Statement("DELETE FROM dialogue_buffer WHERE owner = :owner AND session = :session")
_PARK = Statement("UPDATE dialogue_buffer SET parked = :run WHERE owner = :owner AND entry = :entry")
_UNPARK = Statement("UPDATE dialogue_buffer SET parked = NULL WHERE owner = :owner AND parked = :run")
_PARKED = Statement("SELECT document FROM dialogue_buffer WHERE owner = :owner AND parked = :run ORDER BY seq")
_SESSIONS = Statement(
    "SELECT max(document), count(*) FROM dialogue_buffer WHERE owner = :owner AND parked IS NULL GROUP BY session"
)


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

    def get(self, scope: Scope, round_id: str) -> Dialogue | None:
        """Give a round that waits, or none."""
        with self._database.reading() as session:
            found = session.one(_GET, owner=digest(scope.owner_id), entry=digest(round_id))
        return _read(found) if found else None

    def replace(self, scope: Scope, dialogue: Dialogue) -> bool:
        """Write a round that waits anew, and tell whether it was there."""
        with self._database.writing() as session:
            told = json.dumps(dialogue.to_dict())
            return session.run(_REPLACE, owner=digest(scope.owner_id), entry=digest(dialogue.id), document=told) == 1

    def batch(self, scope: Scope, session_id: str, limit: int) -> list[Dialogue]:
        """Give the oldest rounds of a session that are not parked."""
        with self._database.reading() as session:
            rows = session.all(_READ, owner=digest(scope.owner_id), session=digest(session_id), limit=limit)
        return [_read(row) for row in rows]

    def count(self, scope: Scope, session_id: str) -> int:
        """Count the rounds of a session that wait."""
        with self._database.reading() as session:
            return int(session.one(_COUNT, owner=digest(scope.owner_id), session=digest(session_id))[0])

    def sessions(self, scope: Scope) -> dict[str, int]:
        """Count the rounds that wait in each session of the owner."""
        with self._database.reading() as session:
            rows = session.all(_SESSIONS, owner=digest(scope.owner_id))
        return {_read(row).session_id: int(row[1]) for row in rows}

    def settle(self, scope: Scope, rounds: Sequence[Dialogue]) -> int:
        """Remove exactly these rounds and tell how many were still there; later ones and changed ones stay."""
        owner = digest(scope.owner_id)
        settled = 0
        with self._database.writing() as session:
            for entry in rounds:
                found = session.one(_GET, owner=owner, entry=digest(entry.id))
                if found and _read(found) == entry:
                    settled += session.run(_SETTLE, entry=digest(entry.id), owner=owner)
        return settled

    def all_of(self, scope: Scope, session_id: str) -> list[Dialogue]:
        """Give all rounds of a session, parked ones too."""
        with self._database.reading() as session:
            rows = session.all(_EVERY, owner=digest(scope.owner_id), session=digest(session_id))
        return [_read(row) for row in rows]

    def drop(self, scope: Scope, session_id: str) -> int:
        """Remove all rounds of a session, parked ones too, and tell how many."""
        with self._database.writing() as session:
            return session.run(_DROP, owner=digest(scope.owner_id), session=digest(session_id))

    def park(self, scope: Scope, run_id: str, round_ids: Sequence[str]) -> int:
        """Put rounds aside for a run that failed too often, so that later ones go on; tell how many."""
        owner = digest(scope.owner_id)
        with self._database.writing() as session:
            return sum(session.run(_PARK, owner=owner, entry=digest(entry), run=run_id) for entry in round_ids)

    def parked(self, scope: Scope, run_id: str) -> list[Dialogue]:
        """Give the rounds that were put aside for a run."""
        with self._database.reading() as session:
            return [_read(row) for row in session.all(_PARKED, owner=digest(scope.owner_id), run=run_id)]

    def unpark(self, scope: Scope, run_id: str) -> int:
        """Let the rounds of a parked run wait again, and tell how many."""
        with self._database.writing() as session:
            return session.run(_UNPARK, owner=digest(scope.owner_id), run=run_id)


def _read(row: Sequence[str]) -> Dialogue:
    return Dialogue.model_validate(json.loads(row[0]))
