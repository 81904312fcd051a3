"""The store beyond conformance: search, expiry, async, the index, embedders."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore, PutOp
from typing_extensions import TypedDict

from memory_middleware import EmbeddingConfig, MemoryConfig
from memory_middleware.errors import EmbeddingError, InvalidInputError, StoreError
from memory_middleware.storage import LanceStore
from memory_middleware.storage.clock import now as _now
from memory_middleware.storage.database import Statement
from memory_middleware.storage.lance_index import LanceIndex
from memory_middleware.testing import HashEmbeddings

_count = Statement("SELECT 1 FROM store_items")
TEXT = {"dims": 64, "embed": HashEmbeddings(), "fields": ["text"]}


@pytest.fixture
def small(place: dict[str, Any]) -> Iterator[LanceStore]:
    """A store whose views hold next to nothing, so that the index has to help."""
    with LanceStore.open(**place, index=TEXT, view_rows=5) as store:  # type: ignore[arg-type]
        yield store


def keys(found: Sequence[Any]) -> list[str]:
    return [item.key for item in found]


def fill(store: BaseStore, count: int = 40) -> None:
    store.batch(
        [PutOp(("a", str(at % 2)), f"k{at}", {"text": f"dish number{at} with noodles", "n": at}) for at in range(count)]
    )


@pytest.mark.parametrize("flushed", [False, True], ids=["waiting", "indexed"])
def test_more_items_than_a_view_holds_are_searched_alike(small: LanceStore, flushed: bool) -> None:
    fill(small)
    if flushed:
        assert small.flush() == 40
    assert keys(small.search(("a",), query="number7 dish", limit=1)) == ["k7"]
    assert keys(small.search(("a", "0"), query="number7", limit=50))[:1] != ["k7"]
    found = small.search(("a",), query="dish noodles", filter={"n": {"$gte": 38}}, limit=10)
    assert sorted(keys(found)) == ["k38", "k39"]
    pages = [keys(small.search(("a",), query="dish noodles", limit=15, offset=at)) for at in (0, 15, 30)]
    assert [len(page) for page in pages] == [15, 15, 10]
    assert len({key for page in pages for key in page}) == 40


def test_what_the_index_has_not_seen_is_found_and_what_is_gone_is_not(small: LanceStore) -> None:
    fill(small)
    small.flush()
    small.put(("a", "1"), "new", {"text": "a zebra"})
    small.put(("a", "1"), "k7", {"text": "a giraffe"})
    small.delete(("a", "0"), "k8")
    for _ in range(2):
        assert keys(small.search(("a",), query="zebra", limit=1)) == ["new"]
        assert keys(small.search(("a",), query="giraffe", limit=1)) == ["k7"]
        assert "k8" not in keys(small.search(("a",), query="number8 dish", limit=50))
        small.flush()
    assert small.fsck().clean


def test_a_missing_or_broken_index_costs_no_result(small: LanceStore, tmp_path: Path) -> None:
    fill(small)
    small.flush()
    folder = Path(small._index.uri)
    for path in sorted(folder.rglob("*.lance"), reverse=True):
        if path.is_file():
            path.write_bytes(b"broken")
    assert keys(small.search(("a",), query="number7", limit=1)) == ["k7"]
    report = small.fsck()
    assert report.repaired
    assert small.fsck().clean
    assert keys(small.search(("a",), query="number7", limit=1)) == ["k7"]


def test_too_many_waiting_changes_are_searched_without_the_index(
    small: LanceStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(small)
    monkeypatch.setattr("memory_middleware.storage.wide._MOST_WAITING", 3)
    monkeypatch.setattr("memory_middleware.storage.wide._CHUNK", 7)
    assert keys(small.search(("a",), query="number7", limit=1)) == ["k7"]
    assert len(small.search(("a",), query="dish noodles", limit=15)) == 15


def test_the_index_is_built_anew_while_it_is_read(small: LanceStore) -> None:
    fill(small)
    small.flush()
    seen: list[tuple[int, int]] = []
    assert small.reindex(progress=lambda done, total: seen.append((done, total))) == 40
    assert seen[-1] == (40, 40)
    small.put(("a", "1"), "new", {"text": "a zebra"})
    small.flush()
    assert small.fsck().clean
    assert keys(small.search(("a",), query="zebra", limit=1)) == ["new"]


def test_another_embedder_needs_new_vectors(place: dict[str, Any]) -> None:
    with LanceStore.open(**place, embedding=HashEmbeddings(32)) as store:
        fill(store, 10)
        store.put(("a", "0"), "plain", {"text": "not searched"}, index=False)
    with pytest.raises(
        StoreError, match="made by HashEmbeddings:hash-32 with 32 dimensions, not by HashEmbeddings:hash-64"
    ):
        LanceStore.open(**place, embedding=HashEmbeddings(64))
    with (
        LanceStore.open(**place, embedding=HashEmbeddings(32)) as store,
        LanceStore.open(**place, embedding=HashEmbeddings(32)) as other,
    ):
        assert keys(other.search(("a",), query="number7", limit=1)) == ["k7"]
        assert store.reindex(HashEmbeddings(64)) == 11
        assert keys(store.search(("a",), query="number7", limit=1)) == ["k7"]
        assert "plain" not in keys(store.search(("a",), query="not searched", limit=20))
        with pytest.raises(StoreError, match="made by HashEmbeddings:hash-64"):
            other.put(("a",), "k", {"text": "x"})
        with pytest.raises(StoreError, match="made by HashEmbeddings:hash-64"):
            other.search(("a",), query="number7")
    with LanceStore.open(**place, embedding=HashEmbeddings(64)) as store:
        assert keys(store.search(("a",), query="number7", limit=1)) == ["k7"]
    with LanceStore.open(**place, embedding=None) as store:
        assert keys(store.search(("a",), query="number7", limit=1)) == ["k7"]


def test_an_item_with_several_texts_counts_by_its_best(place: dict[str, Any]) -> None:
    with LanceStore.open(**place, index={"dims": 64, "embed": HashEmbeddings(), "fields": ["parts[*]"]}) as store:
        store.put(("a",), "many", {"parts": ["red car", "green tea", "blue boat"]})
        store.put(("a",), "one", {"parts": ["red bicycle"]})
        store.put(("a",), "none", {"parts": []})
        assert keys(store.search(("a",), query="green tea"))[0] == "many"
        assert "none" not in keys(store.search(("a",), query="green tea"))
        store.flush()
        assert store.fsck().clean


def test_the_local_default_finds_meaning_and_words(tmp_path: Path) -> None:
    with LanceStore.open(tmp_path) as store:
        store.put(("a",), "pet", {"text": "My dog Bruno loves the beach"})
        store.put(("a",), "job", {"text": "I work as an accountant"})
        store.put(("a",), "zh", {"text": "我的项目叫港湾，十二月十一日截止"})
        assert keys(store.search(("a",), query="which animal do I have?", limit=1)) == ["pet"]
        assert keys(store.search(("a",), query="Bruno", limit=1)) == ["pet"]
        assert keys(store.search(("a",), query="港湾项目什么时候截止", limit=1)) == ["zh"]


def test_expired_items_are_invisible_at_once(store: LanceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put(("a",), "short", {"text": "green tea"}, ttl=1)
    store.put(("a",), "long", {"text": "green tea"}, ttl=None)
    assert sorted(keys(store.search(("a",), query="tea", refresh_ttl=False))) == ["long", "short"]
    later = _now() + 61_000_000
    monkeypatch.setattr("memory_middleware.storage.clock.now", lambda: later)
    assert store.get(("a",), "short") is None
    assert keys(store.search(("a",), query="tea")) == ["long"]
    assert keys(store.search(("a",))) == ["long"]
    assert store.sweep_ttl() == 1
    assert store.sweep_ttl() == 0
    store.put(("a",), "short", {"text": "black tea"})
    item = store.get(("a",), "short")
    assert item is not None
    assert item.value == {"text": "black tea"}


def test_reading_lengthens_a_life_unless_told_otherwise(place: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with LanceStore.open(**place, embedding=None, ttl={"default_ttl": 1, "refresh_on_read": True}) as store:
        start = _now()
        clock = {"now": start}
        monkeypatch.setattr("memory_middleware.storage.clock.now", lambda: clock["now"])
        store.put(("a",), "read", {"x": 1})
        store.put(("a",), "unread", {"x": 1})
        clock["now"] = start + 50_000_000
        assert store.get(("a",), "read") is not None
        assert store.get(("a",), "unread", refresh_ttl=False) is not None
        clock["now"] = start + 100_000_000
        assert store.get(("a",), "read") is not None
        assert store.get(("a",), "unread") is None
        assert keys(store.search(("a",))) == ["read"]


def test_the_sweeper_runs_in_the_background(place: dict[str, Any]) -> None:
    with LanceStore.open(**place, embedding=None, ttl={"default_ttl": 0.0001}) as store:
        store.put(("a",), "k", {"x": 1})
        done = store.start_ttl_sweeper(0.001)
        for _ in range(100):
            with store.database.reading() as session:
                if not session.all(_count):
                    break
            time.sleep(0.05)
        assert store.list_namespaces() == []
        store.start_ttl_sweeper(0.001)
        assert store.stop_ttl_sweeper(5)
        assert done.done()
        assert store.stop_ttl_sweeper(1)


def test_async_calls_do_what_sync_calls_do(store: LanceStore) -> None:
    async def talk() -> list[Any]:
        async with store:
            await asyncio.gather(*(store.aput(("a",), f"k{at}", {"text": f"tea {at}"}) for at in range(20)))
            item = await store.aget(("a",), "k3")
            found = await store.asearch(("a",), query="tea", limit=50)
            await store.adelete(("a",), "k3")
            return [item and item.value, len(found), await store.aget(("a",), "k3"), await store.alist_namespaces()]

    assert asyncio.run(talk()) == [{"text": "tea 3"}, 20, None, [("a",)]]


class State(TypedDict):
    text: str


def test_a_graph_can_be_compiled_with_it(tmp_path: Path) -> None:
    def remember(state: State, *, store: BaseStore) -> State:
        store.put(("notes",), "last", {"text": state["text"]})
        return state

    with LanceStore.open(tmp_path, embedding=None) as store:
        builder = StateGraph(State)
        builder.add_node("remember", remember)
        builder.add_edge(START, "remember")
        builder.add_edge("remember", END)
        graph = builder.compile(store=store)
        graph.invoke({"text": "hi"})
        asyncio.run(graph.ainvoke({"text": "again"}))
        item = store.get(("notes",), "last")
        assert item is not None
        assert item.value == {"text": "again"}


def test_from_config_and_from_conn_string(tmp_path: Path) -> None:
    config = MemoryConfig(storage={"path": str(tmp_path / "m")}, embedding=None)
    with LanceStore.from_config(config) as store:
        store.put(("a",), "k", {"x": 1})
    with LanceStore.from_conn_string(str(tmp_path / "m")) as store:
        store.setup()
        assert store.get(("a",), "k") is not None
    with LanceStore.from_conn_string(":memory:") as store:
        assert store.get(("a",), "k") is None
    with LanceStore.open(tmp_path / "e", embedding=EmbeddingConfig(provider="local", model="wordllama")) as store:
        store.put(("a",), "k", {"text": "tea"})
        assert keys(store.search(("a",), query="tea")) == ["k"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"x": float("nan")}, "the value of 'k' in ('a',) cannot be kept as JSON"),
        ({"x": object()}, "object has no JSON form"),
    ],
)
def test_what_json_cannot_hold_is_refused(store: LanceStore, value: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        store.put(("a",), "k", value)
    assert message in str(caught.value)
    assert store.get(("a",), "k") is None


def test_times_sets_and_models_become_json(store: LanceStore) -> None:
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    store.put(("a",), "k", {"at": moment, "set": {1}, "model": EmbeddingConfig(provider="p", model="m")})
    item = store.get(("a",), "k")
    assert item is not None
    assert item.value["at"] == "2026-01-02T00:00:00+00:00"
    assert item.value["set"] == [1]
    assert item.value["model"]["provider"] == "p"


def test_negative_pages_are_refused(store: LanceStore) -> None:
    with pytest.raises(InvalidInputError, match="limit and offset must be"):
        store.search(("a",), limit=-1)


class Failing(Embeddings):
    """An embedder that gives what it was told to."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if isinstance(self._answer, Exception):
            raise self._answer
        made: list[list[float]] = self._answer
        return made

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (RuntimeError("offline"), "the embedder 'Failing' failed on 1 texts: offline"),
        ([], "gave 0 vectors for 1 texts"),
        ([[1.0, 2.0, 3.0]], "gave vectors of (3,), not (2,)"),
        ([[float("nan"), 1.0]], "gave a vector that is not finite"),
        ([["one", "two"]], "gave what is no vector"),
    ],
)
def test_a_failing_embedder_writes_nothing(tmp_path: Path, answer: Any, message: str) -> None:
    with LanceStore.open(tmp_path, index={"dims": 2, "embed": Failing(answer)}) as store:
        with pytest.raises(EmbeddingError) as caught:
            store.put(("a",), "k", {"text": "x"})
        assert message in str(caught.value)
        with pytest.raises(EmbeddingError):
            asyncio.run(store.aput(("a",), "k", {"text": "x"}))
        assert store.get(("a",), "k") is None


