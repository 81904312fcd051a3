"""Carrying out a batch: what to embed, what to read, what to write."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from langgraph.store.base import (
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    validate_op_namespace,
)

from memory_middleware.errors import InvalidInputError, StoreError
from memory_middleware.schemas.record import MemoryRecord
from memory_middleware.storage import clock
from memory_middleware.storage.database import Database
from memory_middleware.storage.documents import Document, Searched, document_of, is_typed
from memory_middleware.storage.filters import compile_filter
from memory_middleware.storage.grouping import WriteGroups
from memory_middleware.storage.indexer import Indexer
from memory_middleware.storage.indexing import Indexing, pack_terms
from memory_middleware.storage.lance_index import LanceIndex
from memory_middleware.storage.listing import list_namespaces
from memory_middleware.storage.namespaces import (
    decode_label,
    dump_key,
    dump_namespace,
    item_id,
    most_labels,
    path_of,
)
from memory_middleware.storage.rows import ItemRow, ItemRows, NewItem, Renewal
from memory_middleware.storage.state import check_embedder
from memory_middleware.storage.typed_rows import microseconds
from memory_middleware.storage.values import dump_value, moment_of, read_value, search_item
from memory_middleware.storage.vector_cache import VectorCache
from memory_middleware.storage.view import Query, View
from memory_middleware.storage.views import Views
from memory_middleware.storage.wide import Asked, WideSearch, near_rows
from memory_middleware.storage.writer import Batch, Deletion, Writer

__all__ = ["Executor", "Plan"]

_MINUTE = 60_000_000
_MOST_NAMED = 100_000
_PAGE = 512
_MOST = 1 << 53
_LONGEST_TTL = 1e9


class Write(NamedTuple):
    """A put, what of it will be searched, and the typed memory it writes, if any."""

    op: PutOp
    searched: Searched
    document: Document | None


class Plan(NamedTuple):
    """A batch, checked.

    Attributes:
        ops: The operations.
        writes: The last put of each item, by its id.
        texts: The texts whose vectors are needed.
        expected: When items must have been changed last, for the writes to happen at all.
    """

    ops: list[Op]
    writes: dict[str, Write]
    texts: list[str]
    expected: Mapping[str, int]


class Executor:
    """Plans and carries out batches on one store."""

    def __init__(
        self, database: Database, indexing: Indexing, views: Views, index: LanceIndex, indexer: Indexer
    ) -> None:
        self._database = database
        self._indexing = indexing
        self._views = views
        self._index = index
        self._most_labels = most_labels(database.longest_indexed)
        self._indexer = indexer
        self._wide = WideSearch(index)
        self._groups = WriteGroups(database, Writer(indexing).write)
        self._named: set[str] = set()

    def run(self, ops: Iterable[Op], expected: Mapping[str, int] | None = None) -> list[Result]:
        """Plan a batch, have its texts embedded, and carry it out.

        Args:
            ops: The operations.
            expected: When items must have been changed last; if not, nothing is written.

        Raises:
            ConflictError: An item was changed since.
        """
        plan = self.plan(ops, expected)
        self._indexing.embed(plan.texts)
        return self.execute(plan)

    def warm(self, ops: Iterable[Op]) -> None:
        """Have the texts of a batch embedded, without carrying it out."""
        self._indexing.embed(self.plan(ops).texts)

    def forget(self, texts: Sequence[str]) -> None:
        """Forget the vectors of texts that were deleted, in the memory of this process and on disk."""
        self._indexing.forget(texts)
        VectorCache(self._database).forget(texts)

    def plan(self, ops: Iterable[Op], expected: Mapping[str, int] | None = None) -> Plan:
        """Check a batch and tell whose texts' vectors it needs."""
        listed = [_checked(op) for op in ops]
        writes: dict[str, Write] = {}
        texts: list[str] = []
        for op in listed:
            if isinstance(op, PutOp):
                if self._most_labels is not None and len(op.namespace) > self._most_labels:
                    raise InvalidInputError(
                        f"a namespace in this database has up to {self._most_labels} labels, not {len(op.namespace)}; "
                        "use fewer"
                    )
                identity = item_id(path_of(op.namespace), op.key)
                writes.pop(identity, None)
                writes[identity] = self._planned(op)
            elif isinstance(op, SearchOp) and op.query:
                texts.append(op.query)
        texts += [text for write in writes.values() for text in write.searched.meaning]
        return Plan(listed, writes, self._indexing.wanted(texts), expected or {})

    def _planned(self, op: PutOp) -> Write:
        document = document_of(op)
        if document is not None:
            hidden = op.index is False
            op = op._replace(value=document.value, index=False if hidden else None)
            return Write(op, self._indexing.searched(op.value or {}, False if hidden else document.kind), document)
        searched = Searched([], []) if op.value is None else self._indexing.searched(op.value, op.index)
        return Write(op, searched, None)

    def query(self, text: str) -> Query:
        """Make a query of a text, embedded if there is an embedder.

        Raises:
            EmbeddingError: The embedder failed.
        """
        self._indexing.embed(self._indexing.wanted([text]))
        return self._indexing.query(text)

    def whole_view(self, prefix: str) -> View | None:
        """Give all items at or below a prefix, or none if they are too many to be held."""
        return self._views.view(prefix)

    def view(self, prefix: str, query: Query, wanted: int) -> tuple[View, bool]:
        """Give the items at or below a prefix: all of them, or where they are too many, those nearest to a query.

        The second part tells whether there may be more.
        """
        view = self._views.view(prefix)
        if view is not None:
            return view, False
        with self._database.reading() as session:
            check_embedder(session, self._indexing)
            now = clock.now()
            try:
                rows, more = near_rows(session, self._index, prefix=prefix, query=query, wanted=wanted, now=now)
            except StoreError:  # slow, but right
                everything, vectors = ItemRows.below(session, prefix, now)
                return View(everything, self._indexing.dims, vectors), False
            return View(rows, self._indexing.dims), more

    def execute(self, plan: Plan) -> list[Result]:
        """Carry out a batch whose vectors are ready: reads first, then all writes in one transaction."""
        now = clock.now()
        results: list[Result] = []
        read: list[Renewal] = []
        for op in plan.ops:
            if isinstance(op, GetOp):
                results.append(self._get(op, now, read))
            elif isinstance(op, SearchOp):
                results.append(self._search(op, now, read))
            elif isinstance(op, ListNamespacesOp):
                results.append(list_namespaces(self._views.namespaces(), op))
            else:
                results.append(None)
        if plan.writes or read:
            self._write(plan, read, now)
        return results

    def _write(self, plan: Plan, read: list[Renewal], now: int) -> None:
        batch = self._batch(plan, read, now)
        self._groups.run(batch)
        if batch.spaces and not self._database.in_transaction:  # which may yet be undone
            few = len(self._named) < _MOST_NAMED
            self._named = {*self._named, *batch.spaces} if few else set(batch.spaces)
        self._indexer.note(len(batch.items) + len(read))

    def _batch(self, plan: Plan, read: list[Renewal], now: int) -> Batch:
        def made() -> list[NewItem]:
            return [self._new_item(identity, write, now) for identity, write in plan.writes.items()]

        embedder, items = self._indexing.embeddings, made()
        typed = {identity: write for identity, write in plan.writes.items() if is_typed(write.op.namespace)}
        return Batch(
            items=items,
            embedder=embedder,
            again=made,
            spaces={item.path: item.ns for item in items if item.value is not None and item.path not in self._named},
            renewals=read,
            expected=plan.expected,
            documents={identity: write.document for identity, write in typed.items() if write.document is not None},
            deletions=[
                Deletion(identity, decode_label(write.op.namespace[1]), write.op.key)
                for identity, write in typed.items()
                if write.op.value is None
            ],
            plain={
                identity: write.op.key
                for identity, write in typed.items()
                if write.op.value is not None and write.document is None
            },
        )

    def _get(self, op: GetOp, now: int, read: list[Renewal]) -> Item | None:
        path = path_of(op.namespace)
        identity = item_id(path, op.key)
        row = self._views.item(identity, path)
        if row is None:
            return None
        value, created_at, updated_at, ttl, expires_at = row
        if expires_at is not None and expires_at <= now:
            return None
        if op.refresh_ttl and ttl is not None:
            self._note_read(Renewal(identity, path, updated_at, expires_at or 0), ttl, now, read)
        return Item(
            value=read_value(value),
            key=op.key,
            namespace=tuple(op.namespace),
            created_at=moment_of(created_at),
            updated_at=moment_of(updated_at),
        )

    def _search(self, op: SearchOp, now: int, read: list[Renewal]) -> list[SearchItem]:
        found = self._ranked(op, now) if op.query else self._listed(op, now)
        if op.refresh_ttl:
            for row, _score in found:
                if row.ttl is not None:
                    seen = Renewal(row.id, row.path, row.updated_at, row.expires_at or 0)
                    self._note_read(seen, row.ttl, now, read)
        return [search_item(row, score) for row, score in found]

    def _ranked(self, op: SearchOp, now: int) -> list[tuple[ItemRow, float | None]]:
        prefix = path_of(op.namespace_prefix)
        query = self._indexing.query(op.query or "")
        keep = compile_filter(op.filter)
        view = self._views.view(prefix)
        if view is not None:
            hits = view.search(query, limit=op.offset + op.limit, now=now, keep=keep)[op.offset :]
        else:
            asked = Asked(prefix, query, repr(op.filter) if op.filter else "", keep)
            remember = not self._database.in_transaction
            with self._database.reading() as session:
                check_embedder(session, self._indexing)
                hits = self._wide.search(session, asked, limit=op.limit, offset=op.offset, now=now, remember=remember)
        return [(hit.row, hit.score) for hit in hits]

    def _listed(self, op: SearchOp, now: int) -> list[tuple[ItemRow, float | None]]:
        """List items by their last change; a filter is tried on one page of them after the other."""
        keep = compile_filter(op.filter)
        prefix = path_of(op.namespace_prefix)
        kept: list[ItemRow] = []
        with self._database.reading() as session:
            if keep is None:
                rows = ItemRows.newest(session, prefix, now, op.limit, op.offset)
                return [(row, None) for row in rows]
            last: ItemRow | None = None
            while len(kept) < op.offset + op.limit:
                rows = ItemRows.older(session, prefix, now, _PAGE, last)
                kept.extend(row for row in rows if keep(json.loads(row.value)))
                if len(rows) < _PAGE:
                    break
                last = rows[-1]
        return [(row, None) for row in kept[op.offset : op.offset + op.limit]]

    @staticmethod
    def _note_read(seen: Renewal, ttl: float, now: int, read: list[Renewal]) -> None:
        """Mark an item for a longer life, unless that was done a moment ago."""
        life = int(ttl * _MINUTE)
        if now + life - seen.expires_at > min(1_000_000, life // 100):
            read.append(seen._replace(expires_at=now + life))

    def _new_item(self, identity: str, write: Write, now: int) -> NewItem:
        op = write.op
        path, ns, key = path_of(op.namespace), dump_namespace(op.namespace), dump_key(op.key)
        if op.value is None:
            return NewItem(identity, path, ns, key, None, None, None, None, None, None, now, now)
        return NewItem(
            id=identity,
            path=path,
            ns=ns,
            key=key,
            value=dump_value(op),
            fields=_dump_fields(write),
            expires_at=None if op.ttl is None else now + int(op.ttl * _MINUTE),
            ttl=op.ttl,
            terms=pack_terms(write.searched.words),
            vectors=self._indexing.vectors(self._indexing.wanted(write.searched.meaning)),
            made_at=_made_at(write, now),
            moment=now,
        )


def _made_at(write: Write, now: int) -> int:
    """Tell when something was made: a record tells it itself, so that one that moves here keeps its age."""
    memory = write.document.memory if write.document is not None else None
    return microseconds(memory.created_at) if isinstance(memory, MemoryRecord) else now


def _dump_fields(write: Write) -> str | None:
    if write.document is not None and write.op.index is None:
        return json.dumps(write.document.kind)
    return None if write.op.index is None else json.dumps(write.op.index)


def _checked(op: Op) -> Op:
    validate_op_namespace(op)
    if isinstance(op, SearchOp | ListNamespacesOp) and not (0 <= op.limit <= _MOST and 0 <= op.offset <= _MOST):
        raise InvalidInputError(f"limit and offset must be from 0 to {_MOST}: {op.limit!r}, {op.offset!r}")
    if isinstance(op, PutOp) and op.ttl is not None and not 0 < op.ttl < _LONGEST_TTL:
        raise InvalidInputError(f"ttl must be a number of minutes from 0 to {_LONGEST_TTL:g}, not {op.ttl!r}")
    return op
