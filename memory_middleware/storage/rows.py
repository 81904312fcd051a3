"""Reading and writing generic items in SQL."""

from __future__ import annotations

import functools
import operator
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memory_middleware.errors import ConflictError
from memory_middleware.storage.database import Insert, Session, Statement
from memory_middleware.storage.namespaces import load_key, load_namespace, path_range

__all__ = ["EMBEDDER_CHANGED", "Change", "ItemRow", "ItemRows", "NewItem", "Renewal"]


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

    def without_vectors(self) -> ItemRow:
        """Give the same without its vectors."""
        return ItemRow._make((*self[:-1], None))


class NewItem(NamedTuple):
    """An item to be written at a moment, made then or before; one without a value is to be deleted."""

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
    made_at: int
    moment: int


class Change(NamedTuple):
    """A change, and the item as it is now, or none if it is not there any more."""

    seq: int
    id: str
    path: str
    row: ItemRow | None


class Renewal(NamedTuple):
    """An item that was read, and until when it may live now."""

    id: str
    path: str
    updated_at: int
    expires_at: int


# Stands in the change log instead of an item, when all vectors were made anew.
EMBEDDER_CHANGED = ""

_COLUMNS = "id, path, ns, key, value, created_at, updated_at, expires_at, ttl, terms, vectors"
_ALIVE = "(expires_at IS NULL OR expires_at > :now)"

_GET = Statement(f"SELECT value, created_at, updated_at, ttl, expires_at FROM store_items WHERE id = :id AND {_ALIVE}")
_APART = "id, path, ns, key, value, created_at, updated_at, expires_at, ttl, terms, NULL, vectors"
_BELOW = Statement(f"SELECT {_APART} FROM store_items WHERE path >= :low AND path < :high AND {_ALIVE} LIMIT :limit")
_ALL = Statement(f"SELECT {_APART} FROM store_items WHERE {_ALIVE} LIMIT :limit")
_ALL_ROWS = 1 << 60
_COUNT = Statement(
    "SELECT count(*) FROM (SELECT 1 FROM store_items WHERE path >= :low AND path < :high LIMIT :limit) AS found"
)
_SHOWN = "SELECT id, path, ns, key, value, created_at, updated_at, expires_at, ttl, NULL, NULL FROM store_items"
_OUTSIDE = Statement(
    "SELECT EXISTS (SELECT 1 FROM store_items WHERE path < :low),"
    " EXISTS (SELECT 1 FROM store_items WHERE path >= :high)"
)
_NEWEST = Statement(
    f"{_SHOWN} WHERE path >= :low AND path < :high AND {_ALIVE}"
    " ORDER BY updated_at DESC, id LIMIT :limit OFFSET :offset"
)
_OLDER = Statement(
    f"{_SHOWN} WHERE path >= :low AND path < :high AND {_ALIVE}"
    " AND (updated_at < :moment OR (updated_at = :moment AND id > :after))"
    " ORDER BY updated_at DESC, id LIMIT :limit"
)
_UPSERT = Insert(
    "store_items",
    ("id", "path", "ns", "key", "value", "fields", "expires_at", "ttl", "terms", "vectors", "created_at", "updated_at"),
    "ON CONFLICT (id) DO UPDATE SET value = excluded.value, fields = excluded.fields,"
    # An expired item that is written again is a new one.
    " created_at = CASE WHEN store_items.expires_at <= excluded.updated_at THEN excluded.created_at"
    " ELSE store_items.created_at END,"
    " updated_at = CASE WHEN excluded.updated_at > store_items.updated_at THEN excluded.updated_at"
    " ELSE store_items.updated_at + 1 END, expires_at = excluded.expires_at, ttl = excluded.ttl,"
    " terms = excluded.terms, vectors = excluded.vectors",
)
_CHANGE = Insert("store_changes", ("id", "path"))
_NAMESPACE = Insert("store_namespaces", ("path", "ns"), "ON CONFLICT (path) DO NOTHING")
_UPDATED = Statement("SELECT updated_at FROM store_items WHERE id = :id")
_DELETE = Statement("DELETE FROM store_items WHERE id = :id")
_NAMESPACES = Statement(
    "SELECT n.path, n.ns FROM store_namespaces n WHERE EXISTS (SELECT 1 FROM store_items i WHERE i.path = n.path"
    " AND (i.expires_at IS NULL OR i.expires_at > :now))"
)
_EXPIRING = Statement("SELECT 1 FROM store_items WHERE expires_at IS NOT NULL LIMIT 1")
_EXPIRED = Statement("SELECT id, path FROM store_items WHERE expires_at IS NOT NULL AND expires_at <= :now LIMIT 1000")
_EXPIRED_KEYS = Statement(
    "SELECT id, ns, key FROM store_items WHERE expires_at IS NOT NULL AND expires_at <= :now LIMIT 1000"
)
_DELETE_EXPIRED = Statement("DELETE FROM store_items WHERE id = :id AND expires_at <= :now")
_REFRESH = Statement(
    "UPDATE store_items SET expires_at = :expires_at"
    " WHERE id = :id AND updated_at = :seen AND ttl IS NOT NULL AND expires_at < :expires_at"
)
_SINCE = Statement("SELECT seq, id, path FROM store_changes WHERE seq > :seq ORDER BY seq LIMIT :limit")
_CHANGED = Statement(
    "SELECT c.seq, c.id, c.path, i.id, i.path, i.ns, i.key, i.value, i.created_at, i.updated_at, i.expires_at, i.ttl,"
    " i.terms, i.vectors FROM store_changes c LEFT JOIN store_items i ON i.id = c.id"
    " AND (i.expires_at IS NULL OR i.expires_at > :now) WHERE c.seq > :seq ORDER BY c.seq LIMIT :limit"
)
_FORGET = Statement("DELETE FROM store_changes WHERE seq <= :seq")
_CHUNK = Statement(
    f"SELECT {_COLUMNS} FROM store_items WHERE path >= :low AND path < :high AND id > :after AND {_ALIVE}"
    " ORDER BY id LIMIT :limit"
)
_FIRST = Statement("SELECT min(seq) FROM store_changes")
_LAST = Statement("SELECT max(seq) FROM store_changes")


