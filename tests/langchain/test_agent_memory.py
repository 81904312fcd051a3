"""The middleware in real agents: what the model reads, what is kept, and what is never kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentState, ModelRetryMiddleware, before_model, hook_config
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from memory_middleware import InvalidInputError, Memory, MemoryConfig, Scope
from memory_middleware_langchain import AgentMemory
from memory_middleware_langchain.newer import _found
from memory_middleware_langchain.turns import OpenTurn, OpenTurns
from tests.langchain.support import (
    BRUNO,
    MARK,
    QUESTION,
    RULES,
    ScriptedModel,
    asked,
    calling,
    clock,
    clock_first,
    rounds,
    run,
)
from tests.langchain.ways import WAYS, Call


@WAYS
def test_the_model_reads_the_block_and_nothing_else_holds_it(memory: Memory, call: Call) -> None:
    model, saver = ScriptedModel(script=clock_first()), InMemorySaver()
    agent = create_agent(
        model, [clock], system_prompt="Be brief.", middleware=[AgentMemory(memory)], checkpointer=saver
    )
    parts = call(agent, asked(), run())
    assert len(model.systems) == 2
    assert all(system.startswith("Be brief.") and BRUNO in system for system in model.systems)
    assert MARK not in repr(parts)
    assert "Emergency ward" not in repr(parts)
    kept = [*saver.list(run())]
    assert MARK not in repr(kept)
    assert not any("memory_turn" in name for point in kept for name in point.checkpoint["channel_values"])
    assert not any("memory_turn" in name for point in kept for _, name, _ in point.pending_writes or [])
    assert rounds(memory) == [(QUESTION, "Bruno.")]


def events_of(agent: Any) -> list[Any]:
    return list(agent.stream(asked(), run(), stream_mode="custom"))


def aevents_of(agent: Any) -> list[Any]:
    async def gather() -> list[Any]:
        return [event async for event in agent.astream(asked(), run(), stream_mode="custom")]

    return asyncio.run(gather())


@pytest.mark.parametrize("listen", [events_of, aevents_of], ids=["sync", "async"])
def test_it_recalls_once_in_a_turn_and_tells_the_stream(memory: Memory, listen: Callable[[Any], list[Any]]) -> None:
    model = ScriptedModel(script=clock_first("Your dog is called Bruno."))
    recalled, referenced = listen(create_agent(model, [clock], middleware=[AgentMemory(memory, agent="helper")]))
    assert (recalled["type"], referenced["type"]) == ("memory.recalled", "memory.referenced")
    assert recalled["agent"] == referenced["agent"] == "helper"
    assert len(recalled["ids"]) == 1
    assert recalled["ids"] == referenced["ids"]
    assert len(model.seen) == 2
    assert model.seen[0][0] == model.seen[1][0]


def test_the_model_reads_the_same_bytes_while_nothing_changes(memory: Memory) -> None:
    model = ScriptedModel()
    agent = create_agent(model, system_prompt="Be brief.", middleware=[AgentMemory(memory, observe=False)])
    for thread in ("t1", "t2"):
        agent.invoke(asked(), run(thread))
    assert model.seen[0][0].content == model.seen[1][0].content
    memory.remember("ana", "The user's dog is called Nero.", subject="dog", attribute="name")
    agent.invoke(asked(), run("t3"))
    assert model.seen[2][0].content[0] == model.seen[0][0].content[0]
    assert "Nero" in model.systems[2]
    assert "Bruno" not in model.systems[2]


def test_every_turn_of_a_thread_is_recalled_for_anew(memory: Memory, saver: BaseCheckpointSaver[Any]) -> None:
    model = ScriptedModel(script=clock_first())
    agent = create_agent(model, [clock], middleware=[AgentMemory(memory)], checkpointer=saver)
    agent.invoke(asked(), run())
    memory.remember("ana", "The user's dog is called Nero.", subject="dog", attribute="name")
    agent.invoke(asked("And what is my dog called now?"), run())
    assert "Nero" not in "".join(model.systems[:2])
    assert all("Nero" in system for system in model.systems[2:])
    assert [said for said, _ in rounds(memory)] == [QUESTION, "And what is my dog called now?"]


def test_a_question_in_the_middle_of_a_run_is_recalled_for_too(memory: Memory) -> None:
    memory.remember("ana", "The user's cat is called Luna.", subject="cat", attribute="name")

    @before_model
    def interject(state: AgentState[Any], runtime: Any) -> dict[str, Any] | None:
        done = any(message.type == "tool" for message in state["messages"])
        return {"messages": [HumanMessage("And what is my cat called?", id="h2")]} if done else None

    def script(messages: list[BaseMessage]) -> AIMessage | str:
        return "Luna." if messages[-1].id == "h2" else calling("clock")

    model = ScriptedModel(script=script)
    rules = MemoryConfig.from_dict({**RULES, "long_term": {"max_return": 1}})
    with Memory.open(memory.store.database.url.database.rpartition("/")[0], config=rules) as narrow:  # type: ignore[union-attr]
        agent = create_agent(model, [clock], middleware=[interject, AgentMemory(narrow)])
        agent.invoke(asked(), run())
    assert ["Bruno" in system for system in model.systems] == [True, False]
    assert ["Luna" in system for system in model.systems] == [False, True]


def keep_all(before: list[Any], added: list[Any]) -> list[Any]:
    return [*before, *(message.model_copy(update={"id": message.id or f"m{len(before)}"}) for message in added)]


class OwnState(AgentState[Any]):
    messages: Annotated[list[AnyMessage], keep_all]
    mood: str


def test_an_agent_may_have_a_state_of_its_own(memory: Memory) -> None:
    model = ScriptedModel(script=clock_first())
    agent = create_agent(model, [clock], middleware=[AgentMemory(memory)], state_schema=OwnState)
    given: Any = {**asked(id="h1"), "mood": "fine"}
    state = agent.invoke(given, run())
    assert sorted(state) == ["messages", "mood"]
    assert [message.type for message in state["messages"]] == ["human", "ai", "tool", "ai"]
    assert BRUNO in model.systems[1]
    assert rounds(memory) == [(QUESTION, "Bruno.")]


def test_a_turn_that_nobody_may_observe_is_not_written_down(memory: Memory) -> None:
    middleware = AgentMemory(memory, observe=False)
    create_agent(ScriptedModel(), middleware=[middleware]).invoke(asked(), run())
    assert rounds(memory) == []
    assert len(middleware._turns) == 0


def test_a_turn_that_ends_before_the_model_speaks_is_written_down(memory: Memory) -> None:
    @before_model
    @hook_config(can_jump_to=["end"])
    def refuse(state: AgentState[Any], runtime: Any) -> dict[str, Any]:
        return {"jump_to": "end", "messages": [AIMessage("Not today.")]}

    model = ScriptedModel()
    create_agent(model, middleware=[refuse, AgentMemory(memory)]).invoke(asked(), run())
    assert model.seen == []
    assert rounds(memory) == [(QUESTION, "Not today.")]


def test_a_model_that_is_asked_again_reads_the_same(memory: Memory) -> None:
    answers = iter([TimeoutError("busy"), None])

    def script(messages: list[BaseMessage]) -> str:
        if error := next(answers):
            raise error
        return "Bruno."

    model = ScriptedModel(script=script)
    again = ModelRetryMiddleware(max_retries=1, initial_delay=0.0)
    create_agent(model, middleware=[again, AgentMemory(memory)]).invoke(asked(), run())
    assert len(model.seen) == 2
    assert model.seen[0] == model.seen[1]
    assert rounds(memory) == [(QUESTION, "Bruno.")]


def test_the_oldest_turn_is_let_go_first() -> None:
    turns, kept = OpenTurns(most=2), [OpenTurn(turn=Any, token=name) for name in "abc"]  # type: ignore[arg-type]
    for turn in kept:
        turns.keep(turn)
    assert [turns.find(name) is not None for name in "abc"] == [False, True, True]
    assert turns.take("b") is kept[1]
    assert turns.take("b") is None
    assert turns.find(None) is None
    assert len(turns) == 1


def test_older_releases_of_langchain_do_without_what_they_lack() -> None:
    assert _found("langchain.agents.middleware.no_such_module", "Anything") is None
    assert _found("langgraph.types", "NoSuchName") is None
    assert _found("langgraph.types", "Command") is Command


@pytest.mark.parametrize(
    ("wanted", "names"),
    [
        (False, []),
        (True, ["search_memory", "remember", "forget", "update_profile"]),
        (["search_memory"], ["search_memory"]),
        ("remember", ["remember"]),
    ],
    ids=["none", "all", "some", "one"],
)
def test_an_agent_gets_the_tools_it_is_given(memory: Memory, wanted: Any, names: list[str]) -> None:
    assert [tool.name for tool in AgentMemory(memory, tools=wanted).tools] == names


def test_a_tool_reaches_the_memory_of_the_one_who_asks(memory: Memory) -> None:
    def script(messages: list[BaseMessage]) -> AIMessage | str:
        if messages[-1].type == "human":
            return calling("remember", content="The user's cat is called Luna.")
        return messages[-1].text

    agent = create_agent(ScriptedModel(script=script), middleware=[AgentMemory(memory, tools=["remember"])])
    assert "Remembered as" in agent.invoke(asked("Remember my cat, Luna"), run())["messages"][-1].text
    assert [hit.record.content for hit in memory.recall("ana", "cat Luna", limit=1)] == [
        "The user's cat is called Luna."
    ]
    assert memory.recall("ben", "cat Luna") == []


@pytest.mark.parametrize(
    "given", [{"role": "boss"}, {"tools": ["fly"]}, {"tools": "fly"}], ids=["role", "tools", "one_tool"]
)
def test_what_does_not_exist_is_refused_at_once(memory: Memory, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError, match="boss|fly"):
        AgentMemory(memory, **given)


@pytest.mark.parametrize("kind", ["text", "path", "config"])
def test_a_place_is_opened(tmp_path: Path, kind: str) -> None:
    rules = MemoryConfig.from_dict({"storage": {"path": str(tmp_path)}})
    places: dict[str, Any] = {"text": str(tmp_path), "path": tmp_path, "config": rules}
    middleware = AgentMemory(places[kind], role="router")
    with middleware.memory:
        middleware.memory.update_profile("ana", "user", {"occupation": "nurse"})
        model = ScriptedModel()
        create_agent(model, middleware=[middleware]).invoke(asked(), run())
        assert "nurse" in model.systems[0]


def test_a_run_without_a_thread_is_a_thread_of_its_own(memory: Memory) -> None:
    agent = create_agent(ScriptedModel(script=clock_first()), [clock], middleware=[AgentMemory(memory)])
    for _ in range(2):
        agent.invoke(asked(), {"configurable": {"user_id": "ana"}})
    threads = memory.store.memories.dialogues.sessions(Scope("ana"))
    assert sorted(threads.values()) == [1, 1]


def test_what_was_said_becomes_memory_of_the_next_thread(memory: Memory) -> None:
    model = ScriptedModel()
    agent = create_agent(model, middleware=[AgentMemory(memory)])
    agent.invoke(asked("I live in Lisbon."), run("t1"))
    memory.flush("ana")
    agent.invoke(asked("Which city do I live in?"), run("t2"))
    assert "Lisbon" in model.systems[1]


def test_a_chinese_owner_is_served_as_well(tmp_path: Path) -> None:
    with Memory.open(tmp_path, config=MemoryConfig.from_dict({**RULES, "language": "zh"})) as memory:
        model = ScriptedModel(script=lambda messages: "好的。")
        agent = create_agent(model, middleware=[AgentMemory(memory, role="router")])
        agent.invoke(asked("我住在上海。"), run("t1", "小明"))
        memory.flush("小明")
        agent.invoke(asked("我住在哪个城市？"), run("t2", "小明"))
        assert "上海" in model.systems[1]
        assert rounds(memory, "小明", "t2") == [("我住在哪个城市？", "好的。")]
