"""The two profile documents of each owner."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from memory_middleware.errors import ConflictError, SchemaError
from memory_middleware.schemas.merge import merge_patch, validate_content
from memory_middleware.schemas.profile import MemoryStatus, MemoryType, Profile, ProfileContent, content_class
from memory_middleware.schemas.profile_places import changed_places, moved_places, places_of
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import clock
from memory_middleware.storage.database import Database, Insert, Statement
from memory_middleware.storage.owners import digest
from memory_middleware.storage.repositories.profile_fields import BY_HAND, FieldSource, ProfileFieldRepository
from memory_middleware.storage.repositories.profile_history import ProfileHistoryRepository

__all__ = ["ProfileRepository"]

_ATTEMPTS = 50
_COLUMNS = "id, owner_id, memory_type, content, status, version, created_at, updated_at"
_MINE = "WHERE owner = :owner AND memory_type = :kind"
_CREATE = Insert(
    "memories",
    ("id", "owner", "owner_id", "memory_type", "content", "status", "version", "created_at", "updated_at"),
    "ON CONFLICT (owner, memory_type) DO NOTHING",
)
_GET = Statement(f"SELECT {_COLUMNS} FROM memories {_MINE}")
_CHANGES = {
    (column, checked): Statement(
        f"UPDATE memories SET {column} = :{column}, version = version + 1, updated_at = :now {_MINE}"
        f"{' AND version = :version' if checked else ''} RETURNING {_COLUMNS}"
    )
    for column in ("content", "status")
    for checked in (False, True)
}


class ProfileRepository:
    """Reads and writes profiles. Both documents exist from the owner's first contact.

    Attributes:
        fields: Where their parts come from. What is written without a ``source`` was set by hand.
        history: Their earlier versions.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._there: set[str] = set()
        self.fields = ProfileFieldRepository(database)
        self.history = ProfileHistoryRepository(database)

    def ensure(self, scope: Scope) -> None:
        """Make sure that both documents exist; that they do is remembered."""
        owner = digest(scope.owner_id)
        if owner in self._there:
            return
        moment = clock.now()
        rows = [
            (
                str(uuid.uuid4()),
                digest(scope.owner_id),
                json.dumps(scope.owner_id),
                kind.value,
                json.dumps(content_class(kind)().model_dump(mode="json")),
                MemoryStatus.ACTIVE.value,
                1,
                moment,
                moment,
            )
            for kind in MemoryType
        ]
        with self._database.writing() as session:
            session.insert(_CREATE, rows)
        if not self._database.in_transaction:  # what is not committed yet may be undone
            self._there.add(owner)

    def get(self, scope: Scope, memory_type: MemoryType) -> ProfileContent | None:
        """Give the content of a document, or none while it is disabled."""
        profile = self.load(scope, memory_type)
        return profile.content if profile.status is MemoryStatus.ACTIVE else None

    def load(self, scope: Scope, memory_type: MemoryType) -> Profile:
        """Give a document with its status and version."""
        kind = MemoryType(memory_type)
        with self._database.reading() as session:
            found = session.one(_GET, owner=digest(scope.owner_id), kind=kind.value)
        if found is None:
            self._there.discard(digest(scope.owner_id))
            self.ensure(scope)
            return self.load(scope, kind)
        return _profile(found)

    def put(
        self,
        scope: Scope,
        memory_type: MemoryType,
        content: ProfileContent,
        *,
        version: int | None = None,
        source: FieldSource | None = None,
    ) -> Profile:
        """Replace the content of a document.

        Args:
            scope: Whose.
            memory_type: Which.
            content: The new content.
            version: The version it replaces; none replaces whichever there is.
            source: Where the changed parts come from; none means that the owner set them by hand.

        Raises:
            ConflictError: The document has another version by now.
            SchemaError: The content is of the other document.
        """
        kind = MemoryType(memory_type)
        if not isinstance(content, content_class(kind)):
            raise SchemaError(f"the {kind} profile takes {content_class(kind).__name__}, not {type(content).__name__}")
        with self._database.writing():
            before = self.load(scope, kind)
            after = self._change(scope, kind, version, content=json.dumps(content.model_dump(mode="json")))
            self._note(scope, before, after, source)
        return after

    def patch(
        self, scope: Scope, memory_type: MemoryType, patch: Mapping[str, Any], *, version: int | None = None
    ) -> Profile:
        """Change parts of a document: objects merge, lists are replaced, null returns a field to its default.

        Without a version the patch is applied to the newest one, again if somebody else was faster.

        Raises:
            ConflictError: The document has another version by now.
            SchemaError: The patch does not fit.
        """
        kind = MemoryType(memory_type)
        for _ in range(_ATTEMPTS):
            found = self.load(scope, kind)
            if version is not None and version != found.version:
                raise _conflict(kind, version)
            merged = merge_patch(found.content, patch)
            try:
                return self.put(scope, kind, merged, version=found.version)
            except ConflictError:
                if version is not None:
                    raise
        raise ConflictError(f"the {kind} profile was changed by others {_ATTEMPTS} times in a row; try again")

    def set_status(self, scope: Scope, memory_type: MemoryType, status: MemoryStatus) -> Profile:
        """Enable or disable a document; its content stays."""
        return self._change(scope, MemoryType(memory_type), None, status=MemoryStatus(status).value)

    def _note(self, scope: Scope, before: Profile, after: Profile, source: FieldSource | None) -> None:
        """Note where the parts that changed come from."""
        old, new = (profile.content.model_dump(mode="json") for profile in (before, after))
        told, gone = changed_places(old, new)
        known = source or FieldSource(BY_HAND, 1.0, (), after.updated_at)
        stood = places_of(old)
        sources = {place: known._replace(before=stood.get(place)) for place in told}
        if moved := moved_places(old, new):
            kept = self.fields.get(scope, after.memory_type)
            sources |= {place: kept[stood_at] for place, stood_at in moved.items() if stood_at in kept}
        self.fields.set(scope, after.memory_type, sources)
        self.fields.drop(scope, after.memory_type, gone)
        self.history.add(scope, after, known.source)

    def _change(self, scope: Scope, kind: MemoryType, version: int | None, **values: str) -> Profile:
        self.load(scope, kind)
        statement = _CHANGES[(next(iter(values)), version is not None)]
        expected = {} if version is None else {"version": version}
        owner = digest(scope.owner_id)
        with self._database.writing() as session:
            found = session.one(statement, owner=owner, kind=kind.value, now=clock.now(), **values, **expected)
        if found is None:
            raise _conflict(kind, version)
        return _profile(found)


def _conflict(kind: MemoryType, version: int | None) -> ConflictError:
    return ConflictError(f"the {kind} profile is not at version {version} any more; read it again and retry")


def _profile(row: Any) -> Profile:
    identity, owner_id, memory_type, content, status, version, created_at, updated_at = row
    kind = MemoryType(memory_type)
    told = json.loads(content) if isinstance(content, str) else content  # PostgreSQL reads JSON by itself
    return Profile(
        id=identity,
        owner_id=json.loads(owner_id),
        memory_type=kind,
        content=validate_content(content_class(kind), told),
        status=MemoryStatus(status),
        version=version,
        created_at=datetime.fromtimestamp(created_at / 1e6, UTC),
        updated_at=datetime.fromtimestamp(updated_at / 1e6, UTC),
    )