_row = functools.partial(tuple.__new__, ItemRow)  # what _make does, without counting
_item_columns = operator.itemgetter(slice(0, len(ItemRow._fields)))
_last_column = operator.itemgetter(-1)


class ItemRows:
    """The statements over items, on a session of the caller's."""

    @staticmethod
    def get(session: Session, item: str, now: int) -> Any:
        """Give the visible columns of a live item, or none."""
        return session.one(_GET, id=item, now=now)

    @staticmethod
    def below(
        session: Session, prefix: str, now: int, limit: int = _ALL_ROWS
    ) -> tuple[list[ItemRow], list[bytes | None]]:
        """Give live items at or below a prefix, all or so many, and their vectors apart."""
        if prefix:
            low, high = path_range(prefix)
            found = session.all(_BELOW, low=low, high=high, now=now, limit=limit)
        else:
            found = session.all(_ALL, now=now, limit=limit)
        return list(map(_row, map(_item_columns, found))), list(map(_last_column, found))

    @staticmethod
    def count(session: Session, prefix: str, limit: int = _ALL_ROWS) -> int:
        """Count the items at or below a prefix, expired ones included, up to a limit."""
        low, high = path_range(prefix)
        return int(session.one(_COUNT, low=low, high=high, limit=limit)[0])

    @staticmethod
    def are_all_below(session: Session, prefix: str) -> bool:
        """Tell whether there is no item outside of a prefix."""
        low, high = path_range(prefix)
        return not any(session.one(_OUTSIDE, low=low, high=high))

    @staticmethod
    def newest(session: Session, prefix: str, now: int, limit: int, offset: int) -> list[ItemRow]:
        """Give live items at or below a prefix, the last changed first, without what is only for search."""
        low, high = path_range(prefix)
        rows = session.all(_NEWEST, low=low, high=high, now=now, limit=limit, offset=offset)
        return [ItemRow(*row) for row in rows]

    @staticmethod
    def older(session: Session, prefix: str, now: int, limit: int, than: ItemRow | None) -> list[ItemRow]:
        """Give the page after an item of ``newest``; writes meanwhile make it neither skip nor repeat."""
        if than is None:
            return ItemRows.newest(session, prefix, now, limit, 0)
        low, high = path_range(prefix)
        place = {"moment": than.updated_at, "after": than.id}
        return [ItemRow(*row) for row in session.all(_OLDER, low=low, high=high, now=now, limit=limit, **place)]

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
    def expect(session: Session, expected: Mapping[str, int]) -> None:
        """Make sure that items were last changed when they are thought to have been.

        Raises:
            ConflictError: One was changed since, or deleted.
        """
        for item, updated_at in expected.items():
            found = session.one(_UPDATED, id=item)
            if found is None or int(found[0]) != updated_at:
                raise ConflictError("the item was changed by somebody else meanwhile; read it again and retry")

    @staticmethod
    def write(session: Session, items: Sequence[NewItem]) -> None:
        """Write and delete items, each id at most once, and note each change."""
        put = [item for item in items if item.value is not None]
        gone = [item for item in items if item.value is None and session.run(_DELETE, id=item.id)]
        session.insert(_UPSERT, put)
        ItemRows.note(session, [(item.id, item.path) for item in (*put, *gone)])

    @staticmethod
    def name(session: Session, namespaces: Mapping[str, str]) -> None:
        """Remember namespaces by their paths."""
        session.insert(_NAMESPACE, list(namespaces.items()))

    @staticmethod
    def note(session: Session, notes: Sequence[tuple[str, str]]) -> None:
        """Append ids and paths to the change log."""
        session.insert(_CHANGE, notes)

    @staticmethod
    def refresh(session: Session, items: Sequence[Renewal]) -> None:
        """Lengthen the life of items that were read, unless they were written again since."""
        done = [
            item
            for item in items
            if session.run(_REFRESH, id=item.id, seen=item.updated_at, expires_at=item.expires_at)
        ]
        ItemRows.note(session, [(item.id, item.path) for item in done])

    @staticmethod
    def expired(session: Session, now: int) -> list[tuple[str, tuple[str, ...], str]]:
        """List up to a thousand expired items by id, namespace and key."""
        return [(item, load_namespace(ns), load_key(key)) for item, ns, key in session.all(_EXPIRED_KEYS, now=now)]

    @staticmethod
    def sweep(session: Session, now: int) -> int:
        """Delete up to a thousand expired items and tell how many were found."""
        found = session.all(_EXPIRED, now=now)
        gone = [(item, path) for item, path in found if session.run(_DELETE_EXPIRED, id=item, now=now)]
        ItemRows.note(session, gone)
        return len(gone)

    @staticmethod
    def namespaces(session: Session, now: int) -> dict[str, tuple[str, ...]]:
        """Give the namespaces that hold a live item, by their paths."""
        return {path: load_namespace(ns) for path, ns in session.all(_NAMESPACES, now=now)}

    @staticmethod
    def any_expire(session: Session) -> bool:
        """Tell whether any item expires at all."""
        return session.one(_EXPIRING) is not None

    @staticmethod
    def since(session: Session, seq: int, limit: int = 10_000) -> list[Any]:
        """Give the changes after a number, in order."""
        return session.all(_SINCE, seq=seq, limit=limit)

    @staticmethod
    def changed(session: Session, seq: int, now: int, limit: int) -> list[Change]:
        """Give the changes after a number, in order, with the items as they are now."""
        found = session.all(_CHANGED, seq=seq, now=now, limit=limit)
        return [Change(row[0], row[1], row[2], ItemRow(*row[3:]) if row[3] is not None else None) for row in found]

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
    def has_gap(session: Session, seq: int) -> bool:
        """Tell whether changes right after a number are gone from the log."""
        first = session.one(_FIRST)[0]
        return first is not None and int(first) > seq + 1

    @staticmethod
    def last_change(session: Session) -> int:
        """Give the number of the newest change."""
        return int(session.one(_LAST)[0] or 0)
