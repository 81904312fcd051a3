"""Episodes, patterns and skills: written through the store, looked up by their typed columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from langgraph.store.base import PutOp, SearchItem, SearchOp

from memory_middleware.errors import InvalidInputError, SchemaError
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import clock
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.documents import EXPERIENCE_KINDS, Experience, experience_namespace
from memory_middleware.storage.executor import Executor
from memory_middleware.storage.owners import digest

__all__ = ["ExperienceRepository", "FoundExperience"]

_COLUMNS = "SELECT x.kind, i.value"
_FROM = (
    " FROM memory_experience x JOIN store_items i ON i.id = x.id"
    " WHERE x.owner = :owner AND x.kind = :kind AND (i.expires_at IS NULL OR i.expires_at > :now)"
)
_ONE = Statement(f"{_COLUMNS}{_FROM} AND x.entry = :entry")
_NEWEST = Statement(f"{_COLUMNS}{_FROM} ORDER BY x.happened_at DESC, x.id LIMIT :limit OFFSET :offset")
_ABOUT = Statement(f"{_COLUMNS}{_FROM} AND x.subject = :subject ORDER BY x.happened_at DESC, x.id")
_COUNT = Statement("SELECT x.kind, count(*) FROM memory_experience x WHERE x.owner = :owner GROUP BY x.kind")


class FoundExperience(NamedTuple):
    """An episode, pattern or skill that a search found, and its score."""

    memory: Experience
    score: float


class ExperienceRepository:
    """Reads and writes an owner's experience; the kinds are ``episode``, ``pattern`` and ``skill``."""

    def __init__(self, database: Database, executor: Executor) -> None:
        self._database = database
        self._executor = executor

    def put(self, scope: Scope, memories: Sequence[Experience]) -> None:
        """Write episodes, patterns and skills, all or none; one that is there is replaced.

        Raises:
            SchemaError: One is not valid; the message tells why.
        """
        self._executor.run([_put(scope, memory) for memory in memories])

    def get(self, scope: Scope, kind: str, entry_id: str) -> Experience | None:
        """Give one by its id, or none."""
        found = self._all(_ONE, scope, kind, entry=digest(entry_id))
        return found[0] if found else None

    def newest(self, scope: Scope, kind: str, *, limit: int = 100, offset: int = 0) -> list[Experience]:
        """List those of a kind, the newest first."""
        return self._all(_NEWEST, scope, kind, limit=limit, offset=offset)

    def about(self, scope: Scope, kind: str, subject: str) -> list[Experience]:
        """List the episodes of a task, the patterns of a category or the skills of a name, the newest first."""
        return self._all(_ABOUT, scope, kind, subject=digest(subject))

    def count(self, scope: Scope) -> dict[str, int]:
        """Count by kind."""
        with self._database.reading() as session:
            found = dict(session.all(_COUNT, owner=digest(scope.owner_id)))
        return {kind: int(found.get(kind, 0)) for kind in EXPERIENCE_KINDS}

    def search(self, scope: Scope, query: str, *, kind: str | None = None, limit: int = 10) -> list[FoundExperience]:
        """Find by meaning and words, the best first."""
        namespace = experience_namespace(scope.owner_id, _checked(kind) if kind else None)
        asked = SearchOp(namespace, limit=limit, query=query, refresh_ttl=False)
        hits: list[SearchItem] = self._executor.run([asked])[0]  # type: ignore[assignment]
        found = [(self.get(scope, hit.namespace[-1], hit.key), hit.score or 0.0) for hit in hits]
        return [FoundExperience(memory, score) for memory, score in found if memory is not None]

    def delete(self, scope: Scope, kind: str, entry_ids: Iterable[str]) -> int:
        """Delete those with these ids, with the links to them, and tell how many were there."""
        found = [entry for entry in dict.fromkeys(entry_ids) if self.get(scope, kind, entry) is not None]
        self._executor.run([PutOp(experience_namespace(scope.owner_id, kind), entry, None) for entry in found])
        return len(found)

    def _all(self, statement: Statement, scope: Scope, kind: str, **values: Any) -> list[Experience]:
        owner = digest(scope.owner_id)
        with self._database.reading() as session:
            rows = session.all(statement, owner=owner, kind=_checked(kind), now=clock.now(), **values)
        return [EXPERIENCE_KINDS[kind].from_dict(json.loads(value)) for kind, value in rows]


def _checked(kind: str) -> str:
    if kind not in EXPERIENCE_KINDS:
        raise InvalidInputError(f"unknown kind of experience {kind!r}; known: {', '.join(EXPERIENCE_KINDS)}")
    return kind


def _put(scope: Scope, memory: Experience) -> PutOp:
    kind = next((kind for kind, made in EXPERIENCE_KINDS.items() if isinstance(memory, made)), None)
    if kind is None:
        raise SchemaError(f"experience is an episode, a pattern or a skill, not {type(memory).__name__}")
    if messages := memory.validate():
        raise SchemaError(f"the {kind} {memory.id!r} is not valid: {'; '.join(messages)}")
    return PutOp(experience_namespace(scope.owner_id, kind), memory.id, memory.to_dict())
