"""Rows of the journal and the profiles as plain data, out of one database and into another.

Names in these tables are digests of ids, the same on every machine, so rows can be copied as they are.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memory_middleware.schemas.ids import derive_id
from memory_middleware.schemas.profile import MemoryType, content_class
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database, Insert, Session, Statement
from memory_middleware.storage.owners import digest

__all__ = ["ROW_KINDS", "dump_profiles", "dump_rows", "load_profile", "load_rows", "profile_id"]

_PAGE = 500


class _Table(NamedTuple):
    """A table, what of it is copied, and the columns by which its rows have an order."""

    name: str
    columns: tuple[str, ...]
    order: tuple[str, ...]

    def select(self, following: bool) -> Statement:
        listed = ", ".join((*self.order, *self.columns))
        place = (
            f" AND ({', '.join(self.order)}) > ({', '.join(f':at_{name}' for name in self.order)})" if following else ""
        )
        order = ", ".join(self.order)
        return Statement(f"SELECT {listed} FROM {self.name} WHERE owner = :owner{place} ORDER BY {order} LIMIT :limit")

    @property
    def insert(self) -> Insert:
        return Insert(self.name, ("owner", *self.columns), "ON CONFLICT DO NOTHING")


_TABLES = {
    "usage": _Table("memory_usage_log", ("memory", "turn", "document", "was_referenced", "used_at"), ("seq",)),
    "edit": _Table("record_edits", ("memory", "version", "document", "changed_at"), ("memory", "version")),
    "short_term": _Table("short_term_items", ("thread", "entry", "document"), ("seq",)),
    "dialogue": _Table("dialogue_buffer", ("entry", "session", "document", "parked"), ("seq",)),
    "turn": _Table("memory_turns", ("entry", "thread", "document", "happened_at"), ("seq",)),
    "summary": _Table("thread_summaries", ("thread", "document"), ("thread",)),
    "run": _Table("extraction_runs", ("id", "session", "state", "document", "started_at"), ("id",)),
    "tombstone": _Table("memory_tombstones", ("mark", "made_at"), ("mark",)),
    "profile_field": _Table("profile_fields", ("memory_type", "place", "document"), ("memory_type", "place")),
    "profile_version": _Table(
        "profile_history", ("memory_type", "version", "document", "changed_at"), ("memory_type", "version")
    ),
}
ROW_KINDS = tuple(_TABLES)
"""The kinds of rows that are copied; uses and edits come after the records they are of."""

_PROFILE_FIELDS = ("memory_type", "content", "status", "version", "created_at", "updated_at")
_PROFILES = Statement(f"SELECT {', '.join(_PROFILE_FIELDS)} FROM memories WHERE owner = :owner ORDER BY memory_type")
_PROFILE = Insert(
    "memories",
    ("id", "owner", "owner_id", "memory_type", "content", "status", "version", "created_at", "updated_at"),
    "ON CONFLICT DO NOTHING",
)
_THERE = Statement(f"SELECT {', '.join(_PROFILE_FIELDS)} FROM memories WHERE owner = :owner AND memory_type = :kind")
_DROP_PROFILE = Statement("DELETE FROM memories WHERE owner = :owner AND memory_type = :kind")
_KNOWN = Statement("SELECT 1 FROM memory_records WHERE id = :id AND owner = :owner")


def dump_rows(database: Database, scope: Scope, kind: str) -> Iterator[dict[str, Any]]:
    """Go through an owner's rows of a kind, a page at a time."""
    table = _TABLES[kind]
    place: dict[str, Any] = {}
    while True:
        with database.reading() as session:
            rows = session.all(table.select(bool(place)), owner=digest(scope.owner_id), limit=_PAGE, **place)
        for row in rows:
            yield dict(zip(table.columns, row[len(table.order) :], strict=True))
        if len(rows) < _PAGE:
            return
        place = {f"at_{name}": value for name, value in zip(table.order, rows[-1], strict=False)}


def load_rows(database: Database, scope: Scope, kind: str, rows: Sequence[Mapping[str, Any]]) -> int:
    """Write rows that are not there yet, and tell how many; who took them from a file has checked them."""
    table = _TABLES[kind]
    owner = digest(scope.owner_id)
    with database.writing() as session:
        kept = _of_known(session, owner, rows) if "memory" in table.columns else rows
        before = _count(session, table, owner)
        session.insert(table.insert, [(owner, *(row[name] for name in table.columns)) for row in kept])
        return _count(session, table, owner) - before


def profile_id(owner: str, kind: str) -> str:
    """Give the id that a profile of somebody's has wherever it is copied to; no other owner's can be the same.

    Args:
        owner: The digest of the owner's id.
        kind: Which of the two documents.
    """
    return derive_id("p", owner, kind)


def dump_profiles(database: Database, scope: Scope) -> list[dict[str, Any]]:
    """Give an owner's profiles as they are kept, with ids that mean the same everywhere."""
    owner = digest(scope.owner_id)
    with database.reading() as session:
        told = [_profile(row) for row in session.all(_PROFILES, owner=owner)]
    return [{"id": profile_id(owner, one["memory_type"]), **one} for one in told]


def load_profile(database: Database, scope: Scope, profile: Mapping[str, Any]) -> bool:
    """Write a profile whose place is free or untouched, and tell whether it was written; its id is not taken over."""
    owner, kind = digest(scope.owner_id), MemoryType(profile["memory_type"])
    told = {name: profile[name] for name in _PROFILE_FIELDS}
    with database.writing() as session:
        found = session.one(_THERE, owner=owner, kind=kind.value)
        if found is not None:
            there = _profile(found)
            untouched = content_class(kind)().model_dump(mode="json")
            if there == told or (there["version"], there["content"]) != (1, untouched):
                return False
            session.run(_DROP_PROFILE, owner=owner, kind=kind.value)
        kept = {**told, "content": json.dumps(told["content"])}
        session.insert(_PROFILE, [(profile_id(owner, kind.value), owner, json.dumps(scope.owner_id), *kept.values())])
        return True


def _profile(row: Sequence[Any]) -> dict[str, Any]:
    told = dict(zip(_PROFILE_FIELDS, row, strict=True))
    return {**told, "content": _plain(told["content"])}


def _of_known(session: Session, owner: str, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Leave out what hangs on records that are not the owner's; they had expired when copied, or it is forged."""
    there = {row["memory"] for row in rows if session.one(_KNOWN, id=row["memory"], owner=owner)}
    return [row for row in rows if row["memory"] in there]


def _count(session: Session, table: _Table, owner: str) -> int:
    return int(session.one(Statement(f"SELECT count(*) FROM {table.name} WHERE owner = :owner"), owner=owner)[0])


def _plain(content: Any) -> Any:
    return json.loads(content) if isinstance(content, str) else content  # PostgreSQL reads JSON by itself
