"""Erasing what deleted rows leave on disk: free pages, the write-ahead log, old parts of the index, copies."""

from __future__ import annotations

import glob
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from memory_middleware.errors import StoreError
from memory_middleware.storage.database import Database
from memory_middleware.storage.store import LanceStore

__all__ = ["Leftovers", "erase_leftovers", "rewrite_file"]


class Leftovers(NamedTuple):
    """What was erased, and what may still hold deleted rows.

    Attributes:
        freed: By how many bytes the database file shrank; none on a server, which does this by itself.
        log_is_empty: Whether the write-ahead log is empty; a reader in another process may have held it.
        erased: Copies from before a change of the schema that were deleted.
        backups: Such copies that are still there.
    """

    freed: int | None
    log_is_empty: bool
    erased: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()


def erase_leftovers(store: LanceStore, *, backups: bool = False, patience: float = 30.0) -> Leftovers:
    """Write the index and the database file anew without what was deleted from them; this takes a while.

    Args:
        store: The store; others may use it meanwhile, but wait for the database to be written.
        backups: Whether to delete the copies that were made before the schema changed.
        patience: How many seconds to wait for others who use the database.

    Raises:
        StoreError: The index or the file cannot be written.
    """
    store.reindex()
    file = _file_of(store.database)
    if file is None:
        return Leftovers(None, True)
    found = sorted(file.parent.glob(f"{glob.escape(file.name)}.v*.backup"))
    for copy in found if backups else ():
        copy.unlink(missing_ok=True)
    names = tuple(copy.name for copy in found)
    before = file.stat().st_size
    is_empty = rewrite_file(file, patience)
    freed = before - file.stat().st_size
    return Leftovers(freed, is_empty, names, ()) if backups else Leftovers(freed, is_empty, (), names)


def rewrite_file(file: Path, patience: float) -> bool:
    """Write a SQLite file anew and empty its log; tell whether nobody held the log.

    Raises:
        StoreError: Somebody else writes it, or it is no database.
    """
    try:
        with closing(sqlite3.connect(file, timeout=patience, isolation_level=None)) as connection:
            connection.execute("VACUUM")
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error as error:
        raise StoreError(
            f"the file {str(file)!r} cannot be written anew: {error}; try again when it is idle"
        ) from error
    return not busy


def _file_of(database: Database) -> Path | None:
    name = database.url.database if database.is_sqlite else None
    return Path(name) if name else None
