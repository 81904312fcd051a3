"""Turns in real graphs: interrupts, retries, time travel, failures, identity, and many owners at once."""

from __future__ import annotations

import asyncio
import operator
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command, RetryPolicy, interrupt

from memory_middleware import InvalidInputError, Memory, MemoryChannels, MemoryConfig, Scope, StoreError
from memory_middleware.graph.identity import find_scope
from memory_middleware.storage.repositories.turns import TurnRepository
from tests.graph.conftest import MANUAL
from tests.graph.support import ANA, START_MARK, facts, listener, one_node, rounds, run
from tests.support import ROOT

QUESTION = "Where do I live, do you know?"


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def saver(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[BaseCheckpointSaver[Any]]:
    if request.param == "memory":
        yield InMemorySaver()
    elif request.param == "sqlite":
        with SqliteSaver.from_conn_string(str(tmp_path / "checkpoints.db")) as opened:
            yield opened
    else:
        with PostgresSaver.from_conn_string(request.getfixturevalue("postgres_url")) as opened_server:
            opened_server.setup()
            yield opened_server


def test_a_turn_goes_on_after_an_interrupt_and_is_written_once(memory: Memory, saver: BaseCheckpointSaver[Any]) -> None:
    model = listener("You live there.")

    def agent(state: MessagesState) -> dict[str, Any]:
        model.invoke(state["messages"])
        city = interrupt("which one?")
        return {"messages": [AIMessage(f"{model.invoke(state['messages']).text} In {city}.", id="a1")]}

    graph = one_node(memory.worker(agent)).compile(checkpointer=saver)
    graph.invoke({"messages": [HumanMessage(QUESTION, id="h1")]}, run())
    assert rounds(memory) == []
    memory.remember("ana", "The user lives in Porto.", subject="user", attribute="city")
    graph.invoke(Command(resume="Porto"), run())
    assert "Porto" in model.system, "memory is fresh after the resume"
    assert "Lisbon" not in model.system
    assert rounds(memory) == [(QUESTION, "You live there. In Porto.")]
    assert START_MARK not in str(list(saver.list(None)))
    # Back in time, and the same turn once more.
    before = next(state for state in graph.get_state_history(run()) if state.next == ("worker",))
    past: Any = {"configurable": {**before.config["configurable"], "user_id": "ana"}}
    graph.invoke(None, past)
    graph.invoke(Command(resume="Porto"), past)
    assert len(rounds(memory)) == 1
    assert memory.store.memories.turns.count(Scope("ana", "t1")) == 1


def test_a_retried_node_writes_once(memory: Memory) -> None:
    model = listener("ok")
    tries: list[int] = []

    def agent(state: MessagesState) -> dict[str, Any]:
        tries.append(1)
        model.invoke(state["messages"])
        if len(tries) < 3:
            raise ConnectionError
        return {"messages": [AIMessage("ok")]}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    policy = RetryPolicy(initial_interval=0.0, retry_on=ConnectionError, max_attempts=3, jitter=False)
    builder.add_node("worker", memory.worker(agent), retry_policy=policy)
    builder.add_edge(START, "worker")
    builder.compile().invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run())
    assert rounds(memory) == [(QUESTION, "ok")]


