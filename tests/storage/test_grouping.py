"""Writers that share a transaction, and transactions inside transactions."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from memory_middleware.errors import StoreError
from memory_middleware.storage import LanceStore
from memory_middleware.storage.database import Database, Session, Statement
from memory_middleware.storage.grouping import WriteGroups

INSERT = Statement("INSERT INTO kept (name) VALUES (:name)")
ALL = Statement("SELECT name FROM kept ORDER BY name")


@pytest.fixture
def database(tmp_path: Path) -> Database:
    opened = Database(f"sqlite:///{tmp_path}/groups.db")
    with opened.writing() as session:
        session.raw("CREATE TABLE kept (name TEXT PRIMARY KEY)")
    return opened


def names(database: Database) -> list[str]:
    with database.reading() as session:
        return [row[0] for row in session.all(ALL)]


def write(session: Session, names: Sequence[str]) -> None:
    """Insert names; the first of them takes its time."""
    for name in names:
        if name == "first":
            GO.wait(10)
        session.run(INSERT, name=name)


GO = threading.Event()


def gathered(groups: WriteGroups[str], wanted: list[str]) -> list[str]:
    """Let writers gather behind one that is at work; give those that were refused."""
    refused: list[str] = []
    GO.clear()

    def run(name: str) -> None:
        try:
            groups.run(name)
        except StoreError:
            refused.append(name)

    threads = [threading.Thread(target=groups.run, args=("first",))]
    threads[0].start()
    while not groups._turn.locked():
        time.sleep(0.001)
    threads += [threading.Thread(target=run, args=(name,)) for name in wanted]
    for thread in threads[1:]:
        thread.start()
    while len(groups._waiting) < len(wanted):
        time.sleep(0.001)
    GO.set()
    for thread in threads:
        thread.join()
    return refused


def test_writers_that_wait_share_one_commit(database: Database) -> None:
    before = database.pulse._count
    assert gathered(WriteGroups(database, write), ["a", "b", "c", "d"]) == []
    assert names(database) == ["a", "b", "c", "d", "first"]
    assert database.pulse._count - before == 2


def test_a_write_that_fails_harms_none_of_its_group(database: Database) -> None:
    with database.writing() as session:
        session.run(INSERT, name="taken")
    assert gathered(WriteGroups(database, write), ["a", "taken", "b"]) == ["taken"]
    assert names(database) == ["a", "b", "first", "taken"]


def test_a_transaction_inside_another_is_part_of_it(database: Database) -> None:
    groups = WriteGroups(database, write)
    with pytest.raises(RuntimeError), database.writing() as session:
        session.run(INSERT, name="outer")
        with database.writing() as inner:
            inner.run(INSERT, name="inner")
        groups.run("grouped")
        raise RuntimeError
    assert names(database) == []
    assert not database.in_transaction


def test_what_a_transaction_undoes_was_never_seen(tmp_path: Path) -> None:
    with LanceStore.open(tmp_path / "memory", embedding=None) as store:
        store.put(("a",), "kept", {"text": "green tea"})
        assert len(store.search(("a",), query="tea")) == 1
        with pytest.raises(RuntimeError), store.database.writing():
            store.put(("a",), "undone", {"text": "black tea"})
            store.put(("b",), "undone", {"text": "black tea"})
            assert store.get(("a",), "undone") is not None
            assert len(store.search(("a",), query="tea")) == 2
            raise RuntimeError
        assert store.get(("a",), "undone") is None
        assert [item.key for item in store.search(("a",), query="tea")] == ["kept"]
        store.put(("b",), "new", {"text": "tea"})
        assert store.list_namespaces() == [("a",), ("b",)]
        assert [item.key for item in store.search((), query="tea", limit=5)] == ["new", "kept"]
