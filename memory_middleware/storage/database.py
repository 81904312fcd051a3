"""One database: a connection for each thread, transactions that take the write lock at once.

Statements are SQLAlchemy text, compiled once for the dialect and then run on the driver's own
connection, because the hot paths of a store cannot afford a layer for every row.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from memory_middleware.errors import StoreError
from memory_middleware.storage.pulse import Pulse

__all__ = ["Database", "Statement"]


class Statement:
    """A statement with ``:named`` parameters, compiled for a dialect when it is first run there."""

    __slots__ = ("_compiled", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._compiled: dict[str, str] = {}

    def sql(self, engine: Engine) -> str:
        """Give the text that the driver understands."""
        found = self._compiled.get(engine.dialect.name)
        if found is None:
            # SQLite's driver takes named parameters as they are written here.
            sqlite = engine.dialect.name == "sqlite"
            found = self._source if sqlite else str(text(self._source).compile(dialect=engine.dialect))
            self._compiled[engine.dialect.name] = found
        return found


class Session:
    """A thread's connection, able to run statements."""

    __slots__ = ("_connection", "_engine")

    def __init__(self, connection: Any, engine: Engine) -> None:
        self._connection = connection
        self._engine = engine

    def all(self, statement: Statement, **values: Any) -> list[Any]:
        """Run a statement and give all rows."""
        rows: list[Any] = self._connection.execute(statement.sql(self._engine), values).fetchall()
        return rows

    def one(self, statement: Statement, **values: Any) -> Any:
        """Run a statement and give the first row, or none."""
        return self._connection.execute(statement.sql(self._engine), values).fetchone()

    def run(self, statement: Statement, **values: Any) -> int:
        """Run a statement and tell how many rows it touched."""
        return int(self._connection.execute(statement.sql(self._engine), values).rowcount)

    def many(self, statement: Statement, values: Sequence[Mapping[str, Any]]) -> None:
        """Run a statement once for each set of values."""
        if values:
            self._connection.cursor().executemany(statement.sql(self._engine), values)

    def raw(self, sql: str) -> None:
        """Run plain SQL."""
        self._connection.execute(sql)


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
        self._open: list[Any] = []
        self._open_lock = threading.Lock()
        self._write_lock = threading.RLock()
        self.pulse = Pulse(self.url.database if self.is_sqlite else None)
        self._driver_error: type[Exception] = self.engine.dialect.dbapi.Error  # type: ignore[union-attr]

    @property
    def is_sqlite(self) -> bool:
        """Whether this is an embedded SQLite database."""
        return self.url.get_backend_name() == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Give this thread's connection; each statement sees the newest commit.

        Raises:
            StoreError: The database failed.
        """
        with self._translating():
            yield self._session()

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Give this thread's connection inside one transaction, committed at the end.

        Raises:
            StoreError: The database failed; nothing of the transaction remains.
        """
        with self._translating(), self._write_lock:
            session = self._session()
            session.raw("BEGIN IMMEDIATE" if self.is_sqlite else "BEGIN")
            try:
                yield session
                session.raw("COMMIT")
                self.pulse.mark()
            except BaseException:
                with suppress(self._driver_error):
                    session.raw("ROLLBACK")
                raise

    @contextmanager
    def core(self) -> Iterator[Connection]:
        """Give a SQLAlchemy connection inside one transaction, for statements that are not hot.

        Raises:
            StoreError: The database failed; nothing of the transaction remains.
        """
        with self._translating(), self._write_lock, self.engine.begin() as connection:
            yield connection

    def close(self) -> None:
        """Close every thread's connection."""
        with self._open_lock:
            for connection in self._open:
                with suppress(Exception):
                    connection.close()
            self._open.clear()
        self.pulse.close()
        self._local = threading.local()
        self.engine.dispose()

    def _session(self) -> Session:
        found: tuple[int, Session] | None = getattr(self._local, "session", None)
        if found is not None and found[0] == os.getpid():
            return found[1]
        pooled = self.engine.raw_connection()
        driver: Any = pooled.driver_connection
        if not self.is_sqlite:
            driver.autocommit = True
        session = Session(driver, self.engine)
        self._local.session = (os.getpid(), session)
        with self._open_lock:
            self._open.append(pooled)
        return session

    def _prepare(self, connection: Any, _record: object) -> None:
        if not self.is_sqlite:
            return
        connection.isolation_level = None
        for pragma in self._pragmas():
            connection.execute(pragma)

    def _begin(self, connection: Connection) -> None:
        # The driver's own transactions are switched off, since they would start too late for a read.
        if self.is_sqlite:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    def _pragmas(self) -> tuple[str, ...]:
        return (
            f"PRAGMA busy_timeout={int(self._busy * 1000)}",
            "PRAGMA journal_mode=WAL",
            f"PRAGMA synchronous={'FULL' if self._durable else 'NORMAL'}",
            "PRAGMA foreign_keys=ON",
            "PRAGMA cache_size=-65536",
            "PRAGMA temp_store=MEMORY",
        )

    @contextmanager
    def _translating(self) -> Iterator[None]:
        try:
            yield
        except (self._driver_error, SQLAlchemyError) as error:
            raise StoreError(f"{_remedy(error)} ({self.url!r}: {error})") from error


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
