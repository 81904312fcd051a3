"""Memory nodes side by side: each agent finds its own block, and no checkpoint finds any."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, Send, interrupt

from memory_middleware import Memory, MemoryChannels
from tests.graph.support import ANA, START_MARK, Listener, listener, rounds, run

QUESTION = "Where do I live, do you know?"


class HandState(MessagesState, MemoryChannels):
    """A state that reads the memory channels."""


def agent_of(model: Listener, name: str) -> Any:
    def agent(state: HandState) -> dict[str, Any]:
        told = state["memory_by_agent"][name]["block"]
        return {"messages": [model.invoke([SystemMessage(told), *state["messages"]])]}

    return agent


def two_at_once(memory: Memory, router: Listener, worker: Listener) -> StateGraph[Any, Any, Any, Any]:
    """Two agents side by side from the first step to the last."""
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(HandState)
    for name, model in (("router", router), ("worker", worker)):
        builder.add_node(f"recall_{name}", memory.recall_node(name, name=name))
        builder.add_node(name, agent_of(model, name))
        builder.add_node(f"observe_{name}", memory.observe_node(name, name=name))
        builder.add_edge(START, f"recall_{name}")
        builder.add_edge(f"recall_{name}", name)
        builder.add_edge(name, f"observe_{name}")
    return builder


@pytest.mark.parametrize("colour", ["sync", "async"])
def test_parallel_agents_are_each_told_their_own(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, colour: str
) -> None:
    monkeypatch.setenv("LANGGRAPH_STRICT_MSGPACK", "true")
    router, worker, saver = listener("You live in Lisbon."), listener("In Lisbon, on the ward."), InMemorySaver()
    graph = two_at_once(memory, router, worker).compile(checkpointer=saver)
    for at in range(2):
        given = {"messages": [HumanMessage(f"{QUESTION} {at}", id=f"h{at}")]}
        with caplog.at_level(logging.INFO):
            out = graph.invoke(given, run()) if colour == "sync" else asyncio.run(graph.ainvoke(given, run()))
    assert "nurse" in router.system
    assert "WORK_MEMORY" not in router.system
    assert "Emergency ward" in worker.system
    assert "USER_MEMORY" not in worker.system
    assert (out["memory_block"], out["memory_ids"], out["memory_tokens"]) == ("", [], 0)
    assert "read memory_by_agent instead of memory_block" in caplog.text
    kept = list(saver.list(None))
    assert START_MARK not in str(kept)
    assert "memory_by_agent" not in str([point.checkpoint["channel_values"] for point in kept])
    first, second = memory.store.memories.turns.newest(ANA, limit=2)
    assert {first.agent, second.agent} == {"router", "worker"}
    assert len(first.injected) == len(second.injected) == 1
    assert min(first.tokens, second.tokens) > 0
    assert len(rounds(memory)) == 2


def test_one_agent_after_the_other_finds_both_blocks(memory: Memory) -> None:
    seen: list[Any] = []

    def look(state: HandState) -> None:
        seen.append((state["memory_block"], {name: told["block"] for name, told in state["memory_by_agent"].items()}))

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(HandState)
    builder.add_node("recall_router", memory.recall_node("router", name="router"))
    builder.add_node("look", look)
    builder.add_node("recall_worker", memory.recall_node("worker"))
    builder.add_node("look_again", look)
    builder.add_edge(START, "recall_router")
    builder.add_edge("recall_router", "look")
    builder.add_edge("look", "recall_worker")
    builder.add_edge("recall_worker", "look_again")
    builder.compile().invoke({"messages": [HumanMessage(QUESTION)]}, run())
    (first, both_first), (second, both_second) = seen
    assert "USER_MEMORY_START" in first
    assert both_first == {"router": first}
    assert "WORK_MEMORY_START" in second
    assert both_second == {"router": first, "recall_worker": second}


def test_what_was_recalled_is_gone_after_an_interrupt_and_in_the_next_run(memory: Memory) -> None:
    seen: list[Any] = []

    def stop(state: HandState) -> dict[str, Any]:
        seen.append(sorted(state.get("memory_by_agent") or {}))
        return {"messages": [AIMessage(interrupt("go on?"))]}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(HandState)
    builder.add_node("recall", memory.recall_node("router"))
    builder.add_node("stop", stop)
    builder.add_edge(START, "recall")
    builder.add_edge("recall", "stop")
    saver = InMemorySaver()
    graph = builder.compile(checkpointer=saver)
    graph.invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run())
    graph.invoke(Command(resume="yes"), run())
    assert seen == [["recall"], []]
    assert START_MARK not in str(list(saver.list(None)))


def test_a_state_that_is_sent_on_takes_no_block_into_a_checkpoint(memory: Memory) -> None:
    seen: list[str] = []

    def spread(state: HandState) -> Command[Any]:
        return Command(goto=[Send("worker", state), Send("worker", {**state, "at": 2})])

    def worker(state: HandState) -> dict[str, Any]:
        seen.append(state["memory_block"])
        return {}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(HandState)
    builder.add_node("recall", memory.recall_node("worker"))
    builder.add_node("spread", spread, destinations=("worker",))
    builder.add_node("worker", worker)
    builder.add_edge(START, "recall")
    builder.add_edge("recall", "spread")
    saver = InMemorySaver()
    builder.compile(checkpointer=saver).invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run())
    assert len(seen) == 2
    assert all(START_MARK in block for block in seen)
    assert START_MARK not in str(list(saver.list(None)))
