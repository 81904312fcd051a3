"""Episodes, patterns and skills: written through the store, looked up by their typed columns."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from langgraph.store.base import PutOp, SearchItem, SearchOp

from memory_middleware.errors import ConflictError, InvalidInputError, SchemaError
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
_STORED = "SELECT i.id, x.kind, i.value, i.updated_at, i.ttl, i.fields FROM "
_LIVE = " AND (i.expires_at IS NULL OR i.expires_at > :now)"
_KINDS = ", ".join(f"'{kind}'" for kind in EXPERIENCE_KINDS)
# Naming the kinds lets the unique index on owner, kind and entry find the rows.
_NAMED = (
    f"{_STORED}memory_experience x JOIN store_items i ON i.id = x.id"
    f" WHERE x.owner = :owner AND x.kind IN ({_KINDS}) AND x.entry IN ({{listed}}){_LIVE}"
)
# Only the link tells the owner, so that the search begins there and not with all experience.
_LINKING = (
    f"{_STORED}memory_links l JOIN memory_experience x ON x.id = l.origin JOIN store_items i ON i.id = x.id"
    f" WHERE l.owner = :owner AND l.target IN ({{listed}}){_LIVE} ORDER BY x.happened_at DESC, x.id"
)
_UNSEARCHED = "false"
_ATTEMPTS = 50
_PAGE = 200
_COUNT = Statement(
    "SELECT x.kind, count(*) FROM memory_experience x JOIN store_items i ON i.id = x.id"
    " WHERE x.owner = :owner AND (i.expires_at IS NULL OR i.expires_at > :now) GROUP BY x.kind"
)


class FoundExperience(NamedTuple):
    """An episode, pattern or skill that a search found, and its score."""

    memory: Experience
    score: float


class _Stored(NamedTuple):
    item: str
    kind: str
    memory: Experience
    updated_at: int
    ttl: float | None
    unsearched: bool


class ExperienceRepository:
    """Reads and writes an owner's experience; the kinds are ``episode``, ``pattern`` and ``skill``."""

    def __init__(self, database: Database, executor: Executor) -> None:
        self._database = database
        self._executor = executor

    def put(self, scope: Scope, memories: Sequence[Experience], *, searched: bool = True) -> None:
        """Write episodes, patterns and skills, all or none; one that is there is replaced.

        Args:
            scope: Whose.
            memories: What to write.
            searched: Whether searches find them; if not, no vectors are needed.

        Raises:
            SchemaError: One is not valid; the message tells why.
        """
        puts = [_put(scope, memory) for memory in memories]
        self._executor.run(puts if searched else [op._replace(index=False) for op in puts])

    def warm(self, scope: Scope, memories: Sequence[Experience]) -> None:
        """Have the vectors made, so that a transaction that writes them need not wait for it.

        Raises:
            EmbeddingError: The embedder failed.
        """
        self._executor.warm([_put(scope, memory) for memory in memories])

    def get(self, scope: Scope, kind: str, entry_id: str) -> Experience | None:
        """Give one by its id, or none."""
        found = self._all(_ONE, scope, kind, entry=digest(entry_id))
        return found[0] if found else None

    def get_many(self, scope: Scope, entry_ids: Iterable[str]) -> list[Experience]:
        """Give those with these ids, of any kind, in that order, leaving out those that are not there."""
        wanted = {entry: at for at, entry in enumerate(dict.fromkeys(entry_ids))}
        found = [one.memory for one in self._stored(scope, list(wanted))]
        return sorted(found, key=lambda memory: wanted[memory.id])

    def linking_to(self, scope: Scope, target_ids: Iterable[str]) -> list[Experience]:
        """Give those that link to one of these ids, the newest first."""
        return [one.memory for one in self._listed(scope, _LINKING, list(dict.fromkeys(target_ids)))]

    def newest(self, scope: Scope, kind: str, *, limit: int = 100, offset: int = 0) -> list[Experience]:
        """List those of a kind, the newest first."""
        return self._all(_NEWEST, scope, kind, limit=limit, offset=offset)

    def about(self, scope: Scope, kind: str, subject: str) -> list[Experience]:
        """List the episodes of a task, the patterns of a category or the skills of a name, the newest first."""
        return self._all(_ABOUT, scope, kind, subject=digest(subject))

    def count(self, scope: Scope) -> dict[str, int]:
        """Count by kind."""
        with self._database.reading() as session:
            found = dict(session.all(_COUNT, owner=digest(scope.owner_id), now=clock.now()))
        return {kind: int(found.get(kind, 0)) for kind in EXPERIENCE_KINDS}

    def search(
        self, scope: Scope, query: str, *, kind: str | None = None, limit: int = 10, each: int | None = None
    ) -> list[FoundExperience]:
        """Find by meaning and words, the best first.

        Args:
            scope: Whose.
            query: What is asked.
            kind: Only of this kind.
            limit: At most so many.
            each: Of those, at most so many of each kind.
        """
        namespace = experience_namespace(scope.owner_id, _checked(kind) if kind else None)
        asked = SearchOp(namespace, limit=limit, query=query, refresh_ttl=False)
        hits: list[SearchItem] = self._executor.run([asked])[0]  # type: ignore[assignment]
        if each is not None:
            hits = _of_each(hits, each)
        stored = {(one.kind, one.memory.id): one.memory for one in self._stored(scope, [hit.key for hit in hits])}
        found = [(stored.get((hit.namespace[-1], hit.key)), hit.score or 0.0) for hit in hits]
        return [FoundExperience(memory, score) for memory, score in found if memory is not None]

    def update(
        self, scope: Scope, entry_ids: Iterable[str], change: Callable[[Experience], Experience]
    ) -> list[Experience]:
        """Change those with these ids by a function of each, all or none, again if somebody else was faster.

        Args:
            scope: Whose.
            entry_ids: Which, of any kind; those that are not there are left out.
            change: Gives the new memory; its id and kind must stay.

        Raises:
            InvalidInputError: An id or kind would change.
            ConflictError: Others changed them again and again.
        """
        wanted = list(dict.fromkeys(entry_ids))
        for _ in range(_ATTEMPTS):
            found = self._stored(scope, wanted)
            changed = [change(one.memory) for one in found]
            puts = [_replacing(one, _put(scope, memory)) for one, memory in zip(found, changed, strict=True)]
            try:
                self._executor.run(puts, {one.item: one.updated_at for one in found})
            except ConflictError:
                continue
            return changed
        raise ConflictError(f"the experience {wanted!r} was changed by others {_ATTEMPTS} times in a row; try again")

    def delete(self, scope: Scope, kind: str, entry_ids: Iterable[str]) -> int:
        """Delete those with these ids, with the links to them, and tell how many were there."""
        found = [entry for entry in dict.fromkeys(entry_ids) if self.get(scope, kind, entry) is not None]
        self._executor.run([PutOp(experience_namespace(scope.owner_id, kind), entry, None) for entry in found])
        return len(found)

    def _stored(self, scope: Scope, names: Sequence[str]) -> list[_Stored]:
        return self._listed(scope, _NAMED, names)

    def _listed(self, scope: Scope, pattern: str, names: Sequence[str]) -> list[_Stored]:
        found: dict[str, _Stored] = {}
        for at in range(0, len(names), _PAGE):
            # Digests are hexadecimal, so they can stand in the text.
            listed = ", ".join(f"'{digest(name)}'" for name in names[at : at + _PAGE])
            statement = Statement(pattern.format(listed=listed))
            with self._database.reading() as session:
                rows = session.all(statement, owner=digest(scope.owner_id), now=clock.now())
            for item, kind, value, updated_at, ttl, fields in rows:
                memory = EXPERIENCE_KINDS[kind].from_dict(json.loads(value))
                found.setdefault(item, _Stored(item, kind, memory, updated_at, ttl, fields == _UNSEARCHED))
        return list(found.values())

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


def _of_each(hits: Sequence[SearchItem], most: int) -> list[SearchItem]:
    seen: Counter[str] = Counter()
    kept = []
    for hit in hits:
        seen[hit.namespace[-1]] += 1
        if seen[hit.namespace[-1]] <= most:
            kept.append(hit)
    return kept


def _replacing(stored: _Stored, op: PutOp) -> PutOp:
    """Put something new in the place of what is stored, with its life, and searched only if that was."""
    if (op.namespace[-1], op.key) != (stored.kind, stored.memory.id):
        raise InvalidInputError(f"the id and kind of the {stored.kind} {stored.memory.id!r} cannot change")
    return op._replace(ttl=stored.ttl, index=False if stored.unsearched else None)
