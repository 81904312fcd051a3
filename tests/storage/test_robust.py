"""Many writers at once, processes that die, and disks that fail."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.store.base import PutOp

from memory_middleware.errors import StoreError
from memory_middleware.storage import LanceStore, encode_label
from memory_middleware.storage.database import Database
from memory_middleware.storage.migrations import MIGRATIONS, migrate
from tests.storage.workers import mix, open_store, write_until_killed

ROUNDS = int(os.environ.get("CRASH_ROUNDS", "9"))  # noqa: TID251 - the soak run asks for more


@pytest.fixture(scope="module")
def processes() -> Iterator[Any]:
    """A server that has loaded everything once, and forks fast."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.storage.workers"])
    yield context


def test_threads_and_processes_at_once_lose_and_double_nothing(tmp_path: Path, processes: Any) -> None:
    folder = str(tmp_path / "memory")
    open_store(folder).close()
    pipes = []
    for at in range(4):
        ours, theirs = processes.Pipe()
        worker = processes.Process(target=mix, args=(folder, f"process{at}", 60, theirs))
        worker.start()
        pipes.append((worker, ours))
    with ThreadPoolExecutor(8) as pool:
        wanted = dict(
            zip(
                [f"thread{at}" for at in range(8)],
                pool.map(lambda at: mix(folder, f"thread{at}", 60), range(8)),
                strict=True,
            )
        )
    for at, (worker, ours) in enumerate(pipes):
        assert ours.poll(120), f"process {at} did not finish"
        wanted[f"process{at}"] = ours.recv()
        worker.join()
        assert worker.exitcode == 0
    with open_store(folder) as store:
        for name, mine in wanted.items():
            assert {item.key: item.value["n"] for item in store.search(("mix", name), limit=100)} == mine
        assert store.fsck().clean


@pytest.mark.parametrize("at", range(ROUNDS))
def test_a_killed_process_loses_nothing_acknowledged(tmp_path: Path, processes: Any, at: int) -> None:
    mode = ("put", "index", "reindex")[at % 3]
    folder = str(tmp_path / "memory")
    acknowledged: dict[tuple[str, str], bool] = {}
    for seed in range(2):
        ours, theirs = processes.Pipe(duplex=False)
        worker = processes.Process(target=write_until_killed, args=(folder, mode, at * 10 + seed, theirs))
        worker.start()
        theirs.close()
        assert ours.poll(60)
        time.sleep(random.Random(at * 10 + seed).uniform(0.0, 0.3 if mode == "put" else 1.2))
        os.kill(worker.pid, signal.SIGKILL)
        worker.join()
        while ours.poll():
            try:
                action, space, key = ours.recv()
            except EOFError:
                break
            acknowledged[space, key] = action == "put"
        assert acknowledged
    with open_store(folder) as store:
        for (space, key), there in acknowledged.items():
            if there:
                assert store.get(("crash", space), key) is not None, f"{mode}: {key} was acknowledged and is gone"
        assert store.fsck().clean or store.fsck().clean
        some = next(key for (_, key), there in acknowledged.items() if there)
        assert any(item.key == some for item in store.search(("crash",), query=f"item {some}", limit=20))


OWNERS = st.sampled_from(
    [
        "a",
        "a.b",
        "b",
        "user/1",
        "user/10",
        "%",
        "_",
        "a%",
        "'",
        '"',
        "a' OR '1'='1",
        "\0",
        "🚀",
        "é",
        "e\u0301",
        "Ａ",
        "A",
        "x" * 10_000,
        "",
        " ",
    ]
)
ACTIONS = st.lists(
    st.tuples(OWNERS, st.sampled_from(["put", "delete", "search", "list"]), st.sampled_from(["k", "l", "%"])),
    max_size=14,
)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ACTIONS)
def test_no_owner_ever_touches_anothers_rows(actions: list[tuple[str, str, str]]) -> None:
    wanted: dict[str, dict[str, str]] = {}
    with LanceStore.from_conn_string(":memory:") as store:
        for owner, action, key in actions:
            space = ("memories", encode_label(owner))
            mine = wanted.setdefault(owner, {})
            if action == "put":
                store.put(space, key, {"text": f"shared words of {len(owner)}", "owner": encode_label(owner)})
                mine[key] = encode_label(owner)
            elif action == "delete":
                store.delete(space, key)
                mine.pop(key, None)
            elif action == "search":
                found = store.search(space, query="shared words", limit=100)
                assert {item.key: item.value["owner"] for item in found} == mine
            else:
                listed = {tuple(found) for found in store.list_namespaces(prefix=("memories",))}
                assert listed == {("memories", encode_label(name)) for name, items in wanted.items() if items}
        for owner, mine in wanted.items():
            found = store.search(("memories", encode_label(owner)), limit=100)
            assert {item.key: item.value["owner"] for item in found} == mine


