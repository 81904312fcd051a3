"""The floor under observe: a bare SQLite transaction with the rows that observe has just written."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any, Self

from timing import core_wait

__all__ = ["Floor"]

TABLES = ("memory_turns", "dialogue_buffer", "short_term_items", "memory_usage_log")
WEIGHTS = "memory_weights"


class Floor:
    """A database with the same tables, indexes and settings as the journal's, written without anything in between.

    Rows are grouped by the turn they belong to; what was computed, read or made of objects before is not repeated.

    Args:
        source: The database that observe writes to.
        folder: Where to put the copy, on the same disk.
    """

    def __init__(self, source: str | None, folder: Path) -> None:
        self._source = sqlite3.connect(str(source))
        self._target = sqlite3.connect(folder / "floor.db", isolation_level=None)
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "cache_size=-65536", "mmap_size=1073741824"):
            self._target.execute(f"PRAGMA {pragma}")
        made = f"SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name IN {(*TABLES, WEIGHTS)}"
        for (sql,) in self._source.execute(f"{made} ORDER BY type DESC").fetchall():
            self._target.execute(sql)
        weights = self._source.execute(f"SELECT * FROM {WEIGHTS}").fetchall()
        self._insert(WEIGHTS, weights)
        self._seen = {name: self._last(name) for name in TABLES}

    def block(self) -> list[tuple[float, float]]:
        """Write what was observed since the last block, a turn at a time.

        Gives the milliseconds of each, and the same without the wait for a core.
        """
        turns = self._new("memory_turns")
        rounds = {row[0]: row for row in self._new("dialogue_buffer", "entry")}
        items = {row[0]: row for row in self._new("short_term_items", "entry")}
        uses: dict[str, list[Any]] = {}
        for row in self._new("memory_usage_log", "turn"):
            uses.setdefault(row[0], []).append(row[1:])
        times = []
        spare_round, spare_item = next(iter(rounds.values())), next(iter(items.values()))
        for turn in turns:
            used = uses[turn[2]]
            waited, start = core_wait(), time.perf_counter()
            self._target.execute("BEGIN IMMEDIATE")
            self._add("memory_turns", turn)
            # Settled rounds and dropped items are gone by now; another of the same size stands for them.
            self._add("dialogue_buffer", (None, turn[1], turn[2], *spare_round[4:]))
            self._add("short_term_items", (None, turn[1], turn[3], turn[2], *spare_item[5:]))
            for use in used:
                self._add("memory_usage_log", (None, *use[1:]))
                self._target.execute(f"UPDATE {WEIGHTS} SET weight = weight * 1.01 WHERE id = ?", (use[1],))
            self._target.execute("COMMIT")
            whole = (time.perf_counter() - start) * 1e3
            times.append((whole, whole - (core_wait() - waited) * 1e3))
        return times

    def skip(self) -> None:
        """Leave out what was observed since the last block."""
        self._seen = {name: self._last(name) for name in TABLES}

    def _new(self, table: str, first: str | None = None) -> list[Any]:
        columns = f"{first}, *" if first else "*"
        rows = self._source.execute(
            f"SELECT {columns} FROM {table} WHERE seq > ? ORDER BY seq", (self._seen[table],)
        ).fetchall()
        self._seen[table] = self._last(table)
        return rows

    def _last(self, table: str) -> int:
        return int(self._source.execute(f"SELECT coalesce(max(seq), 0) FROM {table}").fetchone()[0])

    def _add(self, table: str, row: tuple[Any, ...]) -> None:
        self._target.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)

    def _insert(self, table: str, rows: list[Any]) -> None:
        self._target.execute("BEGIN")
        self._target.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
        self._target.execute("COMMIT")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._source.close()
        self._target.close()
