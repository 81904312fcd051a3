"""Agents of every kind get a memory, and what is recalled reaches the model and nothing else."""

from __future__ import annotations

import asyncio
import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph, add_messages
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore
from langgraph.types import Command, Overwrite, Send, StreamWriter
from pydantic import BaseModel

from memory_middleware import InvalidInputError, Memory, MemoryConfig
from memory_middleware.graph.finding import find_models
from tests.graph.conftest import MANUAL
from tests.graph.support import ANA, START_MARK, Listener, listener, one_node, rounds, run

QUESTION = "Where do I live, do you know?"


def function_of(model: Listener) -> Any:
    def agent(state: MessagesState) -> dict[str, Any]:
        return {"messages": [model.invoke([SystemMessage("Be kind. <!-- WORK_MEMORY -->"), *state["messages"]])]}

    return agent


def async_function_of(model: Listener) -> Any:
    async def agent(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await model.ainvoke(state["messages"])]}

    return agent


def object_of(model: Listener) -> Any:
    class Agent:
        def __init__(self) -> None:
            self.model = model

        def __call__(self, state: MessagesState) -> dict[str, Any]:
            return {"messages": [self.model.invoke(state["messages"])]}

    return Agent()


def method_of(model: Listener) -> Any:
    class Agents:
        def __init__(self) -> None:
            self.model = model

        def answer(self, state: MessagesState) -> dict[str, Any]:
            return {"messages": [self.model.invoke(state["messages"])]}

    return Agents().answer


def chain_of(model: Listener) -> Any:
    return ChatPromptTemplate.from_messages([("system", "Be kind."), MessagesPlaceholder("messages")]) | model


def text_chain_of(model: Listener) -> Any:
    return chain_of(model) | StrOutputParser()


def agent_of(model: Listener) -> Any:
    return create_agent(model, tools=[], system_prompt="Be kind.")


def react_agent_of(model: Listener) -> Any:
    prebuilt = pytest.importorskip("langgraph.prebuilt")
    with pytest.warns(DeprecationWarning):
        return prebuilt.create_react_agent(model, tools=[], prompt="Be kind.")


def subgraph_of(model: Listener) -> Any:
    return one_node(function_of(model), "inner").compile()


def bound_model_of(model: Listener) -> Any:
    return model.bind(stop=["x"])


def falling_back_of(model: Listener) -> Any:
    return model.with_fallbacks([listener("something else")])


AGENTS: dict[str, Callable[[Listener], Any]] = {
    "function": function_of,
    "object": object_of,
    "method": method_of,
    "model": lambda model: model,
    "bound model": bound_model_of,
    "model with fallbacks": falling_back_of,
    "chain": chain_of,
    "chain to text": text_chain_of,
    "create_agent": agent_of,
    "create_react_agent": react_agent_of,
    "subgraph": subgraph_of,
}


@pytest.mark.parametrize("colour", ["sync", "async"])
@pytest.mark.parametrize("kind", AGENTS)
def test_what_is_recalled_reaches_the_model_and_nothing_else(memory: Memory, kind: str, colour: str) -> None:
    model = listener("You live in Lisbon.")
    saver = InMemorySaver()
    graph = one_node(memory.worker(AGENTS[kind](model))).compile(checkpointer=saver)
    given = {"messages": [HumanMessage(QUESTION, id="h1")]}
    told: list[Any] = []
    if colour == "sync":
        told += list(graph.stream(given, run(), stream_mode=["values", "updates", "messages"], subgraphs=True))
    else:

        async def go() -> None:
            async for part in graph.astream(
                given, run(), stream_mode=["values", "updates", "messages"], subgraphs=True
            ):
                told.append(part)

        asyncio.run(go())
    assert "The user lives in Lisbon." in model.system
    assert "Emergency ward" in model.system
    assert model.system.count(START_MARK) == 1
    assert sum(message.type == "system" for message in model.heard[-1]) == 1
    assert START_MARK not in str(told)
    assert START_MARK not in str(list(saver.list(None)))
    final = graph.get_state(run()).values["messages"]
    assert [(message.type, message.text.strip()) for message in final] == [
        ("human", QUESTION),
        ("ai", "You live in Lisbon."),
    ]
    assert rounds(memory) == [(QUESTION, "You live in Lisbon.")]
    [turn] = memory.store.memories.turns.newest(ANA)
    assert (turn.agent, len(turn.injected), len(turn.referenced)) == ("worker", 1, 1)
    assert not memory.failures


def test_an_async_function_is_wrapped_as_one(memory: Memory) -> None:
    model = listener("Lisbon.")
    graph = one_node(memory.worker(async_function_of(model))).compile()
    asyncio.run(graph.ainvoke({"messages": [HumanMessage(QUESTION)]}, run()))
    assert "The user lives in Lisbon." in model.system
    assert rounds(memory) == [(QUESTION, "Lisbon.")]


