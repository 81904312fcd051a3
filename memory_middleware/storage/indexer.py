"""Following the change log with the index: one writer at a time, in batches, never half done unnoticed."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from memory_middleware.errors import StoreError
from memory_middleware.storage.database import Database
from memory_middleware.storage.lance_index import LanceIndex, index_rows
from memory_middleware.storage.progress import Progress
from memory_middleware.storage.rebuild import rebuild
from memory_middleware.storage.rows import ItemRows
from memory_middleware.storage.state import (
    drop_lease,
    forget_index,
    index_state,
    new_holder,
    set_index_state,
    take_lease,
)

__all__ = ["Indexer"]

_log = logging.getLogger(__name__)
_BATCH = 2000
_LEASE_SECONDS = 60.0
_KEEP_CHANGES = 50_000
# After the last change the index covers what is left, and a minute later its old versions, kept for readers, go.
_TIDY_SECONDS = (10.0, 70.0)
# Each batch is one more part of the table, and searches look into all of them.
_MOST_PARTS = 16
_LONGEST_PAUSE = 0.2
_NEVER = 1e6


class Indexer:
    """Keeps an index in step with the items.

    Args:
        database: Holds the items and the change log.
        index: The table that follows them.
        clock: Tells the time in microseconds.
        eager: How many waiting changes start the background work even while more are coming.
        quiet_seconds: It starts when no change has come for so long; it would slow down a bulk load.
        idle_seconds: No change waits longer than this.
    """

    def __init__(
        self,
        database: Database,
        index: LanceIndex,
        *,
        clock: Callable[[], int],
        eager: int = 20_000,
        quiet_seconds: float = 0.5,
        idle_seconds: float = 5.0,
    ) -> None:
        self._database = database
        self._index = index
        self._clock = clock
        self._eager = eager
        self._quiet = quiet_seconds
        self._idle = idle_seconds
        self._thread: threading.Thread | None = None
        self._reset()

    def note(self, changes: int) -> None:
        """Tell that items changed; the background work starts when it is worth it."""
        if self._pid != os.getpid():
            self._reset()  # a forked child has neither the thread nor sound locks
        with self._wake:
            self._waiting += changes
            self._last = time.monotonic()
            if self._stopped or not self._index.is_usable:
                return
            if self._thread is None:
                thread = threading.Thread(target=self._loop, daemon=True, name="memory-indexer")
                # A process on its way out starts no threads; what is not indexed is found without the index.
                with suppress(RuntimeError):
                    thread.start()
                    self._thread = thread
            elif self._waiting == changes or self._waiting >= self._eager:
                self._wake.notify()

    def wait_for_many(self) -> None:
        """Start the background work only when very many changes wait, for a store that is small or goes away soon."""
        self._quiet = self._idle = _NEVER

    def stop(self) -> None:
        """Stop the background work. What it had not reached is found without the index."""
        if self._pid != os.getpid():
            self._reset()
        with self._wake:
            self._stopped = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()

    def drain(self, *, background: bool = False) -> int:
        """Bring the index up to date now and tell how many changes it took.

        Another process that is just doing so is waited for. In the background it ends as soon as it is stopped,
        since whoever closes a store waits for it; what is left is taken up by the next one.

        Raises:
            StoreError: The index cannot be written, or the background work was stopped.
        """
        if self._pid != os.getpid():
            self._reset()
        if not self._is_behind() and not self._is_lost():
            return 0
        renew = self._renew_unless_stopped if background else self._renew
        with self._drain_lock, self._leased(background):
            if self._is_lost():
                rebuild(self._database, self._index, progress=None, clock=self._clock, renew=renew)
            taken = self._follow(renew)
            if taken:
                self._parts += 1
                self._plan_tidying(_TIDY_SECONDS)
                if renew() and (self._parts >= _MOST_PARTS or self._is_worn()):
                    self._maintain()
        return taken

    def rebuild(self, progress: Progress | None = None) -> int:
        """Build the index anew and tell how many items there are.

        Raises:
            StoreError: The index cannot be written.
        """
        if self._pid != os.getpid():
            self._reset()
        with self._drain_lock, self._leased():
            done = rebuild(self._database, self._index, progress=progress, clock=self._clock, renew=self._renew)
            self._follow(self._renew)
            with suppress(StoreError):  # they only take room
                self._drop_others()
        return done

    def _drop_others(self) -> None:
        """Drop what earlier embedders, and rebuilds that were killed, have left."""
        with self._database.reading() as session:
            state = index_state(session, self._index.name)
        gone = self._index.at(state.generation).drop_others()
        with self._database.writing() as session:
            for name in gone:
                forget_index(session, name)

    def _follow(self, renew: Callable[[], bool]) -> int:
        """Take the changes that are there now, not those that go on coming; tell how many."""
        with self._database.reading() as session:
            last = ItemRows.last_change(session)
        taken = 0
        while step := self._step(renew):
            taken += step
            with self._database.reading() as session:
                if index_state(session, self._index.name).seq >= last:
                    break
        return taken

    def _reset(self) -> None:
        self._pid = os.getpid()
        self._holder = new_holder()
        self._drain_lock = threading.Lock()
        self._wake = threading.Condition()
        self._waiting = 0
        self._last = 0.0
        self._tidy_at = 0.0
        self._tidies: tuple[float, ...] = ()
        self._parts = 0
        self._stopped = False
        self._thread = None

    @contextmanager
    def _leased(self, background: bool = False) -> Iterator[None]:
        """Hold the lease of the index; the index of one embedder is written by one process at a time."""
        pause = 0.02
        while not (self._renew_unless_stopped() if background else self._renew()):
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        try:
            yield
        finally:
            with self._database.writing() as session:
                drop_lease(session, self._index.name, self._holder)

    def _renew(self) -> bool:
        with self._database.writing() as session:
            return take_lease(session, self._index.name, self._holder, self._clock(), _LEASE_SECONDS)

    def _renew_unless_stopped(self) -> bool:
        if self._stopped:
            raise StoreError("the store is closing; the index is left to whoever opens it next")
        return self._renew()

    def _is_lost(self) -> bool:
        """Tell whether the index lacks something that following the log cannot bring back."""
        with self._database.reading() as session:
            state = index_state(session, self._index.name)
            if ItemRows.has_gap(session, state.seq):
                return True
        return bool(state.seq) and not self._index.at(state.generation).exists()

    def _is_behind(self) -> bool:
        with self._database.reading() as session:
            return index_state(session, self._index.name).seq < ItemRows.last_change(session)

    def _loop(self) -> None:
        while self._wait():
            try:
                if not self.drain(background=True) and self._tidy_at and time.monotonic() >= self._tidy_at:
                    self._plan_tidying(self._tidies)
                    with self._drain_lock, self._leased(background=True):
                        self._maintain()
            except Exception:  # noqa: BLE001 - whatever it is, the thread must live on
                if self._stopped:
                    return
                _log.exception("the index could not follow; items are found without it until it can")

    def _plan_tidying(self, after: tuple[float, ...]) -> None:
        self._tidy_at = time.monotonic() + after[0] if after else 0.0
        self._tidies = after[1:]

    def _wait(self) -> bool:
        """Sleep until there is something to do and a good moment to do it."""
        first = 0.0
        with self._wake:
            while not self._stopped and self._waiting < self._eager:
                if not self._waiting:
                    rest = self._tidy_at - time.monotonic() if self._tidy_at else None
                    if rest is not None and rest <= 0:
                        break
                    self._wake.wait(rest)
                    first = time.monotonic()
                    continue
                first = first or self._last
                now = time.monotonic()
                left = min(self._last + self._quiet, first + self._idle) - now
                if left <= 0:
                    break
                self._wake.wait(left)
            self._waiting = 0
            return not self._stopped

    def _step(self, renew: Callable[[], bool]) -> int:
        """Take one batch of changes, and tell how many there were.

        All rows of the items concerned are replaced, so that a batch that was half written by a process
        that died is simply written again.

        Raises:
            StoreError: The lease was lost, because this process was held up for too long.
        """
        if not renew():
            raise StoreError("another process has taken over the index")
        with self._database.reading() as session:
            state = index_state(session, self._index.name)
            changes = ItemRows.since(session, state.seq, _BATCH)
            ids = list(dict.fromkeys(item for _, item, _ in changes))
            rows = ItemRows.by_id(session, ids, self._clock())
        if not changes:
            return 0
        self._index.at(state.generation).replace(ids, index_rows(rows, self._index.dims))
        with self._database.writing() as session:
            if not take_lease(session, self._index.name, self._holder, self._clock(), _LEASE_SECONDS):
                raise StoreError("another process has taken over the index")
            set_index_state(session, self._index.name, state._replace(seq=int(changes[-1][0])))
        return len(changes)

    def _is_worn(self) -> bool:
        with self._database.reading() as session:
            state = index_state(session, self._index.name)
        return self._index.at(state.generation).needs_upkeep()

    def _maintain(self) -> None:
        with self._database.reading() as session:
            state = index_state(session, self._index.name)
        self._index.at(state.generation).maintain()
        self._parts = 0
        with self._database.writing() as session:
            ItemRows.forget_changes(session, state.seq - _KEEP_CHANGES)
