"""Long-term records: written through the store, looked up by their typed columns."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from langgraph.store.base import PutOp, SearchItem, SearchOp
from pydantic import ValidationError

from memory_middleware.errors import ConflictError, InvalidInputError
from memory_middleware.schemas.record import MemoryRecord, RecordKind, RecordState
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage import clock
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.documents import record_namespace
from memory_middleware.storage.executor import Executor
from memory_middleware.storage.namespaces import item_id, path_of
from memory_middleware.storage.nearby import nearby_rows
from memory_middleware.storage.owners import address_digest, digest
from memory_middleware.storage.record_pool import Candidates, Pools
from memory_middleware.storage.view import Query, View

__all__ = ["FoundRecord", "HeldTerms", "RecordRepository", "Usage"]

_ATTEMPTS = 50
_STEP = 20
_USAGE = "weight, access_count, last_accessed"
_COLUMNS = "i.id, i.value, i.updated_at, i.ttl, i.fields, w.weight, w.access_count, w.last_accessed"
_FROM = (
    " FROM memory_records r JOIN store_items i ON i.id = r.id JOIN memory_weights w ON w.id = r.id"
    " WHERE r.owner = :owner AND (i.expires_at IS NULL OR i.expires_at > :now)"
)
_NEW = " ORDER BY r.updated_at DESC, r.id LIMIT :limit"


class FoundRecord(NamedTuple):
    """A record that a search found, and its score."""

    record: MemoryRecord
    score: float


class Usage(NamedTuple):
    """How much a record weighs, how often it was used, and when last, in microseconds."""

    weight: float
    access_count: int
    last_accessed: int | None

    def of(self, value: str) -> MemoryRecord:
        """Give the record that an item holds, with this use."""
        if self == _UNUSED:
            return _read(value)
        moment = None if self.last_accessed is None else datetime.fromtimestamp(self.last_accessed / 1e6, UTC)
        used = {"weight": self.weight, "access_count": self.access_count, "last_accessed": moment}
        return _read(value).model_copy(update=used)


_UNUSED = Usage(1.0, 0, None)


class _Stored(NamedTuple):
    item: str
    record: MemoryRecord
    updated_at: int
    ttl: float | None
    hidden: bool


class HeldTerms(Mapping[str, int]):
    """In how many records a term occurs, counted when it is asked for."""

    def __init__(self, view: View) -> None:
        self._view = view
        self.total = len(view)

    def __getitem__(self, term: str) -> int:
        return self._view.holding(term)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return self.total


class RecordRepository:
    """Reads and writes an owner's records.

    Each is also an item under ``("memories", owner, kind)`` of the store. Weights and use are kept
    apart, since they change with every turn; reading a record joins them.
    """

    def __init__(self, database: Database, executor: Executor) -> None:
        self._database = database
        self._executor = executor
        self._pools = Pools()

    def put(self, scope: Scope, records: Sequence[MemoryRecord]) -> None:
        """Write records, all or none; one that is there is replaced, but keeps its weight.

        Raises:
            InvalidInputError: A record is another owner's, or its id another record's of another kind.
        """
        self._executor.run([_put(scope, record) for record in records])

    def warm(self, scope: Scope, records: Sequence[MemoryRecord]) -> None:
        """Have the vectors of records made, so that a transaction that writes them need not wait for it."""
        self._executor.warm([_put(scope, record) for record in records])

    def forget_texts(self, texts: Sequence[str]) -> None:
        """Forget the vectors of texts that nothing says any more."""
        self._executor.forget(texts)

    def get(self, scope: Scope, record_id: str) -> MemoryRecord | None:
        """Give a record, whatever its state, or none."""
        found = self._find(scope, record_id)
        return found.record if found else None

    def get_many(self, scope: Scope, record_ids: Iterable[str]) -> list[MemoryRecord]:
        """Give records by their ids, in that order, leaving out those that are not there."""
        wanted = list(dict.fromkeys(record_ids))
        found = {stored.record.id: stored.record for stored in self._by_digest(scope, "r.record", wanted)}
        return [found[record_id] for record_id in wanted if record_id in found]

    def newest(
        self,
        scope: Scope,
        *,
        states: Sequence[RecordState] = (RecordState.ACTIVE,),
        kinds: Sequence[RecordKind] | None = None,
        limit: int = 100,
        after: MemoryRecord | None = None,
    ) -> list[MemoryRecord]:
        """List records, the last changed first.

        Args:
            scope: Whose.
            states: Only in these states.
            kinds: Only of these kinds.
            limit: At most so many.
            after: The last one of the page before.
        """
        chosen = tuple(RecordState(state).value for state in states)
        sorts = None if kinds is None else tuple(RecordKind(kind).value for kind in kinds)
        place: dict[str, Any] = {}
        if after is not None:
            item = item_id(path_of(record_namespace(scope.owner_id, after.kind.value)), after.id)
            place = {"moment": int(after.updated_at.timestamp() * 1_000_000), "item": item}
        statement = _listing(chosen, sorts, after is not None)
        return [stored.record for stored in self._all(scope, statement, limit=limit, **place)]

    def at_address(
        self, scope: Scope, subject: str, attribute: str, *, states: Sequence[RecordState] = (RecordState.ACTIVE,)
    ) -> list[MemoryRecord]:
        """List the records at an address, the last changed first."""
        address = address_digest(subject, attribute)
        if address is None:
            return []
        found = self._all(scope, _AT_ADDRESS, address=address)
        return [stored.record for stored in found if stored.record.state in states]

    def in_thread(self, scope: Scope, thread_id: str) -> list[MemoryRecord]:
        """List the records that came from a thread, in the order of its turns."""
        return [stored.record for stored in self._all(scope, _IN_THREAD, thread=digest(thread_id))]

    def in_turn(self, scope: Scope, thread_id: str, turn: int | None) -> list[MemoryRecord]:
        """List the records that came from one turn of a thread."""
        if turn is None:
            return []
        return [stored.record for stored in self._all(scope, _IN_TURN, thread=digest(thread_id), turn=turn)]

    def from_rounds(self, scope: Scope, thread_id: str, round_ids: Sequence[str]) -> list[MemoryRecord]:
        """List what was drawn from rounds of a thread, each by the first round that said it; sayings are left out."""
        found: list[_Stored] = []
        for at in range(0, len(round_ids), _STEP):
            some = round_ids[at : at + _STEP]
            named = {f"i{place}": some[min(place, len(some) - 1)] for place in range(_STEP)}
            statement = _DRAWN[self._database.is_sqlite]
            found += self._all(scope, statement, thread=digest(thread_id), **named)
        return [stored.record for stored in found]

    def from_source(self, scope: Scope, source: str) -> list[MemoryRecord]:
        """List the records that came from a source."""
        return [stored.record for stored in self._all(scope, _FROM_SOURCE, source=digest(source))]

    def linking_to(self, scope: Scope, target_id: str) -> list[MemoryRecord]:
        """List the records that link to a memory."""
        return [stored.record for stored in self._all(scope, _LINKING, target=digest(target_id))]

    def dangling(self, scope: Scope) -> list[MemoryRecord]:
        """List the records with a link to something that is not there."""
        return [stored.record for stored in self._all(scope, _DANGLING)]

    def count(self, scope: Scope) -> dict[RecordState, int]:
        """Count the records by state."""
        with self._database.reading() as session:
            found = dict(session.all(_COUNT, owner=digest(scope.owner_id), now=clock.now()))
        return {state: int(found.get(state.value, 0)) for state in RecordState}

    def search(
        self,
        scope: Scope,
        query: str,
        *,
        limit: int = 10,
        states: Sequence[RecordState] = (RecordState.ACTIVE,),
        kinds: Sequence[RecordKind] | None = None,
    ) -> list[FoundRecord]:
        """Find records by meaning and words, the best first."""
        keep: dict[str, Any] = {"state": {"$in": [RecordState(state).value for state in states]}}
        if kinds is not None:
            keep["kind"] = {"$in": [RecordKind(kind).value for kind in kinds]}
        namespace = record_namespace(scope.owner_id)
        asked = SearchOp(namespace, filter=keep, limit=limit, query=query, refresh_ttl=False)
        hits: list[SearchItem] = self._executor.run([asked])[0]  # type: ignore[assignment]
        records = {record.id: record for record in self.get_many(scope, (hit.key for hit in hits))}
        return [FoundRecord(records[hit.key], hit.score or 0.0) for hit in hits if hit.key in records]

    def query(self, text: str) -> Query:
        """Make a query of a text, embedded if there is an embedder."""
        return self._executor.query(text)

    def pool(self, scope: Scope, query: Query, *, kind: RecordKind | None = None, candidates: int = 256) -> Candidates:
        """Give the owner's records as columns: all, or of very many those nearest to the query."""
        namespace = record_namespace(scope.owner_id, kind.value if kind else None)
        view, more = self._executor.view(path_of(namespace), query, candidates)
        return Candidates(self._pools.pool(view), view, more)

    def widened(
        self, scope: Scope, found: Candidates, turns: Sequence[tuple[str, int]], record_ids: Sequence[str]
    ) -> Candidates:
        """Add the turns beside some turns, and records by their ids, to candidates that are not all there are."""
        with self._database.reading() as session:
            rows = nearby_rows(session, scope.owner_id, turns, record_ids, clock.now())
        held = {row.id for row in found.pool.rows}
        missing = [row for row in rows if row.id not in held]
        if missing and found.more:
            found.view.apply([], missing)  # nobody else holds it, since it is not all there is
            return found._replace(pool=self._pools.pool(found.view))
        return found

    def usage(self, scope: Scope, items: Sequence[str]) -> dict[str, Usage]:
        """Give the weight and use of records by the ids of their items; those that are gone are left out."""
        if not items:
            return {}
        filled = -(-len(items) // _STEP) * _STEP
        named = {f"i{at}": items[min(at, len(items) - 1)] for at in range(filled)}
        with self._database.reading() as session:
            rows = session.all(_used(filled), **named)
        # The owner is compared here: SQLite would rather look through all of the owner's weights.
        owner = digest(scope.owner_id)
        return {item: Usage(*used) for item, whose, *used in rows if whose == owner}

    def held_terms(self, scope: Scope) -> HeldTerms | None:
        """Tell how many of the owner's records hold a term, or none if they are too many to be held in memory."""
        view = self._executor.whole_view(path_of(record_namespace(scope.owner_id)))
        return HeldTerms(view) if view is not None else None

    def update(self, scope: Scope, record_id: str, change: Callable[[MemoryRecord], MemoryRecord]) -> MemoryRecord:
        """Change a record by a function of it, again if somebody else was faster.

        Raises:
            InvalidInputError: There is no such record, or its id, owner or kind would change.
            ConflictError: Others changed it again and again.
        """
        for _ in range(_ATTEMPTS):
            found = self._find(scope, record_id)
            if found is None:
                raise InvalidInputError(f"there is no record {record_id!r} of this owner")
            record = change(found.record)
            if (record.id, record.owner_id, record.kind) != (
                found.record.id,
                found.record.owner_id,
                found.record.kind,
            ):
                raise InvalidInputError(f"the id, owner and kind of the record {record_id!r} cannot change")
            try:
                kept = _put(scope, record)._replace(ttl=found.ttl, index=False if found.hidden else None)
                self._executor.run([kept], {found.item: found.updated_at})
            except ConflictError:
                continue
            return record
        raise ConflictError(f"the record {record_id!r} was changed by others {_ATTEMPTS} times in a row; try again")

    def patch(self, scope: Scope, record_id: str, **fields: Any) -> MemoryRecord:
        """Change some fields of a record.

        Raises:
            InvalidInputError: There is no such record, or a field does not fit.
        """
        return self.update(scope, record_id, lambda record: record.changed(**fields))

    def delete(self, scope: Scope, record_ids: Iterable[str]) -> int:
        """Delete records with their use, weight and links, all or none, and tell how many were there."""
        found = self.get_many(scope, record_ids)
        self._executor.run(
            [PutOp(record_namespace(scope.owner_id, record.kind.value), record.id, None) for record in found]
        )
        return len(found)

    def _find(self, scope: Scope, record_id: str) -> _Stored | None:
        found = self._all(scope, _ONE, record=digest(record_id))
        return found[0] if found else None

    def _by_digest(self, scope: Scope, column: str, names: Sequence[str]) -> list[_Stored]:
        stored: list[_Stored] = []
        for at in range(0, len(names), 200):
            # Digests are hexadecimal, so they can stand in the text.
            listed = ", ".join(f"'{digest(name)}'" for name in names[at : at + 200])
            stored += self._all(scope, Statement(f"SELECT {_COLUMNS}{_FROM} AND {column} IN ({listed})"))
        return stored

    def _all(self, scope: Scope, statement: Statement, **values: Any) -> list[_Stored]:
        with self._database.reading() as session:
            rows = session.all(statement, owner=digest(scope.owner_id), now=clock.now(), **values)
        return [_stored(row) for row in rows]


_ONE = Statement(f"SELECT {_COLUMNS}{_FROM} AND r.record = :record")
_AT_ADDRESS = Statement(f"SELECT {_COLUMNS}{_FROM} AND r.address = :address ORDER BY r.updated_at DESC, r.id")
_IN_THREAD = Statement(f"SELECT {_COLUMNS}{_FROM} AND r.thread = :thread ORDER BY r.turn, r.updated_at, r.id")
_IN_TURN = Statement(f"SELECT {_COLUMNS}{_FROM} AND r.thread = :thread AND r.turn = :turn ORDER BY r.updated_at, r.id")
_FIRST_ROUND = {
    True: "json_extract(i.value, '$.provenance.round_ids[0]')",
    False: "CAST(i.value AS json) #>> '{provenance,round_ids,0}'",
}
_DRAWN = {
    is_sqlite: Statement(
        f"SELECT {_COLUMNS}{_FROM} AND r.thread = :thread AND r.kind <> 'dialogue'"
        f" AND {first} IN ({', '.join(f':i{at}' for at in range(_STEP))}) ORDER BY r.turn, r.updated_at, r.id"
    )
    for is_sqlite, first in _FIRST_ROUND.items()
}
_FROM_SOURCE = Statement(f"SELECT {_COLUMNS}{_FROM} AND r.source = :source ORDER BY r.updated_at DESC, r.id")
_LINKING = Statement(
    f"SELECT {_COLUMNS}{_FROM} AND r.id IN (SELECT origin FROM memory_links WHERE owner = :owner AND target = :target)"
    " ORDER BY r.updated_at DESC, r.id"
)
_DANGLING = Statement(
    f"SELECT {_COLUMNS}{_FROM} AND r.id IN (SELECT l.origin FROM memory_links l WHERE l.owner = :owner"
    " AND NOT EXISTS (SELECT 1 FROM memory_records t WHERE t.owner = :owner AND t.record = l.target)"
    " AND NOT EXISTS (SELECT 1 FROM memory_experience e WHERE e.owner = :owner AND e.entry = l.target))"
)
_COUNT = Statement(f"SELECT r.state, count(*){_FROM} GROUP BY r.state")


@functools.lru_cache(256)
def _listing(states: tuple[str, ...], kinds: tuple[str, ...] | None, following: bool) -> Statement:
    # States and kinds are our own words.
    wanted = f" AND r.state IN ({_listed(states)})"
    if kinds is not None:
        wanted += f" AND r.kind IN ({_listed(kinds)})"
    if following:
        wanted += " AND (r.updated_at < :moment OR (r.updated_at = :moment AND r.id > :item))"
    return Statement(f"SELECT {_COLUMNS}{_FROM}{wanted}{_NEW}")


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words) or "NULL"


def _put(scope: Scope, record: MemoryRecord) -> PutOp:
    if record.owner_id != scope.owner_id:
        raise InvalidInputError(f"the record belongs to {record.owner_id!r}, the scope to {scope.owner_id!r}")
    return PutOp(record_namespace(scope.owner_id, record.kind.value), record.id, record.to_dict())


def _stored(row: Any) -> _Stored:
    item, value, updated_at, ttl, fields, *used = row
    return _Stored(item, Usage(*used).of(value), int(updated_at), ttl, fields == "false")


@functools.lru_cache(64)
def _used(count: int) -> Statement:
    """Ask for the use of so many items; few different texts can be prepared once."""
    listed = ", ".join(f":i{at}" for at in range(count))
    return Statement(f"SELECT id, owner, {_USAGE} FROM memory_weights WHERE id IN ({listed})")


@functools.lru_cache(4096)
def _read(value: str) -> MemoryRecord:
    """Read a record; the same text is checked once."""
    try:
        return MemoryRecord.model_validate_json(value)
    except ValidationError:
        return MemoryRecord.from_dict(json.loads(value))  # tells better what is wrong
