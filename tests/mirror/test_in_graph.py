"""A memory without a place of its own is kept in the store of the graph that runs."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, ToolCall
from langchain_core.runnables.utils import get_function_nonlocals
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.store.postgres.aio import AsyncPostgresStore
from langgraph.store.sqlite.aio import AsyncSqliteStore

from memory_middleware import GraphMemory, InvalidInputError, LanceStore, Memory, Scope, StoreError
from memory_middleware_langchain import AgentMemory
from tests.graph.support import START_MARK, listener, one_node, run
from tests.mirror.support import MANUAL, Moody, facts, over


@pytest.fixture
def memory() -> Iterator[GraphMemory]:
    with Memory.in_graph(MANUAL) as made:
        yield made


def asked(text: str) -> Any:
    return {"messages": [("user", text)]}


def test_an_agent_remembers_in_the_store_of_its_graph(memory: GraphMemory, store: BaseStore) -> None:
    model = listener("Noted.")
    graph = one_node(memory.router(model)).compile(store=store)
    graph.invoke(asked("I live in Lisbon."), run("t1"))
    with over(store) as beside:
        beside.flush("ana")
        assert facts(beside) == {"The user lives in Lisbon."}
    graph.invoke(asked("Where do I live?"), run("t2"))
    assert "Lisbon" in model.system


def test_a_graph_without_a_store_is_told_what_to_do(memory: GraphMemory) -> None:
    graph = one_node(memory.worker(listener())).compile()
    with pytest.raises(InvalidInputError, match=r"compile it with store=…, or use a memory .*Memory\.open\(path\)"):
        graph.invoke(asked("Hello"), run())
    with pytest.raises(InvalidInputError, match=r"no graph runs here; call it inside a node, or use Memory\.over"):
        memory.recall("ana", "outside of a graph")


def test_each_store_has_its_own_memory_and_only_one(memory: GraphMemory) -> None:
    builder = one_node(memory.router(listener("Noted.")))
    one, two = InMemoryStore(), InMemoryStore()
    for store, city in ((one, "Lisbon"), (two, "Rome"), (one, "Porto")):
        builder.compile(store=store).invoke(asked(f"I live in {city}."), run(city))
    assert len(memory._memories) == 2
    with over(one) as beside:
        assert beside.stats("ana").turns == 2
    with over(two) as beside:
        assert beside.stats("ana").turns == 1


def test_a_store_that_is_gone_takes_its_memory_along(memory: GraphMemory) -> None:
    store = InMemoryStore()
    one_node(memory.router(listener("Noted."))).compile(store=store).invoke(asked("I live in Rome."), run())
    opened = next(iter(memory._memories.values()))
    gone = weakref.ref(store)
    del store
    gc.collect()
    assert gone() is None
    assert not memory._memories
    with pytest.raises(StoreError, match="is gone|is closed"):
        opened.recall("ana", "Rome")


def test_a_store_of_our_own_is_used_as_it_is(memory: GraphMemory, tmp_path: Any) -> None:
    with LanceStore.open(tmp_path / "m", embedding=None) as own:
        one_node(memory.router(listener("Noted."))).compile(store=own).invoke(asked("I live in Rome."), run())
        assert own.memories.turns.count(Scope("ana", "t1")) == 1


@pytest.mark.parametrize("kind", ["ours", "other"])
def test_what_was_closed_is_let_go(tmp_path: Any, kind: str) -> None:
    store: BaseStore = LanceStore.open(tmp_path / "m", embedding=None) if kind == "ours" else InMemoryStore()
    memory = Memory.in_graph(MANUAL)
    one_node(memory.router(listener("Noted."))).compile(store=store).invoke(asked("I live in Rome."), run())
    opened, kept = weakref.ref(memory._memories[store]), weakref.ref(store)
    memory.close()
    get_function_nonlocals.cache_clear()  # LangChain's, which keeps the last functions that it looked into
    gc.collect()
    assert opened() is None
    if isinstance(store, LanceStore):
        store.close()
    del store
    gc.collect()
    assert kept() is None


def test_nodes_and_whole_graphs_can_be_given_it(memory: GraphMemory, moody: Moody) -> None:
    model = listener("Noted.")

    def speak(state: MessagesState) -> dict[str, Any]:
        return {"messages": [model.invoke(state["messages"])]}

    builder: StateGraph[Any, Any, Any, Any] = StateGraph(MessagesState)
    builder.add_node("recall", memory.recall_node("router"))
    builder.add_node("speak", speak)
    builder.add_node("observe", memory.observe_node("router"))
    builder.add_edge(START, "recall").add_edge("recall", "speak").add_edge("speak", "observe")
    builder.compile(store=moody).invoke(asked("I live in Oslo."), run("t1"))
    added = memory.add_to(one_node(speak, "router"), router="router").compile(store=moody)
    added.invoke(asked("I live in Bergen."), run("t2"))
    with over(moody) as beside:
        assert beside.stats("ana").turns == 2


def test_tools_work_on_the_store_of_the_graph(memory: GraphMemory, moody: Moody) -> None:
    call = ToolCall(name="remember", args={"content": "The user plays chess."}, id="1")
    node = ToolNode(memory.tools(["remember"]))
    graph = one_node(node, "tools").compile(store=moody)
    done = graph.invoke({"messages": [AIMessage("", tool_calls=[call])]}, run())
    assert "Remembered as" in done["messages"][-1].text
    with over(moody) as beside:
        assert facts(beside) == {"The user plays chess."}


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
def test_create_agent_is_given_it_as_middleware(memory: GraphMemory, moody: Moody, is_async: bool) -> None:
    model = listener("Noted.")
    agent = create_agent(model, middleware=[AgentMemory(memory, role="router")], store=moody)
    with over(moody) as beside:
        beside.remember("ana", "The user lives in Lisbon.", subject="user", attribute="city")
        if is_async:
            asyncio.run(agent.ainvoke(asked("Where do I live?"), run()))
        else:
            agent.invoke(asked("Where do I live?"), run())
        assert START_MARK in model.system
        assert "Lisbon" in model.system
        assert beside.stats("ana").turns == 1
    without = create_agent(model, middleware=[AgentMemory(memory, role="router")])
    with pytest.raises(InvalidInputError, match="compile it with store"):
        without.invoke(asked("Hello"), run())


def test_the_owner_can_be_told_by_code(moody: Moody) -> None:
    with Memory.in_graph(MANUAL, identify=lambda _config, _runtime: "eve") as memory:
        one_node(memory.router(listener("Noted."))).compile(store=moody).invoke(asked("I live in Rome."), run())
    with over(moody) as beside:
        assert list(beside.owners()) == ["eve"]


def test_a_store_that_fails_costs_nobody_the_answer(memory: GraphMemory, moody: Moody) -> None:
    graph = one_node(memory.router(listener("Hello."))).compile(store=moody)
    moody.is_down = True
    assert graph.invoke(asked("I live in Rome."), run())["messages"][-1].text == "Hello."
    assert memory.failures == {"recall": 1, "observe": 1}


def test_it_has_the_methods_of_a_memory_and_no_others(memory: GraphMemory) -> None:
    assert callable(memory.recall)
    assert not hasattr(memory, "recal")
    assert not hasattr(memory, "_observer")


def test_it_can_be_closed_again_and_again(moody: Moody) -> None:
    async def use() -> None:
        async with Memory.in_graph(MANUAL) as memory:
            graph = one_node(memory.router(listener("Noted."))).compile(store=moody)
            await graph.ainvoke(asked("I live in Rome."), run())
            opened = memory._memories[moody]
            assert opened.store._folder.is_dir()
        assert not opened.store._folder.exists()
        await memory.aclose()

    asyncio.run(use())


@pytest.mark.parametrize("kind", ["postgres", "sqlite"])
def test_a_store_on_its_own_loop_serves_async_graphs(kind: str, request: pytest.FixtureRequest, tmp_path: Any) -> None:
    model = listener("Noted.")

    async def use(store: Any, memory: GraphMemory) -> None:
        await store.setup()
        graph = one_node(memory.router(model)).compile(store=store)
        await graph.ainvoke(asked("I live in Lisbon."), run("t1"))
        async with Memory.over(store, MANUAL) as beside:
            await beside.aflush("ana")
            assert await beside.arecall("ana", "Lisbon")
            with pytest.raises(StoreError, match="works on this event loop.*use the async methods"):
                beside.recall("ana", "Lisbon")
        await graph.ainvoke(asked("Where do I live?"), run("t2"))

    async def main() -> None:
        place = str(tmp_path / "s.db") if kind == "sqlite" else request.getfixturevalue("postgres_url")
        opening: Any = AsyncSqliteStore if kind == "sqlite" else AsyncPostgresStore
        async with opening.from_conn_string(place) as store, Memory.in_graph(MANUAL) as memory:
            await use(store, memory)

    if kind == "postgres":
        request.getfixturevalue("postgres_url")
    asyncio.run(main())
    assert "Lisbon" in model.system


def test_a_store_whose_loop_has_ended_is_told_at_once(tmp_path: Any) -> None:
    made: list[Any] = []

    async def main() -> None:
        async with AsyncSqliteStore.from_conn_string(str(tmp_path / "s.db")) as store:
            await store.setup()
            made.append(store)

    asyncio.run(main())
    with over(made[0]) as memory, pytest.raises(StoreError, match="does not run any more"):
        memory.recall("ana", "x")


def test_two_hundred_owners_at_once_stay_apart(memory: GraphMemory, moody: Moody) -> None:
    graph = one_node(memory.router(listener("Noted."))).compile(store=moody)

    async def main() -> None:
        turns = (graph.ainvoke(asked(f"My number is {at}."), run(f"t{at}", f"u{at}")) for at in range(200))
        await asyncio.gather(*turns)

    asyncio.run(main())
    assert memory.failures == {}
    with over(moody) as beside:
        assert len(list(beside.owners())) == 200
        for at in (0, 7, 199):
            assert f"My number is {at}." in "".join(beside.export(f"u{at}"))
            assert beside.stats(f"u{at}").turns == 1


def test_the_first_contact_of_many_threads_is_one(memory: GraphMemory) -> None:
    with over(store := Moody()) as beside:
        beside.remember("ana", "The user lives in Lisbon.")
    graph = one_node(memory.router(listener("Noted."))).compile(store=store)
    threads = [threading.Thread(target=graph.invoke, args=(asked("Hi"), run(f"t{at}"))) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(memory._memories) == 1
    assert memory.failures == {}
