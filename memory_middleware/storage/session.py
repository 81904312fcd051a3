"""Statements, and a thread's connection that runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import Engine, text

__all__ = ["Insert", "Session", "Statement"]

_ROWS_AT_ONCE = 32


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


class Insert:
    """Inserting rows into a table, many with one statement.

    Args:
        table: The table.
        columns: The order of the values in each row.
        tail: What follows the values, such as ``ON CONFLICT …``.
    """

    __slots__ = ("_compiled", "_head", "_tail", "_width")

    def __init__(self, table: str, columns: Sequence[str], tail: str = "") -> None:
        self._head = f"INSERT INTO {table} ({', '.join(columns)}) VALUES "
        self._tail = f" {tail}" if tail else ""
        self._width = len(columns)
        self._compiled: dict[tuple[str, int], str] = {}

    def sql(self, engine: Engine, rows: int) -> str:
        """Give the text that inserts so many rows, for the driver."""
        place = (engine.dialect.name, rows)
        found = self._compiled.get(place)
        if found is None:
            mark = "?" if engine.dialect.name == "sqlite" else "%s"
            row = f"({', '.join([mark] * self._width)})"
            found = self._compiled[place] = f"{self._head}{', '.join([row] * rows)}{self._tail}"
        return found


class Session:
    """A thread's connection, able to run statements."""

    __slots__ = ("_connection", "_engine", "has_failed", "in_transaction", "is_undivided")

    def __init__(self, connection: Any, engine: Engine) -> None:
        self._connection = connection
        self._engine = engine
        self.in_transaction = False
        self.is_undivided = False
        self.has_failed = False

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

    def many(self, statement: Statement, values: Sequence[Mapping[str, Any]]) -> int:
        """Run a statement once for each set of values, and tell how many rows were touched."""
        if not values:
            return 0
        cursor = self._connection.cursor()
        cursor.executemany(statement.sql(self._engine), values)
        return int(cursor.rowcount)

    def insert(self, into: Insert, rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows."""
        for at in range(0, len(rows), _ROWS_AT_ONCE):
            part = rows[at : at + _ROWS_AT_ONCE]
            values = part[0] if len(part) == 1 else list(chain.from_iterable(part))
            self._connection.execute(into.sql(self._engine, len(part)), values)

    def raw(self, sql: str) -> None:
        """Run plain SQL."""
        self._connection.execute(sql)

    def is_broken(self) -> bool:
        """Tell whether a server has dropped the connection."""
        return bool(getattr(self._connection, "closed", False))