def test_router_and_worker_are_told_their_own(memory: Memory) -> None:
    router, worker = listener("to the worker"), listener("done")
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("router", memory.router(router))
    builder.add_node("worker", memory.worker(worker))
    builder.add_edge(START, "router")
    builder.add_edge("router", "worker")
    builder.compile().invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run())
    assert "USER_MEMORY_START" in router.system
    assert "nurse" in router.system
    assert "WORK_MEMORY_START" in worker.system
    assert "Emergency ward" in worker.system
    assert "nurse" not in worker.system
    assert rounds(memory) == [(QUESTION, "to the worker\ndone")]


def test_a_function_whose_model_cannot_be_seen_is_given_the_block_in_its_state(memory: Memory) -> None:
    heard: list[list[BaseMessage]] = []

    def make() -> Listener:
        return listener(lambda messages: heard.append(list(messages)) or AIMessage("Lisbon."))  # type: ignore[func-returns-value]

    def hidden(state: MessagesState) -> dict[str, Any]:
        answer = eval("make()", {"make": make}).invoke(state["messages"])
        return {"messages": [*state["messages"], answer]}  # careless: it gives back all it was given

    agent = memory.worker(hidden)
    assert find_models(hidden) == []
    saver = InMemorySaver()
    graph = one_node(agent).compile(checkpointer=saver)
    graph.invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run())
    assert START_MARK in heard[0][0].text
    assert START_MARK not in str(list(saver.list(None)))
    assert [message.type for message in graph.get_state(run()).values["messages"]] == ["human", "ai"]


@dataclass
class DataState:
    messages: Annotated[list[AnyMessage], add_messages] = field(default_factory=list)
    count: int = 0


class ModelState(BaseModel):
    messages: Annotated[list[AnyMessage], add_messages] = []
    count: int = 0


class Private(TypedDict):
    messages: list[AnyMessage]
    secret: str


@pytest.mark.parametrize("state", [DataState, ModelState], ids=["dataclass", "pydantic"])
@pytest.mark.parametrize("seen", [True, False], ids=["model seen", "model hidden"])
def test_any_state_will_do(memory: Memory, state: type, seen: bool) -> None:
    model = listener("Lisbon.")
    hide = {"model": model}

    def open_agent(state: Any) -> dict[str, Any]:
        return {"messages": [model.invoke(state.messages)], "count": state.count + 1}

    def hidden_agent(state: Any) -> dict[str, Any]:
        return {"messages": [eval("hide['model']", {"hide": hide}).invoke(state.messages)], "count": state.count + 1}

    agent = memory.worker(open_agent if seen else hidden_agent)
    out = one_node(agent, state=state).compile().invoke({"messages": [HumanMessage(QUESTION)], "count": 1}, run())
    assert out["count"] == 2
    assert "Lisbon" in model.system
    assert START_MARK not in str(out)


def test_other_results_pass_through(memory: Memory) -> None:
    model = listener("hm")

    def nothing(state: MessagesState) -> None:
        model.invoke(state["messages"])

    def command(state: MessagesState) -> Command[Any]:
        return Command(update={"messages": [model.invoke(state["messages"])]}, goto=END)

    def commands(state: MessagesState) -> list[Any]:
        return [Command(update={"messages": [model.invoke(state["messages"])]}), {"messages": [AIMessage("two")]}]

    given = {"messages": [HumanMessage(QUESTION, id="h")]}
    assert len(one_node(memory.worker(nothing)).compile().invoke(given, run("a"))["messages"]) == 1
    assert rounds(memory, thread="a") == []
    assert len(one_node(memory.worker(command)).compile().invoke(given, run("b"))["messages"]) == 2
    assert rounds(memory, thread="b") == [(QUESTION, "hm")]
    assert len(one_node(memory.worker(commands)).compile().invoke(given, run("c"))["messages"]) == 3
    assert rounds(memory, thread="c") == [(QUESTION, "two")]


def test_sends_fan_out_and_every_worker_has_its_turn(memory: Memory) -> None:
    model = listener("part")

    class State(MessagesState):
        parts: Annotated[list[str], operator.add]

    def router(state: State) -> Command[Any]:
        tasks = [HumanMessage(f"{QUESTION} {at}", id=f"task{at}") for at in range(3)]
        return Command(goto=[Send("worker", {"messages": [task]}) for task in tasks])

    def worker(state: State) -> dict[str, Any]:
        answer = model.invoke(state["messages"])
        return {"parts": [state["messages"][-1].text], "messages": [answer]}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(State)
    builder.add_node("router", memory.router(router), destinations=("worker",))
    builder.add_node("worker", memory.worker(worker))
    builder.add_edge(START, "router")
    out = builder.compile().invoke({"messages": [HumanMessage("go and do it", id="h")]}, run())
    assert len(out["parts"]) == 3
    assert all(START_MARK in str(heard[0].content) for heard in model.heard)
    assert sorted(query for query, _ in rounds(memory)) == [f"{QUESTION} {at}" for at in range(3)]


