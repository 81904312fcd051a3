"""Bringing a database to the newest schema, step by step, after a backup."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, Table, inspect, text

from memory_middleware.errors import StoreError
from memory_middleware.schemas.times import parse_utc
from memory_middleware.storage import memory_tables
from memory_middleware.storage.database import Database
from memory_middleware.storage.typed_rows import microseconds

__all__ = ["MIGRATIONS", "Migration", "migrate", "schema_version"]

Migration = Callable[[Connection], None]


def _first(connection: Connection) -> None:
    memory_tables.profiles.metadata.create_all(connection)


def _second(connection: Connection) -> None:
    """Turns, summaries and tombstones; weights that can be derived anew; parked rounds."""
    memory_tables.profiles.metadata.create_all(connection)
    _add_columns(connection, memory_tables.weights, "changed_at", "base", "based_at")
    _add_columns(connection, memory_tables.dialogues, "parked")
    # What was used before is in the weight already.
    made = "coalesce(last_accessed, (SELECT created_at FROM store_items i WHERE i.id = memory_weights.id))"
    connection.execute(
        text(f"UPDATE memory_weights SET base = weight, changed_at = {made}, based_at = {made} WHERE base IS NULL")
    )


def _third(connection: Connection) -> None:
    """Edits of records by hand."""
    memory_tables.edits.create(connection, checkfirst=True)


def _fourth(connection: Connection) -> None:
    """Items of records were made when the records say, not when they were stored; profiles hold any text."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("ALTER TABLE memories ALTER COLUMN content TYPE json"))
    page = text(
        "SELECT i.id, i.value FROM store_items i JOIN memory_records r ON r.id = i.id"
        " WHERE i.id > :after ORDER BY i.id LIMIT 1000"
    )
    change = text("UPDATE store_items SET created_at = :made WHERE id = :id")
    after = ""
    while rows := connection.execute(page, {"after": after}).fetchall():
        made = [{"id": row[0], "made": microseconds(parse_utc(json.loads(row[1])["created_at"]))} for row in rows]
        connection.execute(change, made)
        after = rows[-1][0]


def _add_columns(connection: Connection, table: Table, *names: str) -> None:
    """Add columns that are not there yet; a new database has them from the first step on."""
    there = {column["name"] for column in inspect(connection).get_columns(table.name)}
    for name in names:
        if name not in there:
            kind = table.c[name].type.compile(connection.dialect)
            connection.execute(text(f"ALTER TABLE {table.name} ADD COLUMN {name} {kind}"))


MIGRATIONS: tuple[Migration, ...] = (_first, _second, _third, _fourth)


def schema_version(connection: Connection) -> int:
    """Tell the schema version of a database; 0 means it is empty."""
    if not inspect(connection).has_table("store_meta"):
        return 0
    row = connection.execute(text("SELECT value FROM store_meta WHERE name = 'schema_version'")).fetchone()
    return int(row[0]) if row else 0


def migrate(database: Database, migrations: Sequence[Migration] = MIGRATIONS) -> tuple[int, int]:
    """Run the migrations that a database lacks, all in one transaction, and tell from where to where.

    Several processes may do so at once: one runs them, the others find nothing left to do. An existing
    SQLite file is copied beside itself first.

    Raises:
        StoreError: A newer release made this database, or a migration failed; nothing of it remains.
    """
    target = len(migrations)
    with database.core_reading() as connection:
        found = schema_version(connection)
    if found > target:
        raise StoreError(f"the database has schema version {found}, this release knows {target}; install a newer one")
    if found == target:
        return found, found
    if found:
        _back_up(database, found)
    with database.core() as connection:
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(7236154)"))
        found = schema_version(connection)
        for step in migrations[found:]:
            step(connection)
        connection.execute(
            text(
                "INSERT INTO store_meta (name, value) VALUES ('schema_version', :value)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
            ),
            {"value": str(target)},
        )
    return found, target


def _back_up(database: Database, version: int) -> None:
    if not database.is_sqlite or not database.url.database:
        return
    source = Path(database.url.database)
    copy = source.with_name(f"{source.name}.v{version}.backup")
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(copy)) as new:
        old.backup(new)
