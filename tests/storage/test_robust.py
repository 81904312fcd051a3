"""Many writers at once, processes that die, and disks that fail."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import tempfile
import threading
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
from memory_middleware.storage.rows import ItemRows, Renewal
from memory_middleware.testing import HashEmbeddings
from tests.storage.workers import (
    migrate_until_killed,
    mix,
    open_store,
    open_without_rights,
    use_after_fork,
    widen,
    write_until_killed,
)

NOW = len(MIGRATIONS)
NEXT = NOW + 1
ROUNDS = int(os.environ.get("CRASH_ROUNDS", "9"))  # noqa: TID251 - the soak run asks for more


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
        assert store.fsck().clean
        some = next(key for (_, key), there in acknowledged.items() if there)
        assert any(item.key == some for item in store.search(("crash",), query=f"item {some}", limit=20))


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user of the machine can reach, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize("at", range(max(2, ROUNDS // 3)))
def test_a_process_killed_in_a_migration_leaves_the_old_schema_or_the_new(
    tmp_path: Path, processes: Any, at: int
) -> None:
    folder = str(tmp_path)
    with open_store(folder) as store:
        store.batch([PutOp(("a",), f"k{n}", {"text": f"word{n}"}) for n in range(200)])
    ours, theirs = processes.Pipe(duplex=False)
    worker = processes.Process(target=migrate_until_killed, args=(folder, theirs))
    worker.start()
    assert ours.poll(60)
    time.sleep(random.Random(at).uniform(0.0, 0.4))
    worker.kill()
    worker.join()
    database = Database(f"sqlite:///{tmp_path}/memory.db")
    with database.reading() as session:
        columns = [row[1] for row in session.all(_statement("PRAGMA table_info(store_items)"))]
    found, reached = migrate(database, (*MIGRATIONS, widen))
    assert (found == NEXT) == ("colour" in columns)
    assert reached == NEXT
    with database.reading() as session:
        assert session.one(_statement("SELECT count(*), min(colour) FROM store_items")) == (200, "colour 299")
    with closing(sqlite3.connect(tmp_path / f"memory.db.v{NOW}.backup")) as backup:
        assert backup.execute("SELECT count(*) FROM store_items").fetchone() == (200,)
    database.close()


def test_a_folder_without_rights_is_told_and_kept(open_folder: Path, processes: Any) -> None:
    folder = open_folder / "memory"
    ours, theirs = processes.Pipe(duplex=False)
    worker = processes.Process(target=open_without_rights, args=(str(folder), theirs))
    worker.start()
    assert ours.poll(60)
    told = ours.recv()
    worker.join()
    for place in (folder, *folder.rglob("*")):
        place.chmod(0o755)
    assert "check" in told and "folder" in told, told
    with open_store(str(folder)) as store:
        assert store.search(("a",), query="kept")[0].value == {"text": "kept"}


def test_a_forked_child_has_connections_of_its_own(tmp_path: Path, processes: Any) -> None:
    ours, theirs = processes.Pipe(duplex=False)
    worker = processes.Process(target=use_after_fork, args=(str(tmp_path), theirs))
    worker.start()
    assert ours.poll(60)
    assert ours.recv() == (0, ["child", "parent"])
    worker.join()


def test_an_embedder_that_changes_during_a_put_makes_its_vectors(tmp_path: Path) -> None:
    with LanceStore.open(tmp_path, embedding=HashEmbeddings(64)) as store:
        store.put(("a",), "first", {"text": "green tea"})
        plan = store._executor.plan([PutOp(("a",), "second", {"text": "black tea"})])
        store._indexing.embed(plan.texts)
        store.reindex(HashEmbeddings(32))
        store._executor.execute(plan)
        found = {item.key for item in store.search(("a",), query="tea")}
        assert found == {"first", "second"}
        assert store.fsck().clean


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
        assert store.fsck().items == 40


def test_migrations_run_forward_once_after_a_backup(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'm.db'}")
    assert migrate(database) == (0, len(MIGRATIONS))
    assert migrate(database) == (len(MIGRATIONS), len(MIGRATIONS))

    def extend(connection: Any) -> None:
        connection.exec_driver_sql("ALTER TABLE store_items ADD COLUMN colour TEXT")

    def fail(connection: Any) -> None:
        connection.exec_driver_sql("ALTER TABLE store_items ADD COLUMN shape TEXT")
        connection.exec_driver_sql("ALTER TABLE nowhere ADD COLUMN x TEXT")

    assert migrate(database, (*MIGRATIONS, extend)) == (NOW, NEXT)
    assert (tmp_path / f"m.db.v{NOW}.backup").is_file()
    assert migrate(database, (*MIGRATIONS, extend)) == (NEXT, NEXT)
    with pytest.raises(StoreError, match="nowhere"):
        migrate(database, (*MIGRATIONS, extend, fail))
    with database.reading() as session:
        columns = [row[1] for row in session.all(_statement("PRAGMA table_info(store_items)"))]
    assert "colour" in columns
    assert "shape" not in columns
    with pytest.raises(StoreError, match=f"has schema version {NEXT}, this release knows {NOW}"):
        migrate(database)
    database.close()


def test_many_may_open_a_new_store_at_once(tmp_path: Path) -> None:
    def use(at: int) -> None:
        with LanceStore.open(tmp_path / "memory", embedding=None) as store:
            store.put(("a",), f"k{at}", {"x": at})

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(use, range(16)))
    with LanceStore.open(tmp_path / "memory", embedding=None) as store:
        assert len(store.search(("a",), limit=50)) == 16


def test_the_connections_of_ended_threads_are_closed(place: dict[str, Any]) -> None:
    with LanceStore.open(**place, embedding=None) as store:
        for _ in range(30):
            thread = threading.Thread(target=store.get, args=(("a",), "k"))
            thread.start()
            thread.join()
        assert len(store.database._open) <= 3


def test_a_closed_store_says_so(place: dict[str, Any]) -> None:
    store = LanceStore.open(**place, embedding=None)
    store.put(("a",), "k", {"x": 1})
    store.close()
    with pytest.raises(StoreError, match="the store is closed; open it again"):
        store.get(("a",), "k")
    with pytest.raises(StoreError, match="the store is closed"):
        store.put(("a",), "k", {"x": 2})


def test_a_dropped_connection_is_replaced(postgres_url: str, tmp_path: Path) -> None:
    with LanceStore.open(postgres_url, lance_uri=str(tmp_path), embedding=None) as store:
        store.put(("a",), "k", {"x": 1})
        with pytest.raises(StoreError), store.database.reading() as session:
            session.raw("SELECT pg_terminate_backend(pg_backend_pid())")
        store.put(("a",), "k", {"x": 2})
        item = store.get(("a",), "k")
        assert item is not None
        assert item.value == {"x": 2}


def test_writers_with_other_orders_do_not_block_each_other(postgres_url: str, tmp_path: Path) -> None:
    where: dict[str, Any] = {"uri": postgres_url, "lance_uri": str(tmp_path), "embedding": None}

    def write(step: int) -> None:
        with LanceStore.open(**where) as store:
            for _ in range(15):
                store.batch([PutOp(("a",), f"k{at}", {"by": step}) for at in range(20)[::step]])

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, (1, -1)))
    with LanceStore.open(**where) as store:
        assert len(store.search(("a",), limit=50)) == 20


def test_a_sweep_and_a_refresh_leave_newer_values_alone(place: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"now": 1_000_000_000_000_000}
    monkeypatch.setattr("memory_middleware.storage.clock.now", lambda: clock["now"])
    with LanceStore.open(**place, embedding=None) as first, LanceStore.open(**place, embedding=None) as second:
        first.put(("a",), "k", {"x": "old"}, ttl=1)
        seen = Renewal(*_id_and_path(first), updated_at=clock["now"], expires_at=clock["now"] + 60_000_000)
        second.put(("a",), "k", {"x": "new"}, ttl=1000)
        with first.database.writing() as session:
            ItemRows.refresh(session, [seen._replace(expires_at=clock["now"] + 61_000_000)])
        clock["now"] += 120_000_000
        assert first.sweep_ttl() == 0
        item = first.get(("a",), "k")
        assert item is not None
        assert item.value == {"x": "new"}


def _id_and_path(store: LanceStore) -> tuple[str, str]:
    with store.database.reading() as session:
        (found,) = ItemRows.newest(session, "", 0, 10, 0)
    return found.id, found.path


def test_two_stores_may_share_a_place_for_their_indices(tmp_path: Path) -> None:
    where: dict[str, Any] = {"lance_uri": str(tmp_path / "index"), "embedding": None, "view_rows": 5}
    for name in ("a", "b"):
        with LanceStore.open(tmp_path / name, **where) as store:
            store.batch([PutOp(("s",), f"{name}{at}", {"text": f"word{at}"}) for at in range(30)])
            store.flush()
            store.reindex()
    for name in ("a", "b"):
        with LanceStore.open(tmp_path / name, **where) as store:
            assert [item.key for item in store.search(("s",), query="word7", limit=1)] == [f"{name}7"]
            assert store.fsck().clean


def test_a_trimmed_log_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_middleware.storage.indexer._KEEP_CHANGES", 20)
    with LanceStore.open(tmp_path, embedding=None, view_rows=5) as store:
        store.batch([PutOp(("s",), f"k{at}", {"text": f"word{at}"}) for at in range(100)])
        store.flush()
    with open_store(str(tmp_path)) as store:  # another embedder has an index of its own, which starts at nothing
        assert [item.key for item in store.search(("s",), query="word7", limit=1)] == ["k7"]
        store.flush()
        assert [item.key for item in store.search(("s",), query="word7", limit=1)] == ["k7"]
        assert store.fsck().clean


def test_expired_items_do_not_crowd_out_live_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LanceStore.open(tmp_path, embedding=None, view_rows=5) as store:
        store.batch([PutOp(("s",), f"old{at}", {"text": "tea"}, ttl=0.00001) for at in range(60)])
        store.batch([PutOp(("s",), f"new{at}", {"text": "tea with milk and sugar"}) for at in range(10)])
        time.sleep(0.05)
        monkeypatch.setattr("memory_middleware.storage.wide._LEAST_CANDIDATES", 20)
        with store.database.reading() as session:
            assert len(ItemRows.since(session, 0)) == 70
        store._indexer.drain()
        assert len(store.search(("s",), query="tea", limit=5)) == 5
        assert store.search(("s",), query="tea", limit=0) == []
