"""Runs of the extractor: what was tried, what came of it, and what is parked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas import times
from memory_middleware.schemas.dialogue import ExtractionRun, RunState
from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database, Session, Statement
from memory_middleware.storage.owners import digest
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["RunRepository"]

_ADD = Statement(
    "INSERT INTO extraction_runs (id, owner, session, state, document, started_at)"
    " VALUES (:id, :owner, :session, :state, :document, :started_at)"
    " ON CONFLICT (id) DO UPDATE SET state = excluded.state, document = excluded.document"
)
_GET = Statement("SELECT document FROM extraction_runs WHERE owner = :owner AND id = :id")
_SET = Statement("UPDATE extraction_runs SET state = :state, document = :document WHERE owner = :owner AND id = :id")
_LIST = Statement(
    "SELECT document FROM extraction_runs WHERE owner = :owner AND state = :state ORDER BY started_at, id LIMIT :limit"
)
_OPEN = Statement(
    "SELECT document FROM extraction_runs WHERE owner = :owner AND session = :session"
    " AND state IN ('running', 'written', 'failed') ORDER BY started_at, id"
)
_FORGET = Statement("DELETE FROM extraction_runs WHERE owner = :owner AND state = 'done' AND started_at < :before")
_DROP_SESSION = Statement("DELETE FROM extraction_runs WHERE owner = :owner AND session = :session")
_NEWEST = Statement(
    "SELECT document FROM extraction_runs WHERE owner = :owner ORDER BY started_at DESC, id LIMIT :limit"
)


class RunRepository:
    """Notes when a run begins and how it ends."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(
        self,
        scope: Scope,
        session_id: str,
        round_ids: Sequence[str],
        *,
        holder: str | None = None,
        held_until: datetime | None = None,
    ) -> ExtractionRun:
        """Note that a batch of rounds is being extracted; the same batch again is the same run.

        Args:
            scope: Whose.
            session_id: Of which thread.
            round_ids: The rounds.
            holder: Who extracts it.
            held_until: Until then nobody else should.
        """
        identity = derive_id("run", scope.owner_id, session_id, *round_ids)
        with self._database.writing() as session:
            row = session.one(_GET, owner=digest(scope.owner_id), id=identity)
            run = ExtractionRun(
                id=identity,
                owner_id=scope.owner_id,
                session_id=session_id,
                round_ids=tuple(round_ids),
                failures=_read(row).failures if row else 0,
                holder=holder,
                held_until=held_until,
            )
            session.run(
                _ADD,
                id=run.id,
                owner=digest(scope.owner_id),
                session=digest(session_id),
                state=run.state.value,
                document=json.dumps(run.to_dict()),
                started_at=microseconds(run.started_at),
            )
        return run

    def get(self, scope: Scope, run_id: str) -> ExtractionRun | None:
        """Give a run, or none."""
        with self._database.reading() as session:
            row = session.one(_GET, owner=digest(scope.owner_id), id=run_id)
        return _read(row) if row else None

    def forget_session(self, scope: Scope, session_id: str) -> int:
        """Drop the runs of a session, whatever their state, and tell how many."""
        with self._database.writing() as session:
            return session.run(_DROP_SESSION, owner=digest(scope.owner_id), session=digest(session_id))

    def unfinished(self, scope: Scope, session_id: str) -> list[ExtractionRun]:
        """List the runs of a session that are neither done nor parked, the oldest first."""
        with self._database.reading() as session:
            rows = session.all(_OPEN, owner=digest(scope.owner_id), session=digest(session_id))
        return [_read(row) for row in rows]

    def mark_written(self, scope: Scope, run_id: str, *, facts: int) -> ExtractionRun:
        """Note that the facts of a run are kept, inside the transaction that keeps them.

        Raises:
            InvalidInputError: There is no such run.
        """
        return self._end(scope, run_id, state=RunState.WRITTEN, facts=facts, error=None)

    def finish(self, scope: Scope, run_id: str, *, facts: int | None = None) -> ExtractionRun:
        """Note that a run is done, and how many facts it gave if that was not told before.

        Raises:
            InvalidInputError: There is no such run.
        """
        told = {} if facts is None else {"facts": facts}
        return self._end(scope, run_id, state=RunState.DONE, error=None, **told)

    def fail(self, scope: Scope, run_id: str, error: str, *, park: bool = False, counts: bool = True) -> ExtractionRun:
        """Note that an attempt failed; a parked run is not tried again by itself.

        Args:
            scope: Whose.
            run_id: The run.
            error: Why.
            park: Whether it is parked.
            counts: Whether it is the batch that failed; an attempt that was merely broken off is not held against it.

        Raises:
            InvalidInputError: There is no such run.
        """
        return self._end(
            scope, run_id, state=RunState.PARKED if park else RunState.FAILED, error=error, tried=int(counts)
        )

    def retry(self, scope: Scope, run_id: str) -> ExtractionRun:
        """Let a run be tried again, as if it had not failed before.

        Raises:
            InvalidInputError: There is no such run.
        """
        return self._end(scope, run_id, state=RunState.FAILED, failures=0)

    def forget(self, scope: Scope, before: datetime) -> int:
        """Drop the runs that were done before a moment, and tell how many."""
        with self._database.writing() as session:
            return session.run(_FORGET, owner=digest(scope.owner_id), before=microseconds(before))

    def in_state(self, scope: Scope, state: RunState, *, limit: int = 100) -> list[ExtractionRun]:
        """List the runs in a state, the oldest first."""
        with self._database.reading() as session:
            rows = session.all(_LIST, owner=digest(scope.owner_id), state=RunState(state).value, limit=limit)
        return [_read(row) for row in rows]

    def newest(self, scope: Scope, *, limit: int = 20) -> list[ExtractionRun]:
        """List the last runs, the newest first."""
        with self._database.reading() as session:
            rows = session.all(_NEWEST, owner=digest(scope.owner_id), limit=limit)
        return [_read(row) for row in rows]

    def _end(self, scope: Scope, run_id: str, *, tried: int = 0, **fields: Any) -> ExtractionRun:
        with self._database.writing() as session:
            run = self._get(session, scope, run_id)
            ended_at = times.utc_now()
            changes = {
                "failures": run.failures + tried,
                **fields,
                "holder": None,
                "held_until": None,
                "ended_at": ended_at,
            }
            ended = run.model_copy(update=changes)
            session.run(
                _SET,
                owner=digest(scope.owner_id),
                id=run_id,
                state=ended.state.value,
                document=json.dumps(ended.to_dict()),
            )
        return ended

    @staticmethod
    def _get(session: Session, scope: Scope, run_id: str) -> ExtractionRun:
        row = session.one(_GET, owner=digest(scope.owner_id), id=run_id)
        if row is None:
            raise InvalidInputError(f"there is no run {run_id!r} of this owner")
        return _read(row)


def _read(row: Any) -> ExtractionRun:
    return ExtractionRun.model_validate(json.loads(row[0]))
