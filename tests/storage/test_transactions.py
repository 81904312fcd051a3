"""Transactions within transactions, writers that give up, and what must not be done inside one."""

from __future__ import annotations

import asyncio
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memory_middleware import LanceStore, MemoryRecord, Scope, encode_label, recall_records
from memory_middleware.errors import InvalidInputError, StoreError
from tests.storage.workers import open_store

ANA = Scope("ana")


def fact(content: str, **fields: Any) -> MemoryRecord:
    return MemoryRecord.create("ana", content, **fields)


def test_a_part_that_fails_is_undone_by_itself(store: LanceStore) -> None:
    records = store.memories.records
    records.put(ANA, [fact("x", id="x")])
    with store.database.writing():
        store.put(("a",), "before", {"n": 1})
        with pytest.raises(InvalidInputError):
            records.put(ANA, [fact("y", id="y"), fact("x", id="x", kind="preference")])
        with pytest.raises(StoreError), store.database.writing() as session:
            session.raw("SELECT * FROM nowhere")
        store.put(("a",), "after", {"n": 2})
    assert sorted(item.key for item in store.search(("a",))) == ["after", "before"]
    assert [record.id for record in records.newest(ANA)] == ["x"]
    assert store.get(("memories", "ana", "preference"), "x") is None


def test_an_undivided_transaction_is_undone_by_any_part_that_fails(store: LanceStore) -> None:
    undivided = store.database.writing(undivided=True)
    with pytest.raises(StoreError, match="a part of the transaction failed"), undivided:
        store.put(("a",), "before", {"n": 1})
        with pytest.raises(StoreError), store.database.writing() as session:
            session.raw("SELECT * FROM nowhere")
    assert store.search(("a",)) == []
    with store.database.writing(undivided=True):
        store.put(("a",), "whole", {"n": 1})
    assert [item.key for item in store.search(("a",))] == ["whole"]


def test_a_connection_that_is_lost_takes_its_transaction_along(postgres_url: str, tmp_path: Path) -> None:
    with LanceStore.open(postgres_url, lance_uri=str(tmp_path), embedding=None) as store:
        with pytest.raises(StoreError), store.database.writing():
            store.put(("a",), "one", {"n": 1})
            with pytest.raises(StoreError), store.database.reading() as session:
                session.raw("SELECT pg_terminate_backend(pg_backend_pid())")
            store.put(("a",), "two", {"n": 2})
        assert store.search(("a",)) == []
        store.put(("a",), "three", {"n": 3})


def test_a_writer_that_gave_up_is_not_heard_later(tmp_path: Path) -> None:
    with LanceStore.open(tmp_path, embedding=None) as store:
        groups = store._executor._groups

        class Impatient:
            def __enter__(self) -> None:
                raise TimeoutError

            def __exit__(self, *_error: object) -> None:
                """Nothing was entered."""

        turn, groups._turn = groups._turn, Impatient()  # type: ignore[assignment]
        with pytest.raises(TimeoutError):
            store.put(("a",), "k", {"text": "abandoned"})
        groups._turn = turn
        store.put(("a",), "other", {"text": "kept"})
        assert [item.key for item in store.search(("a",))] == ["other"]


def test_what_would_wait_for_itself_is_refused(store: LanceStore) -> None:
    with store.database.writing():
        for work in (store.flush, store.close, store.reindex, store.fsck):
            with pytest.raises(StoreError, match="inside a transaction"):
                work()
        with pytest.raises(StoreError, match="belongs to its thread"):
            asyncio.run(store.aput(("a",), "k", {"n": 1}))
        store.put(("a",), "k", {"n": 1})
    assert store.get(("a",), "k") is not None


def test_a_rebuild_ends_though_somebody_goes_on_writing(tmp_path: Path) -> None:
    with open_store(str(tmp_path)) as store:
        stop = threading.Event()

        def write() -> None:
            at = 0
            while not stop.is_set():
                store.put(("a",), f"k{at % 50}", {"text": f"word{at}"})
                at += 1

        thread = threading.Thread(target=write)
        thread.start()
        try:
            time.sleep(0.2)
            assert store.reindex() > 0
        finally:
            stop.set()
            thread.join()
        assert store.fsck().clean


