"""What goes on behind a store: following with the index, new embedders, forks, and closing in the middle of it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import lancedb
import pytest
from langgraph.store.base import PutOp
from sqlalchemy import text

from memory_middleware import MemoryType, Scope
from memory_middleware.errors import InvalidInputError
from memory_middleware.storage import LanceStore, encode_label
from memory_middleware.storage.database import Statement
from memory_middleware.storage.fork_lock import ForkLock
from memory_middleware.storage.lance_index import LanceIndex
from memory_middleware.storage.state import set_meta
from memory_middleware.testing import HashEmbeddings
from tests.storage.workers import open_store, search_after_fork, write_with_locks_held

FACTS = Statement("SELECT name FROM store_meta ORDER BY name")


def fill(store: LanceStore, count: int) -> None:
    store.batch([PutOp(("a",), f"k{at}", {"text": f"tea number{at}"}) for at in range(count)])


def test_closing_waits_for_one_batch_of_the_index_and_not_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_middleware.storage.indexer._BATCH", 10)
    batches: list[int] = []
    writing, closing = threading.Event(), threading.Event()
    replace = LanceIndex.replace

    def slowly(index: LanceIndex, stale: Any, rows: Any) -> None:
        batches.append(len(rows))
        writing.set()
        assert closing.wait(60)
        replace(index, stale, rows)

    monkeypatch.setattr(LanceIndex, "replace", slowly)
    store = open_store(str(tmp_path))
    store._indexer._quiet = 0.0
    fill(store, 200)
    assert writing.wait(60)
    stop = store._indexer.stop

    def stop_while_it_writes() -> None:
        threading.Timer(0.1, closing.set).start()
        stop()

    monkeypatch.setattr(store._indexer, "stop", stop_while_it_writes)
    store.close()
    assert len(batches) == 1
    monkeypatch.undo()
    with open_store(str(tmp_path)) as again:
        assert again.flush() == 190
        assert again.fsck().clean


def test_closing_leaves_the_index_to_the_process_that_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(str(tmp_path))
    with store.database.writing() as session:
        set_meta(session, f"lease:{store._index.name}", [f"elsewhere/1/{'0' * 32}", 1 << 60])
    asked = threading.Event()
    renew = store._indexer._renew

    def asking() -> bool:
        asked.set()
        return renew()

    monkeypatch.setattr(store._indexer, "_renew", asking)
    store._indexer._quiet = 0.0
    fill(store, 3)
    assert asked.wait(60)
    store.close()  # the lease is not given up in our time
    assert store._indexer._thread is not None
    assert not store._indexer._thread.is_alive()


class Counting(HashEmbeddings):
    """Counts the texts it is given."""

    def __init__(self, dim: int) -> None:
        super().__init__(dim)
        self.texts: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.texts += texts
        return super().embed_documents(texts)


def test_items_with_many_texts_are_embedded_once_each(tmp_path: Path) -> None:
    index: Any = {"dims": 8, "embed": HashEmbeddings(8), "fields": ["parts[*]"]}
    with LanceStore.open(tmp_path, index=index) as store:
        texts = [[f"item{at} part{part}" for part in range(100)] for at in range(60)]
        store.batch([PutOp(("a",), f"k{at}", {"parts": parts}) for at, parts in enumerate(texts)])
        counting = Counting(16)
        assert store.reindex(counting) == 60
        assert sorted(counting.texts) == sorted(text for parts in texts for text in parts)
        assert store._indexing._vectors is not None
        assert len(store._indexing._vectors._known) <= 4096, "they were remembered until written, and no longer"
        assert store.search(("a",), query="item7 part3", limit=1)[0].key == "k7"


def test_the_index_is_rewritten_when_much_has_come_and_not_with_every_batch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_middleware.storage.lance_index._LEAST_TAIL", 20)
    monkeypatch.setattr("memory_middleware.storage.lance_index._MOST_TAIL", 50)
    monkeypatch.setattr("memory_middleware.storage.indexer._MOST_PARTS", 5)
    rewritten: list[int] = []
    maintain = LanceIndex.maintain

    def telling(index: LanceIndex) -> None:
        rewritten.append(index.count())
        maintain(index)

    monkeypatch.setattr(LanceIndex, "maintain", telling)
    with open_store(str(tmp_path)) as store:
        store._indexer.stop()
        for at in range(0, 260, 10):
            store.batch([PutOp(("a",), f"k{at + one}", {"text": f"tea number{at + one}"}) for one in range(10)])
            store.flush()
        assert rewritten == [20, 40, 80, 130, 180, 230], "doubled, or fifty more, or five batches"
        for at in range(5):
            store.put(("a",), f"single{at}", {"text": "tea"})
            store.flush()
        assert rewritten[6:] == [262]
        assert not store._index.at(99).needs_upkeep(), "what is not there needs nothing"
        assert store.fsck().clean
        assert len(store.search(("a",), query="tea", limit=300)) == 265


def tables(store: LanceStore) -> list[str]:
    return sorted(lancedb.connect(store._index.uri).list_tables(limit=100).tables)


def test_the_tables_of_earlier_embedders_are_dropped(place: dict[str, Any]) -> None:
    with LanceStore.open(**place, embedding=None) as words:
        fill(words, 5)
        words.flush()
    with LanceStore.open(**place, embedding=HashEmbeddings(8)) as store:
        fill(store, 6)
        store.flush()
        earlier = store._index.name
        assert len(tables(store)) == 2
        for dims in (16, 24):
            store.reindex(HashEmbeddings(dims))
            name = store._index.name
            assert tables(store) == [f"{words._index.name}_0", f"{name}_1"]
        with store.database.reading() as session:
            facts = [row[0] for row in session.all(FACTS)]
        assert f"index:{name}" in facts
        assert not [fact for fact in facts if earlier in fact]
        assert store.fsck().clean
    with LanceStore.open(**place, embedding=None) as words:
        words.reindex()
        assert len(tables(words)) == 2, "whoever has no embedder drops nobody's vectors"
        assert words.fsck().clean


def test_what_a_killed_rebuild_left_is_dropped(tmp_path: Path) -> None:
    with open_store(str(tmp_path)) as store:
        fill(store, 5)
        store.flush()
        for generation in range(5, 25):  # more than LanceDB lists at once
            store._index.at(generation).replace([], [])
        store.reindex()
        assert tables(store) == [f"{store._index.name}_1"]


@pytest.mark.parametrize("index_used", [False, True], ids=["index unused", "index used"])
def test_a_forked_child_searches_all_the_same(tmp_path: Path, processes: Any, index_used: bool) -> None:
    ours, theirs = processes.Pipe(duplex=False)
    worker = processes.Process(target=search_after_fork, args=(str(tmp_path), index_used, theirs))
    worker.start()
    assert ours.poll(60)
    status, told, found = ours.recv()
    worker.join()
    assert (status, found) == (0, 41)
    assert ("forked" in told) is index_used


def test_a_fork_while_others_hold_locks_does_not_hang_the_child(tmp_path: Path, processes: Any) -> None:
    ours, theirs = processes.Pipe(duplex=False)
    worker = processes.Process(target=write_with_locks_held, args=(str(tmp_path), theirs))
    worker.start()
    assert ours.poll(60), "the child waits for a lock that nobody will open"
    assert ours.recv() == 0
    worker.join()


def test_a_lock_is_held_by_one_at_a_time() -> None:
    lock, count = ForkLock(), 0

    def add() -> None:
        nonlocal count
        for _ in range(2000):
            with lock:
                before = count
                count = before + 1

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count == 8000


def test_a_namespace_of_many_labels_is_kept_or_refused_clearly(place: dict[str, Any]) -> None:
    with LanceStore.open(**place, embedding=None) as store:
        deep = tuple(f"label{at}" for at in range(400))
        store.put(deep[:100], "k", {"text": "tea"})
        assert [item.key for item in store.search(deep[:60], query="tea")] == ["k"]
        assert store.list_namespaces(max_depth=2) == [deep[:2]]
        if store.database.is_sqlite:
            store.put(deep, "deep", {"text": "tea"})
            assert [item.key for item in store.search(deep[:200])] == ["deep"]
        else:
            with pytest.raises(InvalidInputError, match="has up to 110 labels, not 400; use fewer"):
                store.put(deep, "deep", {"text": "tea"})
            store.put(deep[:110], "deepest", {"text": "tea"})
        assert store.get(deep, "k") is None
        assert store.search(deep, query="tea") == [] or store.database.is_sqlite
        store.flush()
        assert store.fsck().clean


def test_a_profile_holds_the_character_nul_on_every_database(place: dict[str, Any]) -> None:
    ana, odd = Scope("ana\0"), "terse\0, \\u0000"
    with LanceStore.open(**place, embedding=None) as store:
        profiles = store.memories.profiles
        profiles.patch(ana, MemoryType.USER, {"preferences": {"communication_style": odd}})
        found = profiles.load(ana, MemoryType.USER).content.model_dump()
        assert found["preferences"]["communication_style"] == odd
        [version, *_] = profiles.history.newest(ana, MemoryType.USER, limit=1)
        assert version.content == profiles.load(ana, MemoryType.USER).content


def test_profiles_of_an_older_database_are_kept_and_hold_nul_from_then_on(postgres_url: str, tmp_path: Path) -> None:
    place: dict[str, Any] = {"uri": postgres_url, "lance_uri": str(tmp_path / "index")}
    ana, said = Scope("ana"), {"preferences": {"communication_style": "terse"}}
    with LanceStore.open(**place, embedding=None) as store:
        store.memories.profiles.patch(ana, MemoryType.USER, said)
        with store.database.core() as connection:
            connection.execute(text("ALTER TABLE memories ALTER COLUMN content TYPE jsonb"))
            connection.execute(text("UPDATE store_meta SET value = '3' WHERE name = 'schema_version'"))
    with LanceStore.open(**place, embedding=None) as store:
        profiles = store.memories.profiles
        assert profiles.load(ana, MemoryType.USER).content.model_dump()["preferences"]["communication_style"] == "terse"
        profiles.patch(ana, MemoryType.USER, {"occupation": "poet\0"})
        assert profiles.load(ana, MemoryType.USER).content.model_dump()["occupation"] == "poet\0"


def test_nul_and_half_characters_are_kept_everywhere(place: dict[str, Any]) -> None:
    with LanceStore.open(**place, embedding=HashEmbeddings(8)) as store:
        for odd in ("a\0b", "\0", "half \ud800 character", "quote ' \" \\u0000"):
            space = ("odd", encode_label(odd))
            store.put(space, odd, {"text": f"tea {odd}", odd: [odd, {odd: odd}]})
            item = store.get(space, odd)
            assert item is not None
            assert item.value == {"text": f"tea {odd}", odd: [odd, {odd: odd}]}
            (found,) = store.search(space, query=f"tea {odd}", filter={"text": f"tea {odd}"})
            assert (found.namespace, found.key) == (space, odd)
        assert len(store.list_namespaces(prefix=("odd",))) == 4
        store.flush()
        assert store.fsck().clean
