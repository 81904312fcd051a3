"""Reading and writing generic items in SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from memory_middleware.storage.database import Session, Statement
from memory_middleware.storage.namespaces import path_range

__all__ = ["ItemRow", "ItemRows", "NewItem"]


class ItemRow(NamedTuple):
    """An item as it is stored."""

    id: str
    path: str
    ns: str
    key: str
    value: str
    created_at: int
    updated_at: int
    expires_at: int | None
    ttl: float | None
    terms: str | None
    vectors: bytes | None


class NewItem(NamedTuple):
    """An item to be written; one without a value is to be deleted."""

    id: str
    path: str
    ns: str
    key: str
    value: str | None
    fields: str | None
    expires_at: int | None
    ttl: float | None
    terms: str | None
    vectors: bytes | None


_COLUMNS = "id, path, ns, key, value, created_at, updated_at, expires_at, ttl, terms, vectors"
_ALIVE = "(expires_at IS NULL OR expires_at > :now)"

_GET = Statement(f"SELECT value, created_at, updated_at, ttl, expires_at FROM store_items WHERE id = :id AND {_ALIVE}")
_BELOW = Statement(f"SELECT {_COLUMNS} FROM store_items WHERE path >= :low AND path < :high AND {_ALIVE}")
_ALL = Statement(f"SELECT {_COLUMNS} FROM store_items WHERE {_ALIVE}")
_COUNT_BELOW = Statement("SELECT count(*) FROM store_items WHERE path >= :low AND path < :high")
_COUNT_ALL = Statement("SELECT count(*) FROM store_items")
_NEWEST = Statement(
    "SELECT id, path, ns, key, value, created_at, updated_at, expires_at, ttl, NULL, NULL FROM store_items"
    f" WHERE path >= :low AND path < :high AND {_ALIVE}"
    " ORDER BY updated_at DESC, id LIMIT :limit OFFSET :offset"
)
_UPSERT = Statement(
    "INSERT INTO store_items"
    " (id, path, ns, key, value, fields, created_at, updated_at, expires_at, ttl, terms, vectors)"
    " VALUES (:id, :path, :ns, :key, :value, :fields, :now, :now, :expires_at, :ttl, :terms, :vectors)"
    " ON CONFLICT (id) DO UPDATE SET value = excluded.value, fields = excluded.fields,"
    # An expired item that is written again is a new one. Only a row that was not there at all has both
    # times equal, which tells the index that it need not look for an older version.
    " created_at = CASE WHEN store_items.expires_at <= :now THEN :now - 1 ELSE store_items.created_at END,"
    " updated_at = CASE WHEN excluded.updated_at > store_items.updated_at THEN excluded.updated_at"
    " ELSE store_items.updated_at + 1 END, expires_at = excluded.expires_at, ttl = excluded.ttl,"
    " terms = excluded.terms, vectors = excluded.vectors"
    " RETURNING created_at = updated_at"
)
_DELETE = Statement("DELETE FROM store_items WHERE id = :id")
_CHANGE = Statement("INSERT INTO store_changes (id, path, fresh) VALUES (:id, :path, :fresh)")
_NAMESPACE = Statement("INSERT INTO store_namespaces (path, ns) VALUES (:path, :ns) ON CONFLICT (path) DO NOTHING")
_NAMESPACES = Statement(
    "SELECT n.ns FROM store_namespaces n WHERE EXISTS (SELECT 1 FROM store_items i WHERE i.path = n.path"
    " AND (i.expires_at IS NULL OR i.expires_at > :now))"
)
_EXPIRED = Statement("SELECT id, path FROM store_items WHERE expires_at IS NOT NULL AND expires_at <= :now LIMIT 1000")
_REFRESH = Statement("UPDATE store_items SET expires_at = :expires_at WHERE id = :id AND ttl IS NOT NULL")
_SINCE = Statement("SELECT seq, id, path, fresh FROM store_changes WHERE seq > :seq ORDER BY seq LIMIT :limit")
_FORGET = Statement("DELETE FROM store_changes WHERE seq <= :seq")
_CHUNK = Statement(
    f"SELECT {_COLUMNS} FROM store_items WHERE path >= :low AND path < :high AND id > :after AND {_ALIVE}"
    " ORDER BY id LIMIT :limit"
)
_LAST = Statement("SELECT max(seq) FROM store_changes")


class ItemRows:
    """The statements over items, on a session of the caller's."""

    @staticmethod
    def get(session: Session, item: str, now: int) -> Any:
        """Give the visible columns of a live item, or none."""
        return session.one(_GET, id=item, now=now)

    @staticmethod
    def below(session: Session, prefix: str, now: int) -> list[ItemRow]:
        """Give all live items at or below a prefix."""
        if not prefix:
            return [ItemRow(*row) for row in session.all(_ALL, now=now)]
        low, high = path_range(prefix)
        return [ItemRow(*row) for row in session.all(_BELOW, low=low, high=high, now=now)]

    @staticmethod
    def count(session: Session, prefix: str) -> int:
        """Count the items at or below a prefix, expired ones included."""
        if not prefix:
            return int(session.one(_COUNT_ALL)[0])
        low, high = path_range(prefix)
        return int(session.one(_COUNT_BELOW, low=low, high=high)[0])

    @staticmethod
    def newest(session: Session, prefix: str, now: int, limit: int, offset: int) -> list[ItemRow]:
        """Give live items at or below a prefix, the last changed first, without what is only for search."""
        low, high = path_range(prefix)
        rows = session.all(_NEWEST, low=low, high=high, now=now, limit=limit, offset=offset)
        return [ItemRow(*row) for row in rows]

    @staticmethod
    def by_id(session: Session, items: Sequence[str], now: int) -> list[ItemRow]:
        """Give live items by their ids."""
        found: list[ItemRow] = []
        for at in range(0, len(items), 500):
            part = items[at : at + 500]
            # Ids are our own hexadecimal digests, so they can stand in the text.
            listed = ", ".join(f"'{item}'" for item in part)
            statement = Statement(f"SELECT {_COLUMNS} FROM store_items WHERE id IN ({listed}) AND {_ALIVE}")
            found.extend(ItemRow(*row) for row in session.all(statement, now=now))
        return found

    @staticmethod
    def write(session: Session, items: Iterable[NewItem], now: int, *, locked: bool) -> None:
        """Write and delete items and note each change; the change notes come last and in one order."""
        notes: list[dict[str, Any]] = []
        for item in items:
            if item.value is None:
                if session.run(_DELETE, id=item.id):
                    notes.append({"id": item.id, "path": item.path, "fresh": False})
                continue
            fresh = session.one(_UPSERT, now=now, **item._asdict())[0]
            if fresh:
                session.run(_NAMESPACE, path=item.path, ns=item.ns)
            notes.append({"id": item.id, "path": item.path, "fresh": bool(fresh)})
        ItemRows.note(session, notes, locked=locked)

    @staticmethod
    def note(session: Session, notes: Sequence[dict[str, Any]], *, locked: bool) -> None:
        """Append to the change log. ``locked`` says that writers already follow one another."""
        if not notes:
            return
        if not locked:
            # Readers follow the log by its numbers, so they must be committed in their order.
            session.raw("SELECT pg_advisory_xact_lock(7236155)")
        session.many(_CHANGE, notes)

    @staticmethod
    def refresh(session: Session, items: Sequence[tuple[str, str, int]], *, locked: bool) -> None:
        """Set the expiry of items that were read: ``(id, path, expires_at)``."""
        for item, _path, expires_at in items:
            session.run(_REFRESH, id=item, expires_at=expires_at)
        ItemRows.note(session, [{"id": item, "path": path, "fresh": False} for item, path, _ in items], locked=locked)

    @staticmethod
    def sweep(session: Session, now: int, *, locked: bool) -> int:
        """Delete up to a thousand expired items and tell how many."""
        gone = session.all(_EXPIRED, now=now)
        for item, _path in gone:
            session.run(_DELETE, id=item)
        ItemRows.note(session, [{"id": item, "path": path, "fresh": False} for item, path in gone], locked=locked)
        return len(gone)

    @staticmethod
    def namespaces(session: Session, now: int) -> list[tuple[str, ...]]:
        """List the namespaces that hold a live item."""
        return [tuple(json.loads(row[0])) for row in session.all(_NAMESPACES, now=now)]

    @staticmethod
    def since(session: Session, seq: int, limit: int = 10_000) -> list[Any]:
        """Give the changes after a number, in order."""
        return session.all(_SINCE, seq=seq, limit=limit)

    @staticmethod
    def forget_changes(session: Session, seq: int) -> None:
        """Drop the changes up to a number; whoever has not seen them must start anew."""
        session.run(_FORGET, seq=seq)

    @staticmethod
    def chunk(session: Session, prefix: str, after: str, now: int, limit: int) -> list[ItemRow]:
        """Give live items at or below a prefix whose ids follow one, in the order of ids."""
        low, high = path_range(prefix)
        rows = session.all(_CHUNK, low=low, high=high, after=after, now=now, limit=limit)
        return [ItemRow(*row) for row in rows]

    @staticmethod
    def last_change(session: Session) -> int:
        """Give the number of the newest change."""
        return int(session.one(_LAST)[0] or 0)
