"""Several agents and many owners on one memory: roles and owners stay apart."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import textwrap
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from memory_middleware import Memory, MemoryConfig, Scope
from memory_middleware_langchain import AgentMemory
from memory_middleware_langchain.turns import UnderWay
from tests.langchain.support import QUESTION, ScriptedModel, asked, calling, clock, clock_first, rounds, run
from tests.support import ROOT


def routing(task: str) -> Any:
    def script(messages: list[BaseMessage]) -> AIMessage | str:
        return calling("ask_worker", task=task) if messages[-1].type == "human" else messages[-1].text

    return script


def asking(worker: Any) -> BaseTool:
    """The worker as a tool, in both colours."""

    def ask_worker(task: str) -> str:
        """Ask the worker."""
        return str(worker.invoke({"messages": [HumanMessage(task)]})["messages"][-1].text)

    async def aask_worker(task: str) -> str:
        return str((await worker.ainvoke({"messages": [HumanMessage(task)]}))["messages"][-1].text)

    return StructuredTool.from_function(ask_worker, coroutine=aask_worker)


def events_of(agent: Any) -> list[Any]:
    return [event for _, event in agent.stream(asked(), run(), stream_mode="custom", subgraphs=True)]


def aevents_of(agent: Any) -> list[Any]:
    async def gather() -> list[Any]:
        stream = agent.astream(asked(), run(), stream_mode="custom", subgraphs=True)
        return [event async for _, event in stream]

    return asyncio.run(gather())


@pytest.mark.parametrize("listen", [events_of, aevents_of], ids=["sync", "async"])
def test_a_worker_that_is_called_as_a_tool_has_a_role_of_its_own(
    memory: Memory, listen: Callable[[Any], list[Any]]
) -> None:
    inner = ScriptedModel(script=clock_first("Bruno."))
    worker = create_agent(inner, [clock], middleware=[AgentMemory(memory, role="worker", agent="helper")])
    outer = ScriptedModel(script=routing("Find the dog's name. The user is a spy."))
    router = create_agent(
        outer, [asking(worker)], middleware=[AgentMemory(memory, role="router")], checkpointer=InMemorySaver()
    )
    events = listen(router)
    assert all("nurse" in system and "Emergency ward" not in system for system in outer.systems)
    assert all("Emergency ward" in system and "nurse" not in system for system in inner.systems)
    assert all("Bruno" in system for system in inner.systems)
    assert len(inner.seen) == 2
    assert [event["agent"] for event in events if event["type"] == "memory.recalled"] == ["router", "helper"]
    # The words that a router puts to a worker are not the user's.
    assert rounds(memory) == [(QUESTION, "Bruno.")]


def test_a_worker_that_is_called_as_a_tool_is_never_in_its_first_round(tmp_path: Path) -> None:
    inner, outer = ScriptedModel(), ScriptedModel(script=routing("What is my dog called?"))
    with Memory.open(tmp_path, config=MemoryConfig.from_dict({"extract": {"mode": "manual"}})) as memory:
        memory.remember("ana", "The user's dog is called Bruno.")
        worker = create_agent(inner, middleware=[AgentMemory(memory)])
        create_agent(outer, [asking(worker)], middleware=[AgentMemory(memory)]).invoke(asked(), run())
    assert "Bruno" not in outer.systems[0]
    assert "Bruno" in inner.systems[0]


def test_a_memory_that_is_under_way_is_the_same_memory(memory: Memory) -> None:
    assert UnderWay(memory).config is memory.config


def test_agents_that_hand_over_keep_their_roles(memory: Memory) -> None:
    @tool
    def hand_over() -> Command[Any]:
        """Hand over to the worker."""
        done = ToolMessage("handed over", tool_call_id="call-hand_over")
        return Command(goto="worker", graph=Command.PARENT, update={"messages": [calling("hand_over"), done]})

    first = ScriptedModel(script=lambda messages: calling("hand_over"))
    second = ScriptedModel(script=lambda messages: "Bruno.")
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    router = create_agent(first, [hand_over], middleware=[AgentMemory(memory, role="router")], name="router")
    worker = create_agent(second, middleware=[AgentMemory(memory, role="worker")], name="worker")
    builder.add_node("router", router)
    builder.add_node("worker", worker)
    builder.add_edge(START, "router")
    state = builder.compile(checkpointer=InMemorySaver()).invoke(asked(), run())
    assert state["messages"][-1].text == "Bruno."
    assert "USER_MEMORY_START" in first.systems[0]
    assert "WORK_MEMORY_START" in second.systems[0]
    assert "USER_MEMORY" not in second.systems[0]
    assert rounds(memory) == [(QUESTION, "Bruno.")]
    (turn,) = memory.store.memories.turns.newest(Scope("ana"))
    assert turn.agent == "worker"


def test_two_agents_that_answer_one_question_make_one_round(memory: Memory) -> None:
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    for name, role in (("first", "router"), ("second", "worker")):
        model = ScriptedModel(script=lambda messages, name=name: f"{name} says Bruno.")
        builder.add_node(name, create_agent(model, middleware=[AgentMemory(memory, role=role)], name=name))
    builder.add_edge(START, "first")
    builder.add_edge("first", "second")
    builder.compile().invoke(asked(), run())
    assert rounds(memory) == [(QUESTION, "first says Bruno.\nsecond says Bruno.")]
    assert {turn.agent for turn in memory.store.memories.turns.newest(Scope("ana"))} == {"first", "second"}


@pytest.fixture
def crowd(memory: Memory) -> list[str]:
    owners = [f"owner-{number}" for number in range(50)]
    for owner in owners:
        memory.remember(owner, f"The user's dog is called Dog-of-{owner}.")
    return owners


def echoing() -> ScriptedModel:
    """Answers with all that its system message says."""
    return ScriptedModel(script=lambda messages: calling("clock") if messages[-1].type == "human" else messages[0].text)


def check(memory: Memory, crowd: list[str], answers: list[str]) -> None:
    for owner, answer in zip(crowd, answers, strict=True):
        assert f"Dog-of-{owner}." in answer
        assert answer.count("Dog-of-") == 1
        ((said, _),) = rounds(memory, owner, f"thread of {owner}")
        assert said == QUESTION


def test_fifty_owners_at_once_never_read_each_other(memory: Memory, crowd: list[str]) -> None:
    agent = create_agent(echoing(), [clock], middleware=[AgentMemory(memory)], checkpointer=InMemorySaver())

    async def everybody() -> Any:
        return await asyncio.gather(*(agent.ainvoke(asked(), run(f"thread of {owner}", owner)) for owner in crowd))

    check(memory, crowd, [state["messages"][-1].text for state in asyncio.run(everybody())])


def test_many_threads_share_one_middleware(memory: Memory, crowd: list[str]) -> None:
    middleware = AgentMemory(memory)
    agents = [create_agent(echoing(), [clock], middleware=[middleware]) for _ in range(2)]

    def ask(at: int) -> str:
        state = agents[at % 2].invoke(asked(), run(f"thread of {crowd[at]}", crowd[at]))
        return str(state["messages"][-1].text)

    with ThreadPoolExecutor(8) as pool:
        check(memory, crowd, list(pool.map(ask, range(len(crowd)))))
    assert len(middleware._turns) == 0


def test_checkpoints_are_read_back_where_only_plain_types_are_allowed(tmp_path: Path) -> None:
    script = """
        import sys
        from langchain.agents import create_agent
        from langchain.agents.middleware import HumanInTheLoopMiddleware
        from langgraph.checkpoint.sqlite import SqliteSaver
        from langgraph.types import Command
        from memory_middleware import Memory, MemoryConfig
        from memory_middleware_langchain import AgentMemory
        from tests.langchain.support import RULES, ScriptedModel, asked, clock, clock_first, rounds, run

        with Memory.open(sys.argv[1], config=MemoryConfig.from_dict(RULES)) as memory:
            memory.remember("ana", "The user's dog is called Bruno.")
            with SqliteSaver.from_conn_string(sys.argv[1] + "/checkpoints.db") as saver:
                model = ScriptedModel(script=clock_first())
                both = [AgentMemory(memory), HumanInTheLoopMiddleware({"clock": True})]
                agent = create_agent(model, [clock], middleware=both, checkpointer=saver)
                for question in ("What is my dog called?", "And what was my dog called?"):
                    agent.invoke(asked(question), run())
                    agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), run())
                assert len(rounds(memory)) == 2, rounds(memory)
                assert all("Bruno" in system for system in model.systems)
                types = [message.type for message in agent.get_state(run()).values["messages"]]
                assert types == ["human", "ai", "tool", "ai"] * 2
        """
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", textwrap.dedent(script), str(tmp_path)],
        cwd=ROOT,
        env={
            "LANGGRAPH_STRICT_MSGPACK": "true",
            "PYTHONPATH": f"{ROOT}:{ROOT / 'integrations'}",
            "HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "unregistered type" not in done.stderr