def test_a_function_gets_what_it_asks_for(memory: Memory) -> None:
    model = listener()
    got: dict[str, Any] = {}

    class Context(TypedDict):
        user_id: str

    def agent(
        state: MessagesState,
        config: RunnableConfig,
        runtime: Runtime[Context],
        *,
        store: BaseStore,
        writer: StreamWriter,
    ) -> dict[str, Any]:
        got.update(config=config, runtime=runtime, store=store, writer=writer)
        return {"messages": [model.invoke(state["messages"])]}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState, context_schema=Context)
    builder.add_node("worker", memory.worker(agent))
    builder.add_edge(START, "worker")
    graph = builder.compile(store=memory.store)
    config: Any = {"configurable": {"thread_id": "t1"}}
    graph.invoke({"messages": [HumanMessage(QUESTION)]}, config, context={"user_id": "ana"})
    assert got["runtime"].context == {"user_id": "ana"}
    assert got["store"] is memory.store
    assert got["config"]["configurable"]["thread_id"] == "t1"
    assert "Lisbon" in model.system


def test_a_private_input_schema_is_kept(memory: Memory) -> None:
    model = listener()

    def first(state: MessagesState) -> dict[str, Any]:
        return {"secret": "x"}

    def second(state: Private) -> dict[str, Any]:
        return {"messages": [model.invoke(state["messages"]), AIMessage(state["secret"])]}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("first", first)
    builder.add_node("second", memory.worker(second))
    builder.add_edge(START, "first")
    builder.add_edge("first", "second")
    out = builder.compile().invoke({"messages": [HumanMessage(QUESTION)]}, run())
    assert out["messages"][-1].text == "x"


def test_studio_still_sees_the_subgraph(memory: Memory) -> None:
    graph = one_node(memory.worker(agent_of(listener()))).compile()
    assert list(dict(graph.get_subgraphs())) == ["worker"]
    inner = subgraph_of(listener())

    def caller(state: MessagesState) -> Any:
        return inner.invoke(state)

    assert list(dict(one_node(memory.worker(caller)).compile().get_subgraphs())) == ["worker"]


def test_agents_inside_an_agent_keep_their_own_memory(memory: Memory) -> None:
    shared = listener("ok")
    worker = one_node(memory.worker(function_of(shared)), "worker").compile()

    def router(state: MessagesState) -> dict[str, Any]:
        worker.invoke({"messages": [HumanMessage("a task about where I live", id="task")]})
        return {"messages": [shared.invoke(state["messages"])]}

    one_node(memory.router(router), "router").compile().invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run())
    inner, outer = ("\n".join(str(m.content) for m in heard if m.type == "system") for heard in shared.heard)
    assert ("WORK_MEMORY_START" in inner, "USER_MEMORY_START" in inner) == (True, False)
    assert ("WORK_MEMORY_START" in outer, "USER_MEMORY_START" in outer) == (False, True)


def test_a_model_is_as_it_was_outside_of_a_turn(memory: Memory) -> None:
    model = listener()
    memory.worker(model)
    memory.worker(model)
    model.invoke("hello")
    assert [message.type for message in model.heard[-1]] == ["human"]
    assert model.model_dump(exclude={"answer", "heard"}) is not None
    assert list(model.stream("hello"))


@pytest.mark.parametrize("agent", [None, 3, "text"])
def test_what_is_no_agent_is_refused(memory: Memory, agent: Any) -> None:
    with pytest.raises(InvalidInputError, match="an agent is a function"):
        memory.worker(agent)


def test_a_graph_without_a_model_is_refused(memory: Memory) -> None:
    def quiet(state: MessagesState) -> dict[str, Any]:
        return {}

    with pytest.raises(InvalidInputError, match="no chat model can be seen"):
        memory.worker(one_node(quiet).compile())


def hidden(model: Listener) -> Any:
    """A function that gives its model away to nobody who looks from outside."""
    return eval(
        "lambda state: model.invoke(state['messages'] if isinstance(state, dict) else state.messages)", {"model": model}
    )


