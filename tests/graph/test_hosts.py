"""Wrapped agents in every corner of LangGraph: streams, maps, commands, caches, the functional API, time travel."""

from __future__ import annotations

import asyncio
import operator
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypedDict

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage
from langchain_core.runnables import RunnableLambda, RunnableParallel
from langchain_core.tools import tool
from langgraph.cache.memory import InMemoryCache
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.func import entrypoint, task
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import InjectedState, ToolNode
from langgraph.pregel.remote import RemoteGraph
from langgraph.types import CachePolicy, Command, Durability, Send, interrupt

from memory_middleware import InvalidInputError, Memory
from tests.graph.support import ANA, START_MARK, Listener, facts, listener, one_node, rounds, run

QUESTION = "Where do I live, do you know?"
MODES: Any = ["values", "updates", "messages", "custom", "debug", "checkpoints", "tasks"]


def asked(text: str = QUESTION, **more: Any) -> Any:
    return {"messages": [HumanMessage(text, **more)]}


def function_of(model: Listener) -> Any:
    def agent(state: MessagesState) -> dict[str, Any]:
        return {"messages": [model.invoke(state["messages"])]}

    return agent


def async_function_of(model: Listener) -> Any:
    async def agent(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await model.ainvoke(state["messages"])]}

    return agent


def agents(memory: Memory) -> list[str | None]:
    return [turn.agent for turn in memory.store.memories.turns.newest(ANA)][::-1]


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize("colour", ["sync", "async"])
def test_no_stream_shows_the_block(memory: Memory, version: Any, colour: str) -> None:
    model = listener("You live in Lisbon.")
    agent = memory.worker(create_agent(model, [], system_prompt="Be kind."))
    graph = one_node(agent).compile(checkpointer=InMemorySaver())
    more: dict[str, Any] = {"stream_mode": MODES, "subgraphs": True, "version": version}

    async def gather() -> list[Any]:
        return [part async for part in graph.astream(asked(), run(), **more)]

    parts = list(graph.stream(asked(), run(), **more)) if colour == "sync" else asyncio.run(gather())
    assert START_MARK in model.system
    assert "memory.recalled" in str(parts)
    assert START_MARK not in str(parts)
    assert "Emergency ward" not in str(parts)


def test_events_show_what_the_model_was_given_unless_it_is_left_out(memory: Memory) -> None:
    graph = one_node(memory.worker(function_of(listener("You live in Lisbon.")))).compile()

    async def gather(clean: bool) -> list[Any]:
        found = []
        async for event in graph.astream_events(asked(), run(), version="v2"):
            if clean and event["event"] in ("on_chat_model_start", "on_chat_model_end"):
                event["data"].pop("input", None)
            found.append(event)
        return found

    events = asyncio.run(gather(clean=False))
    shown = {event["event"] for event in events if START_MARK in str(event)}
    assert shown == {"on_chat_model_start", "on_chat_model_end"}
    assert START_MARK not in str(asyncio.run(gather(clean=True)))


def test_a_router_that_hands_over_from_inside_its_graph_is_written_down_too(memory: Memory) -> None:
    router, worker = listener("over to the worker"), listener("done")

    def inner(state: MessagesState) -> Command[Any]:
        answer = router.invoke(state["messages"])
        return Command(graph=Command.PARENT, goto="worker", update={"messages": [answer]})

    saver = InMemorySaver()
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("router", memory.router(one_node(inner, "inner").compile()), destinations=("worker",))
    builder.add_node("worker", memory.worker(function_of(worker)))
    builder.add_edge(START, "router")
    out = builder.compile(checkpointer=saver).invoke(asked(id="h"), run())
    assert [message.text for message in out["messages"]] == [QUESTION, "over to the worker", "done"]
    assert "USER_MEMORY_START" in router.system
    assert "WORK_MEMORY_START" in worker.system
    assert rounds(memory) == [(QUESTION, "over to the worker\ndone")]
    assert agents(memory) == ["router", "worker"]
    assert START_MARK not in str(list(saver.list(None)))


