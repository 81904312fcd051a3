"""Extraction in the background: a thread that follows the buffer and drains it at the end."""

from __future__ import annotations

import atexit
import logging
import threading
import time
import weakref
from collections.abc import Callable
from datetime import timedelta

from memory_middleware.errors import MemoryMiddlewareError
from memory_middleware.graph.extractor import ExtractorGraph
from memory_middleware.schemas import times
from memory_middleware.schemas.scope import Scope
from memory_middleware.storage.database import Database
from memory_middleware.storage.pending import WaitingSession, waiting_sessions

__all__ = ["ExtractionWorker"]

_log = logging.getLogger(__name__)


class ExtractionWorker:
    """Runs the extractor for threads that have a batch, and for those that have been quiet for a while.

    The thread starts with the first wake-up and is a daemon; at exit of the process it drains the buffer, since newer
    Pythons start no thread then. Whatever it could not do is still in the buffer, and the next worker finds it there.

    Args:
        extractor: Runs batches.
        database: Where rounds wait.
        batch_size: Rounds that make a batch.
        idle_seconds: A thread quiet for so long is extracted with what it has.
        drain_seconds: How long the exit of the process may wait.
    """

    def __init__(
        self,
        extractor: ExtractorGraph,
        database: Database,
        *,
        batch_size: int = 5,
        idle_seconds: float = 300.0,
        drain_seconds: float = 10.0,
    ) -> None:
        self._extractor = extractor
        self._database = database
        self._batch_size = batch_size
        self._idle = timedelta(seconds=idle_seconds)
        self._drain_seconds = drain_seconds
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stopped = False
        self._leaving = False
        self._working = threading.Lock()
        self._farewell: Callable[[], None] | None = None

    def wake(self, *, now: bool = True) -> None:
        """Have the buffer looked at, soon or when it is time to; this never waits.

        Args:
            now: Whether there is a batch; if not, it is enough that somebody waits for quiet threads.
        """
        with self._lock:
            if self._stopped:
                return
            if self._thread is None or not self._thread.is_alive():
                self._start()
        if now:
            self._wake.set()

    def drain(self, *, everything: bool = False) -> int:
        """Extract now, in this thread, and tell how many batches were read.

        Args:
            everything: Also threads that have less than a batch and were not quiet for long.
        """
        done = 0
        with self._working:
            for waiting in waiting_sessions(self._database):
                if everything or self._is_due(waiting):
                    done += self._extract(waiting, force=everything or self._is_quiet(waiting))
        return done

    def stop(self, *, drain: bool = True) -> None:
        """End the thread; what waits is extracted first, unless told otherwise."""
        self._end_thread()
        if drain:
            self._last_drain()

    def leave(self) -> None:
        """Drain at exit of the process, in the thread that is there already; it is left alone if it takes too long."""
        self._leaving = True
        if self._end_thread():
            _log.warning("the extractor is still at work; what is left in the buffer is read at the next start")

    def _end_thread(self) -> bool:
        """Let the thread end, and tell whether it goes on all the same."""
        with self._lock:
            self._stopped = True
            thread, self._thread = self._thread, None
            if self._farewell is not None:
                atexit.unregister(self._farewell)
        self._wake.set()
        if thread is None or thread is threading.current_thread():
            return False
        thread.join(self._drain_seconds)
        return thread.is_alive()

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="memory-extractor", daemon=True)
        self._thread.start()
        if self._farewell is None:
            mine = weakref.ref(self)
            self._farewell = lambda: _leave(mine)
            atexit.register(self._farewell)

    def _run(self) -> None:
        pause = min(60.0, max(0.05, self._idle.total_seconds() / 4))
        while not self._stopped:
            self._wake.wait(pause)
            self._wake.clear()
            if self._stopped:
                break
            try:
                self.drain()
            except Exception:  # noqa: BLE001  # the worker outlives a bad moment of the store
                _log.warning("the extractor could not look at the buffer; it will try again", exc_info=True)
        if self._leaving:
            self._last_drain()

    def _last_drain(self) -> None:
        """Extract what waits; a store that is closed already was drained, or is left to the next start."""
        deadline = time.monotonic() + self._drain_seconds
        if not self._working.acquire(timeout=max(0.0, self._drain_seconds)):
            _log.warning("the extractor is still at work; what is left in the buffer is read at the next start")
            return
        try:
            for waiting in waiting_sessions(self._database):
                if time.monotonic() > deadline:
                    _log.warning("rounds are left in the buffer; the next start reads them")
                    return
                self._extract(waiting, force=True)
        except MemoryMiddlewareError:
            if self._database.is_closed:
                return
            _log.warning("the buffer could not be drained; the next start reads it", exc_info=True)
        finally:
            self._working.release()

    def _extract(self, waiting: WaitingSession, *, force: bool) -> int:
        scope = Scope(waiting.owner_id, waiting.session_id)
        try:
            return len(self._extractor.run(scope, force=force, patient=True))
        except Exception:  # noqa: BLE001  # one thread's failure must not keep the others waiting
            _log.warning("a batch was given back to the buffer", exc_info=True)
            return 0

    def _is_due(self, waiting: WaitingSession) -> bool:
        return waiting.rounds >= self._batch_size or self._is_quiet(waiting)

    def _is_quiet(self, waiting: WaitingSession) -> bool:
        return times.utc_now() - waiting.last_at >= self._idle


def _leave(worker: weakref.ref[ExtractionWorker]) -> None:
    found = worker()
    if found is not None:
        found.leave()
