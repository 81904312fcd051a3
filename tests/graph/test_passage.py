"""Functions whose model cannot be seen: whatever they let out, the block stays behind, and all else is as it was."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import ParentCommand
from langgraph.graph import END, START, MessagesState, StateGraph, add_messages
from langgraph.types import Command, interrupt

from memory_middleware import Memory
from tests.graph.support import START_MARK, one_node, rounds, run

QUESTION = "Where do I live, do you know?"


class Pair(NamedTuple):
    left: str
    right: Any


class WideState(MessagesState):
    prompt: str
    parts: Any


def careless(give: Any) -> Any:
    """A function that talks to a model nobody sees, and then lets its prompt out."""

    def agent(state: WideState) -> Any:
        assert START_MARK in str(state["messages"])
        return give(state["messages"])

    return agent


def system_of(messages: list[Any]) -> str:
    return str(messages[0].content)


LEAKS: dict[str, Any] = {
    "a text": lambda messages: {"prompt": f"I was told: {system_of(messages)}\nThat is all."},
    "texts in texts": lambda messages: {"parts": {"a": [system_of(messages), None, 3]}},
    "a message of its own": lambda messages: {"messages": [SystemMessage(system_of(messages) + "\nand more")]},
    "the message alone": lambda messages: {"messages": messages[0]},
    "parts of a message": lambda messages: {
        "messages": [HumanMessage([{"type": "text", "text": f"{system_of(messages)}\n so?"}])]
    },
    "a pair": lambda messages: {"parts": Pair("x", system_of(messages))},
    "a role and a text": lambda messages: {"messages": [("system", system_of(messages))]},
    "an interrupt": lambda messages: {"prompt": interrupt({"asked": [system_of(messages)], "with": messages})},
    "a command": lambda messages: Command(update={"prompt": system_of(messages)}, goto=END),
}


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("given", ["no system message", "a system message"])
def test_nothing_leaves_a_function_with_the_block_in_it(memory: Memory, leak: str, given: str) -> None:
    said: list[Any] = [HumanMessage(QUESTION, id="h")]
    if given == "a system message":
        said.insert(0, SystemMessage("Be kind.", id="s"))
    saver = InMemorySaver()
    graph = one_node(memory.worker(careless(LEAKS[leak])), state=WideState).compile(checkpointer=saver)
    modes: Any = ["values", "updates", "debug", "checkpoints", "tasks"]
    told = list(graph.stream({"messages": said}, run(), stream_mode=modes))
    state = graph.get_state(run())
    assert START_MARK not in str(told)
    assert "Lisbon" not in str(told)
    assert START_MARK not in str(list(saver.list(None)))
    assert START_MARK not in str(state)


def test_all_else_is_as_it_was(memory: Memory) -> None:
    def give(messages: list[Any]) -> Any:
        return {
            "prompt": "  as it is \n",
            "parts": [None, 1, Pair("a", None), {"b": None}],
            "messages": AIMessage("ok"),
        }

    out = (
        one_node(memory.worker(careless(give)), state=WideState)
        .compile()
        .invoke({"messages": [HumanMessage(QUESTION)]}, run())
    )
    assert out["prompt"] == "  as it is \n"
    assert out["parts"] == [None, 1, Pair("a", None), {"b": None}]
    assert isinstance(out["parts"][2], Pair)
    assert rounds(memory) == [(QUESTION, "ok")]


def test_what_a_model_says_is_its_own(memory: Memory) -> None:
    def give(messages: list[Any]) -> Any:
        return {"messages": [AIMessage(f"My prompt says <!-- WORK_MEMORY_START --> {len(messages)}")]}

    out = (
        one_node(memory.worker(careless(give)), state=WideState)
        .compile()
        .invoke({"messages": [HumanMessage(QUESTION)]}, run())
    )
    assert START_MARK in out["messages"][-1].text


@pytest.mark.parametrize("colour", ["sync", "async"])
def test_a_turn_goes_on_after_an_interrupt_that_lost_the_block(memory: Memory, colour: str) -> None:
    def ask(messages: list[Any]) -> Any:
        city = interrupt({"prompt": system_of(messages), "question": "which city?"})
        return {"messages": [AIMessage(f"You live in {city}.", id="a")]}

    saver = InMemorySaver()

    async def aask(state: WideState) -> Any:
        return ask(state["messages"])

    agent = careless(ask) if colour == "sync" else aask
    graph = one_node(memory.worker(agent), state=WideState).compile(checkpointer=saver)

    def go(given: Any) -> Any:
        return graph.invoke(given, run()) if colour == "sync" else asyncio.run(graph.ainvoke(given, run()))

    [stopped] = go({"messages": [HumanMessage(QUESTION, id="h")]})["__interrupt__"]
    assert stopped.value == {"prompt": "", "question": "which city?"}
    go(Command(resume={stopped.id: "Porto"}))
    assert rounds(memory) == [(QUESTION, "You live in Porto.")]
    assert START_MARK not in str(list(saver.list(None)))


def test_a_command_to_the_graph_around_takes_no_block_along(memory: Memory) -> None:
    def agent(state: WideState) -> Any:
        told = {"prompt": system_of(state["messages"])}
        raise ParentCommand(Command(graph=Command.PARENT, goto="after", update=told))

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(WideState)
    builder.add_node("worker", memory.worker(agent), destinations=("after",))
    builder.add_node("after", lambda state: {"parts": state["prompt"]})
    builder.add_edge(START, "worker")
    saver = InMemorySaver()
    outer: StateGraph[Any, Any, Any, Any] = StateGraph(WideState)
    outer.add_node("house", builder.compile())
    outer.add_node("after", lambda state: {"parts": state["prompt"]})
    outer.add_edge(START, "house")
    out = outer.compile(checkpointer=saver).invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run())
    assert out["parts"] == ""
    assert START_MARK not in str(list(saver.list(None)))


@dataclass(frozen=True)
class FrozenState:
    messages: Annotated[list[AnyMessage], add_messages] = field(default_factory=list)
    prompt: str = ""


def test_a_whole_state_that_is_given_back_loses_the_block(memory: Memory) -> None:
    def agent(state: FrozenState) -> Any:
        assert START_MARK in str(state.messages[0].content)
        return FrozenState(messages=state.messages, prompt=str(state.messages[0].content))

    out = (
        one_node(memory.worker(agent), state=FrozenState)
        .compile()
        .invoke({"messages": [HumanMessage(QUESTION)]}, run())
    )
    assert out["prompt"] == ""
    assert [message.type for message in out["messages"]] == ["human"]