def test_an_async_router_that_hands_over_is_written_down_too(memory: Memory) -> None:
    router = listener("over to the worker")

    async def inner(state: MessagesState) -> Command[Any]:
        answer = await router.ainvoke(state["messages"])
        return Command(graph=Command.PARENT, goto="worker", update={"messages": [answer]})

    inside = one_node(inner, "inner").compile()

    async def calling(state: MessagesState) -> Any:
        return await inside.ainvoke(state)

    for agent in (inside, calling):
        builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
        builder.add_node("router", memory.router(agent), destinations=("worker",))
        builder.add_node("worker", lambda state: {})
        builder.add_edge(START, "router")
        thread = str(id(agent))
        asyncio.run(builder.compile().ainvoke(asked(id="h"), run(thread)))
        assert rounds(memory, thread=thread) == [(QUESTION, "over to the worker")]


class Job(TypedDict):
    messages: list[AnyMessage]
    secret: str


class Jobs(MessagesState):
    parts: Annotated[list[str], operator.add]


def test_a_map_of_workers_with_private_states_stops_and_goes_on_one_by_one(memory: Memory) -> None:
    model, saver = listener("part"), InMemorySaver()

    def spread(state: Jobs) -> Command[Any]:
        jobs = [{"messages": [HumanMessage(f"{QUESTION} {at}", id=f"h{at}")], "secret": str(at)} for at in range(3)]
        return Command(goto=[Send("worker", job) for job in jobs])

    def worker(state: Job) -> dict[str, Any]:
        model.invoke(state["messages"])
        said = interrupt({"secret": state["secret"]})
        return {"parts": [state["secret"] + said], "messages": [AIMessage(said)]}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(Jobs)
    builder.add_node("spread", spread, destinations=("worker",))
    builder.add_node("worker", memory.worker(worker))
    builder.add_edge(START, "spread")
    graph = builder.compile(checkpointer=saver)
    stops = graph.invoke(asked("go"), run())["__interrupt__"]
    out = graph.invoke(Command(resume={stop.id: f"-{stop.value['secret']}" for stop in stops}), run())
    assert sorted(out["parts"]) == ["0-0", "1-1", "2-2"]
    assert sorted(rounds(memory)) == [(f"{QUESTION} {at}", f"-{at}") for at in range(3)]
    assert START_MARK not in str(list(saver.list(None)))


def test_a_node_that_is_answered_from_a_cache_needs_no_memory(memory: Memory) -> None:
    model = listener("ok")
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("worker", memory.worker(function_of(model)), cache_policy=CachePolicy())
    builder.add_edge(START, "worker")
    graph = builder.compile(cache=InMemoryCache())
    for _ in range(2):
        assert graph.invoke(asked(id="h"), run())["messages"][-1].text == "ok"
    assert len(model.heard) == 1
    assert rounds(memory) == [(QUESTION, "ok")]


def test_agents_side_by_side_and_one_that_waits_for_them_make_one_round(memory: Memory) -> None:
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    first, second, last = listener("one"), listener("two"), listener("three")
    builder.add_node("first", memory.router(first))
    builder.add_node("second", memory.worker(second))
    builder.add_node("last", memory.worker(last), defer=True)
    for name in ("first", "second"):
        builder.add_edge(START, name)
        builder.add_edge(name, "last")
    builder.compile().invoke(asked(id="h"), run())
    assert "nurse" in first.system
    assert "nurse" not in second.system
    assert last.system.count(START_MARK) == 1
    [(query, answers)] = rounds(memory)
    assert query == QUESTION
    assert sorted(answers.split("\n")) == ["one", "three", "two"]


def test_agents_are_called_from_entrypoints_and_tasks(memory: Memory) -> None:
    model, saver = listener("ok"), InMemorySaver()
    worker, router = memory.worker(function_of(model)), memory.router(model)
    as_task = task(memory.worker(function_of(model), name="as_task"))

    @task
    def ask(messages: list[BaseMessage]) -> Any:
        return worker({"messages": messages})

    @task
    async def aask(messages: list[BaseMessage]) -> Any:
        return await router.ainvoke({"messages": messages})

    @entrypoint(checkpointer=saver)
    def flow(messages: list[BaseMessage]) -> int:
        return len([ask(messages).result(), worker({"messages": messages}), as_task({"messages": messages}).result()])

    @entrypoint(checkpointer=saver)
    async def aflow(messages: list[BaseMessage]) -> int:
        return len(await aask(messages))

    assert flow.invoke([HumanMessage(QUESTION, id="h")], run()) == 3
    assert asyncio.run(aflow.ainvoke([HumanMessage(QUESTION, id="h")], run("t2"))) == 1
    assert set(agents(memory)) == {"ask", "flow", "as_task", "aask"}
    assert rounds(memory) == rounds(memory, thread="t2") == [(QUESTION, "ok")]
    assert all(START_MARK in str(heard) for heard in model.heard)
    assert START_MARK not in str(list(saver.list(None)))


