"""Observing turns: one transaction, once for every turn."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from memory_middleware import LanceStore, MemoryConfig, MemoryRecord, Scope
from memory_middleware.errors import InvalidInputError, StoreError
from memory_middleware.remember.journal import MemoryJournal
from memory_middleware.remember.observe import Observer
from memory_middleware.storage.repositories import Repositories
from memory_middleware.storage.repositories.short_term import ShortTermRepository
from tests.remember.support import ANA, NOON


def turn(at: int = 0, question: str = "Where do I live?", answer: str = "You live in Lisbon.") -> list[BaseMessage]:
    return [HumanMessage(question, id=f"h{at}"), AIMessage(answer, id=f"a{at}")]


def kept(memories: Repositories, *contents: str) -> list[MemoryRecord]:
    records = [MemoryRecord.create("ana", content, now=NOON) for content in contents]
    memories.records.put(ANA, records)
    return records


def test_a_turn_is_written_down_once(memories: Repositories) -> None:
    home, pet = kept(memories, "The user lives in Lisbon.", "The user has a cat named Milo.")
    observer = Observer(memories)
    seen = observer.observe(ANA, turn(), [home, pet.id], tokens=40, now=NOON)
    assert seen.is_new
    assert seen.referenced == (home.id,)
    assert seen.waiting == 1
    for again in (turn(), [HumanMessage("Where do I live?", id="h0"), AIMessage("You live in Lisbon.", id="other")]):
        assert not observer.observe(ANA, again, [home, pet], now=NOON).is_new
    [entry] = memories.dialogues.batch(ANA, "t1", 10)
    assert (entry.user_query, entry.assistant_response) == ("Where do I live?", "You live in Lisbon.")
    [item] = memories.short_term.recent(ANA, 10)
    assert item.content == "Asked: Where do I live?\nAnswered: You live in Lisbon."
    assert memories.usage.count(ANA, home.id) == (1, 1)
    assert memories.usage.count(ANA, pet.id) == (1, 0)
    [used] = memories.usage.history(ANA, home.id)
    assert (used.session_id, used.query, used.was_referenced, used.used_at) == ("t1", "Where do I live?", True, NOON)
    weights = [memories.weights.get(ANA, record.id) for record in (home, pet)]
    assert weights == [pytest.approx(1.16), pytest.approx(0.98)]
    [noted] = memories.turns.newest(ANA)
    assert (noted.injected, noted.referenced, noted.tokens, noted.agent) == (
        (home.id, pet.id),
        (home.id,),
        40,
        "worker",
    )


def test_another_agent_adds_its_answer_to_the_round(memories: Repositories) -> None:
    observer = Observer(memories)
    router = Scope("ana", "t1", "router")
    observer.observe(router, turn(answer="I ask the worker."))
    observer.observe(ANA, turn(answer="Lisbon."))
    [entry] = memories.dialogues.batch(ANA, "t1", 10)
    assert entry.assistant_response == "I ask the worker.\nLisbon."
    assert memories.turns.count(ANA) == 2
    assert memories.short_term.count(ANA) == 1


def test_messages_without_ids_are_told_apart_by_their_words(memories: Repositories) -> None:
    observer = Observer(memories)
    first = [HumanMessage("a"), AIMessage("b")]
    assert observer.observe(ANA, first).is_new
    assert not observer.observe(ANA, first).is_new
    assert observer.observe(ANA, [*first, HumanMessage("a"), AIMessage("b")]).is_new, "the second time it is said"


def test_short_term_items_are_shortened_and_dropped(memories: Repositories) -> None:
    config = MemoryConfig.from_dict({"short_term": {"max_items": 4, "compression_threshold": 2}})
    observer = Observer(memories, config)
    long = "This is the first sentence of it. " + "And more of the same follows here. " * 30
    for at in range(6):
        observer.observe(ANA, turn(at, f"Question number {at}, please? {long}", long))
    items = memories.short_term.recent(ANA, 10)
    assert [item.turn for item in items] == [0] * 4
    assert [item.compressed for item in items] == [True, True, False, False]
    assert items[0].content == "Asked: Question number 2, please?\nAnswered: This is the first sentence of it."
    assert len(items[3].content) < 1300


def test_chinese_rounds_are_told_in_chinese(memories: Repositories) -> None:
    observer = Observer(memories, MemoryConfig(language="zh"))
    observer.observe(ANA, turn(question="我住在哪里？", answer="你住在里斯本。"))
    assert memories.short_term.recent(ANA, 1)[0].content == "问：我住在哪里？\n答：你住在里斯本。"


def test_without_a_turn_nothing_is_written(memories: Repositories) -> None:
    observer = Observer(memories)
    assert observer.observe(ANA, [AIMessage("hello")]).turn is None
    assert observer.observe(ANA, [HumanMessage("  ")]).turn is None
    assert asyncio.run(observer.aobserve(ANA, [])).turn is None
    with pytest.raises(InvalidInputError, match="thread_id"):
        observer.observe(Scope("ana"), turn())


def test_a_failure_leaves_nothing_behind(memories: Repositories, monkeypatch: pytest.MonkeyPatch) -> None:
    [home] = kept(memories, "The user lives in Lisbon.")

    def fail(*_args: Any, **_more: Any) -> None:
        raise StoreError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(ShortTermRepository, "append", fail)
        with pytest.raises(StoreError):
            Observer(memories).observe(ANA, turn(), [home])
    assert memories.turns.newest(ANA) == []
    assert memories.dialogues.count(ANA, "t1") == 0
    assert Observer(memories).observe(ANA, turn(), [home]).is_new


def test_both_colours_see_the_same(small: LanceStore) -> None:
    [home] = kept(small.memories, "The user lives in Lisbon.")
    observer = Observer(small.memories)
    first = observer.observe(ANA, turn(0), [home], now=NOON)
    second = asyncio.run(observer.aobserve(ANA, turn(1), [home], now=NOON))
    assert first.references == second.references
    assert second.waiting == 2


def test_many_threads_lose_no_use(memories: Repositories) -> None:
    [home] = kept(memories, "The user lives in Lisbon.")
    observer = Observer(memories)

    def work(start: int) -> None:
        for at in range(start, start + 10):
            observer.observe(ANA, turn(at), [home], now=NOON)

    threads = [threading.Thread(target=work, args=(at * 10,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memories.usage.count(ANA, home.id) == (40, 40)
    before = memories.weights.get(ANA, home.id)
    assert before is not None
    assert MemoryJournal(memories).rebuild_weights(ANA) == 1
    assert memories.weights.get(ANA, home.id) == pytest.approx(before)


def test_words_that_many_memories_hold_say_little(memories: Repositories) -> None:
    many = kept(memories, *(f"The team met in Lisbon about item {at}." for at in range(60)))
    held = memories.records.held_terms(ANA)
    assert held is not None
    assert (held["lisbon"], held["absent"], len(held), list(held)) == (60, 0, 60, [])
    seen = Observer(memories).observe(ANA, turn(answer="Lisbon is sunny today."), many[:3], now=NOON)
    assert seen.referenced == ()