def test_an_embedder_that_joins_later_is_used_for_what_follows(place: dict[str, Any]) -> None:
    with LanceStore.open(**place, embedding=None) as store:
        store.put(("a",), "words", {"text": "green tea"})
    with LanceStore.open(**place, embedding=HashEmbeddings(64)) as store:
        assert keys(store.search(("a",), query="tea")) == ["words"]
        store.put(("a",), "vector", {"text": "black tea"})
        assert sorted(keys(store.search(("a",), query="tea"))) == ["vector", "words"]
        assert store.index_config is not None
        assert store.index_config["dims"] == 64
        assert store.embeddings is not None


def test_vectors_are_made_once_for_each_text(tmp_path: Path) -> None:
    with LanceStore.open(tmp_path, index=TEXT) as store:  # type: ignore[arg-type]
        for at in range(10):
            store.put(("a",), f"k{at}", {"text": "the same"})
        assert store.embedding_stats == (9, 0, 1)
        assert store.embedding_stats.hit_rate == 0.9


def test_namespaces_are_current_whoever_writes(place: dict[str, Any]) -> None:
    with LanceStore.open(**place, embedding=None) as first, LanceStore.open(**place, embedding=None) as second:
        first.put(("a",), "k", {"x": 1})
        assert first.list_namespaces() == [("a",)]
        second.put(("b", "c"), "k", {"x": 1})
        assert first.list_namespaces() == first.list_namespaces() == [("a",), ("b", "c")]
        second.delete(("a",), "k")
        assert first.list_namespaces() == [("b", "c")]
        second.put(("d",), "k", {"x": 1}, ttl=0.001)
        time.sleep(0.08)
        assert first.list_namespaces() == [("b", "c")]
        with pytest.raises(RuntimeError), first.database.writing():
            first.put(("e",), "k", {"x": 1})
            assert ("e",) in first.list_namespaces()
            raise RuntimeError
        assert first.list_namespaces() == [("b", "c")]


