"""Functions whose model cannot be seen: whatever they let out, the block stays behind, and all else is as it was."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from dataclasses import dataclass, field
from json import JSONDecodeError
from traceback import format_exception
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import ParentCommand
from langgraph.graph import END, START, MessagesState, StateGraph, add_messages
from langgraph.types import Command, Send, interrupt
from pydantic import BaseModel, ConfigDict

from memory_middleware import Memory
from memory_middleware.graph.restoring import Restoring
from tests.graph.support import START_MARK, listener, one_node, rounds, run

QUESTION = "Where do I live, do you know?"


class Pair(NamedTuple):
    left: str
    right: Any


class WideState(MessagesState):
    prompt: str
    parts: Any


class Inner(BaseModel):
    model_config = ConfigDict(extra="allow")
    prompt: Any = None


@dataclass(slots=True)
class Narrow:
    inner: Any = None


def told_off(messages: list[Any]) -> Exception:
    """An error that quotes the prompt everywhere."""
    inner = KeyError(system_of(messages))
    error = JSONDecodeError("bad", system_of(messages), 0)
    error.args = (f"bad request: {system_of(messages)}", messages)
    error.add_note(system_of(messages))
    error.__cause__ = ExceptionGroup("several", [inner])
    return error


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
    "a set": lambda messages: {"parts": {system_of(messages), "x"}},
    "a queue": lambda messages: {"parts": deque(messages, maxlen=9)},
    "bytes": lambda messages: {"parts": [system_of(messages).encode(), bytearray(system_of(messages), "utf-8")]},
    "a key": lambda messages: {"parts": {system_of(messages): 1, ("x", system_of(messages)): 2}},
    "lines": lambda messages: {"parts": [*system_of(messages).splitlines(), "after"]},
    "what a model's answer says of itself": lambda messages: {
        "messages": [AIMessage("a", response_metadata={"in": messages}, additional_kwargs={"in": system_of(messages)})]
    },
    "what a tool brings along": lambda messages: {
        "messages": [ToolMessage("t", tool_call_id="x", artifact={"in": messages})]
    },
    "objects in objects": lambda messages: {
        "parts": [Inner(prompt=Narrow([Inner(prompt=messages, more=messages[0])]))]
    },
    "an error that is no failure": lambda messages: {"parts": {"error": str(told_off(messages))}},
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


@pytest.mark.parametrize("colour", ["sync", "async"])
def test_an_error_keeps_its_kind_and_loses_the_block(memory: Memory, colour: str) -> None:
    errors: list[Exception] = []

    def fail(messages: list[Any]) -> Any:
        errors.append(told_off(messages))
        raise errors[0]

    async def afail(state: WideState) -> Any:
        fail(state["messages"])

    saver = InMemorySaver()
    agent = careless(fail) if colour == "sync" else afail
    graph = one_node(memory.worker(agent), state=WideState).compile(checkpointer=saver)
    given: Any = {"messages": [HumanMessage(QUESTION, id="h")]}
    with pytest.raises(JSONDecodeError, match="bad request") as caught:
        graph.invoke(given, run()) if colour == "sync" else asyncio.run(graph.ainvoke(given, run()))
    assert caught.value is errors[0]
    assert START_MARK not in str(list(saver.list(None)))
    assert START_MARK not in "".join(format_exception(caught.value))
    assert caught.value.doc == ""


def test_an_error_of_a_model_that_quotes_its_prompt_loses_the_block(memory: Memory) -> None:
    def quote(messages: Any) -> AIMessage:
        raise ValueError(f"too long: {messages[0].content}")

    saver, model = InMemorySaver(), listener(quote)
    graph = one_node(memory.worker(model), state=WideState).compile(checkpointer=saver)
    with pytest.raises(ValueError, match="too long"):
        graph.invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run())
    assert START_MARK in model.system
    assert START_MARK not in str(list(saver.list(None)))


def test_what_does_not_hold_the_block_is_the_very_same(memory: Memory) -> None:
    around: list[Any] = [1, b"x", "text", deque([2]), {3}, Inner(prompt=[4], more=5), Narrow(), Pair("a", object())]
    around.append(around)
    counts = defaultdict(int, a=1)
    assert Restoring(SystemMessage("sent")).restored(around) is around
    assert Restoring(SystemMessage("sent")).restored(counts) is counts


def test_what_holds_the_block_keeps_its_kind(memory: Memory) -> None:
    block = "<!-- WORK_MEMORY_START -->\nx\n<!-- WORK_MEMORY_END -->"
    sent = SystemMessage(block)
    restored = Restoring(sent).restored
    assert restored(deque([sent, block], maxlen=7)) == deque([""], maxlen=7)
    assert restored(deque([block], maxlen=7)).maxlen == 7
    assert restored(defaultdict(int, {block: 1})).default_factory is int
    assert restored(MappingProxyType({"a": block})) == {"a": ""}
    assert restored(Pair("a", sent)) == Pair("a", None)
    assert restored(frozenset({block})) == frozenset({""})
    assert restored(b"\xff" + block.encode()) == b"\xff"
    assert restored(Narrow(sent)) == Narrow([])
    assert restored(Send("x", {"a": block})).arg == {"a": ""}


@pytest.mark.parametrize(
    ("parts", "left"),
    [
        (["a <!-- USER_MEMORY_START -->", "x", "y", "<!-- USER_MEMORY_END --> b", "c"], ["a", " b", "c"]),
        (["<!-- USER_MEMORY_START -->", "x"], ["", "x"]),
        (["<!-- USER_MEMORY_START --> x <!-- USER_MEMORY_END --> a", "b"], ["a", "b"]),
        (["a", 1, "b <!-- USER_MEMORY_END -->"], ["a", 1, "b <!-- USER_MEMORY_END -->"]),
    ],
    ids=["in lines", "never ended", "in one", "never begun"],
)
def test_a_block_in_lines_is_taken_out_to_its_end(parts: list[Any], left: list[Any]) -> None:
    assert Restoring().restored(parts) == left


@dataclass(slots=True)
class NarrowState:
    messages: Annotated[list[AnyMessage], add_messages] = field(default_factory=list)
    inner: Any = None


class ModelState(BaseModel):
    messages: Annotated[list[AnyMessage], add_messages] = []
    inner: Any = None


@pytest.mark.parametrize("kind", [NarrowState, ModelState])
def test_a_whole_state_loses_the_block_however_deep_it_is(memory: Memory, kind: Any) -> None:
    def agent(state: Any) -> Any:
        assert START_MARK in str(state.messages)
        state.inner = Inner(prompt={"a": [str(state.messages[0].content)]}, more=Narrow(list(state.messages)))
        state.messages.append(AIMessage("hi"))
        return state

    saver = InMemorySaver()
    graph = one_node(memory.worker(agent), state=kind).compile(checkpointer=saver)
    out = graph.invoke({"messages": [HumanMessage(QUESTION)]}, run())
    assert [message.type for message in out["messages"]] == ["human", "ai"]
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
