"""The middleware in real agents: what the model reads, what is kept, and what is never kept."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentState, ModelRetryMiddleware, before_model, hook_config
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from memory_middleware import InvalidInputError, Memory, MemoryConfig, Scope, StoreError
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

MODES: Any = ["values", "updates", "messages", "debug", "checkpoints", "tasks"]


def by_invoke(agent: Any, given: Any, config: RunnableConfig) -> list[Any]:
    return [agent.invoke(given, config)]


def by_ainvoke(agent: Any, given: Any, config: RunnableConfig) -> list[Any]:
    return [asyncio.run(agent.ainvoke(given, config))]


def by_stream(agent: Any, given: Any, config: RunnableConfig) -> list[Any]:
    return list(agent.stream(given, config, stream_mode=MODES))


def by_astream(agent: Any, given: Any, config: RunnableConfig) -> list[Any]:
    async def gather() -> list[Any]:
        return [part async for part in agent.astream(given, config, stream_mode=MODES)]

    return asyncio.run(gather())


WAYS = pytest.mark.parametrize("call", [by_invoke, by_ainvoke, by_stream, by_astream])
Call = Callable[[Any, Any, RunnableConfig], list[Any]]


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


@dataclass
class User:
    user_id: str


@pytest.mark.parametrize(
    ("context", "config"),
    [
        ({"user_id": "ana"}, {}),
        (User("ana"), {}),
        (None, {"user_id": "ana"}),
        ({"user_id": "ana"}, {"user_id": "ben"}),
    ],
    ids=["context", "context_object", "configurable", "context_first"],
)
def test_the_run_tells_whose_memory_it_is(memory: Memory, context: Any, config: dict[str, Any]) -> None:
    model = ScriptedModel()
    agent = create_agent(model, middleware=[AgentMemory(memory)])
    agent.invoke(asked(), {"configurable": {"thread_id": "t1", **config}}, context=context)
    assert BRUNO in model.systems[0]
    assert len(rounds(memory)) == 1


def test_a_callable_may_tell_whose_memory_it_is(memory: Memory) -> None:
    memory.identify = lambda config, runtime: config["metadata"]["person"]
    model = ScriptedModel()
    create_agent(model, middleware=[AgentMemory(memory)]).invoke(asked(), {"metadata": {"person": "ana"}})
    assert BRUNO in model.systems[0]


@WAYS
def test_a_run_of_nobody_is_refused_before_the_model_is_asked(memory: Memory, call: Call) -> None:
    model = ScriptedModel()
    agent = create_agent(model, middleware=[AgentMemory(memory)])
    with pytest.raises(InvalidInputError, match="memory needs to know whose it is"):
        call(agent, asked(), {"configurable": {"thread_id": "t1"}})
    assert model.seen == []


@WAYS
def test_a_memory_that_fails_does_not_cost_the_answer(
    memory: Memory, call: Call, caplog: pytest.LogCaptureFixture
) -> None:
    model = ScriptedModel(script=clock_first())
    agent = create_agent(model, [clock], middleware=[AgentMemory(memory)])
    memory.store.close()
    with caplog.at_level(logging.CRITICAL):
        assert "Bruno." in repr(call(agent, asked(), run()))
    assert memory.failures["observe"] == 1
    assert len(model.seen) == 2


def test_a_failure_is_told_where_the_configuration_wants_it(tmp_path: Path) -> None:
    rules = MemoryConfig.from_dict({**RULES, "on_error": "raise"})
    memory = Memory.open(tmp_path, config=rules)
    agent = create_agent(ScriptedModel(), middleware=[AgentMemory(memory)])
    memory.close()
    with pytest.raises(StoreError):
        agent.invoke(asked(), run())


@WAYS
def test_an_owner_who_is_lost_at_the_end_does_not_cost_the_answer(tmp_path: Path, call: Call) -> None:
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(RULES), identify=once()) as memory:
        agent = create_agent(ScriptedModel(), middleware=[forgetful(memory)])
        assert "Fine." in repr(call(agent, asked(), run()))
        assert memory.failures == {"observe": 1}


def test_an_owner_who_is_lost_at_the_end_is_told_where_the_configuration_wants_it(tmp_path: Path) -> None:
    rules = MemoryConfig.from_dict({**RULES, "on_error": "raise"})
    with Memory.open(tmp_path, config=rules, identify=once()) as memory:
        agent = create_agent(ScriptedModel(), middleware=[forgetful(memory)])
        with pytest.raises(InvalidInputError, match="whose it is"):
            agent.invoke(asked(), run())


def once() -> Callable[[Any, Any], str]:
    """Tell the owner the first time, and nobody after."""
    who = iter(["ana"])
    return lambda config, runtime: next(who, "")


def forgetful(memory: Memory) -> AgentMemory:
    """A middleware that keeps no turn, as one that was started anew."""
    middleware = AgentMemory(memory)
    middleware._turns = OpenTurns(most=0)
    return middleware


def test_turns_that_were_let_go_are_recalled_for_again(memory: Memory) -> None:
    model = ScriptedModel(script=clock_first())
    create_agent(model, [clock], middleware=[forgetful(memory)]).invoke(asked(), run())
    assert model.seen[0][0] == model.seen[1][0]
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
