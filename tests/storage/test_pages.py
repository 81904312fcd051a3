"""Pages of a search and of a listing: walked to the end, they hold every item exactly once."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.store.base import BaseStore, PutOp

from memory_middleware.errors import StoreError
from memory_middleware.storage import LanceStore
from memory_middleware.storage.lance_index import LanceIndex
from memory_middleware.storage.rankings import Ranking, Rankings
from memory_middleware.storage.rows import ItemRow
from memory_middleware.storage.view import Hit
from memory_middleware.testing import HashEmbeddings

TEXT: Any = {"dims": 64, "embed": HashEmbeddings(), "fields": ["text"]}
COUNT = 300
SPACE = ("dishes",)


@pytest.fixture(autouse=True)
def few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the index give few candidates at once, so that a walk goes through several depths."""
    monkeypatch.setattr("memory_middleware.storage.wide._LEAST_CANDIDATES", 16)


def opened(place: dict[str, Any], **options: Any) -> LanceStore:
    return LanceStore.open(**place, **{"index": TEXT, "view_rows": 5, **options})


def fill(store: BaseStore, text: Callable[[int], str], count: int = COUNT, **options: Any) -> None:
    store.batch([PutOp((*SPACE, str(at % 3)), f"k{at}", {"text": text(at), "n": at}, **options) for at in range(count)])


def varied(at: int) -> str:
    return f"dish number{at} with {'noodles' if at % 2 else 'rice'} {'and tofu ' * (at % 5)}of room{at % 7}"


def walk(ask: Callable[[int], list[Any]], size: int) -> list[Any]:
    """Read pages until one is not full."""
    found: list[Any] = []
    for offset in itertools.count(0, size):
        page = ask(offset)
        found += page
        if len(page) < size:
            return found
    raise AssertionError


@pytest.mark.parametrize("size", [7, 64, 250])
@pytest.mark.parametrize("mode", ["hybrid", "dense", "lexical"])
def test_a_walk_through_the_index_meets_every_item_once(tmp_path: Path, mode: str, size: int) -> None:
    with opened({"uri": tmp_path}, mode=mode) as store:
        fill(store, varied)
        store.flush()
        found = walk(lambda at: store.search(SPACE, query="tofu dish room3", limit=size, offset=at), size)
        assert sorted(item.value["n"] for item in found) == list(range(COUNT))
        scores = [item.score for item in found]
        assert scores == sorted(scores, reverse=True)
        whole = store.search(SPACE, query="tofu dish room3", limit=COUNT)
        assert [item.key for item in found] == [item.key for item in whole]


def test_two_processes_see_the_same_pages(place: dict[str, Any]) -> None:
    with opened(place) as first, opened(place) as second:
        fill(first, varied)
        first.flush()
        stores = itertools.cycle([first, second])
        found = walk(lambda at: next(stores).search(SPACE, query="noodles room5", limit=13, offset=at), 13)
        assert sorted(item.value["n"] for item in found) == list(range(COUNT))


@pytest.mark.parametrize("mode", ["hybrid", "dense", "lexical"])
def test_items_that_are_all_alike_are_met_once(tmp_path: Path, mode: str) -> None:
    with opened({"uri": tmp_path}, mode=mode) as store:
        fill(store, lambda _at: "always the same dish")
        store.flush()
        found = walk(lambda at: store.search(SPACE, query="same dish", limit=11, offset=at), 11)
        assert sorted(item.value["n"] for item in found) == list(range(COUNT))


def test_a_walk_goes_on_while_the_index_follows(tmp_path: Path) -> None:
    with opened({"uri": tmp_path}) as store:
        store._indexer.stop()  # only this test moves the index
        fill(store, varied)

        def ask(at: int) -> list[Any]:
            found = store.search(SPACE, query="rice room2", limit=20, offset=at)
            if at == 40:
                assert store.flush() > COUNT
            if at == 100:
                store.reindex()
            store.put(("elsewhere",), f"k{at}", {"text": "rice of somebody else"})
            return found

        found = walk(ask, 20)
        assert sorted(item.value["n"] for item in found) == list(range(COUNT))


def test_a_walk_without_the_index_meets_every_item_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memory_middleware.storage.wide._MOST_WAITING", 3)
    monkeypatch.setattr("memory_middleware.storage.wide._CHUNK", 70)
    with opened({"uri": tmp_path}) as first, opened({"uri": tmp_path}) as second:
        for store in (first, second):
            store._indexer.stop()
        fill(first, lambda at: "always the same dish" if at % 2 else varied(at))
        stores = itertools.cycle([first, second])
        found = walk(lambda at: next(stores).search(SPACE, query="same dish", limit=9, offset=at), 9)
        assert sorted(item.value["n"] for item in found) == list(range(COUNT))


def test_a_filter_is_walked_through_too(place: dict[str, Any]) -> None:
    with opened(place) as store:
        fill(store, varied)
        store.flush()
        third: dict[str, Any] = {"n": {"$gte": 200}}
        found = walk(lambda at: store.search(SPACE, query="rice", filter=third, limit=8, offset=at), 8)
        assert sorted(item.value["n"] for item in found) == list(range(200, COUNT))
        assert store.search(SPACE, query="rice", limit=8)[0].value["n"] % 2 == 0


