"""Earlier versions of the profiles, so that a change can be looked up and undone."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import NamedTuple

from memory_middleware.schemas.merge import validate_content
from memory_middleware.schemas.profile import MemoryType, Profile, ProfileContent, content_class
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.owners import digest
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["ProfileHistoryRepository", "ProfileVersion"]

_ADD = Statement(
    "INSERT INTO profile_history (owner, memory_type, version, document, changed_at)"
    " VALUES (:owner, :kind, :version, :document, :changed_at)"
    " ON CONFLICT (owner, memory_type, version) DO NOTHING"
)
_LIST = Statement(
    "SELECT version, document, changed_at FROM profile_history WHERE owner = :owner AND memory_type = :kind"
    " ORDER BY version DESC LIMIT :limit"
)
_CLEAR = Statement("DELETE FROM profile_history WHERE owner = :owner AND memory_type = :kind")


class ProfileVersion(NamedTuple):
    """A profile as it was, who made it so, and when."""

    version: int
    content: ProfileContent
    source: str
    changed_at: datetime


class ProfileHistoryRepository:
    """Keeps every version of a profile."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, scope: Scope, profile: Profile, source: str) -> None:
        """Keep a version."""
        with self._database.writing() as session:
            session.run(
                _ADD,
                owner=digest(scope.owner_id),
                kind=profile.memory_type.value,
                version=profile.version,
                document=json.dumps({"content": profile.content.model_dump(mode="json"), "source": source}),
                changed_at=microseconds(profile.updated_at),
            )

    def newest(self, scope: Scope, memory_type: MemoryType, *, limit: int = 20) -> list[ProfileVersion]:
        """List the last versions, the newest first."""
        kind = MemoryType(memory_type)
        with self._database.reading() as session:
            rows = session.all(_LIST, owner=digest(scope.owner_id), kind=kind.value, limit=limit)
        return [_version(kind, *row) for row in rows]

    def clear(self, scope: Scope, memory_type: MemoryType) -> int:
        """Drop all versions and tell how many."""
        with self._database.writing() as session:
            return session.run(_CLEAR, owner=digest(scope.owner_id), kind=MemoryType(memory_type).value)


def _version(kind: MemoryType, version: int, document: str, changed_at: int) -> ProfileVersion:
    told = json.loads(document)
    content = validate_content(content_class(kind), told["content"])
    return ProfileVersion(version, content, told["source"], datetime.fromtimestamp(changed_at / 1e6, UTC))
