"""Records page by page, in several orders; a page begins where the one before it ended, whatever came meanwhile."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import clock
from memory_middleware.storage.cursors import Cursors
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.namespaces import load_key
from memory_middleware.storage.owners import digest
from memory_middleware.storage.repositories.records import RecordRepository

__all__ = ["RecordPage", "RecordPages", "Sort"]

Sort = Literal["updated", "created", "weight", "used"]

_ORDERS = {
    "updated": "r.updated_at",
    "created": "i.created_at",
    "weight": "w.weight",
    "used": "w.access_count",
}
_MOST = 1000
_WALK = Statement(
    "SELECT r.record, i.key FROM memory_records r JOIN store_items i ON i.id = r.id"
    " WHERE r.owner = :owner AND r.record > :after AND (i.expires_at IS NULL OR i.expires_at > :now)"
    " ORDER BY r.record LIMIT :limit"
)


class RecordPage(NamedTuple):
    """Some records, and where the next page begins; none after the last."""

    records: list[MemoryRecord]
    cursor: str | None


class RecordPages:
    """Lists records."""

    def __init__(self, database: Database, records: RecordRepository, cursors: Cursors | None = None) -> None:
        self._database = database
        self._records = records
        self._cursors = cursors or Cursors(database)

    def page(
        self,
        scope: Scope,
        *,
        states: Sequence[RecordState | str] = (RecordState.ACTIVE,),
        kinds: Sequence[RecordKind | str] | None = None,
        sort: Sort = "updated",
        limit: int = 50,
        cursor: str | None = None,
    ) -> RecordPage:
        """List records, the newest, heaviest or most used first.

        Args:
            scope: Whose.
            states: Only in these states.
            kinds: Only of these kinds.
            sort: The order.
            limit: At most so many, 1,000 at the most.
            cursor: Where the page before ended, of the same states, kinds and order.

        Raises:
            InvalidInputError: The order, the limit or the cursor is none.
        """
        if sort not in _ORDERS:
            raise InvalidInputError(f"records can be sorted by {', '.join(_ORDERS)}, not by {sort!r}")
        if isinstance(limit, bool) or not 1 <= limit <= _MOST:
            raise InvalidInputError(f"limit must be from 1 to {_MOST}, not {limit!r}")
        chosen = tuple(sorted({RecordState(state).value for state in states}))
        sorts = None if kinds is None else tuple(sorted({RecordKind(kind).value for kind in kinds}))
        listing = f"records by {sort} in {chosen} of {sorts}"
        place = dict(zip(("value", "item"), self._cursors.read(scope, listing, cursor), strict=True)) if cursor else {}
        statement = _listing(chosen, sorts, sort, bool(place))
        with self._database.reading() as session:
            rows = session.all(statement, owner=digest(scope.owner_id), now=clock.now(), limit=limit + 1, **place)
        found = self._records.get_many(scope, [load_key(row[2]) for row in rows[:limit]])
        return RecordPage(
            found, self._cursors.write(scope, listing, rows[limit - 1][:2]) if len(rows) > limit else None
        )

    def walk(self, scope: Scope, limit: int) -> Iterator[list[MemoryRecord]]:
        """Go through all records in every state, a page after the other, in an order that no change moves."""
        after = ""
        while True:
            with self._database.reading() as session:
                rows = session.all(_WALK, owner=digest(scope.owner_id), after=after, now=clock.now(), limit=limit)
            if not rows:
                return
            yield self._records.get_many(scope, [load_key(row[1]) for row in rows])
            after = rows[-1][0]


@functools.lru_cache(256)
def _listing(states: tuple[str, ...], kinds: tuple[str, ...] | None, sort: str, following: bool) -> Statement:
    # States, kinds and orders are our own words.
    order = _ORDERS[sort]
    wanted = f" AND r.state IN ({_listed(states)})"
    if kinds is not None:
        wanted += f" AND r.kind IN ({_listed(kinds)})"
    if following:
        wanted += f" AND ({order} < :value OR ({order} = :value AND r.id > :item))"
    return Statement(
        f"SELECT {order}, r.id, i.key FROM memory_records r JOIN store_items i ON i.id = r.id"
        " JOIN memory_weights w ON w.id = r.id"
        f" WHERE r.owner = :owner AND (i.expires_at IS NULL OR i.expires_at > :now){wanted}"
        f" ORDER BY {order} DESC, r.id LIMIT :limit"
    )


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words) or "NULL"