def test_reading_that_lengthens_lives_moves_no_page(place: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"now": 1_000_000_000_000_000}
    monkeypatch.setattr("memory_middleware.storage.clock.now", lambda: clock["now"])
    with opened(place, ttl={"refresh_on_read": True}) as store:
        fill(store, varied, ttl=1)
        store.flush()

        def ask(at: int) -> list[Any]:
            clock["now"] += 2_000_000
            return store.search(SPACE, query="tofu", limit=25, offset=at)

        assert sorted(item.value["n"] for item in walk(ask, 25)) == list(range(COUNT))


def test_what_changes_between_two_searches_is_seen_in_the_second(tmp_path: Path) -> None:
    with opened({"uri": tmp_path}) as store:
        fill(store, varied)
        store.flush()
        assert store.search(SPACE, query="number7", limit=1)[0].key == "k7"
        store.put((*SPACE, "0"), "new", {"text": "number7", "n": 1000})
        assert store.search(SPACE, query="number7", limit=1)[0].key == "new"
        store.delete((*SPACE, "0"), "new")
        assert store.search(SPACE, query="number7", limit=1)[0].key == "k7"
        with pytest.raises(RuntimeError), store.database.writing():
            store.put((*SPACE, "0"), "undone", {"text": "number7", "n": 1001})
            assert store.search(SPACE, query="number7", limit=1)[0].key == "undone"
            raise RuntimeError
        assert store.search(SPACE, query="number7", limit=1)[0].key == "k7"
        store.put((*SPACE, "0"), "short", {"text": "number7", "n": 1002}, ttl=0.005)
        assert store.search(SPACE, query="number7", limit=1, refresh_ttl=False)[0].key == "short"
        time.sleep(0.4)
        assert store.search(SPACE, query="number7", limit=1)[0].key == "k7"


def test_what_comes_while_a_search_goes_deeper_takes_its_place_in_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened({"uri": tmp_path}) as store, opened({"uri": tmp_path}) as other:
        fill(store, varied)
        store.flush()
        store.search(SPACE, query="number7", limit=5)
        nearest = LanceIndex.nearest

        def meanwhile(*arguments: Any, **options: Any) -> Any:
            other.put((*SPACE, "0"), "new", {"text": "number7", "n": 1000})
            return nearest(*arguments, **options)

        monkeypatch.setattr(LanceIndex, "nearest", meanwhile)
        store.search(SPACE, query="number7", limit=100)
        monkeypatch.undo()
        assert store.search(SPACE, query="number7", limit=1)[0].key == "new"


def test_an_index_that_breaks_during_a_walk_costs_no_item(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened({"uri": tmp_path}) as store:
        fill(store, varied)
        store.flush()

        def broken(*_arguments: Any, **_options: Any) -> Any:
            raise StoreError("gone")

        def ask(at: int) -> list[Any]:
            if at == 20:
                monkeypatch.setattr(LanceIndex, "nearest", broken)
            return store.search(SPACE, query="tofu", limit=10, offset=at)

        assert sorted(item.value["n"] for item in walk(ask, 10)) == list(range(COUNT))


@pytest.mark.parametrize("condition", [None, {"n": {"$gte": 0}}], ids=["plain", "filtered"])
def test_a_listing_meets_every_item_once(place: dict[str, Any], condition: dict[str, Any] | None) -> None:
    with LanceStore.open(**place, embedding=None) as store:
        fill(store, varied)
        found = walk(lambda at: store.search(SPACE, filter=condition, limit=17, offset=at), 17)
        assert sorted(item.value["n"] for item in found) == list(range(COUNT))


def hit(name: str, score: float) -> Hit:
    return Hit(ItemRow(name, "", "[]", '""', "{}", 1, 1, None, None, None, None), score)


HITS = st.lists(st.builds(hit, st.sampled_from("abcdefgh"), st.floats(-1, 1)), max_size=12)


@given(st.lists(HITS, max_size=4))
def test_a_ranking_holds_each_item_once_and_never_rises(parts: list[list[Hit]]) -> None:
    ranking = Ranking("", 0)
    seen: list[str] = []
    for part in parts:
        before = ranking.page(0, 100)
        ranking.add(part)
        assert list(ranking.page(0, len(before)).items()) == list(before.items())
        seen += [found.row.id for found in part]
    page = ranking.page(0, 100)
    assert list(page) == list(dict.fromkeys(seen))
    assert list(page.values()) == sorted(page.values(), reverse=True)
    assert len(ranking) == len(page)


@pytest.fixture
def rankings() -> Iterator[Rankings]:
    yield Rankings(most=3, most_items=10)


def test_the_rankings_used_last_are_remembered(rankings: Rankings) -> None:
    for name in "abc":
        rankings.keep(name, Ranking("", 0))
    assert rankings.find("a") is not None
    rankings.keep("d", Ranking("", 0))
    assert rankings.find("b") is None
    large = Ranking("", 0)
    large.add(hit(f"{at}", 0.0) for at in range(11))
    rankings.keep("large", large)
    assert rankings.find("large") is large
    assert rankings.find("a") is None
