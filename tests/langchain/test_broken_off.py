"""Turns that nobody ends, and agents that work for others: what was said and told is written down all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware, SummarizationMiddleware
from langchain.agents.structured_output import ToolStrategy
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import BaseModel

from memory_middleware import Memory, MemoryConfig, Scope
from memory_middleware_langchain import AgentMemory
from memory_middleware_langchain.turns import broken_off
from tests.langchain.support import QUESTION, RULES, ScriptedModel, asked, calling, rounds, run
from tests.langchain.test_many_agents import asking, routing
from tests.langchain.ways import WAYS, Call

LETTER = "Write to my dog Bruno in Lisbon, please"


@tool
def send(text: str) -> str:
    """Send a letter."""
    return "sent"


@tool
def fail() -> str:
    """Fail."""
    raise ConnectionError("no post today")


@tool(return_direct=True)
def tell() -> str:
    """Tell it at once."""
    return "It is Bruno."


def letter_writer(messages: list[BaseMessage]) -> AIMessage | str:
    last = messages[-1]
    return calling("send", text="hello") if last.type == "human" and "Write" in last.text else "As you like."


def agent_of(memory: Memory, saver: Any, *more: Any) -> Any:
    model = ScriptedModel(script=letter_writer)
    middleware = [AgentMemory(memory), HumanInTheLoopMiddleware({"send": True}), *more]
    return create_agent(model, [send], middleware=middleware, checkpointer=saver)


@WAYS
@pytest.mark.parametrize("where", ["in the same process", "in another process"])
def test_a_turn_that_waits_for_an_approval_that_never_comes_is_written_down(
    memory: Memory, call: Call, where: str
) -> None:
    saver = InMemorySaver()
    agent = agent_of(memory, saver)
    call(agent, asked(LETTER, id="h1"), run())
    assert rounds(memory) == []
    later = agent if where == "in the same process" else agent_of(memory, saver)
    call(later, asked("Never mind. What is my dog called?", id="h2"), run())
    call(later, asked("And how are you?", id="h3"), run())
    assert rounds(memory) == [
        (LETTER, ""),
        ("Never mind. What is my dog called?", "As you like."),
        ("And how are you?", "As you like."),
    ]
    first = memory.store.memories.turns.newest(Scope("ana"), limit=10)[-1]
    assert first.query == LETTER
    assert len(first.injected) == (1 if where == "in the same process" else 0)


@WAYS
@pytest.mark.parametrize("where", ["in the same process", "in another process"])
def test_a_turn_that_one_owner_broke_off_is_not_written_down_for_the_next(
    memory: Memory, call: Call, where: str
) -> None:
    saver = InMemorySaver()
    agent = agent_of(memory, saver)
    call(agent, asked(LETTER, id="h1"), run(owner="ana"))
    later = agent if where == "in the same process" else agent_of(memory, saver)
    call(later, asked("Hello, Bob here", id="h2"), run(owner="bob"))
    assert rounds(memory, "ana") == []
    assert rounds(memory, "bob") == [("Hello, Bob here", "As you like.")]
    assert "ana" not in [str(value) for value in later.get_state(run()).values.values()]


def test_a_turn_whose_owner_nobody_knows_is_not_written_down(memory: Memory) -> None:
    agent: Any = create_agent(ScriptedModel(script=letter_writer), [send], middleware=[AgentMemory(memory)])
    said = [HumanMessage(LETTER), calling("send", text="x"), HumanMessage("Never mind")]
    agent.invoke({"messages": said}, run())
    assert rounds(memory) == [("Never mind", "As you like.")]


@WAYS
def test_a_turn_that_was_resumed_is_not_kept_twice(memory: Memory, call: Call) -> None:
    middleware = AgentMemory(memory)
    both = [middleware, HumanInTheLoopMiddleware({"send": True, "tell": True})]
    for tool_name in ("send", "tell"):

        def script(messages: list[BaseMessage], name: str = tool_name) -> AIMessage | str:
            return calling(name, **({"text": "x"} if name == "send" else {})) if len(messages) < 3 else "Done."

        model = ScriptedModel(script=script)
        agent = create_agent(model, [send, tell], middleware=both, checkpointer=InMemorySaver())
        call(agent, asked(), run(tool_name))
        call(agent, Command(resume={"decisions": [{"type": "approve"}]}), run(tool_name))
        assert len(middleware._turns) == 0
        (turn,) = memory.store.memories.turns.newest(Scope("ana", tool_name))
        assert len(turn.injected) == 1


def test_turns_that_were_broken_off_are_let_go(memory: Memory) -> None:
    middleware = AgentMemory(memory)
    model = ScriptedModel(script=letter_writer)
    both = [middleware, HumanInTheLoopMiddleware({"send": True})]
    agent = create_agent(model, [send], middleware=both, checkpointer=InMemorySaver())
    agent.invoke(asked(LETTER), run())
    assert len(middleware._turns) == 1
    agent.invoke(asked("Never mind"), run())
    assert len(middleware._turns) == 0


def test_a_turn_that_was_broken_off_is_written_before_it_is_summarised(memory: Memory) -> None:
    summarizer = SummarizationMiddleware(
        ScriptedModel(script=lambda messages: "They spoke of letters."), trigger=("messages", 3), keep=("messages", 1)
    )
    agent = agent_of(memory, InMemorySaver(), summarizer)
    agent.invoke(asked(LETTER), run())
    state = agent.invoke(asked("Never mind"), run())
    assert LETTER not in [message.text for message in state["messages"]]
    assert rounds(memory) == [(LETTER, ""), ("Never mind", "As you like.")]


def test_a_turn_that_is_approved_at_last_is_not_taken_for_broken_off(memory: Memory) -> None:
    agent = agent_of(memory, InMemorySaver())
    agent.invoke(asked(LETTER), run())
    agent.invoke(Command(resume={"decisions": [{"type": "approve"}]}), run())
    agent.invoke(asked("Thank you"), run())
    assert rounds(memory) == [(LETTER, "As you like."), ("Thank you", "As you like.")]


def test_a_turn_that_failed_is_written_down_with_the_next(memory: Memory) -> None:
    def script(messages: list[BaseMessage]) -> AIMessage | str:
        return calling("fail") if messages[-1].text == LETTER else "I am sorry."

    agent = create_agent(
        ScriptedModel(script=script), [fail], middleware=[AgentMemory(memory)], checkpointer=InMemorySaver()
    )
    with pytest.raises(ConnectionError):
        agent.invoke(asked(LETTER), run())
    agent.invoke(asked("What happened?"), run())
    assert rounds(memory) == [(LETTER, ""), ("What happened?", "I am sorry.")]


def test_a_turn_that_a_tool_ended_is_not_written_twice(memory: Memory) -> None:
    def script(messages: list[BaseMessage]) -> AIMessage | str:
        return calling("tell") if messages[-1].text == QUESTION else "Yes."

    agent = create_agent(
        ScriptedModel(script=script), [tell], middleware=[AgentMemory(memory)], checkpointer=InMemorySaver()
    )
    agent.invoke(asked(), run())
    agent.invoke(asked("Is it?"), run())
    assert len(rounds(memory)) == 2
    assert memory.store.memories.turns.count(Scope("ana", "t1")) == 2


class Name(BaseModel):
    """The name of a dog."""

    name: str


@pytest.mark.parametrize("ending", ["a tool", "a structured answer"])
def test_a_turn_that_a_tool_ended_is_not_written_twice_when_its_words_come_again_without_ids(
    memory: Memory, ending: str
) -> None:
    call = calling("tell") if ending == "a tool" else calling("Name", name="Bruno")
    agent: Any = create_agent(
        ScriptedModel(script=lambda messages: call),
        [tell],
        middleware=[AgentMemory(memory)],
        response_format=None if ending == "a tool" else ToolStrategy(Name),
    )
    said: list[Any] = []
    for question in ("one", "two", "three"):
        out = agent.invoke({"messages": [*said, HumanMessage(question)]}, run())
        said = [message.model_copy(update={"id": None}) for message in out["messages"]]
    assert [asked for asked, _answer in rounds(memory)] == ["one", "two", "three"]


def test_a_turn_that_nobody_may_observe_is_not_written_down_when_it_is_broken_off(memory: Memory) -> None:
    model, saver = ScriptedModel(script=letter_writer), InMemorySaver()
    both = [AgentMemory(memory, observe=False), HumanInTheLoopMiddleware({"send": True})]
    agent = create_agent(model, [send], middleware=both, checkpointer=saver)
    agent.invoke(asked(LETTER), run())
    agent.invoke(asked("Never mind"), run())
    assert rounds(memory) == []


HUMAN, WAITING, DONE = HumanMessage("h"), calling("send", text="x"), AIMessage("done")
TWICE = AIMessage("", tool_calls=[*WAITING.tool_calls, *calling("fail").tool_calls])
RESULT = ToolMessage("r", tool_call_id="call-send")


@pytest.mark.parametrize(
    ("messages", "length"),
    [
        ([], 0),
        ([HUMAN], 0),
        ([DONE], 0),
        ([HUMAN, DONE, HUMAN], 0),
        ([HUMAN, WAITING, HUMAN], 2),
        ([HUMAN, WAITING, RESULT, HUMAN, HUMAN], 0),
        ([HUMAN, TWICE, RESULT, HUMAN], 3),
        ([RESULT, HUMAN], 0),
        ([HUMAN, WAITING, RESULT, DONE, HUMAN, WAITING], 0),
        ([HUMAN, WAITING, HUMAN, WAITING, RESULT], 2),
    ],
)
def test_a_turn_is_broken_off_when_its_tools_were_called_and_never_answered(
    messages: list[BaseMessage], length: int
) -> None:
    assert broken_off(messages) == messages[:length]


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Memory]:
    """A memory that tells nothing in the first round of a conversation, except to agents that are tools."""
    with Memory.open(tmp_path / "strict", config=MemoryConfig.from_dict({"extract": {"mode": "manual"}})) as opened:
        opened.remember("ana", "The user's dog is called Bruno.")
        yield opened


@WAYS
def test_what_an_agent_is_told_as_a_tool_is_noted_in_the_turn_it_works_for(strict: Memory, call: Call) -> None:
    inner = ScriptedModel(script=lambda messages: "Bruno.")
    worker = create_agent(inner, middleware=[AgentMemory(strict)])
    outer = ScriptedModel(script=routing("What is the user's dog called?"))
    router = create_agent(outer, [asking(worker)], middleware=[AgentMemory(strict, role="router")])
    call(router, asked(), run())
    assert "Bruno" in inner.systems[0]
    assert "Bruno" not in outer.systems[0]
    (turn,) = strict.store.memories.turns.newest(Scope("ana"))
    assert turn.agent == "router"
    assert len(turn.injected) == len(turn.referenced) == 1
    assert turn.tokens > 0


def test_an_agent_that_works_for_a_tool_of_an_agent_tells_the_first(strict: Memory) -> None:
    innermost = create_agent(ScriptedModel(script=lambda messages: "Bruno."), middleware=[AgentMemory(strict)])
    middle = ScriptedModel(script=routing("What is the user's dog called?"))
    helper = create_agent(middle, [asking(innermost)], middleware=[AgentMemory(strict, role="router")])
    outer = ScriptedModel(script=routing("Ask somebody what the dog is called"))
    create_agent(outer, [asking(helper)], middleware=[AgentMemory(strict, role="router")]).invoke(asked(), run())
    (turn,) = strict.store.memories.turns.newest(Scope("ana"))
    assert len(turn.injected) == len(turn.referenced) == 1


def test_an_agent_of_another_owner_or_memory_tells_nobody(strict: Memory, tmp_path: Path) -> None:
    with Memory.open(tmp_path / "other", config=MemoryConfig.from_dict(RULES)) as other:
        other.remember("ana", "The user's dog is called Nero.")
        inner = ScriptedModel(script=lambda messages: "Nero.")
        worker = create_agent(inner, middleware=[AgentMemory(other)])
        outer = ScriptedModel(script=routing("What is the user's dog called?"))
        router = create_agent(outer, [asking(worker)], middleware=[AgentMemory(strict)])
        router.invoke(asked(), run())
        assert "Nero" in inner.systems[0]
    (turn,) = strict.store.memories.turns.newest(Scope("ana"))
    assert turn.injected == ()


def test_parallel_agents_that_are_tools_all_tell_the_turn(strict: Memory) -> None:
    strict.remember("ana", "The user's cat is called Luna.")
    worker = create_agent(ScriptedModel(script=lambda messages: messages[0].text), middleware=[AgentMemory(strict)])

    def script(messages: list[BaseMessage]) -> AIMessage | str:
        if messages[-1].type != "human":
            return "The dog is Bruno and the cat is Luna."
        tasks = ["What is the user's dog called?", "What is the user's cat called?"]
        calls = [{"name": "ask_worker", "args": {"task": task}, "id": f"c{at}"} for at, task in enumerate(tasks)]
        return AIMessage("", tool_calls=calls)

    agent = create_agent(ScriptedModel(script=script), [asking(worker)], middleware=[AgentMemory(strict)])
    asyncio.run(agent.ainvoke(asked("Name my animals"), run()))
    (turn,) = strict.store.memories.turns.newest(Scope("ana"))
    assert len(turn.injected) == len(turn.referenced) == 2