def test_two_stores_change_weights_in_opposite_orders(place: dict[str, Any]) -> None:
    with LanceStore.open(**place, embedding=None) as first, LanceStore.open(**place, embedding=None) as second:
        made = [fact(f"fact {at}") for at in range(12)]
        first.memories.records.put(ANA, made)
        run = first.memories.runs.begin(ANA, "s", ["d"])

        def change(store: LanceStore, order: int) -> None:
            for _ in range(10):
                with store.database.writing():
                    known = store.memories.weights.states(ANA, [one.id for one in made[::order]])
                    raised = {item: state._replace(weight=state.weight + 0.1) for item, state in known.values()}
                    store.memories.weights.save(ANA, raised)
                store.memories.runs.fail(ANA, run.id, "no")

        threads = [threading.Thread(target=change, args=pair) for pair in ((first, 1), (second, -1))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(first.memories.weights.get(ANA, one.id) == pytest.approx(3.0) for one in made)
        assert first.memories.runs.newest(ANA)[0].failures == 20


def test_what_expires_leaves_no_links_and_hides_nobody(store: LanceStore) -> None:
    records = store.memories.records
    space = ("memories", "ana", "fact")
    short = [fact(f"the tea was number {at}") for at in range(30)]
    for record in short:
        store.put(space, record.id, record.to_dict(), ttl=0.05)
    keeper = fact("the tea is green", links=({"to": short[0].id, "relation": "related_to"},))
    records.put(ANA, [keeper])
    assert len(recall_records(store.memories, ANA, "the tea", limit=40)) == 31
    time.sleep(3.2)
    assert [hit.record.id for hit in recall_records(store.memories, ANA, "the tea", limit=1)] == [keeper.id]
    assert store.sweep_ttl() == 30
    left = records.get(ANA, keeper.id)
    assert left is not None and left.links == ()
    assert records.linking_to(ANA, short[0].id) == []


def test_a_change_keeps_life_and_secrecy(store: LanceStore) -> None:
    record = fact("a hidden tea")
    space = ("memories", "ana", "fact")
    store.put(space, record.id, record.to_dict(), index=False, ttl=60)
    store.memories.records.patch(ANA, record.id, tags=("secret",))
    assert store.memories.records.search(ANA, "tea") == []
    with store.database.reading() as session:
        from memory_middleware.storage.database import Statement  # noqa: PLC0415

        (row,) = session.all(Statement("SELECT expires_at, ttl FROM store_items"))
    assert row[0] is not None and row[1] == 60


def test_a_label_that_no_owner_has_holds_plain_items(store: LanceStore) -> None:
    record = MemoryRecord.create("a%b", "tea", id="r")
    store.put(("memories", "a%b", "fact"), "r", record.to_dict())
    assert store.memories.records.get(Scope("a%b"), "r") is None
    store.put(("memories", encode_label("a%b"), "fact"), "r", record.to_dict())
    assert store.memories.records.get(Scope("a%b"), "r") == record


@pytest.mark.parametrize("ttl", [float("inf"), float("nan"), 1e15, 0, -1])
def test_a_life_that_is_none_is_refused(store: LanceStore, ttl: float) -> None:
    with pytest.raises(InvalidInputError, match="ttl must be"):
        store.put(("a",), "k", {"n": 1}, ttl=ttl)


def test_numbers_and_values_beyond_measure_are_refused(store: LanceStore) -> None:
    with pytest.raises(InvalidInputError, match="limit and offset"):
        store.search(("a",), limit=2**63)
    deep: dict[str, Any] = {}
    for _ in range(5000):
        deep = {"in": deep}
    with pytest.raises(InvalidInputError, match="cannot be kept as JSON"):
        store.put(("a",), "k", deep, index=False)
    turn = fact("late", provenance={"thread_id": "t", "turn": 2**40})
    store.memories.records.put(ANA, [turn])
    assert store.memories.records.in_thread(ANA, "t") == [turn]
    assert datetime.now(UTC) - turn.created_at < timedelta(minutes=5)


def test_an_expired_memory_is_not_there_for_anybody(store: LanceStore) -> None:
    space, memories = ("memories", "ana", "fact"), store.memories
    record = fact("tea", id="r", weight=9.0)
    store.put(space, "r", record.to_dict(), ttl=0.001)
    store.put(space, "s", fact("coffee", id="s").to_dict(), ttl=0.001)
    time.sleep(0.1)
    assert memories.weights.core(ANA, 0.0) == []
    store.put(space, "s", {"plain": "value"})
    memories.records.put(ANA, [fact("tea", id="r", kind="preference")])
    assert memories.weights.get(ANA, "r") == 1.0
    assert [found.kind.value for found in memories.records.newest(ANA)] == ["preference"]
