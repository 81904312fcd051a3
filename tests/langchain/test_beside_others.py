"""Beside LangChain's own middleware and deepagents: summaries, approvals, redaction, subagents."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    AgentMiddleware,
    HumanInTheLoopMiddleware,
    ModelRetryMiddleware,
    PIIMiddleware,
    SummarizationMiddleware,
)
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.tools import tool
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from memory_middleware import Memory, MemoryConfig, ModelExtractor, Scope
from memory_middleware_langchain import AgentMemory
from tests.langchain.support import (
    BRUNO,
    MARK,
    QUESTION,
    RULES,
    ScriptedModel,
    asked,
    calling,
    rounds,
    run,
)
from tests.langchain.ways import WAYS, Call

APPROVED: Command[Any] = Command(resume={"decisions": [{"type": "approve"}]})


def summarizing(keep: int = 2) -> SummarizationMiddleware[Any, Any]:
    model = ScriptedModel(script=lambda messages: "They talked about numbers.")
    return SummarizationMiddleware(model, trigger=("messages", keep + 2), keep=("messages", keep))


@pytest.mark.parametrize("first", [True, False], ids=["memory_first", "summary_first"])
def test_a_conversation_that_is_summarised_is_in_the_buffer_to_the_last_word(memory: Memory, first: bool) -> None:
    middleware: list[Any] = [AgentMemory(memory), summarizing()]
    model = ScriptedModel(script=lambda messages: f"{messages[-1].text} is a number.")
    agent = create_agent(model, middleware=middleware if first else middleware[::-1], checkpointer=InMemorySaver())
    for number in range(8):
        state = agent.invoke(asked(f"My favourite is {number}"), run())
    assert len(state["messages"]) < 8
    said = [(f"My favourite is {number}", f"My favourite is {number} is a number.") for number in range(8)]
    assert rounds(memory) == said
    turns = memory.store.memories.turns.newest(Scope("ana"), limit=100)
    assert len(turns) == 8
    assert "Here is a summary" not in repr(turns)


def test_a_turn_that_is_summarised_while_it_lasts_is_kept_whole(memory: Memory) -> None:
    @tool
    def look(page: int) -> str:
        """Look at a page."""
        return f"page {page} says {page * 11}"

    def script(messages: list[BaseMessage]) -> AIMessage | str:
        done = len(model.seen)
        if done > 4:
            return "Bruno, as page 4 says."
        return AIMessage("", tool_calls=[{"name": "look", "args": {"page": done}, "id": f"c{done}"}])

    model = ScriptedModel(script=script)
    agent = create_agent(model, [look], middleware=[AgentMemory(memory), summarizing()], checkpointer=InMemorySaver())
    state = agent.invoke(asked(), run())
    assert QUESTION not in [message.text for message in state["messages"]]
    assert len(set(model.systems)) == 1
    assert BRUNO in model.systems[0]
    (kept,) = memory.store.memories.dialogues.batch(Scope("ana"), "t1", 10)
    assert (kept.user_query, kept.assistant_response) == (QUESTION, "Bruno, as page 4 says.")
    assert all(f"page {page} says {page * 11}" in kept.tool_text for page in range(1, 5))


@tool
def send(text: str) -> str:
    """Send a letter."""
    return "sent"


def send_first(messages: Sequence[BaseMessage]) -> AIMessage | str:
    return calling("send", text="hello") if messages[-1].type == "human" else "It is sent to Bruno."


def approving() -> HumanInTheLoopMiddleware[Any, Any, Any]:
    return HumanInTheLoopMiddleware({"send": True})


@pytest.mark.parametrize("first", [True, False], ids=["memory_first", "approval_first"])
def test_a_turn_goes_on_after_an_approval_with_fresh_memory_and_is_written_once(
    memory: Memory, saver: BaseCheckpointSaver[Any], first: bool
) -> None:
    middleware: list[Any] = [AgentMemory(memory), approving()]
    model = ScriptedModel(script=send_first)
    agent = create_agent(model, [send], middleware=middleware if first else middleware[::-1], checkpointer=saver)
    stopped = agent.invoke(asked(), run())
    assert "__interrupt__" in stopped
    assert rounds(memory) == []
    memory.remember("ana", "The user's dog is called Nero.", subject="dog", attribute="name")
    ended = agent.invoke(APPROVED, run())
    assert ended["messages"][-1].text == "It is sent to Bruno."
    assert ["Bruno" in system for system in model.systems] == [True, False]
    assert ["Nero" in system for system in model.systems] == [False, True]
    assert rounds(memory) == [(QUESTION, "It is sent to Bruno.")]
    assert memory.store.memories.turns.count(Scope("ana", "t1")) == 1


def test_an_approval_may_come_in_another_process_and_of_an_async_run(memory: Memory) -> None:
    saver = InMemorySaver()

    def agent() -> Any:
        """Nothing but the checkpoint is shared, as between two processes."""
        return create_agent(
            ScriptedModel(script=send_first),
            [send],
            middleware=[AgentMemory(memory), approving()],
            checkpointer=saver,
        )

    async def both() -> Any:
        await agent().ainvoke(asked(), run())
        return await agent().ainvoke(APPROVED, run())

    assert asyncio.run(both())["messages"][-1].text == "It is sent to Bruno."
    assert rounds(memory) == [(QUESTION, "It is sent to Bruno.")]


def test_a_turn_that_stops_twice_is_recalled_for_each_time(memory: Memory) -> None:
    def script(messages: list[BaseMessage]) -> AIMessage | str:
        done = len(model.seen)
        return (
            "Done."
            if done > 2
            else AIMessage("", tool_calls=[{"name": "send", "args": {"text": "a"}, "id": f"c{done}"}])
        )

    model = ScriptedModel(script=script)
    agent = create_agent(model, [send], middleware=[AgentMemory(memory), approving()], checkpointer=InMemorySaver())
    agent.invoke(asked(), run())
    for name in ("Nero", "Rex"):
        memory.remember("ana", f"The user's dog is called {name}.", subject="dog", attribute="name")
        agent.invoke(APPROVED, run())
    assert [name in system for system, name in zip(model.systems, ("Bruno", "Nero", "Rex"), strict=True)] == [True] * 3
    assert rounds(memory) == [(QUESTION, "Done.")]


@pytest.mark.parametrize("first", [True, False], ids=["memory_first", "redaction_first"])
def test_the_extractor_reads_what_redaction_left(tmp_path: Path, first: bool) -> None:
    asked_of_it: list[str] = []

    def extract(messages: list[BaseMessage]) -> str:
        asked_of_it.append("".join(message.text for message in messages))
        return '{"facts": []}'

    @tool
    def directory() -> str:
        """Look people up."""
        return "Ben is at ben@example.com"

    def script(messages: list[BaseMessage]) -> AIMessage | str:
        return calling("directory") if messages[-1].type == "human" else "I wrote to cleo@example.com for you."

    hiding = PIIMiddleware(
        "email", strategy="redact", apply_to_input=True, apply_to_output=True, apply_to_tool_results=True
    )
    extractor = ModelExtractor(ScriptedModel(script=extract))
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(RULES), extractor=extractor) as memory:
        both: list[Any] = [AgentMemory(memory), hiding]
        agent = create_agent(ScriptedModel(script=script), [directory], middleware=both if first else both[::-1])
        agent.invoke(asked("My address is ana@example.com, please find Ben"), run())
        ((said, answered),) = rounds(memory)
        memory.flush("ana")
    assert said == "My address is [REDACTED_EMAIL], please find Ben"
    assert answered == "I wrote to [REDACTED_EMAIL] for you."
    assert any("REDACTED_EMAIL" in text for text in asked_of_it)
    assert not any("@example.com" in text for text in asked_of_it)


def test_an_extractor_that_runs_in_the_turn_stays_out_of_the_stream(tmp_path: Path) -> None:
    extracting = ScriptedModel(script=lambda messages: '{"facts": []}')
    rules = {**RULES, "extract": {"mode": "inline", "batch_size": 1}}
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(rules), extractor=ModelExtractor(extracting)) as memory:
        agent = create_agent(ScriptedModel(), middleware=[AgentMemory(memory)])
        parts: list[Any] = list(agent.stream(asked(), run(), stream_mode="messages"))
    assert len(extracting.seen) == 1
    assert [message.text for message, _ in parts] == ["Fine."]


def deep(model: ScriptedModel, middleware: list[Any], **more: Any) -> Any:
    reason = "deepagents is not installed, or does not fit this LangChain"
    package = pytest.importorskip("deepagents", reason=reason, exc_type=ImportError)
    return package.create_deep_agent(model, middleware=middleware, **more)


def test_a_deep_agent_remembers(memory: Memory) -> None:
    model, saver = ScriptedModel(), InMemorySaver()
    agent = deep(model, [AgentMemory(memory)], system_prompt="Be deep.", checkpointer=saver)
    agent.invoke(asked(), run())
    assert model.systems[0].count(BRUNO) == 1
    assert "Be deep." in model.systems[0]
    assert rounds(memory) == [(QUESTION, "Fine.")]
    assert MARK not in repr([*saver.list(run())])


def test_the_subagents_of_a_deep_agent_have_a_role_of_their_own(memory: Memory) -> None:
    def route(messages: list[BaseMessage]) -> AIMessage | str:
        if messages[-1].type == "human":
            return calling("task", description="What is the dog called?", subagent_type="helper")
        return "Bruno, I am told."

    router, worker = ScriptedModel(script=route), ScriptedModel(script=lambda messages: "Bruno.")
    helper = {
        "name": "helper",
        "description": "Helps.",
        "system_prompt": "Help.",
        "model": worker,
        "middleware": [AgentMemory(memory, role="worker")],
    }
    deep(router, [AgentMemory(memory, role="router")], subagents=[helper]).invoke(asked(), run())
    assert "USER_MEMORY_START" in router.systems[0]
    assert "WORK_MEMORY" not in router.systems[0]
    assert "WORK_MEMORY_START" in worker.systems[0]
    assert "USER_MEMORY" not in worker.systems[0]
    assert rounds(memory) == [(QUESTION, "Bruno, I am told.")]


@WAYS
def test_a_model_that_is_tried_again_is_told_the_same_and_nothing_is_recalled_twice(memory: Memory, call: Call) -> None:
    said: list[str] = []

    def script(messages: Sequence[BaseMessage]) -> str:
        said.append("once more")
        if len(said) < 3:
            memory.remember("ana", f"The user's dog is {len(said)} years old.")
            raise ConnectionError("not now")
        return "Bruno."

    model, middleware = ScriptedModel(script=script), AgentMemory(memory)
    retrying: Any = ModelRetryMiddleware(max_retries=4, initial_delay=0.0, jitter=False)
    agent = create_agent(model, middleware=[retrying, middleware], checkpointer=InMemorySaver())
    call(agent, asked(), run())
    assert len(model.systems) == 3
    assert BRUNO in model.systems[0]
    assert len(set(model.systems)) == 1
    assert rounds(memory) == [(QUESTION, "Bruno.")]
    assert len(middleware._turns) == 0


def test_a_run_that_failed_and_is_taken_up_again_recalls_anew(memory: Memory) -> None:
    said: list[str] = []

    def script(messages: Sequence[BaseMessage]) -> str:
        said.append("once more")
        if len(said) == 1:
            raise ConnectionError("not now")
        return "Bruno."

    model, middleware = ScriptedModel(script=script), AgentMemory(memory)
    agent = create_agent(model, middleware=[middleware], checkpointer=InMemorySaver())
    with pytest.raises(ConnectionError):
        agent.invoke(asked(), run())
    memory.remember("ana", "The user's dog is seven years old.")
    agent.invoke(None, run())
    assert ["seven" in system for system in model.systems] == [False, True]
    assert rounds(memory) == [(QUESTION, "Bruno.")]
    assert len(middleware._turns) == 0


@WAYS
def test_a_model_call_that_waits_for_somebody_recalls_anew_when_it_goes_on(memory: Memory, call: Call) -> None:
    class Asking(AgentMiddleware[Any, Any, Any]):
        def wrap_model_call(self, request: Any, handler: Any) -> Any:
            interrupt("may I?")
            return handler(request)

        async def awrap_model_call(self, request: Any, handler: Any) -> Any:
            interrupt("may I?")
            return await handler(request)

    model, middleware = ScriptedModel(), AgentMemory(memory)
    agent = create_agent(model, middleware=[middleware, Asking()], checkpointer=InMemorySaver())
    call(agent, asked(), run())
    assert len(middleware._turns) == 0
    memory.remember("ana", "The user's dog is seven years old.")
    call(agent, Command(resume=True), run())
    assert "seven" in model.systems[0]
    assert len(middleware._turns) == 0
