"""The database of a working copy: whoever commits to it tells the other store before going on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from memory_middleware.storage.database import Database, Session

__all__ = ["MirrorDatabase"]


class MirrorDatabase(Database):
    """A database that says when something was committed.

    Attributes:
        committed: Called after every transaction, when its lock is free again.
    """

    committed: Callable[[], None] | None = None

    @contextmanager
    def writing(self, *, undivided: bool = False) -> Iterator[Session]:
        """Give this thread's connection inside one transaction, and tell of it when it is committed."""
        is_outermost = not self.in_transaction
        with super().writing(undivided=undivided) as session:
            yield session
        if is_outermost and self.committed is not None:
            self.committed()

    @contextmanager
    def quietly(self) -> Iterator[Session]:
        """Give this thread's connection inside one undivided transaction, and tell nobody."""
        with super().writing(undivided=True) as session:
            yield session

    def _pragmas(self) -> tuple[str, ...]:
        return (*super()._pragmas(), "PRAGMA synchronous=OFF")  # what a crash leaves of it is never read
