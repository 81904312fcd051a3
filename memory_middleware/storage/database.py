"""One database: a connection for each thread, transactions that take the write lock at once.

Statements are SQLAlchemy text, compiled once for the dialect and then run on the driver's own
connection, because the hot paths of a store cannot afford a layer for every row.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from memory_middleware.errors import StoreError
from memory_middleware.storage.pulse import Pulse
from memory_middleware.storage.session import Insert, Session, Statement

__all__ = ["Database", "Insert", "Session", "Statement"]

# PostgreSQL takes a third of a page, 2,704 bytes, with what stands beside the text.
_LONGEST_INDEXED = 2640


class Database:
    """A database opened by its SQLAlchemy URL.

    Args:
        url: Such as ``sqlite:////path/memory.db`` or ``postgresql+psycopg://user@host/name``.
        durable: Whether a commit waits until the disk has it (SQLite ``synchronous=FULL``).
        busy_seconds: How long to wait for another process's write.
    """

    def __init__(self, url: str | URL, *, durable: bool = True, busy_seconds: float = 30.0) -> None:
        self.url = make_url(url)
        self._durable = durable
        self._busy = busy_seconds
        options: dict[str, Any] = {"poolclass": NullPool}
        if self.is_sqlite:
            options["connect_args"] = {"check_same_thread": False, "timeout": busy_seconds}
        try:
            self.engine = create_engine(self.url, **options)
        except (SQLAlchemyError, ImportError) as error:
            raise StoreError(f"cannot use the database {self.url!r}: {error}") from error
        event.listen(self.engine, "connect", self._prepare)
        event.listen(self.engine, "begin", self._begin)
        self._local = threading.local()
        self._open: list[tuple[weakref.ref[threading.Thread], Any]] = []
        self._inherited: list[Any] = []
        self._closed = False
        self._pid = os.getpid()
        self._open_lock = threading.Lock()
        self._write_lock = threading.RLock()
        self.pulse = Pulse(self.url.database if self.is_sqlite else None)
        self._driver_error: type[Exception] = self.engine.dialect.dbapi.Error  # type: ignore[union-attr]
        self._translating = _Translating(self._driver_error, self.url)

    @property
    def is_sqlite(self) -> bool:
        """Whether this is an embedded SQLite database."""
        return self.url.get_backend_name() == "sqlite"

    @property
    def longest_indexed(self) -> int | None:
        """How long a text may be to fit into an index, or none if any fits."""
        return None if self.is_sqlite else _LONGEST_INDEXED

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Give this thread's connection; each statement sees the newest commit.

        Raises:
            StoreError: The database failed.
        """
        with self._translating:
            yield self._session()

    @contextmanager
    def writing(self, *, undivided: bool = False) -> Iterator[Session]:
        """Give this thread's connection inside one transaction, committed at the end.

        Inside another one of the same thread it is a part of that, undone by itself if it fails. A transaction
        belongs to its thread: a coroutine must not wait for anything inside one.

        Args:
            undivided: Whether the failure of any part undoes all of it, even if somebody catches the error. Parts need
                no marks of their own then, which are a good part of what a short transaction costs.

        Raises:
            StoreError: The database failed; nothing of the transaction remains.
        """
        with self._translating:
            session = self._session()
            if session.in_transaction:
                with self._nested(session):
                    yield session
                return
            with self._write_lock:
                session.raw("BEGIN IMMEDIATE" if self.is_sqlite else "BEGIN")
                session.in_transaction, session.is_undivided, session.has_failed = True, undivided, False
                try:
                    self._take_turn(session)
                    yield session
                    if session.has_failed:
                        raise StoreError("a part of the transaction failed, so that nothing of it was written")
                    session.raw("COMMIT")
                    self.pulse.mark()
                except BaseException:
                    with suppress(self._driver_error):
                        session.raw("ROLLBACK")
                    raise
                finally:
                    session.in_transaction = False

    @contextmanager
    def _nested(self, session: Session) -> Iterator[None]:
        """Run a part of a transaction that can be undone by itself, or else dooms all of it."""
        if session.is_undivided:
            try:
                yield
            except BaseException:
                session.has_failed = True
                raise
            return
        session.raw("SAVEPOINT part")
        try:
            yield
        except BaseException:
            with suppress(self._driver_error):
                session.raw("ROLLBACK TO SAVEPOINT part")
                session.raw("RELEASE SAVEPOINT part")
            raise
        session.raw("RELEASE SAVEPOINT part")

    def _take_turn(self, session: Session) -> None:
        """Let writers of a server take turns, as SQLite's do by themselves.

        Readers follow the change log by its numbers, so these must be committed in their order; and writers
        that lock rows in different orders would block each other.
        """
        if not self.is_sqlite:
            session.raw("SELECT pg_advisory_xact_lock(7236155)")

    @property
    def is_idle(self) -> bool:
        """Whether no thread of this process is writing just now."""
        idle = self._write_lock.acquire(blocking=False)
        if idle:
            self._write_lock.release()
        return idle

    @property
    def in_transaction(self) -> bool:
        """Whether this thread is inside a transaction."""
        found: Session | None = getattr(self._local, "session", None)
        return found is not None and found.in_transaction and self._pid == os.getpid()

    @contextmanager
    def core(self) -> Iterator[Connection]:
        """Give a SQLAlchemy connection inside one transaction, for statements that are not hot.

        Raises:
            StoreError: The database failed; nothing of the transaction remains.
        """
        with self._translating, self._write_lock, self.engine.begin() as connection:
            yield connection

    @contextmanager
    def core_reading(self) -> Iterator[Connection]:
        """Give a SQLAlchemy connection for reading, which waits for no writer.

        Raises:
            StoreError: The database failed.
        """
        with self._translating, self.engine.connect() as connection:
            yield connection.execution_options(reading=True)

    @property
    def is_closed(self) -> bool:
        """Whether every call is an error by now."""
        return self._closed

    def close(self) -> None:
        """Close every thread's connection; from now on every call is an error."""
        self._closed = True
        with self._open_lock:
            for _thread, connection in self._open:
                with suppress(Exception):
                    connection.close()
            self._open.clear()
        self.pulse.close()
        self._local = threading.local()
        self.engine.dispose()

    def _session(self) -> Session:
        if self._closed:
            raise StoreError("the store is closed; open it again")
        if self._pid != os.getpid():
            self._forget_parent()
        found: Session | None = getattr(self._local, "session", None)
        # What is left of a transaction must not go on upon another connection.
        if found is not None and (found.in_transaction or not found.is_broken()):
            return found
        pooled = self.engine.raw_connection()
        driver: Any = pooled.driver_connection
        if not self.is_sqlite:
            driver.autocommit = True
        session = Session(driver, self.engine)
        self._local.session = session
        with self._open_lock:
            self._close_orphans()
            self._open.append((weakref.ref(threading.current_thread()), pooled))
        return session

    def _close_orphans(self) -> None:
        """Close the connections of threads that have ended."""
        kept = []
        for thread, connection in self._open:
            owner = thread()
            if owner is not None and owner.is_alive():
                kept.append((thread, connection))
            else:
                with suppress(Exception):
                    connection.close()
        self._open = kept

    def _forget_parent(self) -> None:
        """In a forked child: leave the parent's connections alone, and trust none of its locks."""
        self._pid = os.getpid()
        self._inherited = self._open  # kept, so that they are not closed by the garbage collector
        self._open = []
        self._local = threading.local()
        self._open_lock = threading.Lock()
        self._write_lock = threading.RLock()

    def _prepare(self, connection: Any, _record: object) -> None:
        if not self.is_sqlite:
            return
        connection.isolation_level = None
        for pragma in self._pragmas():
            connection.execute(pragma)
        self._use_log(connection)

    def _use_log(self, connection: Any) -> None:
        """Switch to write-ahead logging; two processes that do so at once do not wait for each other."""
        deadline = time.monotonic() + self._busy
        while True:
            try:
                connection.execute("PRAGMA journal_mode=WAL")
            except self.engine.dialect.dbapi.OperationalError:  # type: ignore[union-attr]
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
            else:
                return

    def _begin(self, connection: Connection) -> None:
        # The driver's own transactions are switched off, since they would start too late for a read.
        if self.is_sqlite and not connection.get_execution_options().get("reading"):
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    def _pragmas(self) -> tuple[str, ...]:
        return (
            f"PRAGMA busy_timeout={int(self._busy * 1000)}",
            f"PRAGMA synchronous={'FULL' if self._durable else 'NORMAL'}",
            "PRAGMA foreign_keys=ON",
            "PRAGMA cache_size=-65536",
            "PRAGMA temp_store=MEMORY",
            "PRAGMA mmap_size=1073741824",
        )


class _Translating:
    """Tells the errors of a driver as our own; a class, because every statement of a store passes through it."""

    __slots__ = ("_kinds", "_url")

    def __init__(self, driver_error: type[Exception], url: URL) -> None:
        self._kinds = (driver_error, SQLAlchemyError)
        self._url = url

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is not None and isinstance(error, self._kinds):
            raise StoreError(f"{_remedy(error)} ({self._url!r}: {error})") from error


def _remedy(error: Exception) -> str:
    told = str(error).lower()
    for sign, remedy in _REMEDIES:
        if sign in told:
            return remedy
    return "the database failed"


_REMEDIES: tuple[tuple[str, str], ...] = (
    ("disk is full", "the disk is full; free some space and try again, nothing was written"),
    ("readonly database", "the database cannot be written; check the rights of its folder"),
    (
        "unable to open database file",
        "the database file cannot be opened; check that its folder exists and is writable",
    ),
    ("not a database", "the file is not a database, or it is damaged; restore it from a backup"),
    ("malformed", "the database file is damaged; restore it from a backup"),
    ("database is locked", "another process has been writing for too long; try again"),
)