def test_a_batch_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    with LanceStore.open(tmp_path, embedding=None) as store:
        with pytest.raises(ValueError):
            store.batch([PutOp(("a",), "k", {"x": 1}), PutOp(("a",), "bad", {"x": float("nan")})])
        assert store.search(("a",)) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot make the folder of the store"):
        LanceStore.open(tmp_path / "file" / "memory")


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_bytes(b"this is not a database, not at all" * 100)
    with pytest.raises(StoreError, match="the file is not a database, or it is damaged; restore it from a backup"):
        LanceStore.open(tmp_path, embedding=None)


def test_a_truncated_database_is_named_and_not_overwritten(tmp_path: Path) -> None:
    with LanceStore.open(tmp_path, embedding=None) as store:
        for at in range(200):
            store.put(("a",), f"k{at}", {"text": "x" * 500})
    path = tmp_path / "memory.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreError, match="damaged"), LanceStore.open(tmp_path, embedding=None) as store:
        store.search(("a",), limit=1000)
    assert path.read_bytes()[: len(whole) // 4] == whole[: len(whole) // 4]


def test_an_unreachable_or_unknown_database_is_named() -> None:
    with pytest.raises(StoreError, match="nowhere"):
        LanceStore.open("postgresql://localhost:1/nowhere?connect_timeout=1", embedding=None)
    with pytest.raises(StoreError, match="cannot use the database"):
        LanceStore.open("quantum://x", embedding=None)


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    with LanceStore.open(tmp_path, embedding=None) as store:
        store.put(("a",), "before", {"x": 1})
        with store.database.reading() as session:
            pages = session.one(_statement("PRAGMA page_count"))[0]
            session.raw(f"PRAGMA max_page_count={pages}")
        with pytest.raises(StoreError, match="the disk is full; free some space"):
            store.put(("a",), "big", {"x": "y" * 2_000_000})
        with store.database.reading() as session:
            session.raw("PRAGMA max_page_count=1073741823")
        store.put(("a",), "after", {"x": 2})
        assert sorted(item.key for item in store.search(("a",))) == ["after", "before"]


def _statement(sql: str) -> Any:
    from memory_middleware.storage.database import Statement  # noqa: PLC0415

    return Statement(sql)


def test_a_lost_index_folder_is_made_again(tmp_path: Path) -> None:
    folder = str(tmp_path / "memory")
    with open_store(folder) as store:
        for at in range(40):
            store.put(("a",), f"k{at}", {"text": f"word{at}"})
        store.flush()
    shutil.rmtree(tmp_path / "memory" / "index")
    with open_store(folder) as store:
        assert [item.key for item in store.search(("a",), query="word7", limit=1)] == ["k7"]
        assert store.fsck().clean
        assert store._index.count() == 40


def test_migrations_run_forward_once_after_a_backup(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'm.db'}")
    assert migrate(database) == (0, len(MIGRATIONS))
    assert migrate(database) == (len(MIGRATIONS), len(MIGRATIONS))

    def extend(connection: Any) -> None:
        connection.exec_driver_sql("ALTER TABLE store_items ADD COLUMN colour TEXT")

    def fail(connection: Any) -> None:
        connection.exec_driver_sql("ALTER TABLE store_items ADD COLUMN shape TEXT")
        connection.exec_driver_sql("ALTER TABLE nowhere ADD COLUMN x TEXT")

    assert migrate(database, (*MIGRATIONS, extend)) == (1, 2)
    assert (tmp_path / "m.db.v1.backup").is_file()
    assert migrate(database, (*MIGRATIONS, extend)) == (2, 2)
    with pytest.raises(StoreError, match="nowhere"):
        migrate(database, (*MIGRATIONS, extend, fail))
    with database.reading() as session:
        columns = [row[1] for row in session.all(_statement("PRAGMA table_info(store_items)"))]
    assert "colour" in columns
    assert "shape" not in columns
    with pytest.raises(StoreError, match="has schema version 2, this release knows 1"):
        migrate(database)
    database.close()
