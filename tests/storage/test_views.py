"""What a process remembers of its store: complete, current, and no more than it may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import PutOp

from memory_middleware.storage import LanceStore
from memory_middleware.storage.database import Database
from memory_middleware.storage.indexing import Indexing
from memory_middleware.storage.rows import ItemRows
from memory_middleware.storage.view import View
from memory_middleware.storage.views import Views


@pytest.fixture
def store(tmp_path: Path) -> Iterator[LanceStore]:
    """A store that may remember thirty rows."""
    database = Database(f"sqlite:///{tmp_path / 'memory.db'}")
    with LanceStore(
        database, indexing=Indexing(None), lance_uri=str(tmp_path / "index"), view_rows=1000, total_rows=30
    ) as made:
        made.setup()
        yield made


def fill(store: LanceStore, space: str, count: int) -> None:
    store.batch([PutOp((space,), f"{space}{at}", {"text": f"tea number{at}"}) for at in range(count)])


def found(store: LanceStore, *space: str) -> set[str]:
    return {item.key for item in store.search(space, query="tea", limit=2000)}


def held(store: LanceStore) -> int:
    views: dict[str, View] = dict(store._views._views)
    return sum(view.size + 1 for view in views.values())


def test_the_views_loaded_longest_ago_make_room(store: LanceStore) -> None:
    for space in "abcd":
        fill(store, space, 12)
        assert len(found(store, space)) == 12
    assert held(store) == store._views._held <= 30
    for _ in range(3):
        fill(store, "d", 12)
        assert len(found(store, "d")) == 12
        assert held(store) == store._views._held, "replaced rows are counted as long as they are held"
    assert len(found(store, "a")) == 12
    store._views.clear()
    assert store._views._held == 0


def test_a_namespace_larger_than_the_first_look_is_held_whole(store: LanceStore) -> None:
    fill(store, "many", 300)
    assert len(found(store, "many")) == 300


def test_what_comes_while_a_view_is_read_is_added_to_it(
    store: LanceStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, "a", 3)
    fill(store, "b", 3)
    assert len(found(store, "a")) == 3
    below = ItemRows.below
    put: list[str] = []

    def meanwhile(*arguments: Any) -> Any:
        rows = below(*arguments)
        if not put:
            put.append("late")
            store.put(("b",), "late", {"text": "late tea"})
            store.search(("a",), query="tea")  # somebody else follows the log
        return rows

    monkeypatch.setattr(ItemRows, "below", meanwhile)
    assert found(store, "b") == {"b0", "b1", "b2", "late"}
    assert found(store, "b") == {"b0", "b1", "b2", "late"}


def test_a_view_that_nobody_followed_the_log_for_is_not_kept(
    store: LanceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store, "a", 3)
    below = ItemRows.below

    def meanwhile(*arguments: Any) -> Any:
        rows = below(*arguments)
        store._views.clear()
        return rows

    monkeypatch.setattr(ItemRows, "below", meanwhile)
    assert len(found(store, "a")) == 3
    assert not store._views._views


def test_large_prefixes_are_not_counted_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_middleware.storage.views._MOST_LARGE", 2)
    counted: list[str] = []
    count = ItemRows.count

    def counting(session: Any, prefix: str, *limit: int) -> int:
        counted.append(prefix)
        return count(session, prefix, *limit)

    monkeypatch.setattr(ItemRows, "count", counting)
    with LanceStore.open(tmp_path, embedding=None, view_rows=5) as store:
        for space in "abc":
            fill(store, space, 10)
            for _ in range(3):
                assert len(found(store, space)) == 10
        assert len(counted) == 3
        assert len(store._views._large) == 1, "no more are remembered than there is room for"
        monkeypatch.setattr("memory_middleware.storage.views._LARGE_SECONDS", -1.0)
        store._views._large.clear()
        for item in store.search(("a",), limit=8):
            store.delete(("a",), item.key)
        assert len(found(store, "a")) == 2
        assert isinstance(store._views, Views) and store._views._views, "it fits into memory now"


def test_a_ranking_that_too_much_has_happened_since_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memory_middleware.storage.rankings._MOST_CHANGES", 5)
    with LanceStore.open(tmp_path, embedding=None, view_rows=5) as store:
        fill(store, "a", 10)
        assert len(found(store, "a")) == 10
        kept = list(store._executor._wide._rankings._kept.values())
        fill(store, "elsewhere", 3)
        assert len(found(store, "a")) == 10
        assert list(store._executor._wide._rankings._kept.values()) == kept
        fill(store, "elsewhere", 6)
        assert len(found(store, "a")) == 10
        assert list(store._executor._wide._rankings._kept.values()) != kept
