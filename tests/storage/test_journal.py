"""Use, weights, short-term items and runs, on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory_middleware import Dialogue, LanceStore, MemoryRecord, MemoryType, Scope, ShortTermItem, UsageEntry
from memory_middleware.errors import InvalidInputError
from memory_middleware.schemas import RunState
from memory_middleware.schemas.dialogue import ThreadSummary, Turn
from memory_middleware.storage.pending import waiting_sessions

ANA = Scope("ana", "thread-1")
BOB = Scope("bob", "thread-1")
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def record(store: LanceStore) -> MemoryRecord:
    made = MemoryRecord.create("ana", "Ana drinks tea")
    store.memories.records.put(ANA, [made])
    return made


def used(record: MemoryRecord, *, referenced: bool = False, minutes: int = 0) -> UsageEntry:
    return UsageEntry(
        memory_id=record.id,
        session_id="thread-1",
        query="what \0 does she drink?",
        was_referenced=referenced,
        used_at=NOON + timedelta(minutes=minutes),
    )


def test_use_is_logged_once_for_each_turn(store: LanceStore, record: MemoryRecord) -> None:
    usage = store.memories.usage
    first, second = used(record), used(record, referenced=True, minutes=1)
    assert usage.log(ANA, "turn-1", [first]) == 1
    assert usage.log(ANA, "turn-1", [first]) == 0
    assert usage.log(ANA, "turn-2", [second]) == 1
    assert usage.log(BOB, "turn-2", [second]) == 0, "another owner's record"
    assert usage.history(ANA, record.id) == [second, first]
    assert usage.newest(ANA, limit=1) == [second]
    assert usage.count(ANA, record.id) == (2, 1)
    assert usage.count(BOB, record.id) == (0, 0)


def test_the_log_goes_with_its_record_and_with_time(store: LanceStore, record: MemoryRecord) -> None:
    usage = store.memories.usage
    usage.log(ANA, "turn-1", [used(record)])
    usage.log(ANA, "turn-2", [used(record, minutes=5)])
    assert usage.forget(ANA, NOON + timedelta(minutes=1)) == 1
    store.memories.records.delete(ANA, [record.id])
    assert usage.newest(ANA) == []


def test_weights_are_read_and_written_whole(store: LanceStore, record: MemoryRecord) -> None:
    weights = store.memories.weights
    assert weights.get(ANA, record.id) == 1.0
    [(item, state)] = weights.states(ANA, [record.id, "other"]).values()
    assert (state.weight, state.base, state.access_count, state.last_accessed) == (1.0, 1.0, 0, None)
    changed = state._replace(weight=2.5, access_count=3, last_accessed=NOON, changed_at=NOON)
    weights.save(ANA, {item: changed})
    assert weights.all_states(ANA) == {item: changed}
    weights.save(BOB, {item: state})
    assert weights.get(ANA, record.id) == 2.5, "another owner's weight stays"
    assert weights.get(BOB, record.id) is None
    assert weights.states(BOB, [record.id]) == {}
    for wrong in (float("nan"), float("inf"), -0.1):
        with pytest.raises(InvalidInputError, match="cannot be"):
            weights.save(ANA, {item: state._replace(weight=wrong)})


def test_core_and_faint_records(store: LanceStore) -> None:
    memories = store.memories
    made = [MemoryRecord.create("ana", f"fact {at}", weight=at / 10, pinned=at == 1) for at in range(5)]
    memories.records.put(ANA, made)
    assert memories.weights.core(ANA, 0.3) == [made[4].id, made[3].id]
    assert memories.weights.faint(ANA, 0.3) == [made[0].id, made[2].id], "a pinned record never fades"
    memories.records.patch(ANA, made[4].id, state="archived")
    assert memories.weights.core(ANA, 0.3) == [made[3].id]
    assert memories.weights.core(BOB, 0.0) == []


def test_short_term_items_by_thread(store: LanceStore) -> None:
    short = store.memories.short_term
    items = [ShortTermItem(id=f"round-{at}", content=f"round {at}: 茶 \0", turn=at, created_at=NOON) for at in range(5)]
    for item in items:
        assert short.append(ANA, item)
    assert not short.append(ANA, items[0])
    assert short.recent(ANA, 2) == items[3:]
    assert short.recent(BOB, 2) == []
    assert short.recent(Scope("ana", "thread-2"), 2) == []
    shorter = items[3].model_copy(update={"content": "r3", "compressed": True})
    assert short.replace(ANA, [shorter]) == 1
    assert short.recent(ANA, 2) == [shorter, items[4]]
    assert short.trim(ANA, 3) == 2
    assert short.delete(ANA, ["round-2", "round-0"]) == 1
    assert short.count(ANA) == 2
    assert short.clear(ANA) == 2
    with pytest.raises(InvalidInputError, match="thread_id"):
        short.recent(Scope("ana"), 1)


def test_runs_of_the_extractor(store: LanceStore) -> None:
    runs = store.memories.runs
    first, second = runs.begin(ANA, "s", ["d1", "d2"]), runs.begin(ANA, "s", ["d3"])
    assert runs.begin(ANA, "s", ["d3"]).id == second.id, "the same batch is the same run"
    assert [run.id for run in runs.unfinished(ANA, "s")] == [first.id, second.id]
    assert [run.id for run in runs.in_state(ANA, RunState.RUNNING)] == [first.id, second.id]
    done = runs.finish(ANA, first.id, facts=3)
    assert (done.state, done.facts, done.round_ids) == (RunState.DONE, 3, ("d1", "d2"))
    assert runs.fail(ANA, second.id, "timeout").failures == 1
    parked = runs.fail(ANA, second.id, "timeout", park=True)
    assert (parked.state, parked.failures, parked.error) == (RunState.PARKED, 2, "timeout")
    assert [run.id for run in runs.in_state(ANA, RunState.PARKED)] == [second.id]
    assert runs.unfinished(ANA, "s") == []
    assert {run.id for run in runs.newest(ANA)} == {first.id, second.id}
    assert runs.newest(BOB) == []
    with pytest.raises(InvalidInputError, match="no run"):
        runs.finish(BOB, first.id, facts=0)


def test_a_turn_is_one_transaction(store: LanceStore, record: MemoryRecord) -> None:
    memories = store.memories
    turn = Dialogue.create("ana", "thread-1", "what?", "tea", turn=1)

    def observe(fail: bool) -> None:
        with store.database.writing():
            memories.dialogues.append(ANA, turn)
            memories.usage.log(ANA, turn.id, [used(record, referenced=True)])
            [(item, state)] = memories.weights.states(ANA, [record.id]).values()
            memories.weights.save(ANA, {item: state._replace(weight=1.1, access_count=1)})
            memories.short_term.append(ANA, ShortTermItem(id=turn.id, content="tea"))
            memories.records.patch(ANA, record.id, tags=("drink",))
            memories.profiles.patch(ANA, MemoryType.USER, {"preferences": {"communication_style": "terse"}})
            if fail:
                raise RuntimeError

    with pytest.raises(RuntimeError):
        observe(fail=True)
    assert memories.records.get(ANA, record.id) == record
    assert memories.dialogues.count(ANA, "thread-1") == 0
    assert memories.usage.newest(ANA) == []
    assert memories.profiles.load(ANA, MemoryType.USER).version == 1
    observe(fail=False)
    found = memories.records.get(ANA, record.id)
    assert found is not None
    assert (found.tags, found.weight, found.access_count) == (("drink",), 1.1, 1)
    assert memories.dialogues.count(ANA, "thread-1") == 1
    assert memories.profiles.load(ANA, MemoryType.USER).version == 2


def test_turns_are_noted_once(store: LanceStore) -> None:
    turns = store.memories.turns
    made = [Turn(id=f"turn-{at}", owner_id="ana", session_id="thread-1", happened_at=NOON) for at in range(3)]
    assert [turns.add(ANA, turn) for turn in (*made, made[0])] == [True, True, True, False]
    assert turns.knows(ANA, "turn-1")
    assert not turns.knows(BOB, "turn-1")
    assert turns.newest(ANA, limit=2) == [made[2], made[1]]
    assert turns.newest(Scope("ana"), limit=1) == [made[2]]
    assert turns.newest(Scope("ana", "thread-2")) == []
    assert turns.count(ANA) == 3
    assert turns.forget(ANA, NOON) == 0
    assert turns.forget_thread(Scope("ana", "thread-2")) == 0
    assert turns.forget_thread(ANA) == 3


def test_marks_of_what_was_forgotten(store: LanceStore) -> None:
    stones = store.memories.tombstones
    stones.add(ANA, ["a", "b", "a"])
    stones.add(ANA, ["b"])
    assert stones.among(ANA, ["b", "c", "a"]) == {"a", "b"}
    assert stones.among(BOB, ["a"]) == set()
    assert stones.expire(ANA, NOON) == 0
    assert stones.expire(ANA, datetime.now(UTC) + timedelta(minutes=1)) == 2


def test_a_thread_has_one_summary(store: LanceStore) -> None:
    summaries = store.memories.summaries
    assert summaries.get(ANA) is None
    summaries.put(ANA, ThreadSummary(content="tea", rounds=2))
    summaries.put(ANA, ThreadSummary(content="茶", rounds=3, updated_at=NOON))
    assert summaries.get(ANA) == ThreadSummary(content="茶", rounds=3, updated_at=NOON)
    assert summaries.get(BOB) is None
    assert summaries.clear(ANA)
    assert not summaries.clear(ANA)
    with pytest.raises(InvalidInputError, match="thread_id"):
        summaries.get(Scope("ana"))


def test_parked_rounds_wait_aside(store: LanceStore) -> None:
    dialogues = store.memories.dialogues
    rounds = [Dialogue.create("ana", "thread-1", f"question {at}", "answer", turn=at) for at in range(4)]
    for one in rounds:
        dialogues.append(ANA, one)
    assert dialogues.park(ANA, "run", [rounds[0].id, rounds[1].id]) == 2
    assert dialogues.batch(ANA, "thread-1", 10) == rounds[2:]
    assert dialogues.count(ANA, "thread-1") == 2
    assert dialogues.parked(ANA, "run") == rounds[:2]
    assert dialogues.sessions(ANA) == {"thread-1": 2}
    [waiting] = waiting_sessions(store.database)
    assert (waiting.owner_id, waiting.session_id, waiting.rounds) == ("ana", "thread-1", 2)
    assert waiting.last_at == rounds[3].created_at
    assert dialogues.unpark(ANA, "run") == 2
    assert dialogues.batch(ANA, "thread-1", 10) == rounds
    longer = rounds[3].model_copy(update={"assistant_response": "a longer answer"})
    assert dialogues.replace(ANA, longer)
    assert dialogues.get(ANA, longer.id) == longer
    assert not dialogues.replace(BOB, longer)
    assert dialogues.get(BOB, longer.id) is None


def test_the_log_tells_what_happened_in_its_order(store: LanceStore, record: MemoryRecord) -> None:
    usage = store.memories.usage
    usage.log(ANA, "turn-2", [used(record, referenced=True, minutes=2)])
    usage.log(ANA, "turn-1", [used(record)])
    usage.log(ANA, "by hand", [used(record, minutes=3).model_copy(update={"delta": 0.5})])
    events = list(usage.events(ANA))
    assert [(event.referenced, event.delta) for event in events] == [(False, 0.0), (True, 0.0), (False, 0.5)]
    assert events[0].moment == NOON
    assert list(usage.events(ANA, before=NOON + timedelta(minutes=1))) == events[:1]
    assert list(usage.events(BOB)) == []
