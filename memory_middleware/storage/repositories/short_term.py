"""Short-term items: compact traces of the last rounds of each thread."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.dialogue import ShortTermItem
from memory_middleware.schemas.scope import Scope
from memory_middleware.schemas.times import parse_utc
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.owners import digest

__all__ = ["ShortTermRepository"]

_THREAD = " WHERE owner = :owner AND thread = :thread"
_ADD = Statement(
    "INSERT INTO short_term_items (owner, thread, entry, document) VALUES (:owner, :thread, :entry, :document)"
    " ON CONFLICT (owner, thread, entry) DO NOTHING"
)
_REPLACE = Statement(f"UPDATE short_term_items SET document = :document{_THREAD} AND entry = :entry")
_RECENT = Statement(f"SELECT document FROM short_term_items{_THREAD} ORDER BY seq DESC LIMIT :limit")
_BEFORE = Statement(f"SELECT document FROM short_term_items{_THREAD} ORDER BY seq DESC LIMIT :limit OFFSET :newest")
# Inside a text the quotation marks would be escaped.
_SHORTENED = '"compressed": true'
_COUNT = Statement(f"SELECT count(*) FROM short_term_items{_THREAD}")
_TRIM = Statement(
    f"DELETE FROM short_term_items{_THREAD} AND seq <="
    f" (SELECT seq FROM short_term_items{_THREAD} ORDER BY seq DESC LIMIT 1 OFFSET :keep)"
)
_DELETE = Statement(f"DELETE FROM short_term_items{_THREAD} AND entry = :entry")
_CLEAR = Statement(f"DELETE FROM short_term_items{_THREAD}")
_OWNED = Statement("SELECT seq, document FROM short_term_items WHERE owner = :owner")
_DROP = Statement("DELETE FROM short_term_items WHERE owner = :owner AND seq = :seq")


class ShortTermRepository:
    """Keeps the items of the thread that the scope names, in the order they came."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def append(self, scope: Scope, item: ShortTermItem) -> bool:
        """Add an item and tell whether it is new; one that is there already changes nothing."""
        with self._database.writing() as session:
            return session.run(_ADD, **_place(scope), entry=digest(item.id), document=json.dumps(item.to_dict())) == 1

    def replace(self, scope: Scope, items: Sequence[ShortTermItem]) -> int:
        """Write items anew in their places, such as shortened, and tell how many were there."""
        with self._database.writing() as session:
            return sum(
                session.run(_REPLACE, **_place(scope), entry=digest(item.id), document=json.dumps(item.to_dict()))
                for item in items
            )

    def recent(self, scope: Scope, limit: int) -> list[ShortTermItem]:
        """Give the last items, the oldest of them first."""
        with self._database.reading() as session:
            rows = session.all(_RECENT, **_place(scope), limit=limit)
        return [ShortTermItem.model_validate(json.loads(row[0])) for row in reversed(rows)]

    def uncompressed(self, scope: Scope, newest: int, limit: int) -> list[ShortTermItem]:
        """Give those before the newest that are not compressed yet, the oldest first; so many are looked at."""
        with self._database.reading() as session:
            rows = session.all(_BEFORE, **_place(scope), newest=newest, limit=limit)
        waiting = [row[0] for row in reversed(rows) if _SHORTENED not in row[0]]
        return [ShortTermItem.model_validate(json.loads(document)) for document in waiting]

    def count(self, scope: Scope) -> int:
        """Count the items."""
        with self._database.reading() as session:
            return int(session.one(_COUNT, **_place(scope))[0])

    def trim(self, scope: Scope, keep: int) -> int:
        """Drop all but the last so many items and tell how many went."""
        with self._database.writing() as session:
            return session.run(_TRIM, **_place(scope), keep=keep)

    def delete(self, scope: Scope, item_ids: Sequence[str]) -> int:
        """Drop items by their ids and tell how many were there."""
        with self._database.writing() as session:
            return sum(session.run(_DELETE, **_place(scope), entry=digest(item)) for item in item_ids)

    def clear(self, scope: Scope) -> int:
        """Drop all items of the thread and tell how many there were."""
        with self._database.writing() as session:
            return session.run(_CLEAR, **_place(scope))

    def forget(self, scope: Scope, before: datetime) -> int:
        """Drop the items of all threads of the owner from before a moment, and tell how many."""
        owner = digest(scope.owner_id)
        with self._database.writing() as session:
            old = [
                seq
                for seq, document in session.all(_OWNED, owner=owner)
                if parse_utc(json.loads(document)["created_at"]) < before
            ]
            return sum(session.run(_DROP, owner=owner, seq=seq) for seq in old)


def _place(scope: Scope) -> dict[str, str]:
    if not scope.thread_id:
        raise InvalidInputError("short-term items belong to a thread; give the scope a thread_id")
    return {"owner": digest(scope.owner_id), "thread": digest(scope.thread_id)}
