"""Something done again and again in a background thread, until stopped."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future

from memory_middleware.errors import StoreError

__all__ = ["Sweeper"]

_log = logging.getLogger(__name__)


class Sweeper:
    """Runs some work at an interval. Failures are logged and tried again next time."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, seconds: float) -> Future[None]:
        """Start, unless it runs already; cancelling the future stops it."""
        done: Future[None] = Future()
        done.add_done_callback(lambda future: self._stop.set() if future.cancelled() else None)
        if self._thread is None or not self._thread.is_alive():
            self._stop.clear()
            self._thread = threading.Thread(target=self._loop, args=(seconds, done), daemon=True, name="memory-sweeper")
            self._thread.start()
        return done

    def stop(self, timeout: float | None = None) -> bool:
        """Stop and wait; tell whether it has stopped."""
        self._stop.set()
        if self._thread is None:
            return True
        self._thread.join(timeout)
        stopped = not self._thread.is_alive()
        if stopped:
            self._thread = None
        return stopped

    def _loop(self, seconds: float, done: Future[None]) -> None:
        while not self._stop.wait(seconds):
            try:
                self._work()
            except StoreError:
                _log.exception("background work on the store failed; it is tried again in %s s", seconds)
        if not done.done():
            done.set_result(None)
