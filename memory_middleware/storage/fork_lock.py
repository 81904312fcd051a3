"""A lock that survives a fork."""

from __future__ import annotations

import os
import threading

__all__ = ["ForkLock"]


class ForkLock:
    """A lock that a forked child finds open, whoever held it in the parent.

    The thread that held it is not there in the child, and would never open it.
    """

    __slots__ = ("_lock", "_pid")

    def __init__(self) -> None:
        self._reset()

    def __enter__(self) -> None:
        if self._pid != os.getpid():
            self._reset()  # right after the fork the child has one thread only
        self._lock.acquire()

    def __exit__(self, *_error: object) -> None:
        self._lock.release()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._pid = os.getpid()