def test_an_entrypoint_is_an_agent(memory: Memory) -> None:
    model = listener("ok")

    @entrypoint()
    def flow(state: Any) -> Any:
        return {"messages": [model.invoke(state["messages"])]}

    one_node(memory.worker(flow)).compile().invoke(asked(id="h"), run())
    assert START_MARK in model.system
    assert rounds(memory) == [(QUESTION, "ok")]


@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
def test_however_durable_a_run_is_its_turn_is_written_once(memory: Memory, durability: Durability) -> None:
    model, saver = listener("ok"), InMemorySaver()

    def agent(state: MessagesState) -> dict[str, Any]:
        first, second = interrupt("1"), interrupt("2")
        return {"messages": [AIMessage(f"{model.invoke(state['messages']).text} {first} {second}", id="a")]}

    steps: list[Any] = [asked(id="h"), Command(resume="A"), Command(resume="B")]
    for given in steps:
        graph = one_node(memory.worker(agent)).compile(checkpointer=saver)  # as in another process
        graph.invoke(given, run(), durability=durability)
    assert rounds(memory) == [(QUESTION, "ok A B")]
    assert START_MARK not in str(list(saver.list(None)))


@pytest.mark.parametrize("answers", [["ok", "ok"], ["ok", "fine"]], ids=["same answer", "another answer"])
@pytest.mark.parametrize("extracted", [False, True], ids=["waiting", "extracted"])
def test_words_that_are_edited_in_the_past_take_the_place_of_what_they_were(
    memory: Memory, answers: list[str], extracted: bool
) -> None:
    said = iter(answers)
    graph = one_node(memory.worker(listener(lambda _messages: AIMessage(next(said))))).compile(
        checkpointer=InMemorySaver()
    )
    graph.invoke(asked("I live in Porto.", id="h"), run())
    if extracted:
        memory.flush("ana")
    before = next(state for state in graph.get_state_history(run()) if state.next == ("worker",))
    past = graph.update_state(before.config, asked("I live in Faro.", id="h"))
    past["configurable"]["user_id"] = "ana"
    graph.invoke(None, past)
    assert rounds(memory) == [("I live in Faro.", answers[1])]
    memory.flush("ana")
    assert facts(memory) == ["The user lives in Faro."]


def test_generators_are_served_where_langgraph_runs_them(memory: Memory) -> None:
    model = listener("ok")

    async def later(state: MessagesState) -> Any:
        yield {"messages": [await model.ainvoke(state["messages"])]}

    def now(state: MessagesState) -> Any:
        yield {"messages": [model.invoke(state["messages"])]}

    graph = memory.add_to(one_node(later), workers=["worker"]).compile()
    asyncio.run(graph.ainvoke(asked(id="h"), run("later")))
    memory.add_to(one_node(now), workers=["worker"]).compile().invoke(asked(id="h"), run("now"))
    assert all(START_MARK in str(heard) for heard in model.heard)
    assert rounds(memory, thread="later") == rounds(memory, thread="now") == [(QUESTION, "ok")]
    with pytest.raises(InvalidInputError, match="is a generator"):
        memory.worker(later)


