"""The two profile documents of each owner."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update
from sqlalchemy.exc import IntegrityError

from memory_middleware.errors import ConflictError, SchemaError
from memory_middleware.schemas.merge import merge_patch, validate_content
from memory_middleware.schemas.profile import MemoryStatus, MemoryType, Profile, ProfileContent, content_class
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import clock
from memory_middleware.storage.database import Database
from memory_middleware.storage.owners import digest
from memory_middleware.storage.tables import profiles

__all__ = ["ProfileRepository"]

_ATTEMPTS = 50


class ProfileRepository:
    """Reads and writes profiles. Both documents exist from the owner's first contact."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ensure(self, scope: Scope) -> None:
        """Make sure that both documents exist."""
        with self._database.core() as connection:
            for kind in MemoryType:
                if self._row(connection, scope, kind) is None:
                    self._create(connection, scope, kind)

    def get(self, scope: Scope, memory_type: MemoryType) -> ProfileContent | None:
        """Give the content of a document, or none while it is disabled."""
        profile = self.load(scope, memory_type)
        return profile.content if profile.status is MemoryStatus.ACTIVE else None

    def load(self, scope: Scope, memory_type: MemoryType) -> Profile:
        """Give a document with its status and version."""
        kind = MemoryType(memory_type)
        with self._database.core_reading() as connection:
            found = self._row(connection, scope, kind)
        if found is None:
            self.ensure(scope)
            return self.load(scope, kind)
        return _profile(found)

    def put(
        self, scope: Scope, memory_type: MemoryType, content: ProfileContent, *, version: int | None = None
    ) -> Profile:
        """Replace the content of a document.

        Args:
            scope: Whose.
            memory_type: Which.
            content: The new content.
            version: The version it replaces; none replaces whichever there is.

        Raises:
            ConflictError: The document has another version by now.
            SchemaError: The content is of the other document.
        """
        kind = MemoryType(memory_type)
        if not isinstance(content, content_class(kind)):
            raise SchemaError(f"the {kind} profile takes {content_class(kind).__name__}, not {type(content).__name__}")
        return self._change(scope, kind, version, content=content.model_dump(mode="json"))

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
                return self._change(scope, kind, found.version, content=merged.model_dump(mode="json"))
            except ConflictError:
                if version is not None:
                    raise
        raise ConflictError(f"the {kind} profile was changed by others {_ATTEMPTS} times in a row; try again")

    def set_status(self, scope: Scope, memory_type: MemoryType, status: MemoryStatus) -> Profile:
        """Enable or disable a document; its content stays."""
        return self._change(scope, MemoryType(memory_type), None, status=MemoryStatus(status).value)

    def _change(self, scope: Scope, kind: MemoryType, version: int | None, **values: Any) -> Profile:
        self.load(scope, kind)
        change = (
            update(profiles)
            .where(profiles.c.owner == digest(scope.owner_id), profiles.c.memory_type == kind.value)
            .values(version=profiles.c.version + 1, updated_at=clock.now(), **values)
            .returning(*profiles.c)
        )
        if version is not None:
            change = change.where(profiles.c.version == version)
        with self._database.core() as connection:
            found = connection.execute(change).fetchone()
        if found is None:
            raise _conflict(kind, version)
        return _profile(found)

    @staticmethod
    def _row(connection: Connection, scope: Scope, kind: MemoryType) -> Row[Any] | None:
        wanted = select(profiles).where(
            profiles.c.owner == digest(scope.owner_id), profiles.c.memory_type == kind.value
        )
        return connection.execute(wanted).fetchone()

    @staticmethod
    def _create(connection: Connection, scope: Scope, kind: MemoryType) -> None:
        moment = clock.now()
        try:
            with connection.begin_nested():
                connection.execute(
                    insert(profiles).values(
                        id=str(uuid.uuid4()),
                        owner=digest(scope.owner_id),
                        owner_id=json.dumps(scope.owner_id),
                        memory_type=kind.value,
                        content=content_class(kind)().model_dump(mode="json"),
                        status=MemoryStatus.ACTIVE.value,
                        version=1,
                        created_at=moment,
                        updated_at=moment,
                    )
                )
        except IntegrityError:
            return  # another process was faster


def _conflict(kind: MemoryType, version: int | None) -> ConflictError:
    return ConflictError(f"the {kind} profile is not at version {version} any more; read it again and retry")


def _profile(row: Row[Any]) -> Profile:
    kind = MemoryType(row.memory_type)
    return Profile(
        id=row.id,
        owner_id=json.loads(row.owner_id),
        memory_type=kind,
        content=validate_content(content_class(kind), row.content),
        status=MemoryStatus(row.status),
        version=row.version,
        created_at=datetime.fromtimestamp(row.created_at / 1e6, UTC),
        updated_at=datetime.fromtimestamp(row.updated_at / 1e6, UTC),
    )
