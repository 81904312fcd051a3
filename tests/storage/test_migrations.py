"""Databases of released schemas come forward with all they hold."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_middleware import LanceStore, Scope
from memory_middleware.storage.migrations import MIGRATIONS, schema_version

SCHEMAS = Path(__file__).parent / "schemas"
ANA = Scope("ana", "t1")
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("dump", sorted(SCHEMAS.glob("v*.sql")), ids=lambda path: path.stem)
def test_a_released_database_comes_forward(tmp_path: Path, dump: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "memory.db")) as database:
        database.executescript(dump.read_text(encoding="utf-8"))
    for _ in range(2):
        with LanceStore.open(tmp_path, embedding=None) as store:
            memories = store.memories
            [record] = memories.records.newest(ANA)
            assert (record.content, record.weight, record.access_count) == ("Ana drinks tea", 1.5, 1)
            [(item, state)] = memories.weights.states(ANA, [record.id]).values()
            assert (state.base, state.based_at, state.changed_at) == (1.5, NOON, NOON)
            assert memories.weights.all_states(ANA) == {item: state}
            assert [entry.user_query for entry in memories.dialogues.batch(ANA, "t1", 5)] == ["what do I drink?"]
            assert memories.turns.newest(ANA) == []
            with store.database.core_reading() as connection:
                assert schema_version(connection) == len(MIGRATIONS)
    assert (tmp_path / f"memory.db.{dump.stem}.backup").exists()