def test_tools_of_memory_stand_beside_tools_that_read_the_state(memory: Memory) -> None:
    @tool
    def count(state: Annotated[Any, InjectedState]) -> str:
        """Count the messages."""
        return f"{len(state['messages'])} messages, block: {START_MARK in str(state)}"

    calls = [("search_memory", {"query": QUESTION}), ("count", {}), ("remember", {"content": "The user has a boat."})]

    def script(messages: Any) -> AIMessage:
        if messages[-1].type == "tool":
            return AIMessage("done")
        return AIMessage("", tool_calls=[{"name": name, "args": args, "id": name} for name, args in calls])

    builder = one_node(memory.worker(function_of(listener(script))), "agent")
    builder.add_node("tools", ToolNode([*memory.tools(), count]))
    builder.add_conditional_edges("agent", lambda state: "tools" if state["messages"][-1].tool_calls else END)
    builder.add_edge("tools", "agent")
    out = builder.compile(checkpointer=InMemorySaver()).invoke(asked(id="h"), run())
    told = {message.name: message.text for message in out["messages"] if message.type == "tool"}
    assert "The user lives in Lisbon." in told["search_memory"]
    assert told["count"] == "2 messages, block: False"
    assert "Remembered as" in told["remember"]
    assert rounds(memory) == [(QUESTION, "done")]


def test_sync_and_async_agents_share_a_graph(memory: Memory) -> None:
    first, second = listener("one"), listener("two")
    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("router", memory.router(function_of(first)))
    builder.add_node("worker", memory.worker(async_function_of(second)), timeout=30)
    builder.add_edge(START, "router")
    builder.add_edge("router", "worker")
    asyncio.run(builder.compile().ainvoke(asked(id="h"), run()))
    assert first.system.count(START_MARK) == second.system.count(START_MARK) == 1
    assert rounds(memory) == [(QUESTION, "one\ntwo")]


def test_a_wrapped_agent_inside_a_wrapped_graph_is_told_its_own(memory: Memory) -> None:
    model, saver = listener("ok"), InMemorySaver()
    inside = memory.add_to(one_node(function_of(model), "inner"), workers=["inner"]).compile()
    one_node(memory.router(inside), "outer").compile(checkpointer=saver).invoke(asked(id="h"), run())
    assert model.system.count(START_MARK) == 1
    assert "WORK_MEMORY_START" in model.system
    assert rounds(memory) == [(QUESTION, "ok")]
    assert agents(memory) == ["inner", "outer"]


def hiding_graph() -> Any:
    def inner(state: MessagesState) -> dict[str, Any]:
        return {"messages": [listener("ok").invoke(state["messages"])]}

    return one_node(inner, "inner").compile()


def far_graph() -> Any:
    return RemoteGraph("agent", url="http://localhost:1")


@pytest.mark.parametrize("graph", [hiding_graph, far_graph], ids=["hidden model", "remote"])
@pytest.mark.parametrize("called_by", ["nobody", "function", "chain"])
def test_a_graph_in_which_no_model_is_seen_gets_no_block_into_its_state(
    memory: Memory, graph: Callable[[], Any], called_by: str
) -> None:
    inner = graph()
    agents: dict[str, Any] = {
        "nobody": inner,
        "function": lambda state: inner.invoke(state),
        "chain": RunnableLambda(lambda state: state) | inner,
    }
    with pytest.raises(InvalidInputError, match="where they run"):
        memory.worker(agents[called_by])


def test_where_an_agent_can_go_is_still_seen(memory: Memory) -> None:
    model = listener("ok")

    def route(state: MessagesState) -> Command[Literal["worker"]]:
        return Command(goto="worker", update={"messages": [model.invoke(state["messages"])]})

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("router", memory.router(route))
    builder.add_node("worker", memory.worker(create_agent(model, [])))
    builder.add_edge(START, "router")
    drawn = builder.compile().get_graph(xray=True)
    assert ("router", "worker:model") in {(edge.source, edge.target) for edge in drawn.edges}


def batch(model: Listener) -> Any:
    return lambda state: {"messages": [model.batch([state["messages"]] * 3)[-1]]}


def side_by_side(model: Listener) -> Any:
    pick = RunnableLambda(lambda found: found["a"])
    return RunnableLambda(lambda state: state["messages"]) | RunnableParallel(a=model, b=model) | pick


def streamed(model: Listener) -> Any:
    def agent(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage("".join(part.text for part in model.stream(state["messages"])))]}

    return agent


@pytest.mark.parametrize("kind", [batch, side_by_side, streamed])
def test_every_call_of_a_model_reads_the_block_once(memory: Memory, kind: Callable[[Listener], Any]) -> None:
    model = listener("ok")
    one_node(memory.worker(kind(model))).compile().invoke(asked(id="h"), run())
    assert model.heard
    assert {str(heard).count(START_MARK) for heard in model.heard} == {1}
