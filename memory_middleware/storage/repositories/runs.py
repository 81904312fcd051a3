"""Runs of the extractor: what was tried, what came of it, and what is parked."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from typing import Any

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas import times
from memory_middleware.schemas.dialogue import ExtractionRun, RunState
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database, Session, Statement
from memory_middleware.storage.owners import digest
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["RunRepository"]

_ADD = Statement(
    "INSERT INTO extraction_runs (id, owner, session, state, document, started_at)"
    " VALUES (:id, :owner, :session, :state, :document, :started_at)"
)
_GET = Statement("SELECT document FROM extraction_runs WHERE owner = :owner AND id = :id")
_SET = Statement("UPDATE extraction_runs SET state = :state, document = :document WHERE owner = :owner AND id = :id")
_LIST = Statement(
    "SELECT document FROM extraction_runs WHERE owner = :owner AND state = :state ORDER BY started_at, id LIMIT :limit"
)
_NEWEST = Statement(
    "SELECT document FROM extraction_runs WHERE owner = :owner ORDER BY started_at DESC, id LIMIT :limit"
)


class RunRepository:
    """Notes when a run begins and how it ends."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(self, scope: Scope, session_id: str, round_ids: Sequence[str]) -> ExtractionRun:
        """Note that a batch of rounds is being extracted."""
        run = ExtractionRun(
            id=uuid.uuid4().hex, owner_id=scope.owner_id, session_id=session_id, round_ids=tuple(round_ids)
        )
        with self._database.writing() as session:
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

    def finish(self, scope: Scope, run_id: str, *, facts: int) -> ExtractionRun:
        """Note that a run is done, and how many facts it gave.

        Raises:
            InvalidInputError: There is no such run.
        """
        return self._end(scope, run_id, state=RunState.DONE, facts=facts)

    def fail(self, scope: Scope, run_id: str, error: str, *, park: bool = False) -> ExtractionRun:
        """Note that an attempt failed; a parked run is not tried again by itself.

        Raises:
            InvalidInputError: There is no such run.
        """
        return self._end(scope, run_id, state=RunState.PARKED if park else RunState.FAILED, error=error, tried=1)

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
            changes = {**fields, "failures": run.failures + tried, "ended_at": times.utc_now()}
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
