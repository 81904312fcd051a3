"""Any LangGraph store as a source."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.store.base import BaseStore
from langgraph.store.memory import InMemoryStore
from langgraph.store.postgres import PostgresStore

from memory_middleware import InvalidInputError, Memory, MemoryConfig, MemoryContentSnapshot, Scope
from memory_middleware.sources.langgraph import LangGraphStoreSource
from tests.graph.support import listener, one_node, run

RULES: dict[str, Any] = {
    "extract": {"mode": "manual"},
    "memory": [
        {"name": "mine", "type": "langgraph", "config": {"namespace": ["facts", "{owner_id}"]}},
        {"name": "board", "type": "blackboard", "config": {}},
    ],
    "agents": {"worker": {"memories": [{"name": "mine", "top_k": 2}, {"name": "board"}]}},
}


def fill(store: BaseStore) -> None:
    store.put(("facts", "ana"), "pet", {"text": "Ana has a dog"})
    store.put(("facts", "ana"), "odd", {"number": 3})
    store.put(("facts", "bob"), "pet", {"text": "Bob has a cat"})


def found(source: LangGraphStoreSource, scope: Scope) -> list[str]:
    items = source.retrieve(MemoryContentSnapshot("which animal?"), scope, top_k=5)
    return [item.content_summary for item in items]


def test_a_store_of_ones_own_is_recalled_from(postgres_url: str) -> None:
    with PostgresStore.from_conn_string(postgres_url) as store:
        store.setup()
        fill(store)
        source = LangGraphStoreSource("mine", store, namespace=("facts", "{owner_id}"))
        assert found(source, Scope("ana")) == ["Ana has a dog"]
        assert found(source, Scope("bob")) == ["Bob has a cat"]
        assert found(source, Scope("a.b")) == []


def test_the_store_of_the_run_is_used_in_a_graph(tmp_path: Path) -> None:
    store = InMemoryStore()
    fill(store)
    model = listener("A dog.")
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(RULES)) as memory:
        graph = one_node(memory.worker(model)).compile(store=store)
        graph.invoke({"messages": [HumanMessage("Which animal do I have?")]}, run())
        assert "Ana has a dog" in model.system
        assert "Bob" not in model.system
        graph.invoke({"messages": [HumanMessage("And what did you say before?")]}, run("t2"))
        assert "A dog." in model.system, "what was said is on the board"


def test_a_source_can_be_given(tmp_path: Path) -> None:
    store = InMemoryStore()
    fill(store)
    source = LangGraphStoreSource("mine", store, namespace=("facts", "{owner_id}"))
    with Memory.open(tmp_path, config=MemoryConfig.from_dict(RULES), sources={"mine": source}) as memory:
        text = memory.compose(Scope("ana", "t", "worker"), "Which animal do I have?", role="worker").text
        assert "Ana has a dog" in text


def test_what_is_missing_is_told() -> None:
    with pytest.raises(InvalidInputError, match="has no store"):
        found(LangGraphStoreSource("mine"), Scope("ana"))
    source = LangGraphStoreSource("mine", InMemoryStore(), namespace=("x", "{thread_id}"))
    with pytest.raises(InvalidInputError, match="needs {thread_id}"):
        found(source, Scope("ana"))
    assert found(source, Scope("ana", "t")) == []
