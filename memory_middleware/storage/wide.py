"""Searching more items than a view holds: candidates from the index, what it lacks from SQL."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memory_middleware.errors import StoreError
from memory_middleware.storage.database import Session
from memory_middleware.storage.filters import Predicate
from memory_middleware.storage.lance_index import LanceIndex
from memory_middleware.storage.namespaces import path_range
from memory_middleware.storage.rankings import Ranking, Rankings
from memory_middleware.storage.rows import ItemRow, ItemRows
from memory_middleware.storage.state import index_state
from memory_middleware.storage.view import Hit, Query, View

__all__ = ["Asked", "WideSearch", "near_rows"]

_LEAST_CANDIDATES = 256
_MOST_WAITING = 20_000
_CHUNK = 200_000


class Asked(NamedTuple):
    """What is searched for, and where.

    Attributes:
        prefix: At or below this path.
        query: What.
        condition: Names the filter, so that two searches can be told apart.
        keep: The filter.
    """

    prefix: str
    query: Query
    condition: str = ""
    keep: Predicate | None = None


class WideSearch:
    """Searches with an index, page by page.

    A search ranks what the index gives at a fixed depth, which no page has a say in. Pages beyond that go
    deeper, and what is found there stands behind what was found before. The same pages come out in every
    process; and they are remembered, so that they stay while the index moves on.
    """

    def __init__(self, index: LanceIndex) -> None:
        self._index = index
        self._rankings = Rankings()

    def search(
        self, session: Session, asked: Asked, *, limit: int, offset: int, now: int, remember: bool = True
    ) -> list[Hit]:
        """Give a page of the best live items that pass the filter.

        Args:
            session: Where the items are.
            asked: What is searched for.
            limit: How many to give.
            offset: How many better ones to leave out.
            now: The time.
            remember: Whether this may be told again; not inside a transaction, whose writes may be undone.
        """
        ranking = self._ranking(session, asked, now, remember)
        with ranking.lock:
            while len(ranking) < offset + limit and not ranking.is_whole:
                self._grow(session, asked, ranking, offset + limit, now)
            page = ranking.page(offset, limit)
        rows = {row.id: row for row in ItemRows.by_id(session, list(page), now)}
        return [Hit(rows[item], score) for item, score in page.items() if item in rows]

    def _ranking(self, session: Session, asked: Asked, now: int, remember: bool) -> Ranking:
        seq = ItemRows.last_change(session)
        if not remember:
            return Ranking(asked.prefix, seq)
        name = (self._index.name, asked.prefix, asked.query.text, asked.query.weight, asked.condition)
        found = self._rankings.find(name)
        if found is not None:
            with found.lock:
                if found.stands(session, now):
                    return found
        made = Ranking(asked.prefix, seq)
        self._rankings.keep(name, made)
        return made

    def _grow(self, session: Session, asked: Asked, ranking: Ranking, wanted: int, now: int) -> None:
        """Go one tier deeper; where the index cannot help, read every item. Slow, but right."""
        try:
            rows, more = _near(
                session, self._index, asked, _LEAST_CANDIDATES * 8**ranking.tier, now, exact=ranking.tier > 0
            )
        except StoreError:
            wanted = max(wanted, _LEAST_CANDIDATES)
            hits = _scan(session, self._index.dims, asked, wanted, now)
            more = len(hits) >= wanted
        else:
            hits = View(rows, self._index.dims).search(asked.query, limit=len(rows), now=now, keep=asked.keep)
            ranking.tier += 1
        # What changed meanwhile may be among the hits, where it must not stay if it belongs further up.
        ranking.is_stale = not ranking.stands(session, now)
        ranking.add(hits)
        ranking.is_whole = not more


def near_rows(
    session: Session, index: LanceIndex, *, prefix: str, query: Query, wanted: int, now: int
) -> tuple[list[ItemRow], bool]:
    """Give the items at or below a prefix that are nearest to a query, and those the index has not followed yet.

    The second part tells whether the index may have more.

    Raises:
        StoreError: The index cannot help.
    """
    return _near(session, index, Asked(prefix, query), wanted, now, exact=False)


def _near(
    session: Session, index: LanceIndex, asked: Asked, wanted: int, now: int, *, exact: bool
) -> tuple[list[ItemRow], bool]:
    state = index_state(session, index.name)
    waiting = ItemRows.since(session, state.seq, _MOST_WAITING + 1)
    if len(waiting) > _MOST_WAITING or ItemRows.has_gap(session, state.seq):
        raise StoreError(f"the index at {index.uri!r} is too far behind")
    low, high = path_range(asked.prefix)
    fresh = dict.fromkeys(item for _, item, path in waiting if low <= path < high)
    found: Sequence[str] = ()
    more = False
    if state.seq:
        # To look among all is a third faster than among some; what should not be there is left out below.
        prefix = "" if ItemRows.are_all_below(session, asked.prefix) else asked.prefix
        found, more = _candidates(index.at(state.generation), asked._replace(prefix=prefix), wanted, exact)
    rows = ItemRows.by_id(session, list(fresh | dict.fromkeys(found)), now)
    return [row for row in rows if low <= row.path < high], more


def _candidates(index: LanceIndex, asked: Asked, wanted: int, exact: bool) -> tuple[Sequence[str], bool]:
    """Give the best ids of the index, and whether it may have more."""
    if not index.exists():
        raise StoreError(f"the index at {index.uri!r} is not there")
    query = asked.query
    near: list[str] = []
    if query.vector is not None and query.weight > 0:
        near = index.nearest(query.vector, asked.prefix, wanted, exact=exact)
    matching = index.matching(query.terms, asked.prefix, wanted) if query.weight < 1 else []
    return near + matching, len(near) >= wanted or len(matching) >= wanted


def _scan(session: Session, dims: int | None, asked: Asked, limit: int, now: int) -> list[Hit]:
    """Read everything. Slow, but right, as long as it fits into one view; beyond that, chunk by chunk."""
    best: list[Hit] = []
    for view in _chunks(session, dims, asked.prefix, now):
        best += view.search(asked.query, limit=limit, now=now, keep=asked.keep)
        best = heapq.nsmallest(limit, best, key=lambda hit: (-hit.score, -hit.row.updated_at, hit.row.id))
    return best


def _chunks(session: Session, dims: int | None, prefix: str, now: int) -> Iterator[View]:
    after = ""
    while rows := ItemRows.chunk(session, prefix, after, now, _CHUNK):
        yield View(rows, dims)
        after = rows[-1].id