def test_a_failure_of_memory_never_costs_the_answer(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    model = listener("still here")
    graph = one_node(memory.worker(model)).compile()

    def fail(*_args: Any, **_more: Any) -> None:
        raise StoreError("the disk is gone")

    monkeypatch.setattr(TurnRepository, "add", fail)
    monkeypatch.setattr(memory, "compose", fail)
    out = graph.invoke({"messages": [HumanMessage(QUESTION)]}, run())
    assert out["messages"][-1].text == "still here"
    assert memory.failures == {"recall": 1, "observe": 1}


def test_a_failure_can_be_made_to_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = MemoryConfig.from_dict({**MANUAL, "on_error": "raise"})
    with Memory.open(tmp_path, config=config) as memory:
        graph = one_node(memory.worker(listener())).compile()

        def fail(*_args: Any, **_more: Any) -> None:
            raise StoreError("the disk is gone")

        monkeypatch.setattr(TurnRepository, "add", fail)
        with pytest.raises(StoreError):
            graph.invoke({"messages": [HumanMessage(QUESTION)]}, run())


@dataclass
class Context:
    user_id: str


@pytest.mark.parametrize(
    ("config", "runtime", "owner"),
    [
        ({"configurable": {"user_id": "a"}}, None, "a"),
        ({"configurable": {"user_id": "a"}}, SimpleNamespace(context={"user_id": "b"}), "b"),
        ({}, SimpleNamespace(context=Context("c")), "c"),
        (
            {"configurable": {"user_id": "a"}},
            SimpleNamespace(context=None, server_info=SimpleNamespace(user=SimpleNamespace(identity="d@x.org"))),
            "d@x.org",
        ),
        ({"configurable": {"owner_id": 7}}, None, "7"),
    ],
    ids=["configurable", "context", "context object", "server", "another name"],
)
def test_the_owner_is_found(config: Any, runtime: Any, owner: str) -> None:
    assert find_scope(config, runtime).owner_id == owner


def test_a_callable_tells_the_owner_first(memory: Memory) -> None:
    memory.identify = lambda config, runtime: f"tenant/{config['configurable']['user_id']}"
    one_node(memory.worker(listener())).compile().invoke({"messages": [HumanMessage(QUESTION)]}, run())
    assert rounds(memory, "tenant/ana") == [(QUESTION, "I see.")]


def test_without_an_owner_the_first_call_says_so(memory: Memory) -> None:
    graph = one_node(memory.worker(listener())).compile()
    with pytest.raises(InvalidInputError, match="memory needs to know whose it is"):
        graph.invoke({"messages": [HumanMessage(QUESTION)]}, {"configurable": {"thread_id": "t"}})
    memory.identify = lambda config, runtime: ""
    with pytest.raises(InvalidInputError, match="found ''"):
        graph.invoke({"messages": [HumanMessage(QUESTION)]}, run())


def test_a_run_without_a_thread_is_a_thread_of_its_own(memory: Memory) -> None:
    graph = one_node(memory.worker(listener())).compile()
    for _ in range(2):
        graph.invoke({"messages": [HumanMessage(QUESTION)]}, {"configurable": {"user_id": "ana"}})
    assert len(memory.store.memories.dialogues.sessions(ANA)) == 2


def test_the_stream_is_told_counts_and_ids(tmp_path: Path) -> None:
    rules = {**MANUAL, "extract": {"mode": "inline", "batch_size": 1}}
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(rules)) as memory:
        [known] = [memory.remember("ana", "The user lives in Lisbon.")]
        graph = one_node(memory.worker(listener("You live in Lisbon."))).compile()
        told = list(graph.stream({"messages": [HumanMessage(QUESTION)]}, run(), stream_mode="custom"))
    assert [event["type"] for event in told] == ["memory.recalled", "memory.extracted", "memory.referenced"]
    assert told[0]["ids"] == [known.id]
    assert told[0]["tokens"] > 0
    assert told[2]["ids"] == [known.id]
    assert "Lisbon" not in str(told)


class HandState(MessagesState, MemoryChannels):
    """A state that reads the memory channels."""


def test_nodes_for_graphs_wired_by_hand(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGGRAPH_STRICT_MSGPACK", "true")
    model = listener("You live in Lisbon.")

    def agent(state: HandState) -> dict[str, Any]:
        from langchain_core.messages import SystemMessage  # noqa: PLC0415

        return {"messages": [model.invoke([SystemMessage(state["memory_block"]), *state["messages"]])]}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(HandState)
    builder.add_node("recall", memory.recall_node("router"))
    builder.add_node("agent", agent)
    builder.add_node("observe", memory.observe_node("router", name="agent"))
    builder.add_edge(START, "recall")
    builder.add_edge("recall", "agent")
    builder.add_edge("agent", "observe")
    saver = InMemorySaver()
    graph = builder.compile(checkpointer=saver)
    graph.invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run())
    asyncio.run(graph.ainvoke({"messages": [HumanMessage("And what do I do, again?", id="h2")]}, run()))
    assert "USER_MEMORY_START" in model.system
    assert START_MARK not in str(list(saver.list(None)))
    assert [query for query, _ in rounds(memory)] == [QUESTION, "And what do I do, again?"]
    first = memory.store.memories.turns.newest(ANA)[1]
    assert (first.agent, len(first.injected), len(first.referenced), first.tokens > 0) == ("agent", 1, 1, True)


