"""Searching more items than a view holds: candidates from the index, what it lacks from SQL."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence

from memory_middleware.errors import StoreError
from memory_middleware.storage.database import Session
from memory_middleware.storage.filters import Predicate
from memory_middleware.storage.lance_index import LanceIndex
from memory_middleware.storage.namespaces import path_range
from memory_middleware.storage.rows import ItemRow, ItemRows
from memory_middleware.storage.state import index_state
from memory_middleware.storage.view import Hit, Query, View

__all__ = ["near_rows", "wide_search"]

_LEAST_CANDIDATES = 512
_MOST_WAITING = 20_000
_CHUNK = 200_000


def wide_search(
    session: Session,
    index: LanceIndex,
    *,
    prefix: str,
    query: Query,
    limit: int,
    now: int,
    keep: Predicate | None,
) -> list[Hit]:
    """Search everything at or below a prefix.

    The index gives candidates by vector and by terms; changes it has not followed yet are added, and
    all are scored from SQL. Where the index cannot help, every item is read.
    """
    dims = index.dims
    state = index_state(session, index.name)
    waiting = ItemRows.since(session, state.seq, _MOST_WAITING + 1)
    if len(waiting) > _MOST_WAITING or ItemRows.has_gap(session, state.seq):
        return _scan(session, dims, prefix, query, limit, now, keep)
    low, high = path_range(prefix)
    fresh = dict.fromkeys(item for _, item, path in waiting if low <= path < high)
    wanted = max(_LEAST_CANDIDATES, 4 * limit)
    while True:
        found: Sequence[str] = ()
        more = False
        if state.seq:
            try:
                found, more = _candidates(index.at(state.generation), query, prefix, wanted)
            except StoreError:
                return _scan(session, dims, prefix, query, limit, now, keep)
        rows = ItemRows.by_id(session, list(fresh | dict.fromkeys(found)), now)
        hits = View((row for row in rows if low <= row.path < high), dims).search(
            query, limit=limit, now=now, keep=keep
        )
        if len(hits) >= limit or not more:
            return hits
        wanted *= 8


def near_rows(
    session: Session, index: LanceIndex, *, prefix: str, query: Query, wanted: int, now: int
) -> tuple[list[ItemRow], bool]:
    """Give the items at or below a prefix that are nearest to a query, and those the index has not followed yet.

    The second part tells whether the index may have more.

    Raises:
        StoreError: The index cannot help.
    """
    state = index_state(session, index.name)
    waiting = ItemRows.since(session, state.seq, _MOST_WAITING + 1)
    if len(waiting) > _MOST_WAITING or ItemRows.has_gap(session, state.seq) or not state.seq:
        raise StoreError(f"the index at {index.uri!r} is too far behind")
    low, high = path_range(prefix)
    fresh = dict.fromkeys(item for _, item, path in waiting if low <= path < high)
    found, more = _candidates(index.at(state.generation), query, prefix, wanted)
    rows = ItemRows.by_id(session, list(fresh | dict.fromkeys(found)), now)
    return [row for row in rows if low <= row.path < high], more


def _candidates(index: LanceIndex, query: Query, prefix: str, wanted: int) -> tuple[Sequence[str], bool]:
    """Give the best ids of the index, and whether it may have more."""
    if not index.exists():
        raise StoreError(f"the index at {index.uri!r} is not there")
    near: list[str] = []
    if query.vector is not None and query.weight > 0:
        near = index.nearest(query.vector, prefix, wanted)
    matching = index.matching(query.terms, prefix, wanted) if query.weight < 1 else []
    return near + matching, len(near) >= wanted or len(matching) >= wanted


def _scan(
    session: Session, dims: int | None, prefix: str, query: Query, limit: int, now: int, keep: Predicate | None
) -> list[Hit]:
    """Read everything. Slow, but right, as long as it fits into one view; beyond that, chunk by chunk."""
    best: list[Hit] = []
    for view in _chunks(session, dims, prefix, now):
        best += view.search(query, limit=limit, now=now, keep=keep)
        best = heapq.nlargest(limit, best, key=lambda hit: (hit.score, hit.row.updated_at, hit.row.id))
    return best


def _chunks(session: Session, dims: int | None, prefix: str, now: int) -> Iterator[View]:
    after = ""
    while rows := ItemRows.chunk(session, prefix, after, now, _CHUNK):
        yield View(rows, dims)
        after = rows[-1].id
