"""Several memories over one store, and what each sees of the others."""

from __future__ import annotations

import asyncio
import multiprocessing
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langgraph.store.base import BaseStore, GetOp, Item, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from memory_middleware import Memory, MemoryRecord, Scope, StoreError
from memory_middleware.storage.mirror import foreign
from memory_middleware.storage.mirror.store import _remove as remove
from memory_middleware.storage.owners import digest
from tests.mirror.support import Moody, facts, over, say, told
from tests.mirror.workers import write_after_fork

HEADS = "heads"


def test_each_sees_what_the_other_writes_changes_and_forgets(store: BaseStore) -> None:
    with over(store) as one, over(store) as two:
        kept = one.remember("ana", "The user plays chess.")
        assert facts(two) == {"The user plays chess."}
        two.edit_record("ana", kept.id, content="The user plays go.")
        assert facts(one) == {"The user plays go."}
        one.update_profile("ana", "user", {"occupation": "nurse"})
        assert two.profile("ana").occupation == "nurse"  # type: ignore[union-attr]
        two.forget("ana", ids=kept.id)
        assert not facts(one)
        assert told(one) == told(two)


def test_turns_of_both_stand_in_one_order(store: BaseStore) -> None:
    with over(store) as one, over(store) as two:
        for at in range(6):
            say((one, two)[at % 2], f"Question {at}?", thread="t1")
            say(one, f"Noise {at}", thread="t2", owner="bob")
        assert told(one) == told(two)
        waiting = two.journal.get_buffered_dialogues(Scope("ana", "t1"), 10)
        assert [one.user_query for one in waiting] == [f"Question {at}?" for at in range(6)]
        two.flush("ana")
        assert one.flush("ana") == []
        with over(store) as three:
            assert told(three, None) == told(one, None)


def test_a_change_in_a_row_keeps_its_place(moody: Moody) -> None:
    with over(moody) as one, over(moody) as two:
        for at in range(3):
            say(one, f"I like number {at}.", owner="bob")
            say(two, f"I like number {at}.")
        first = one.journal.get_buffered_dialogues(Scope("ana", "t1"), 1)[0]
        one.store.memories.dialogues.park(Scope("ana"), "run", [first.id])
        assert told(one) == told(two)
        with over(moody) as three:
            assert told(three) == told(one)


def test_one_who_was_away_for_long_reads_everything_again(moody: Moody) -> None:
    with over(moody) as one, over(moody) as two:
        gone = one.remember("ana", "The user plays go.")
        one.update_profile("ana", "user", {"occupation": "nurse"})
        say(one, "I play chess.")
        assert facts(two) == {"The user plays go."}
        one.forget("ana", ids=gone.id)
        one.forget(Scope("ana", "t1"), thread=True)
        records = [MemoryRecord.create("ana", f"The user knows fact {at}.") for at in range(300)]
        one.store.memories.records.put(Scope("ana"), records)
        assert told(two) == told(one)
        assert two.list_records("ana", limit=500).records[0].content.startswith("The user knows fact")
        assert "go." not in "".join(told(two))


def test_reading_what_nobody_changed_costs_one_question(memory: Memory, moody: Moody) -> None:
    memory.remember("ana", "The user plays chess.")
    moody.batches.clear()
    memory.recall("ana", "chess")
    assert [{type(op) for op in batch} for batch in moody.batches] == [{GetOp}]


def test_a_turn_is_told_in_one_batch(memory: Memory, moody: Moody) -> None:
    memory.remember("ana", "The user plays chess.")
    moody.batches.clear()
    say(memory, "What do I play?", "Chess.")
    told_in = [batch for batch in moody.batches if any(isinstance(op, PutOp) for op in batch)]
    assert len(told_in) == 1
    assert all(op.index is False and op.ttl is None for op in told_in[0] if isinstance(op, PutOp))


def test_many_threads_and_owners_lose_nothing(moody: Moody) -> None:
    with over(moody) as one, over(moody) as two:

        def work(number: int) -> None:
            for at in range(4):
                (one, two)[(number + at) % 2].remember(f"u{number}", f"The user {number} knows fact {at}.")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for number in range(12):
            expected = {f"The user {number} knows fact {at}." for at in range(4)}
            assert facts(one, f"u{number}") == facts(two, f"u{number}") == expected


def heads_in(store: InMemoryStore) -> dict[str, Item]:
    return next(items for place, items in store._data.items() if place[-1] == HEADS)


def test_when_all_slots_are_taken_the_oldest_is_taken_over(moody: Moody) -> None:
    with over(moody) as reader:
        reader.remember("ana", "The user knows fact 0.")
        mine = next(iter(heads_in(moody)))
        long_ago = datetime.now(UTC) - timedelta(days=9)
        for slot in range(64):
            if f"{slot:02}" != mine:
                value = {"format": 1, "writer": f"w{slot}", "writes": 1}
                moody.put(next(place for place in moody._data if place[-1] == HEADS), f"{slot:02}", value)
        heads_in(moody)[mine].updated_at = long_ago
        with over(moody) as writer:
            writer.remember("ana", "The user knows fact 1.")
            assert heads_in(moody)[mine].value["writer"] != "w1"
            assert facts(reader) == {"The user knows fact 0.", "The user knows fact 1."}
            reader.remember("ana", "The user knows fact 2.")
            assert len(facts(writer)) == 3
        assert len(heads_in(moody)) == 64


