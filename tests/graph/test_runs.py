"""A run without a thread is one thread: its nodes, its subgraphs, its maps and its tools agree."""

from __future__ import annotations

import asyncio
import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, Send

from memory_middleware import Memory
from memory_middleware.graph.identity import find_scope
from memory_middleware.graph.runs import RunNames
from tests.graph.support import ANA, listener, one_node

QUESTION = "Where do I live, do you know?"
NO_THREAD: Any = {"configurable": {"user_id": "ana"}}


def house(memory: Memory) -> Any:
    """A graph with agents in every place a graph has: first in a subgraph, then in nodes, calls and maps."""
    inner = one_node(memory.worker(listener("inner")), "inner").compile()
    called = one_node(memory.worker(listener("called")), "called").compile()

    def caller(state: MessagesState) -> Command[Any]:
        called.invoke({"messages": [HumanMessage(f"{QUESTION} By a call?", id="h-called")]})
        maps = [Send("mapped", {"messages": [HumanMessage(f"{QUESTION} {at}", id=f"h-{at}")]}) for at in range(3)]
        return Command(goto=maps)

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("sub", inner)
    builder.add_node("router", memory.router(listener("router")))
    builder.add_node("caller", caller, destinations=("mapped",))
    builder.add_node("mapped", memory.worker(listener("mapped")))
    builder.add_edge(START, "sub")
    builder.add_edge("sub", "router")
    builder.add_edge("router", "caller")
    return builder.compile()


def by_invoke(graph: Any, config: Any) -> None:
    graph.invoke({"messages": [HumanMessage(QUESTION, id="h")]}, config)


def by_ainvoke(graph: Any, config: Any) -> None:
    asyncio.run(graph.ainvoke({"messages": [HumanMessage(QUESTION, id="h")]}, config))


def by_stream(graph: Any, config: Any) -> None:
    list(graph.stream({"messages": [HumanMessage(QUESTION, id="h")]}, config, stream_mode="custom", subgraphs=True))


@pytest.mark.parametrize("call", [by_invoke, by_ainvoke, by_stream])
@pytest.mark.parametrize("more", [{}, {"run_id": uuid.uuid4()}], ids=["no_id", "run_id"])
def test_all_nodes_of_a_run_share_one_thread_and_runs_do_not(memory: Memory, call: Any, more: dict[str, Any]) -> None:
    graph = house(memory)
    call(graph, {**NO_THREAD, **more})
    [(_, rounds)] = memory.store.memories.dialogues.sessions(ANA).items()
    assert rounds == 5
    assert {turn.agent for turn in memory.store.memories.turns.newest(ANA)} == {"inner", "router", "called", "mapped"}
    call(graph, NO_THREAD)
    assert len(memory.store.memories.dialogues.sessions(ANA)) == 2


def test_a_run_that_was_given_an_id_is_named_by_it(memory: Memory) -> None:
    name = uuid.uuid4()
    by_invoke(one_node(memory.worker(listener())).compile(), {**NO_THREAD, "run_id": name})
    assert list(memory.store.memories.dialogues.sessions(ANA)) == [str(name)]


def test_the_server_tells_the_id_in_the_metadata() -> None:
    config: Any = {**NO_THREAD, "metadata": {"run_id": "r1"}}
    assert find_scope(config, None).thread_id == "r1"
    info = SimpleNamespace(run_id="r2")
    assert find_scope(config, SimpleNamespace(execution_info=info)).thread_id == "r2"


def test_outside_of_a_graph_every_call_is_a_run_of_its_own() -> None:
    assert find_scope(NO_THREAD, None).thread_id != find_scope(NO_THREAD, None).thread_id


def test_an_agent_and_its_tools_share_the_thread_of_the_run(memory: Memory) -> None:
    def script(messages: Any) -> AIMessage:
        if messages[-1].type == "human":
            call = {"name": "remember", "args": {"content": "The user has a boat."}, "id": "c1"}
            return AIMessage("", tool_calls=[call])
        return AIMessage("Done.")

    agent = create_agent(listener(script), memory.tools(["remember"]))
    one_node(memory.worker(agent)).compile().invoke({"messages": [HumanMessage("I have a boat.", id="h")]}, NO_THREAD)
    [thread] = memory.store.memories.dialogues.sessions(ANA)
    [kept] = [hit.record for hit in memory.recall("ana", "boat") if "boat" in hit.record.content]
    assert kept.provenance.thread_id == thread


def test_runs_side_by_side_have_names_of_their_own(memory: Memory) -> None:
    graph = one_node(memory.worker(listener())).compile()

    def given(at: int) -> dict[str, list[BaseMessage]]:
        return {"messages": [HumanMessage(f"{QUESTION} {at}", id=f"h{at}")]}

    async def all_at_once() -> None:
        await asyncio.gather(*(graph.ainvoke(given(at), NO_THREAD) for at in range(20)))

    asyncio.run(all_at_once())
    assert sorted(memory.store.memories.dialogues.sessions(ANA).values()) == [1] * 20


def test_the_names_of_old_runs_are_let_go() -> None:
    names, controls = RunNames(most=2), [object() for _ in range(3)]
    first, second, third = (names.name(control) for control in controls)
    assert names.name(controls[2]) == third
    assert names.name(controls[1], "told too late") == second
    assert names.name(controls[0]) != first
