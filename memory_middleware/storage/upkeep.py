"""Keeping index and items alike: new vectors, and comparing both sides."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from memory_middleware.errors import StoreError
from memory_middleware.storage.database import Database, Statement
from memory_middleware.storage.documents import Searched
from memory_middleware.storage.indexing import Indexing, pack_terms
from memory_middleware.storage.lance_index import LanceIndex, index_rows
from memory_middleware.storage.progress import Progress
from memory_middleware.storage.rebuild import Clock, all_rows
from memory_middleware.storage.rows import EMBEDDER_CHANGED, ItemRow, ItemRows
from memory_middleware.storage.state import index_state, set_meta

__all__ = ["IndexReport", "compare", "reembed"]

_SET_VECTORS = Statement(
    "UPDATE store_items SET terms = :terms, vectors = :vectors WHERE id = :id AND updated_at = :seen"
)


class IndexReport(NamedTuple):
    """What a comparison of index and items found.

    Attributes:
        items: Items that should be in the index.
        missing: Of these, how many are not.
        extra: Items in the index that should not be, or not so often.
        repaired: Whether the index was built anew.
    """

    items: int
    missing: int
    extra: int
    repaired: bool

    @property
    def clean(self) -> bool:
        """Whether both sides agreed."""
        return not self.missing and not self.extra


def reembed(database: Database, indexing: Indexing, *, progress: Progress | None, clock: Clock) -> None:
    """Give every item vectors of another embedder.

    All vectors are made before the first is written, and remembered until then, so that no text is embedded
    twice; then they are written in one transaction, and items that changed meanwhile are done in it too.
    """
    reserved = 0
    made: dict[str, tuple[int, Searched]] = {}
    with database.reading() as session:
        total = ItemRows.count(session, "")
    for rows in all_rows(database, clock):
        fields = _fields_of(database, rows)
        texts = {row.id: indexing.searched(json.loads(row.value), fields[row.id]) for row in rows}
        meanings = [text for found in texts.values() for text in found.meaning]
        reserved += len(meanings)
        indexing.reserve(len(meanings))
        indexing.embed(meanings)
        made |= {row.id: (row.updated_at, texts[row.id]) for row in rows}
        if progress:
            progress(len(made), max(total, len(made)))
    _write_vectors(database, indexing, made, clock)
    indexing.reserve(-reserved)


def _write_vectors(
    database: Database, indexing: Indexing, made: Mapping[str, tuple[int, Searched]], clock: Clock
) -> None:
    with database.writing() as session:
        set_meta(session, "embedder", [indexing.name, indexing.dims])
        notes: list[tuple[str, str]] = [(EMBEDDER_CHANGED, "")]
        for rows in all_rows(database, clock):
            fields = _fields_of(database, rows)
            for row in rows:
                seen, searched = made.get(row.id, (-1, Searched([], [])))
                if seen != row.updated_at:
                    searched = indexing.searched(json.loads(row.value), fields[row.id])
                    indexing.embed(searched.meaning)
                session.run(
                    _SET_VECTORS,
                    id=row.id,
                    seen=row.updated_at,
                    terms=pack_terms(searched.words),
                    vectors=indexing.vectors(searched.meaning),
                )
                notes.append((row.id, row.path))
        ItemRows.note(session, notes)


def compare(database: Database, index: LanceIndex, *, clock: Clock) -> IndexReport:
    """Compare the index, as far as it has followed, with the items.

    Their sums are compared first, so that a large store needs no more room than a small one; ids only if these differ.
    """
    items, wanted = 0, _Sum()
    for rows in all_rows(database, clock):
        listed = [row.id for row in index_rows(rows, index.dims)]
        wanted, items = wanted.plus(listed), items + len(set(listed))
    with database.reading() as session:
        there = index.at(index_state(session, index.name).generation)
    found = _Sum()
    with suppress(StoreError):
        for listed in there.id_batches():
            found = found.plus(listed)
    return IndexReport(items, 0, 0, repaired=False) if found == wanted else _differences(database, there, clock)


def _differences(database: Database, index: LanceIndex, clock: Clock) -> IndexReport:
    wanted: Counter[str] = Counter()
    for rows in all_rows(database, clock):
        wanted.update(row.id for row in index_rows(rows, index.dims))
    try:
        found = Counter(index.ids())
    except StoreError:
        found = Counter()
    return IndexReport(len(wanted), len(wanted - found), len(found - wanted), repaired=False)


class _Sum(NamedTuple):
    """How many ids there are, and the sum of their beginnings; they are digests, so other ids have another sum."""

    rows: int = 0
    total: int = 0

    def plus(self, ids: Sequence[str]) -> _Sum:
        return _Sum(self.rows + len(ids), self.total + sum(int(item[:16], 16) for item in ids))


def _fields_of(database: Database, rows: list[ItemRow]) -> dict[str, Any]:
    """Read which fields each item of a chunk is indexed by."""
    listed = ", ".join(f"'{row.id}'" for row in rows)
    with database.reading() as session:
        found = session.all(Statement(f"SELECT id, fields FROM store_items WHERE id IN ({listed})"))
    return {item: json.loads(fields) if fields else None for item, fields in found}