class AddedState(TypedDict):
    messages: Annotated[list[AnyMessage], operator.add]


def test_the_nodes_bring_their_channels_along(memory: Memory) -> None:
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(AddedState)
    builder.add_node("recall", memory.recall_node("worker"))
    builder.add_node("agent", lambda state: {"messages": [AIMessage("You live in Lisbon.")]})
    builder.add_node("observe", memory.observe_node())
    builder.add_edge(START, "recall")
    builder.add_edge("recall", "agent")
    builder.add_edge("agent", "observe")
    out = builder.compile().invoke({"messages": [HumanMessage(QUESTION)]}, run())
    assert set(out) == {"messages"}
    [turn] = memory.store.memories.turns.newest(ANA)
    assert len(turn.referenced) == 1


def test_memory_is_added_to_a_graph_before_it_is_compiled(memory: Memory) -> None:
    router, worker = listener("to work"), listener("done")
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("router", lambda state: {"messages": [router.invoke(state["messages"])]})

    async def work(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await worker.ainvoke(state["messages"])]}

    builder.add_node("worker", work)
    builder.add_edge(START, "router")
    builder.add_edge("router", "worker")
    graph = memory.add_to(builder, router="router", workers=["worker"]).compile()
    asyncio.run(graph.ainvoke({"messages": [HumanMessage(QUESTION, id="h")]}, run()))
    assert "nurse" in router.system
    assert "Emergency ward" in worker.system
    assert rounds(memory) == [(QUESTION, "to work\ndone")]
    with pytest.raises(InvalidInputError, match="no node 'x'; its nodes are router, worker"):
        memory.add_to(builder, workers=["x"])
    compiled: Any = builder.compile()
    with pytest.raises(InvalidInputError, match="CompiledStateGraph; give the builder before it is compiled"):
        memory.add_to(compiled, router="router")
    with pytest.raises(InvalidInputError, match="name the nodes"):
        memory.add_to(builder)


def test_two_hundred_owners_at_once_do_not_meet(tmp_path: Path) -> None:
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(MANUAL)) as memory:
        for at in range(200):
            memory.remember(f"owner{at}", f"The user lives in City{at}.")
        model = listener(lambda messages: AIMessage(next(m.text for m in messages if m.type == "system")))
        graph = one_node(memory.worker(model)).compile(checkpointer=InMemorySaver())

        async def turn(at: int) -> str:
            out = await graph.ainvoke({"messages": [HumanMessage(QUESTION)]}, run(f"thread{at}", f"owner{at}"))
            return str(out["messages"][-1].text)

        async def all_turns() -> list[str]:
            return await asyncio.gather(*(turn(at) for at in range(200)))

        answers = asyncio.run(all_turns())
        for at, answer in enumerate(answers):
            cities = {word.strip(".") for word in answer.split() if word.startswith("City")}
            assert cities == {f"City{at}"}
        assert not memory.failures


def test_two_graphs_share_a_memory(memory: Memory) -> None:
    first, second = listener("noted"), listener("Bruno")
    one_node(memory.worker(first)).compile().invoke(
        {"messages": [HumanMessage("My dog is called Bruno.", id="h")]}, run("one")
    )
    memory.flush("ana")
    one_node(memory.router(second), "router").compile().invoke(
        {"messages": [HumanMessage("What is my dog called?")]}, run("two")
    )
    assert "Bruno" in second.system


def test_a_killed_process_leaves_what_was_acknowledged(tmp_path: Path) -> None:
    script = f"""
        import os, signal
        from langchain_core.messages import HumanMessage
        from memory_middleware import Memory, MemoryConfig
        from tests.graph.conftest import MANUAL
        from tests.graph.support import listener, one_node, run
        memory = Memory.open({str(tmp_path)!r}, config=MemoryConfig.from_dict(MANUAL))
        graph = one_node(memory.worker(listener("ok"))).compile()
        graph.invoke({{"messages": [HumanMessage("I live in Faro, by the sea.", id="h")]}}, run())
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], cwd=ROOT, check=False)
    assert done.returncode == -9
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(MANUAL)) as memory:
        assert rounds(memory) == [("I live in Faro, by the sea.", "ok")]
        memory.flush()
        assert facts(memory) == ["The user lives in Faro."]
        assert memory.store.fsck().clean