def test_whoever_loses_a_slot_takes_another_and_nobody_misses_a_change(moody: Moody) -> None:
    with over(moody) as one, over(moody) as two, over(moody) as three:
        one.remember("ana", "The user knows fact 0.")
        slot, item = next(iter(heads_in(moody).items()))
        assert len(facts(two)) == len(facts(three)) == 1
        one.remember("ana", "The user knows fact 1.")
        moody.put(item.namespace, slot, {"format": 1, "writer": "somebody", "writes": 1})
        assert len(facts(two)) == 2
        assert one.recall("ana", "fact")
        assert len(heads_in(moody)) == 2
        assert len(facts(three)) == 2
        one.remember("ana", "The user knows fact 2.")
        assert len(facts(two)) == len(facts(three)) == 3


def test_a_store_that_somebody_writes_to_meanwhile_is_read_again(moody: Moody) -> None:
    with over(moody) as writer:
        writer.remember("ana", "The user plays chess.")
        with over(Restless(moody, writer, times=2)) as reader:
            assert facts(reader) == {"The user plays chess.", "The user knows 1 of 2.", "The user knows 2 of 2."}
        with over(Restless(moody, writer, times=99)) as reader, pytest.raises(StoreError, match="all the time"):
            facts(reader)


class Restless(Moody):
    """A store in which somebody else writes whenever all of it is read."""

    def __init__(self, other: Moody, writer: Memory, times: int) -> None:
        super().__init__()
        self._data = other._data
        self._writer, self._times, self._done = writer, times, 0

    def batch(self, ops: Any) -> list[Any]:
        found = super().batch(ops)
        asked = self.batches[-1][0]
        is_first_page = isinstance(asked, SearchOp) and len(asked.namespace_prefix) == 2 and not asked.offset
        if self._done < self._times and is_first_page:
            self._done += 1
            self._writer.remember("ana", f"The user knows {self._done} of {self._times}.")
        return found


def test_a_store_that_changes_while_it_is_searched_is_asked_again(moody: Moody) -> None:
    with over(Racing(moody)) as memory:
        memory.remember("ana", "The user plays chess.")
        assert facts(memory) == {"The user plays chess."}


def test_a_store_that_never_comes_to_rest_is_told(moody: Moody) -> None:
    with over(Racing(moody, always=True)) as memory, pytest.raises(StoreError, match="changed size"):
        memory.recall("ana", "chess")


class Racing(Moody):
    """A store in memory whose first search always meets a writer, or every one."""

    def __init__(self, other: Moody, *, always: bool = False) -> None:
        super().__init__()
        self._data = other._data
        self._always = always
        self._last: Any = None

    def batch(self, ops: Any) -> list[Any]:
        listed = list(ops)
        if isinstance(listed[0], SearchOp | GetOp) and (self._always or self._last != listed):
            self._last = listed
            raise RuntimeError("dictionary changed size during iteration")
        return super().batch(listed)


def test_large_memories_are_read_page_by_page(moody: Moody, monkeypatch: pytest.MonkeyPatch) -> None:
    with over(moody) as one:
        for at in range(5):
            one.remember("ana", f"The user knows fact {at}.")
        monkeypatch.setattr(foreign, "_PAGE", 3)
        with over(moody) as two:
            assert told(two) == told(one)


def test_async_tools_read_and_write_memories_too(moody: Moody) -> None:
    async def use(one: Memory, two: Memory) -> None:
        record = await one.aremember("ana", "The user plays chess.")
        found = await two.store.aget(("memories", "ana", "fact"), record.id)
        assert found is not None
        await two.store.aput(found.namespace, found.key, {**found.value, "content": "The user plays go."})
        moody.is_down = True
        with pytest.raises(StoreError):
            await two.store.aget(found.namespace, found.key)

    with over(moody) as one, over(moody) as two:
        asyncio.run(use(one, two))
        moody.is_down = False
        assert facts(one) == {"The user plays go."}


def test_items_of_another_place_are_left_alone(moody: Moody) -> None:
    with over(Wild()) as memory:
        memory.remember("ana", "The user plays chess.")
        assert facts(memory) == {"The user plays chess."}


class Wild(InMemoryStore):
    """A store that takes an underscore for any letter, as SQL does."""

    def batch(self, ops: Any) -> list[Any]:
        now = datetime.now(UTC) - timedelta(days=1)
        found = super().batch(ops)
        stray = Item(
            namespace=("memoryXmiddleware", "owners"), key="k", value={"format": 9}, created_at=now, updated_at=now
        )
        return [[*one, stray] if isinstance(one, list) else one for one in found]


def test_a_forked_child_is_a_writer_of_its_own(tmp_path: Path) -> None:
    processes = multiprocessing.get_context("forkserver")
    ours, theirs = processes.Pipe()
    worker = processes.Process(target=write_after_fork, args=(str(tmp_path / "store.db"), theirs))
    worker.start()
    assert ours.recv() == (0, [1, 2, 2, 3])
    worker.join()


def test_another_process_goes_on_as_another_writer_and_leaves_the_folder_alone(moody: Moody) -> None:
    with over(moody) as memory, over(moody) as other:
        memory.remember("ana", "The user knows fact 0.")
        store: Any = memory.store
        store._mirror._pid = -1  # as after a fork, but for the connections
        memory.remember("ana", "The user knows fact 1.")
        assert len(heads_in(moody)) == 2
        assert len(facts(other)) == 2
        remove(store._folder, -1)
        assert store._folder.is_dir()


def test_a_writer_in_its_slot_stays_there(memory: Memory, moody: Moody) -> None:
    memory.remember("ana", "The user knows fact 0.")
    before = dict(heads_in(moody))
    store: Any = memory.store
    store._mirror._move(digest("ana"))
    assert heads_in(moody) == before


def test_a_store_that_nobody_keeps_is_told() -> None:
    with pytest.raises(StoreError, match="is gone; keep a reference to it"):
        foreign.Foreign(lambda: None).heads("owner")
