"""Writers that come at the same time share one transaction, and so one wait for the disk."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from memory_middleware.storage.database import Database, Session

__all__ = ["WriteGroups"]

Work = TypeVar("Work")


class _Job(Generic[Work]):
    __slots__ = ("done", "error", "work")

    def __init__(self, work: Work) -> None:
        self.work = work
        self.done = False
        self.error: BaseException | None = None


class WriteGroups(Generic[Work]):
    """Runs writes in transactions, each of them wholly or not at all.

    While one transaction waits for the disk, further writes gather; the first of them then carries out
    all. If one of a group fails, each is tried by itself, so that nobody suffers for another.

    Args:
        database: Where to write.
        write: Carries out writes inside a transaction, in their order.
    """

    def __init__(self, database: Database, write: Callable[[Session, Sequence[Work]], object]) -> None:
        self._database = database
        self._write = write
        self._waiting: list[_Job[Work]] = []
        self._reset()

    def run(self, work: Work) -> None:
        """Carry out a write; when this returns, it is committed, or part of the caller's own transaction.

        Raises:
            StoreError: The database failed; nothing of this write remains.
        """
        if self._database.in_transaction:
            with self._database.writing() as session:
                self._write(session, [work])
            return
        if self._pid != os.getpid():
            self._reset()  # a forked child has neither the parent's writers nor sound locks
        job = _Job(work)
        with self._gather:
            self._waiting.append(job)
        try:
            with self._turn:
                if not job.done:
                    with self._gather:
                        group, self._waiting = self._waiting, []
                    self._carry_out(group)
        except BaseException:
            # Whoever gave up waiting does not want it done later.
            with self._gather:
                self._waiting = [other for other in self._waiting if other is not job]
            raise
        if job.error is not None:
            raise job.error

    def _carry_out(self, group: list[_Job[Work]]) -> None:
        try:
            self._together(group)
        except BaseException as error:
            if len(group) == 1:
                group[0].error, group[0].done = error, True
                return
            for job in group:
                self._carry_out([job])
            if not isinstance(error, Exception):
                raise

    def _together(self, group: list[_Job[Work]]) -> None:
        with self._database.writing() as session:
            self._write(session, [job.work for job in group])
        for job in group:
            job.done = True

    def _reset(self) -> None:
        self._pid = os.getpid()
        self._waiting = []
        self._gather = threading.Lock()
        self._turn = threading.Lock()
