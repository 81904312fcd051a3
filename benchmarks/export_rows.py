"""Fills a memory with very many records, row by row and past the store: ``python export_rows.py EXPORT FOLDER``.

The first record of the export is taken in by the library; the rows of the others are copies of its rows with their own
ids, texts and times. Their words and vectors stay those of the first, which no command that moves memory reads.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from memory_middleware import Memory, MemoryConfig
from memory_middleware.schemas.times import parse_utc
from memory_middleware.storage.documents import record_namespace
from memory_middleware.storage.namespaces import dump_key, dump_namespace, item_id, path_of
from memory_middleware.storage.owners import digest
from memory_middleware.storage.typed_rows import microseconds

TABLES = ("store_items", "memory_records", "memory_weights")
AT_ONCE = 10_000


def main(export: Path, folder: Path) -> None:
    with export.open(encoding="utf-8") as file:
        head, first = next(file), next(file)
        config = MemoryConfig.from_dict({"storage": {"path": str(folder)}, "extract": {"mode": "manual"}})
        with Memory.open(config) as memory:
            memory.import_lines([head, first, json.dumps({"type": "end", "count": 1})])
        with closing(sqlite3.connect(folder / "memory.db")) as database:
            models = {table: _row(database, table) for table in TABLES}
            entries = (json.loads(line) for line in file)
            records = (entry["data"] for entry in entries if entry["type"] == "record")
            while some := list(islice(records, AT_ONCE)):
                _copy(database, models, some)
                database.commit()


def _row(database: sqlite3.Connection, table: str) -> dict[str, Any]:
    found = database.execute(f"SELECT * FROM {table}")
    return dict(zip([column[0] for column in found.description], found.fetchone(), strict=True))


def _copy(database: sqlite3.Connection, models: dict[str, dict[str, Any]], records: list[dict[str, Any]]) -> None:
    changes = [dict(_changes(models["store_items"], record)) for record in records]
    for table, model in models.items():
        columns = [column for column in model if column != "seq"]
        statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
        database.executemany(statement, ([{**model, **change}[name] for name in columns] for change in changes))


def _changes(model: dict[str, Any], record: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Tell what differs in the rows of another record; columns of the same name hold the same in all tables."""
    namespace = record_namespace(record["owner_id"], record["kind"])
    moment = microseconds(parse_utc(record["created_at"]))
    told = {name: record[name] for name in ("id", "kind", "content", "created_at", "updated_at")}
    yield "id", item_id(path_of(namespace), record["id"])
    yield "path", path_of(namespace)
    yield "ns", dump_namespace(namespace)
    yield "key", dump_key(record["id"])
    yield "value", json.dumps({**json.loads(model["value"]), **told}, ensure_ascii=False)
    yield "record", digest(record["id"])
    yield "kind", record["kind"]
    for name in ("created_at", "updated_at", "changed_at", "based_at"):
        yield name, moment


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
