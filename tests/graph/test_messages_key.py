"""Where a state has its messages: under a name of its own, or nowhere, which is told once."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import pytest
from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.graph import START, MessagesState, StateGraph, add_messages
from langgraph.types import Command, Send
from pydantic import BaseModel
from typing_extensions import TypedDict

from memory_middleware import InvalidInputError, Memory, MemoryConfig
from memory_middleware.graph.conversation import fields_of, has_messages
from tests.graph.conftest import MANUAL
from tests.graph.support import listener, one_node, rounds, run

QUESTION = "Where do I live, do you know?"


class Chat(TypedDict):
    chat_history: Annotated[list[AnyMessage], add_messages]
    mood: str


@dataclass(slots=True)
class SlimChat:
    chat_history: Annotated[list[AnyMessage], add_messages] = field(default_factory=list)
    mood: str = ""


class ModelChat(BaseModel):
    chat_history: Annotated[list[AnyMessage], add_messages] = []
    mood: str = ""


STATES = pytest.mark.parametrize("state", [Chat, SlimChat, ModelChat])


def speaking(model: Any) -> Any:
    def agent(state: Any) -> Any:
        said = state["chat_history"] if isinstance(state, dict) else state.chat_history
        return {"chat_history": [model.invoke(said)]}

    return agent


def asked() -> Any:
    return {"chat_history": [HumanMessage(QUESTION)], "mood": "curious"}


@STATES
@pytest.mark.parametrize("wrong", ["messages", "chat_histroy"])
def test_an_agent_whose_state_has_no_messages_is_told_of_once(
    memory: Memory, caplog: pytest.LogCaptureFixture, state: Any, wrong: str
) -> None:
    model = listener()
    graph = one_node(memory.worker(speaking(model), messages_key=wrong), state=state).compile()
    with caplog.at_level(logging.WARNING):
        for thread in ("t1", "t2", "t3"):
            graph.invoke(asked(), run(thread))
    [told] = [record.getMessage() for record in caplog.records if record.name.startswith("memory_middleware")]
    assert f"'worker' has no '{wrong}'" in told
    assert "chat_history, mood" in told
    assert "messages_key=" in told
    assert "Lisbon" not in model.system
    assert rounds(memory) == []


@STATES
def test_messages_under_another_name_are_recalled_for_and_written_down(
    memory: Memory, caplog: pytest.LogCaptureFixture, state: Any
) -> None:
    model = listener()
    graph = one_node(memory.worker(speaking(model), messages_key="chat_history"), state=state).compile()
    graph.invoke(asked(), run())
    assert "Lisbon" in model.system
    assert rounds(memory) == [(QUESTION, "I see.")]
    assert "messages_key" not in caplog.text


def test_each_agent_is_told_of_by_its_name(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(Chat)
    builder.add_node("one", memory.router(speaking(listener())))
    builder.add_node("two", memory.worker(speaking(listener())))
    builder.add_edge(START, "one")
    builder.add_edge("one", "two")
    builder.compile().invoke(asked(), run())
    assert [name in caplog.text for name in ("agent 'one'", "agent 'two'")] == [True, True]


def test_who_wants_errors_gets_one(tmp_path: Path) -> None:
    config = MemoryConfig.from_dict({**MANUAL, "on_error": "raise"})
    with Memory.open(tmp_path / "strict", config=config) as strict:
        graph = one_node(strict.worker(speaking(listener())), state=Chat).compile()
        for _again in range(2):
            with pytest.raises(InvalidInputError, match="messages_key"):
                graph.invoke(asked(), run())


def test_a_task_without_messages_that_is_sent_on_is_done(memory: Memory) -> None:
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("split", lambda state: Command(goto=[Send("do", {"task": "sweep"})]))
    builder.add_node("do", memory.worker(lambda state: {"messages": [("ai", state["task"])]}))
    builder.add_edge(START, "split")
    out = builder.compile().invoke({"messages": [HumanMessage(QUESTION)]}, run())
    assert out["messages"][-1].text == "sweep"


@pytest.mark.parametrize(
    ("state", "has", "fields"),
    [
        ({"messages": None, "a": 1}, True, ["messages", "a"]),
        ({}, False, []),
        ([HumanMessage("x")], True, []),
        ("text", True, []),
        (None, False, []),
        (SlimChat(), False, ["chat_history", "mood"]),
    ],
    ids=["a mapping", "an empty one", "a list", "a text", "nothing", "slots"],
)
def test_a_state_has_a_place_for_messages_or_not(state: Any, has: bool, fields: list[str]) -> None:
    assert has_messages(state) is has
    assert fields_of(state) == fields