@pytest.mark.parametrize(
    "give_back",
    [
        lambda state: Command(goto=[Send("end", {"messages": state["messages"]})]),
        lambda state: {"messages": Overwrite(list(state["messages"]))},
        lambda state: Command(update=[("messages", list(state["messages"]))]),
        lambda state: Command(update={"messages": list(state["messages"])}),
    ],
    ids=["send", "overwrite", "pairs", "update"],
)
def test_a_careless_function_cannot_give_the_block_away(memory: Memory, give_back: Any) -> None:
    model = listener("ok")
    held = {"talk": hidden(model)}

    def agent(state: MessagesState) -> Any:
        eval("held['talk'](state)", {"held": held, "state": state})
        return give_back(state)

    def end(state: MessagesState) -> dict[str, Any]:
        return {}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("worker", memory.worker(agent), destinations=("end",))
    builder.add_node("end", end)
    builder.add_edge(START, "worker")
    saver = InMemorySaver()
    graph = builder.compile(checkpointer=saver, interrupt_before=["end"])
    graph.invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run())
    assert START_MARK in model.system
    assert START_MARK not in str(list(saver.list(None)))
    assert START_MARK not in str(graph.get_state(run()))


def test_a_hidden_model_is_reached_in_a_graph_that_is_not_compiled_yet(memory: Memory) -> None:
    model = listener("ok")
    held = {"talk": hidden(model)}

    def agent(state: MessagesState) -> dict[str, Any]:
        return {"messages": [eval("held['talk'](state)", {"held": held, "state": state})]}

    graph = memory.add_to(one_node(agent), workers=["worker"]).compile()
    out = graph.invoke({"messages": [HumanMessage(QUESTION)]}, run())
    assert START_MARK in model.system
    assert START_MARK not in str(out)


def test_a_method_of_a_plain_object_is_looked_into(memory: Memory) -> None:
    model = listener("ok")
    graph = memory.add_to(one_node(method_of(model)), workers=["worker"]).compile()
    graph.invoke({"messages": [HumanMessage(QUESTION)]}, run())
    assert START_MARK in model.system


def test_a_partial_of_an_async_function_is_async(memory: Memory) -> None:
    async def agent(state: MessagesState, model: Listener) -> dict[str, Any]:
        return {"messages": [await model.ainvoke(state["messages"])]}

    model = listener("ok")
    graph = one_node(memory.worker(functools.partial(agent, model=model))).compile()
    asyncio.run(graph.ainvoke({"messages": [HumanMessage(QUESTION)]}, run()))
    assert START_MARK in model.system


def test_a_generator_is_refused(memory: Memory) -> None:
    def agent(state: MessagesState) -> Any:
        yield {}

    with pytest.raises(InvalidInputError, match="is a generator"):
        memory.worker(agent)


def test_a_state_without_messages_passes(memory: Memory) -> None:
    def start(state: MessagesState) -> Command[Any]:
        return Command(goto=[Send("worker", "just text"), Send("worker", [{"url": "u"}])])

    def worker(state: Any) -> dict[str, Any]:
        return {"messages": [AIMessage(str(state))]}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("start", start, destinations=("worker",))
    builder.add_node("worker", memory.worker(worker))
    builder.add_edge(START, "start")
    out = builder.compile().invoke({"messages": [HumanMessage(QUESTION)]}, run())
    assert len(out["messages"]) == 3


def test_every_answer_of_a_loop_is_written_down(memory: Memory) -> None:
    answers = iter(["First the plan is drafted.", "Then the budget is 300 euros."])
    model = listener(lambda _messages: AIMessage(next(answers)))
    builder = one_node(memory.worker(model))
    builder.add_conditional_edges(
        "worker", lambda state: "worker" if len(state["messages"]) < 3 else END, ["worker", END]
    )
    builder.compile().invoke({"messages": [HumanMessage(QUESTION, id="h")]}, run())
    assert rounds(memory) == [(QUESTION, "First the plan is drafted.\nThen the budget is 300 euros.")]


def test_the_extractor_never_reads_a_block(tmp_path: Path) -> None:
    model = listener('{"facts": [], "profile_patch": {}}')
    rules = MemoryConfig.from_dict({**MANUAL, "extract": {"mode": "inline", "batch_size": 1}})
    with Memory.open(tmp_path, config=rules, model=model) as memory:
        memory.remember("ana", "The user lives in Lisbon.")
        worker = one_node(memory.worker(function_of(model)), "worker").compile()

        def router(state: MessagesState) -> dict[str, Any]:
            worker.invoke({"messages": [HumanMessage("a task about where I live", id="task")]})
            return {"messages": [model.invoke(state["messages"])]}

        graph = one_node(memory.router(router), "router").compile()
        config: Any = {**run(), "recursion_limit": 3}
        graph.invoke({"messages": [HumanMessage(QUESTION, id="h")]}, config)
    asked = [str([message.content for message in heard]) for heard in model.heard]
    extracting = [text for text in asked if "max_facts" in text or "replace" in text]
    assert extracting
    assert not any(START_MARK in text for text in extracting)