@pytest.mark.parametrize("flushed", [False, True], ids=["in the background", "flushed"])
def test_old_versions_of_the_index_go_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flushed: bool
) -> None:
    monkeypatch.setattr("memory_middleware.storage.indexer._TIDY_SECONDS", (0.1, 0.1))
    tidied: list[int] = []
    monkeypatch.setattr(LanceIndex, "maintain", lambda _index: tidied.append(1))
    with LanceStore.open(tmp_path, embedding=None) as store:
        store._indexer._quiet = 0.2 if flushed else 0.0
        store.put(("a",), "k", {"text": "tea"})
        if flushed:
            store.flush()
        deadline = time.monotonic() + 30
        while len(tidied) < 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.5)
    assert len(tidied) == 2, "once when the writes have ended, and once when readers have gone"


def test_the_mode_of_search_is_chosen(tmp_path: Path) -> None:
    found = {}
    for mode in ("hybrid", "dense", "lexical"):
        with LanceStore.open(tmp_path / mode, index=TEXT, mode=mode) as store:  # type: ignore[arg-type]
            for at, text in enumerate(["green tea", "teapots", "a red car"]):
                store.put(("a",), f"k{at}", {"text": text})
            found[mode] = keys(store.search(("a",), query="green tea"))
    assert found["lexical"] == ["k0"]
    assert found["dense"][0] == found["hybrid"][0] == "k0"
    assert len(found["dense"]) == len(found["hybrid"]) == 3
    with pytest.raises(InvalidInputError, match="mode must be"):
        LanceStore.open(tmp_path / "x", mode="magic")  # type: ignore[arg-type]
