"""Who set which part of a profile: somebody by hand, or an extractor, and from which rounds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from memory_middleware.schemas.profile import MemoryType
from memory_middleware.schemas.scope import Scope
from memory_middleware.schemas.times import parse_utc, to_utc_iso
from memory_middleware.storage.database import Database, Insert, Statement
from memory_middleware.storage.owners import digest

__all__ = ["BY_HAND", "FieldSource", "ProfileFieldRepository"]

BY_HAND = "user"
"""The source of what the owner set by hand."""

_SET = Insert(
    "profile_fields",
    ("owner", "memory_type", "place", "document"),
    "ON CONFLICT (owner, memory_type, place) DO UPDATE SET document = excluded.document",
)
_GET = Statement("SELECT document FROM profile_fields WHERE owner = :owner AND memory_type = :kind")
_DROP = Statement("DELETE FROM profile_fields WHERE owner = :owner AND memory_type = :kind AND place = :place")


class FieldSource(NamedTuple):
    """Where a part of a profile comes from.

    Attributes:
        source: ``user`` if it was set by hand, else the extractor.
        confidence: How sure it is.
        rounds: The ids of the rounds that said so.
        updated_at: When it was set.
        before: What stood there until then.
    """

    source: str
    confidence: float
    rounds: tuple[str, ...]
    updated_at: datetime
    before: Any = None


class ProfileFieldRepository:
    """Keeps the sources of a profile's parts, by their places."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, scope: Scope, memory_type: MemoryType) -> dict[str, FieldSource]:
        """Give the known sources by place."""
        with self._database.reading() as session:
            rows = session.all(_GET, owner=digest(scope.owner_id), kind=MemoryType(memory_type).value)
        told = [json.loads(row[0]) for row in rows]
        return {
            one["place"]: FieldSource(
                one["source"], one["confidence"], tuple(one["rounds"]), parse_utc(one["updated_at"]), one["before"]
            )
            for one in told
        }

    def set(self, scope: Scope, memory_type: MemoryType, sources: Mapping[str, FieldSource]) -> None:
        """Note the sources of places."""
        owner, kind = digest(scope.owner_id), MemoryType(memory_type).value
        rows = [
            (
                owner,
                kind,
                digest(place),
                json.dumps({"place": place, **one._asdict(), "updated_at": to_utc_iso(one.updated_at)}),
            )
            for place, one in sources.items()
        ]
        with self._database.writing() as session:
            session.insert(_SET, rows)

    def drop(self, scope: Scope, memory_type: MemoryType, places: Iterable[str]) -> None:
        """Forget the sources of places that say nothing any more."""
        owner, kind = digest(scope.owner_id), MemoryType(memory_type).value
        with self._database.writing() as session:
            for place in places:
                session.run(_DROP, owner=owner, kind=kind, place=digest(place))
