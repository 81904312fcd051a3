"""Building the index anew from the items."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from memory_middleware.errors import StoreError
from memory_middleware.storage.database import Database
from memory_middleware.storage.lance_index import LanceIndex, index_rows
from memory_middleware.storage.progress import Progress
from memory_middleware.storage.rows import ItemRow, ItemRows
from memory_middleware.storage.state import IndexState, index_state, set_index_state

__all__ = ["Clock", "all_rows", "rebuild"]

Clock = Callable[[], int]

_CHUNK = 2000


def rebuild(
    database: Database, index: LanceIndex, *, progress: Progress | None, clock: Clock, renew: Callable[[], bool]
) -> int:
    """Write all items to a new table, then turn to it; the old one serves until then.

    The caller holds the lease of the index, and ``renew`` keeps it, so that nobody else writes to it meanwhile.

    Raises:
        StoreError: The new table cannot be written, or another process has taken over; the old one stays.
    """
    with database.reading() as session:
        state = index_state(session, index.name)
        start = ItemRows.last_change(session)
        total = ItemRows.count(session, "")
    fresh = index.at(state.generation + 1)
    fresh.drop()
    done = 0
    for rows in all_rows(database, clock):
        if not renew():
            raise StoreError("another process has taken over the index")
        fresh.replace([], index_rows(rows, index.dims))
        done += len(rows)
        if progress:
            progress(done, max(total, done))
    fresh.maintain()
    if not renew():
        raise StoreError("another process has taken over the index")
    with database.writing() as session:
        # What changed since the start is replaced once more by whoever follows the log from there.
        set_index_state(session, index.name, IndexState(start, generation=state.generation + 1))
    with suppress(StoreError):  # whoever still reads the old table falls back to the items
        index.at(state.generation).drop()
    return done


def all_rows(database: Database, clock: Clock) -> Iterator[list[ItemRow]]:
    """Give all live items, a chunk after the other."""
    after = ""
    while True:
        with database.reading() as session:
            rows = ItemRows.chunk(session, "", after, clock(), _CHUNK)
        if not rows:
            return
        yield rows
        after = rows[-1].id
