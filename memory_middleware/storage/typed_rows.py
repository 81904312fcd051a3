"""The typed columns beside the items: records, experience and links, written in the item's own transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas import times
from memory_middleware.schemas.record import MemoryRecord
from memory_middleware.storage import clock
from memory_middleware.storage.database import Insert, Session, Statement
from memory_middleware.storage.documents import Document, Experience
from memory_middleware.storage.owners import address_digest, digest
from memory_middleware.storage.rows import ItemRows

__all__ = ["TypedRows", "microseconds"]

_RECORD = Insert(
    "memory_records",
    ("id", "owner", "record", "kind", "state", "address", "source", "thread", "turn", "pinned", "updated_at"),
    "ON CONFLICT (id) DO UPDATE SET state = excluded.state, address = excluded.address, source = excluded.source,"
    " thread = excluded.thread, turn = excluded.turn, pinned = excluded.pinned, updated_at = excluded.updated_at",
)
# Only a new record brings its weight along; from then on the journal changes it.
_WEIGHT = Insert(
    "memory_weights",
    ("id", "owner", "weight", "access_count", "last_accessed", "changed_at", "base", "based_at"),
    "ON CONFLICT (id) DO NOTHING",
)
_EXPERIENCE = Insert(
    "memory_experience",
    ("id", "owner", "entry", "kind", "subject", "outcome", "importance", "happened_at"),
    "ON CONFLICT (id) DO UPDATE SET subject = excluded.subject, outcome = excluded.outcome,"
    " importance = excluded.importance, happened_at = excluded.happened_at",
)
_LINK = Insert("memory_links", ("origin", "target", "relation", "owner", "strength"))
_TWIN = Statement("SELECT id, kind FROM memory_records WHERE owner = :owner AND record = :record")
# What has expired is not there, though nobody has swept it away yet; its typed columns go with it.
_PURGE = Statement("DELETE FROM store_items WHERE id = :id AND expires_at <= :now RETURNING path")
_DROP_LINKS = Statement("DELETE FROM memory_links WHERE origin = :id")
_IS_TYPED = Statement(
    "SELECT 1 FROM memory_records WHERE id = :id UNION ALL SELECT 1 FROM memory_experience WHERE id = :id"
)
_POINTING = Statement(
    "SELECT DISTINCT i.id, i.path, i.value FROM memory_links l JOIN store_items i ON i.id = l.origin"
    " WHERE l.owner = :owner AND l.target = :target"
)
_DROP_TARGET = Statement("DELETE FROM memory_links WHERE owner = :owner AND target = :target")
_SET_VALUE = Statement(
    "UPDATE store_items SET value = :value,"
    " updated_at = CASE WHEN :now > updated_at THEN :now ELSE updated_at + 1 END WHERE id = :id"
)


class TypedRows:
    """The statements over typed columns, on a session of the caller's."""

    @staticmethod
    def purge(session: Session, item: str) -> bool:
        """Delete an item if it has expired; tell whether it had."""
        found = session.one(_PURGE, id=item, now=clock.now())
        if found is not None:
            ItemRows.note(session, [(item, found[0])])
        return found is not None

    @staticmethod
    def write(session: Session, documents: Mapping[str, Document]) -> None:
        """Write the typed columns of items by their ids.

        Raises:
            InvalidInputError: The id of a record is another record's, of another kind.
        """
        for item, document in documents.items():
            owner = digest(document.owner_id)
            if isinstance(document.memory, MemoryRecord):
                TypedRows._write_record(session, item, owner, document.memory)
            else:
                session.insert(_EXPERIENCE, [_experience_row(item, owner, document.kind, document.memory)])
            TypedRows._write_links(session, item, owner, document.value.get("links", ()))

    @staticmethod
    def guard(session: Session, item: str, key: str) -> None:
        """Refuse to put a plain value where a typed memory stands.

        Raises:
            InvalidInputError: There is one.
        """
        if session.one(_IS_TYPED, id=item) and not TypedRows.purge(session, item):
            raise InvalidInputError(
                f"{key!r} is a typed memory, and the new value is none: write all its fields as they must be, "
                "or delete it first"
            )

    @staticmethod
    def unlink(session: Session, item: str, owner_id: str, key: str) -> None:
        """Before a typed memory is deleted, take the links to it out of the others."""
        if not session.one(_IS_TYPED, id=item):
            return
        owner, target = digest(owner_id), digest(key)
        for item, path, value in session.all(_POINTING, owner=owner, target=target):
            told = json.loads(value)
            told["links"] = [link for link in told.get("links", ()) if link.get("to") != key]
            session.run(_SET_VALUE, id=item, value=json.dumps(told), now=clock.now())
            ItemRows.note(session, [(item, path)])
        session.run(_DROP_TARGET, owner=owner, target=target)

    @staticmethod
    def _write_record(session: Session, item: str, owner: str, record: MemoryRecord) -> None:
        twin = session.one(_TWIN, owner=owner, record=digest(record.id))
        if twin and twin[0] != item and not TypedRows.purge(session, twin[0]):
            raise InvalidInputError(
                f"the record {record.id!r} exists with kind {twin[1]!r}; a record keeps its kind, so delete it "
                "first or use another id"
            )
        place = record.provenance
        row = (
            item,
            owner,
            digest(record.id),
            record.kind.value,
            record.state.value,
            address_digest(record.subject, record.attribute),
            digest(record.source) if record.source else None,
            digest(place.thread_id) if place.thread_id else None,
            place.turn,
            int(record.pinned),
            microseconds(record.updated_at),
        )
        session.insert(_RECORD, [row])
        accessed = microseconds(record.last_accessed) if record.last_accessed else None
        made = microseconds(record.created_at)
        session.insert(
            _WEIGHT, [(item, owner, record.weight, record.access_count, accessed, made, record.weight, made)]
        )

    @staticmethod
    def _write_links(session: Session, item: str, owner: str, links: Sequence[Any]) -> None:
        session.run(_DROP_LINKS, id=item)
        rows = {(digest(link["to"]), link["relation"]): link["strength"] for link in links}
        session.insert(_LINK, [(item, *place, owner, strength) for place, strength in rows.items()])


def microseconds(moment: datetime) -> int:
    """Tell a time as the tables do; one without an offset is taken as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return int(aware.timestamp() * 1_000_000)


def _experience_row(item: str, owner: str, kind: str, memory: Experience) -> tuple[Any, ...]:
    told = {name: getattr(memory, name, None) for name in ("task_id", "category", "name", "outcome")}
    subject = told["task_id"] or told["category"] or told["name"]
    happened = getattr(memory, "timestamp", None) or getattr(memory, "last_used", None) or times.utc_now()
    return (
        item,
        owner,
        digest(memory.id),
        kind,
        digest(subject) if subject else None,
        told["outcome"],
        float(memory.importance),
        microseconds(happened),
    )
