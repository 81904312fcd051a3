"""Running summaries: what was said in a thread before its newest rounds."""

from __future__ import annotations

import json

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.dialogue import ThreadSummary
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.owners import digest

__all__ = ["SummaryRepository"]

_SET = Statement(
    "INSERT INTO thread_summaries (owner, thread, document) VALUES (:owner, :thread, :document)"
    " ON CONFLICT (owner, thread) DO UPDATE SET document = excluded.document"
)
_GET = Statement("SELECT document FROM thread_summaries WHERE owner = :owner AND thread = :thread")
_DROP = Statement("DELETE FROM thread_summaries WHERE owner = :owner AND thread = :thread")


class SummaryRepository:
    """Keeps one summary for each thread, the one that the scope names."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, scope: Scope) -> ThreadSummary | None:
        """Give the summary of the thread, or none."""
        with self._database.reading() as session:
            found = session.one(_GET, **_place(scope))
        return ThreadSummary.model_validate(json.loads(found[0])) if found else None

    def put(self, scope: Scope, summary: ThreadSummary) -> None:
        """Set the summary of the thread."""
        with self._database.writing() as session:
            session.run(_SET, **_place(scope), document=json.dumps(summary.to_dict()))

    def clear(self, scope: Scope) -> bool:
        """Drop the summary of the thread and tell whether there was one."""
        with self._database.writing() as session:
            return session.run(_DROP, **_place(scope)) == 1


def _place(scope: Scope) -> dict[str, str]:
    if not scope.thread_id:
        raise InvalidInputError("a summary belongs to a thread; give the scope a thread_id")
    return {"owner": digest(scope.owner_id), "thread": digest(scope.thread_id)}
