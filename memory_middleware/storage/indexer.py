"""Following the change log with the index: one writer at a time, in batches, never half done unnoticed."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from memory_middleware.errors import StoreError
from memory_middleware.storage.database import Database
from memory_middleware.storage.lance_index import LanceIndex, index_rows
from memory_middleware.storage.rebuild import rebuild
from memory_middleware.storage.rows import ItemRows
from memory_middleware.storage.state import drop_lease, index_state, new_holder, set_index_state, take_lease

__all__ = ["Indexer"]

_log = logging.getLogger(__name__)
_BATCH = 2000
_LEASE_SECONDS = 60.0
_KEEP_CHANGES = 50_000


class Indexer:
    """Keeps an index in step with the items.

    Args:
        database: Holds the items and the change log.
        index: The table that follows them.
        clock: Tells the time in microseconds.
        eager: How many waiting changes start the background work at once.
        idle_seconds: How long fewer of them may wait.
    """

    def __init__(
        self,
        database: Database,
        index: LanceIndex,
        *,
        clock: Callable[[], int],
        eager: int = 1000,
        idle_seconds: float = 5.0,
    ) -> None:
        self._database = database
        self._index = index
        self._clock = clock
        self._eager = eager
        self._idle = idle_seconds
        self._holder = new_holder()
        self._drain_lock = threading.Lock()
        self._wake = threading.Condition()
        self._waiting = 0
        self._stopped = False
        self._thread: threading.Thread | None = None

    def note(self, changes: int) -> None:
        """Tell that items changed; the background work starts when it is worth it."""
        with self._wake:
            self._waiting += changes
            if self._stopped:
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, daemon=True, name="memory-indexer")
                self._thread.start()
            elif self._waiting >= self._eager:
                self._wake.notify()

    def stop(self) -> None:
        """Stop the background work. What it had not reached is found without the index."""
        with self._wake:
            self._stopped = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()

    def drain(self, progress: Callable[[int], object] | None = None) -> int:
        """Bring the index up to date now and tell how many changes it took.

        Another process that is just doing so is waited for.

        Raises:
            StoreError: The index cannot be written.
        """
        taken = 0
        with self._drain_lock:
            try:
                self._mend()
                while self._is_behind():
                    step = self._step()
                    if step is None:
                        time.sleep(0.02)
                        continue
                    taken += step
                    if progress:
                        progress(step)
                if taken:
                    self._maintain()
            finally:
                with self._database.writing() as session:
                    drop_lease(session, self._index.name, self._holder)
        return taken

    def _mend(self) -> None:
        """Build the index anew if it has followed something but is not there any more."""
        with self._database.reading() as session:
            state = index_state(session, self._index.name)
        if state.seq and not self._index.use(state.generation).exists():
            rebuild(self._database, self._index, progress=None, clock=self._clock)

    def _is_behind(self) -> bool:
        with self._database.reading() as session:
            return index_state(session, self._index.name).seq < ItemRows.last_change(session)

    def _loop(self) -> None:
        while self._wait():
            try:
                self.drain()
            except StoreError:
                _log.exception("the index could not follow; items are found without it until it can")

    def _wait(self) -> bool:
        """Sleep until there is enough to do, or until little has waited long enough."""
        deadline = time.monotonic() + self._idle
        with self._wake:
            while not self._stopped and self._waiting < self._eager:
                left = deadline - time.monotonic()
                if left <= 0 and self._waiting:
                    break
                self._wake.wait(max(left, 0.05) if self._waiting else None)
                if not self._waiting:
                    deadline = time.monotonic() + self._idle
            self._waiting = 0
            return not self._stopped

    def _step(self) -> int | None:
        """Take one batch of changes; none means that another process holds the lease."""
        with self._database.writing() as session:
            if not take_lease(session, self._index.name, self._holder, self._clock(), _LEASE_SECONDS):
                return None
            state = index_state(session, self._index.name)
            changes = ItemRows.since(session, state.seq, _BATCH)
            if not changes:
                return 0
            set_index_state(session, self._index.name, state._replace(dirty=True))
            rows = ItemRows.by_id(session, list(dict.fromkeys(item for _, item, _, _ in changes)), self._clock())
        stale = dict.fromkeys(item for _, item, _, fresh in changes if state.dirty or not fresh)
        self._index.use(state.generation).replace(list(stale), index_rows(rows, self._index.dims))
        with self._database.writing() as session:
            set_index_state(session, self._index.name, state._replace(seq=int(changes[-1][0]), dirty=False))
        return len(changes)

    def _maintain(self) -> None:
        self._index.maintain()
        with self._database.writing() as session:
            state = index_state(session, self._index.name)
            ItemRows.forget_changes(session, state.seq - _KEEP_CHANGES)
